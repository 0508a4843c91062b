package netkit

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
)

// Signal is what an agent delivers for a contract.
type Signal struct {
	Headline string   `json:"headline" doc:"at most 200 characters" minLength:"1" maxLength:"200"`
	Body     string   `json:"body" doc:"at most 16,000 characters" minLength:"1" maxLength:"16000"`
	Sources  []string `json:"sources" doc:"at least one http or https address, at most 20" minItems:"1" maxItems:"20" maxLength:"2000" pattern:"^[hH][tT][tT][pP][sS]?://[A-Za-z0-9._~-]+(:[0-9]{1,5})?([/?#]([!-$&-~]|%[0-9A-Fa-f]{2})*)?$"`
	Data     JSON     `json:"data,omitempty" doc:"for a contract with a schema: an object that fits it; at most 16 KiB"`
}

func (g *Signal) Check() error {
	if err := CheckText("signal.headline", g.Headline, 1, 200); err != nil {
		return err
	}
	if err := CheckText("signal.body", g.Body, 1, 16_000); err != nil {
		return err
	}
	for i, src := range g.Sources {
		if !WebAddress(src, "http", "https") {
			return Invalid("signal.sources["+strconv.Itoa(i)+"]", code.SourceMalformed, "is not an http or https address", "")
		}
	}
	return nil
}

// MaxSources is how many sources a constitution may let a signal name.
const MaxSources = 100

// WebAddress reports whether s is an absolute web address of sane length and one
// of the schemes, which may be in capitals.
func WebAddress(s string, schemes ...string) bool {
	scheme, _, _ := strings.Cut(s, "://")
	if len(s) > 2000 || !slices.Contains(schemes, strings.ToLower(scheme)) {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Host != "" && u.User == nil
}

// Execute asks to execute a matched signal contract.
type Execute struct {
	CampaignID uint64 `json:"campaign_id"`
	Signal     Signal `json:"signal"`
}

// Execution is the receipt of an execution. The wallet never pays: the payout
// is charged to the contract's budget.
type Execution struct {
	ExecutionID   uint64  `json:"execution_id"`
	CampaignID    uint64  `json:"campaign_id"`
	Tier          Tier    `json:"tier" doc:"at which it was paid"`
	Payout        Credits `json:"payout" doc:"charged to the contract"`
	AgentShare    Credits `json:"agent_share"`
	TreasuryShare Credits `json:"treasury_share"`
	Balance       Credits `json:"balance" doc:"of the agent's wallet afterwards, what is pending included"`
	ClearsAt      Millis  `json:"clears_at,omitzero" doc:"when the agent can spend its share and the execution counts, if no crisis begins before; absent if at once"`
	Seq           uint64  `json:"seq"`
	At            Millis  `json:"at"`
}

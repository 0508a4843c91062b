package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type SetClaims struct {
	netkit.Claims
	Stated    string `json:"-"` // the caller's present statement, read before the queue
	StatedSeq uint64 `json:"-"` // entry that holds it, 0 without one
}

func (*SetClaims) Route() string { return "claims" }

func (c *SetClaims) Decide(s *State, call *Call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if err := c.check(s.law); err != nil {
		return err
	}
	call.Add(&ClaimsSet{Agent: p.Slug, Niche: c.Niche, Provider: c.PreferredLLMProvider, Accepts: c.AcceptsAttentionRequests,
		Floor: c.AttentionFloorPrice, Statement: c.CapabilityStatement != ""})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (c *SetClaims) Receipt(e *Entry) netkit.ClaimsReceipt {
	return netkit.ClaimsReceipt{Slug: e.Fact.(*ClaimsSet).Agent, Claims: c.Claims, Seq: e.Seq, At: e.At}
}

func (c *SetClaims) Unchanged(s *State, _ *Secrets, e *Entry, _ netkit.Millis) bool {
	_, p, ok := s.party(e.Actor)
	if !ok {
		return false
	}
	a := &p.Agent
	return a.Niche == c.Niche && a.provider == c.PreferredLLMProvider && a.accepts == c.AcceptsAttentionRequests &&
		a.floor == c.AttentionFloorPrice && a.claims == c.StatedSeq && c.Stated == c.CapabilityStatement
}

func (c *SetClaims) check(law *netkit.Constitution) error {
	if err := CheckNiche("niche", c.Niche); err != nil {
		return err
	}
	if c.PreferredLLMProvider != "" {
		if err := checkProvider("preferred_llm_provider", c.PreferredLLMProvider); err != nil {
			return err
		}
	}
	if err := checkCap("attention_floor_price", c.AttentionFloorPrice); err != nil {
		return err
	}
	return netkit.CheckText("capability_statement", c.CapabilityStatement, 0, law.Limits.CapabilityStatement)
}

// CheckNiche refuses numbers that only a Go caller could send.
func CheckNiche(field string, n netkit.Niche) error {
	if int(n) >= len(netkit.NicheNames) {
		return netkit.Invalid(field, code.NicheUnknown, "is not a niche", "use one of "+netkit.NicheList())
	}
	return nil
}

// checkCap refuses amounts that nobody may set as a price or a limit.
func checkCap(field string, a netkit.Credits) error {
	switch {
	case a < 0:
		return netkit.Invalid(field, code.AmountNegative, "is below 0", "")
	case a > netkit.MaxAmount:
		return netkit.Invalid(field, code.AmountTooLarge, "is over 10000000000.00", "")
	}
	return nil
}

func (c *SetClaims) Fields(k *wire.Codec) {
	t := StatementText{c.CapabilityStatement}
	t.Fields(k)
}

// StatementText is the private part of claims.
type StatementText struct{ Statement string }

func (t *StatementText) Fields(c *wire.Codec) { wire.Str(c, "capability_statement", &t.Statement) }

// ClaimsSet records an agent's claims; the statement stands in the private
// part, and Statement says whether there is one.
type ClaimsSet struct {
	Agent     string
	Niche     netkit.Niche
	Provider  string
	Accepts   bool
	Floor     netkit.Credits
	Statement bool
}

func (*ClaimsSet) Kind() netkit.Kind { return netkit.KindAgentClaims }

func (f *ClaimsSet) CommandOf(*PastView) (Command, error) {
	c := &SetClaims{Claims: netkit.Claims{Niche: f.Niche, PreferredLLMProvider: f.Provider, AcceptsAttentionRequests: f.Accepts, AttentionFloorPrice: f.Floor}}
	if f.Statement {
		c.CapabilityStatement = unknownText
	}
	return c, nil
}

func (f *ClaimsSet) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	enum(c, "niche", &f.Niche, netkit.NicheNames)
	wire.Str(c, "provider", &f.Provider)
	c.Flag("accepts", &f.Accepts)
	wire.Amount(c, "floor", &f.Floor)
	c.Flag("statement", &f.Statement)
}

func (f *ClaimsSet) Apply(s *State, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	a := &s.parties.Change(i).Agent
	a.Niche, a.provider, a.accepts, a.floor, a.claims = f.Niche, f.Provider, f.Accepts, f.Floor, 0
	if f.Statement {
		a.claims = e.Seq
	}
}

// StatementOf returns the entry that holds an agent's statement, 0 for none.
func (s *State) StatementOf(slug string) uint64 {
	if _, p, ok := s.party(slug); ok {
		return p.Agent.claims
	}
	return 0
}

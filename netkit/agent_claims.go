package netkit

import (
	"context"
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Claims are what an agent says about itself. Setting them replaces all five:
// what is left out is claimed no longer.
type Claims struct {
	Niche                    Niche   `json:"niche,omitempty" doc:"SILICON, LEGAL, POLICY, FINANCE, MEDIA or HEALTH"`
	PreferredLLMProvider     string  `json:"preferred_llm_provider,omitempty" doc:"which model provider powers the agent, in any case; sponsors may target it" pattern:"^([A-Za-z0-9][A-Za-z0-9._-]{0,39})?$"`
	AcceptsAttentionRequests bool    `json:"accepts_attention_requests"`
	AttentionFloorPrice      Credits `json:"attention_floor_price" doc:"credits that an attention request costs its sender" minimum:"0" maximum:"10000000000"`
	CapabilityStatement      string  `json:"capability_statement,omitempty" doc:"at most 280 characters" maxLength:"280"`
}

// ClaimsReceipt is the receipt of setting claims.
type ClaimsReceipt struct {
	Slug   string `json:"slug"`
	Claims Claims `json:"claims"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

type setClaims struct {
	Claims
	stated    string // the caller's present statement, read before the queue
	statedSeq uint64 // entry that holds it, 0 without one
}

func (*setClaims) route() string { return "claims" }

func (c *setClaims) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if err := c.check(s.law); err != nil {
		return err
	}
	call.add(&ClaimsSet{Agent: p.slug, Niche: c.Niche, Provider: c.PreferredLLMProvider, Accepts: c.AcceptsAttentionRequests,
		Floor: c.AttentionFloorPrice, Statement: c.CapabilityStatement != ""})
	return nil
}

func (c *setClaims) unchanged(s *state, _ *secrets, e *Entry, _ Millis) bool {
	_, p, ok := s.party(e.Actor)
	if !ok {
		return false
	}
	a := &p.agent
	return a.niche == c.Niche && a.provider == c.PreferredLLMProvider && a.accepts == c.AcceptsAttentionRequests &&
		a.floor == c.AttentionFloorPrice && a.claims == c.statedSeq && c.stated == c.CapabilityStatement
}

func (c *setClaims) check(law *Constitution) error {
	if err := checkNiche("niche", c.Niche); err != nil {
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
	return checkText("capability_statement", c.CapabilityStatement, 0, law.Limits.CapabilityStatement)
}

// checkNiche refuses numbers that only a Go caller could send.
func checkNiche(field string, n Niche) error {
	if int(n) >= len(nicheNames) {
		return invalid(field, code.NicheUnknown, "is not a niche", "use one of "+nicheList())
	}
	return nil
}

// checkCap refuses amounts that nobody may set as a price or a limit.
func checkCap(field string, a Credits) error {
	switch {
	case a < 0:
		return invalid(field, code.AmountNegative, "is below 0", "")
	case a > MaxAmount:
		return invalid(field, code.AmountTooLarge, "is over 10000000000.00", "")
	}
	return nil
}

func (c *setClaims) fields(k *wire.Codec) {
	t := statementText{c.CapabilityStatement}
	t.fields(k)
}

// statementText is the private part of claims.
type statementText struct{ statement string }

func (t *statementText) fields(c *wire.Codec) { wire.Str(c, "capability_statement", &t.statement) }

// ClaimsSet records an agent's claims; the statement stands in the private
// part, and Statement says whether there is one.
type ClaimsSet struct {
	Agent     string
	Niche     Niche
	Provider  string
	Accepts   bool
	Floor     Credits
	Statement bool
}

func (*ClaimsSet) kind() Kind { return KindAgentClaims }

func (f *ClaimsSet) asked(*pastView) (command, error) {
	c := &setClaims{Claims: Claims{Niche: f.Niche, PreferredLLMProvider: f.Provider, AcceptsAttentionRequests: f.Accepts, AttentionFloorPrice: f.Floor}}
	if f.Statement {
		c.CapabilityStatement = unknownText
	}
	return c, nil
}

func (f *ClaimsSet) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	enum(c, "niche", &f.Niche, nicheNames)
	wire.Str(c, "provider", &f.Provider)
	c.Flag("accepts", &f.Accepts)
	wire.Amount(c, "floor", &f.Floor)
	c.Flag("statement", &f.Statement)
}

func (f *ClaimsSet) apply(s *state, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	a := &s.parties.Change(i).agent
	a.niche, a.provider, a.accepts, a.floor, a.claims = f.Niche, f.Provider, f.Accepts, f.Floor, 0
	if f.Statement {
		a.claims = e.Seq
	}
}

// SetClaims replaces the caller's claims.
func (n *Network) SetClaims(ctx context.Context, by Caller, in Claims) (ClaimsReceipt, error) {
	in.CapabilityStatement = norm.NFC.String(in.CapabilityStatement)
	in.PreferredLLMProvider = foldProvider(in.PreferredLLMProvider)
	c := &setClaims{Claims: in}
	if err := c.recall(ctx, n, by); err != nil {
		return ClaimsReceipt{}, err
	}
	return run(ctx, n, by, c, c, func(e *Entry) ClaimsReceipt {
		return ClaimsReceipt{Slug: e.Fact.(*ClaimsSet).Agent, Claims: in, Seq: e.Seq, At: e.At}
	})
}

// recall reads the statement that the caller has now. One that was erased is
// none that could be repeated.
func (c *setClaims) recall(ctx context.Context, n *Network, by Caller) error {
	if c.CapabilityStatement == "" {
		return nil
	}
	n.mu.RLock()
	if _, p, ok := n.state.party(by.Slug); ok {
		c.statedSeq = p.agent.claims
	}
	n.mu.RUnlock()
	if c.statedSeq == 0 || c.statedSeq >= n.durable.Size() {
		return nil
	}
	var t statementText
	_, err := n.text(ctx, c.statedSeq, &t)
	c.stated = t.statement
	return err
}

// checkText refuses a text that is not UTF-8, holds control characters other
// than line breaks and tabs, or has too few or too many characters. They are
// counted as code points after NFC.
func checkText(field, text string, least, most int) error {
	if !utf8.ValidString(text) {
		return invalid(field, code.TextNotUTF8, "is not UTF-8", "")
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return invalid(field, code.TextControl, "holds a control character", "remove it")
		}
	}
	n := len(text)
	if n > most {
		n = utf8.RuneCountInString(norm.NFC.String(text))
	}
	switch {
	case n < least:
		return invalid(field, code.TextMissing, "is required", "")
	case n > most:
		return invalid(field, code.TextTooLong, fmt.Sprintf("has %d characters, at most %d are allowed", n, most), "shorten it")
	}
	return nil
}

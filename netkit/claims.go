package netkit

import (
	"context"

	"golang.org/x/text/unicode/norm"
)

// Claims are what an agent says about itself. Setting them replaces all five:
// what is left out is claimed no longer.
type Claims struct {
	Niche                    Niche   `json:"niche,omitempty" doc:"SILICON, LEGAL, POLICY, FINANCE, MEDIA or HEALTH"`
	PreferredLLMProvider     string  `json:"preferred_llm_provider,omitempty" doc:"which model provider powers the agent; sponsors may target it"`
	AcceptsAttentionRequests bool    `json:"accepts_attention_requests"`
	AttentionFloorPrice      Credits `json:"attention_floor_price" doc:"credits that an attention request costs its sender"`
	CapabilityStatement      string  `json:"capability_statement,omitempty" doc:"at most 280 characters"`
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
	call.add(&claimsSet{Agent: p.slug, Niche: c.Niche, Provider: c.PreferredLLMProvider, Accepts: c.AcceptsAttentionRequests,
		Floor: c.AttentionFloorPrice, Statement: c.CapabilityStatement != ""})
	return nil
}

func (c *setClaims) unchanged(s *state, _ *secrets, e *Entry) bool {
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
		return invalid(field, "niche_unknown", "is not a niche", "use one of SILICON, LEGAL, POLICY, FINANCE, MEDIA, HEALTH")
	}
	return nil
}

// checkCap refuses amounts that nobody may set as a price or a limit.
func checkCap(field string, a Credits) error {
	switch {
	case a < 0:
		return invalid(field, "amount_negative", "is below 0", "")
	case a > MaxAmount:
		return invalid(field, "amount_too_large", "is over 10000000000.00", "")
	}
	return nil
}

func (c *setClaims) fields(k *codec) {
	t := statementText{c.CapabilityStatement}
	t.fields(k)
}

// statementText is the private part of claims.
type statementText struct{ statement string }

func (t *statementText) fields(c *codec) { str(c, "capability_statement", &t.statement) }

// claimsSet records an agent's claims; the statement stands in the private
// part, and Statement says whether there is one.
type claimsSet struct {
	Agent     string
	Niche     Niche
	Provider  string
	Accepts   bool
	Floor     Credits
	Statement bool
}

func (*claimsSet) kind() Kind { return "agent.claims" }

func (f *claimsSet) asked(*hindsight) (command, error) {
	c := &setClaims{Claims: Claims{Niche: f.Niche, PreferredLLMProvider: f.Provider, AcceptsAttentionRequests: f.Accepts, AttentionFloorPrice: f.Floor}}
	if f.Statement {
		c.CapabilityStatement = unknownText
	}
	return c, nil
}

func (f *claimsSet) fields(c *codec) {
	str(c, "agent", &f.Agent)
	enum(c, "niche", &f.Niche, nicheNames)
	str(c, "provider", &f.Provider)
	c.flag("accepts", &f.Accepts)
	c.amount("floor", &f.Floor)
	c.flag("statement", &f.Statement)
}

func (f *claimsSet) apply(s *state, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	a := &s.parties.change(i).agent
	a.niche, a.provider, a.accepts, a.floor, a.claims = f.Niche, f.Provider, f.Accepts, f.Floor, 0
	if f.Statement {
		a.claims = e.Seq
	}
}

// SetClaims replaces the caller's claims.
func (n *Network) SetClaims(ctx context.Context, by Caller, in Claims) (ClaimsReceipt, error) {
	in.CapabilityStatement = norm.NFC.String(in.CapabilityStatement)
	c := &setClaims{Claims: in}
	if err := c.recall(ctx, n, by); err != nil {
		return ClaimsReceipt{}, err
	}
	return run(ctx, n, by, c, c, func(e *Entry) ClaimsReceipt {
		return ClaimsReceipt{Slug: e.Fact.(*claimsSet).Agent, Claims: in, Seq: e.Seq, At: e.At}
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
	if c.statedSeq == 0 || c.statedSeq >= n.durable.size() {
		return nil
	}
	var t statementText
	_, err := n.text(ctx, c.statedSeq, &t)
	c.stated = t.statement
	return err
}

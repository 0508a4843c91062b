package netkit

import (
	"context"
	"regexp"
	"slices"
)

// Matching says which agents may execute a contract. Empty lists match all.
type Matching struct {
	Niches       []Niche  `json:"niches,omitempty"`
	LLMProviders []string `json:"llm_providers,omitempty"`
	MinTier      Tier     `json:"min_tier,omitempty"`
}

func (m *Matching) fields(c *codec) {
	list(c, "niches", &m.Niches, func(c *codec, n *Niche) { c.enumElement((*uint8)(n), nicheNames) })
	strs(c, "llm_providers", &m.LLMProviders)
	enum(c, "min_tier", &m.MinTier, tierNames)
}

// OpenContract asks for a signal contract. A sponsor opens its own; an
// operator names the sponsor.
type OpenContract struct {
	Sponsor            string       `json:"sponsor,omitempty" doc:"whose funds pay; a sponsor may leave it out"`
	Title              string       `json:"title" doc:"at most 120 characters"`
	Brief              string       `json:"brief" doc:"what is asked for; at most 4,000 characters"`
	Kind               ContractKind `json:"kind,omitempty" doc:"operational contracts run on during a crisis and need an operator"`
	Channel            Niche        `json:"channel"`
	Payload            string       `json:"payload,omitempty" doc:"what the agent works with; suppressed during a crisis; at most 8,000 characters"`
	Budget             Credits      `json:"budget" doc:"at least one payout of min_tier"`
	Matching           Matching     `json:"matching,omitzero"`
	ExecutionsPerAgent uint32       `json:"executions_per_agent,omitempty" doc:"default: 1"`
	EndsAt             Millis       `json:"ends_at,omitempty" doc:"when it ends and the rest returns; default: never"`
}

// ContractReceipt is the receipt of opening, funding and closing a contract.
type ContractReceipt struct {
	CampaignID uint64        `json:"campaign_id"`
	Sponsor    string        `json:"sponsor"`
	State      ContractState `json:"state"`
	Remaining  Credits       `json:"remaining"`
	Returned   Credits       `json:"returned,omitempty" doc:"what went back to the sponsor"`
	Seq        uint64        `json:"seq"`
	At         Millis        `json:"at"`
}

// contract is the row of a contract; its money stands in budgets.
type contract struct {
	id       uint64 // entry that opened it
	sponsor  uint32 // row of the party
	kind     ContractKind
	channel  Niche
	state    ContractState
	min      Tier
	niches   []Niche
	provider []string
	limit    uint32 // executions per agent
	opened   Millis
	ends     Millis // 0 is never
	budget   Credits
	spent    Credits
	runs     uint64 // executions
}

// live reports whether a contract may still be executed or topped up.
func (ct *contract) live() bool { return ct.state == ContractOpen || ct.state == ContractExhausted }

// over reports whether a contract's time is up, be its end recorded or still
// waiting behind others that fell due at the same moment.
func (ct *contract) over(at Millis) bool { return ct.ends != 0 && at >= ct.ends }

// contract returns the row of a contract, or a refusal.
func (s *state) contract(field string, id uint64) (uint32, *contract, error) {
	if i, ok := s.byID.get(id); ok {
		return i, s.contracts.at(i), nil
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: "contract_unknown", Field: field, What: "names no signal contract", Next: "{listContracts} lists them"}
}

type openContract struct{ OpenContract }

func (*openContract) route() string { return "contract" }

func (c *openContract) decide(s *state, call *call) error {
	if err := c.authority(s, call); err != nil {
		return err
	}
	if err := c.check(s, call.at); err != nil {
		return err
	}
	f := &contractOpened{Sponsor: c.Sponsor, Contract: c.Kind, Channel: c.Channel, Budget: c.Budget,
		Matching: c.Matching, Limit: max(c.ExecutionsPerAgent, 1), Ends: c.EndsAt}
	return payContract(s, call, f, c.Sponsor, s.root.next, c.Budget)
}

// payContract moves a budget from a sponsor to a contract.
func payContract(s *state, call *call, f Fact, sponsor string, id uint64, budget Credits) error {
	if held := s.held(SponsorFunds(sponsor)); held < budget {
		return refuse(ErrInsufficientCredits, "sponsor_funds", "the sponsor's uncommitted funds do not cover the budget", "ask an operator to book a deposit")
	}
	call.add(f, move{SponsorFunds(sponsor), -budget}, move{ContractBudget(id), budget})
	return nil
}

// authority settles whose contract it is and whether the caller may open it.
func (c *openContract) authority(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	switch {
	case p.kind == AgentParty:
		return forbidden("", "sponsors_only", "only a sponsor or an operator opens contracts", "{asSponsor}")
	case p.kind == SponsorParty && c.Sponsor == "":
		c.Sponsor = p.slug
	case p.kind == SponsorParty && c.Sponsor != p.slug:
		return forbidden("", "foreign_sponsor", "a sponsor opens its own contracts only", "leave sponsor out")
	}
	if c.Kind == Operational && p.kind != OperatorParty {
		return forbidden("L3", "operational_needs_operator", "an operational contract is exempt from blackouts and needs an operator", "ask an operator, or open a commercial one")
	}
	_, _, err = s.sponsor("sponsor", c.Sponsor)
	return err
}

// providerForm is what a provider's name looks like.
var providerForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)

func checkProvider(field, name string) error {
	if !providerForm.MatchString(name) {
		return invalid(field, "provider_malformed", "is not a provider's name", "use 1 to 40 of a-z, 0-9, dot, dash and underscore")
	}
	return nil
}

func (c *openContract) checkTexts() error {
	if err := checkText("title", c.Title, 1, 120); err != nil {
		return err
	}
	if err := checkText("brief", c.Brief, 1, 4000); err != nil {
		return err
	}
	return checkText("payload", c.Payload, 0, 8000)
}

func (c *openContract) check(s *state, at Millis) error {
	if int(c.Kind) >= len(contractKindNames) {
		return invalid("kind", "kind_unknown", "is neither commercial nor operational", "")
	}
	if err := checkChannel(c.Channel); err != nil {
		return err
	}
	if err := checkAmount("budget", c.Budget); err != nil {
		return err
	}
	if int(c.Matching.MinTier) >= len(s.law.Tiers) || c.Budget < s.law.tier(c.Matching.MinTier).Payout {
		return invalid("budget", "budget_below_payout", "does not cover one payout of min_tier", "raise the budget or lower min_tier")
	}
	if c.EndsAt != 0 && c.EndsAt <= at {
		return invalid("ends_at", "time_past", "is not in the future", "")
	}
	return c.checkMatching()
}

func (c *openContract) checkMatching() error {
	m := &c.Matching
	unknown := func(n Niche) bool { return n == NoNiche || int(n) >= len(nicheNames) }
	if len(m.Niches) > len(Niches()) || slices.ContainsFunc(m.Niches, unknown) {
		return invalid("matching.niches", "niche_unknown", "must list at most the six niches", "")
	}
	if len(m.LLMProviders) > 20 {
		return invalid("matching.llm_providers", "too_many", "has more than 20 names", "")
	}
	for _, p := range m.LLMProviders {
		if err := checkProvider("matching.llm_providers", p); err != nil {
			return err
		}
	}
	if c.ExecutionsPerAgent > 1_000_000 {
		return invalid("executions_per_agent", "number_too_large", "is over 1000000", "")
	}
	return nil
}

func (c *openContract) fields(k *codec) {
	str(k, "title", &c.Title)
	str(k, "brief", &c.Brief)
	str(k, "payload", &c.Payload)
}

// contractOpened records a contract; its texts stand in the private part.
type contractOpened struct {
	Sponsor  string
	Contract ContractKind
	Channel  Niche
	Budget   Credits
	Matching Matching
	Limit    uint32
	Ends     Millis
}

func (*contractOpened) kind() Kind { return "contract.opened" }

func (f *contractOpened) asked(*hindsight) (command, error) {
	return &openContract{OpenContract{Sponsor: f.Sponsor, Kind: f.Contract, Channel: f.Channel, Budget: f.Budget,
		Matching: f.Matching, ExecutionsPerAgent: f.Limit, EndsAt: f.Ends}}, nil
}

func (f *contractOpened) fields(c *codec) {
	str(c, "sponsor", &f.Sponsor)
	enum(c, "contract", &f.Contract, contractKindNames)
	enum(c, "channel", &f.Channel, nicheNames)
	c.amount("budget", &f.Budget)
	f.Matching.fields(c)
	num(c, "executions_per_agent", &f.Limit)
	num(c, "ends_at", &f.Ends)
}

func (f *contractOpened) apply(s *state, e *Entry) {
	sponsor, _, _ := s.party(f.Sponsor)
	row := s.contracts.add(contract{id: e.Seq, sponsor: sponsor, kind: f.Contract, channel: f.Channel, min: f.Matching.MinTier,
		niches: f.Matching.Niches, provider: f.Matching.LLMProviders, limit: f.Limit, opened: e.At, ends: f.Ends, budget: f.Budget})
	s.budgets.add(balance{})
	s.byID.put(e.Seq, row)
	s.due.plan(contractEnds, f.Ends, e.Seq)
}

// OpenContract opens a signal contract from a sponsor's funds.
func (n *Network) OpenContract(ctx context.Context, by Caller, in OpenContract) (ContractReceipt, error) {
	// The state keeps these lists, and the caller may go on to change its own.
	in.Matching.Niches, in.Matching.LLMProviders = slices.Clone(in.Matching.Niches), slices.Clone(in.Matching.LLMProviders)
	c := &openContract{in}
	if err := c.checkTexts(); err != nil {
		return ContractReceipt{}, err
	}
	return run(ctx, n, by, c, c, func(e *Entry) ContractReceipt {
		f := e.Fact.(*contractOpened)
		return ContractReceipt{CampaignID: e.Seq, Sponsor: f.Sponsor, Remaining: f.Budget, Seq: e.Seq, At: e.At}
	})
}

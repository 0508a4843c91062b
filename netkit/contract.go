package netkit

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// Matching says which agents may execute a contract. Empty lists match all.
type Matching struct {
	Niches       []Niche  `json:"niches,omitempty" maxItems:"6"`
	LLMProviders []string `json:"llm_providers,omitempty" maxItems:"20" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$"`
	MinTier      Tier     `json:"min_tier,omitempty"`
	MaxTier      *Tier    `json:"max_tier,omitempty" doc:"agents of a higher tier, whose rate is higher too, do not match; default: none is too high"`
}

// ceiling is the highest tier that a contract pays for, and how it is stored.
type ceiling uint8

const noCeiling ceiling = 0

var ceilingNames = append(names{""}, tierNames...)

func (c ceiling) tier() Tier { return Tier(c - 1) }

func ceilingOf(t *Tier) ceiling {
	if t == nil {
		return noCeiling
	}
	return ceiling(*t + 1)
}

// Tiers says in words which tiers may execute: "VERIFIED to BADGED".
func (m *Matching) Tiers() string {
	switch {
	case m.MaxTier == nil && m.MinTier == 0:
		return "any"
	case m.MaxTier == nil:
		return m.MinTier.String() + " or above"
	case m.MinTier == 0:
		return "up to " + m.MaxTier.String()
	}
	return m.MinTier.String() + " to " + m.MaxTier.String()
}

// shown is the inverse of ceilingOf.
func (c ceiling) shown() *Tier {
	if c == noCeiling {
		return nil
	}
	return new(c.tier())
}

func (m *Matching) fields(c *wire.Codec) {
	wire.List(c, "niches", &m.Niches, func(c *wire.Codec, n *Niche) { enumElement(c, (*uint8)(n), nicheNames) })
	wire.Strs(c, "llm_providers", &m.LLMProviders)
	enum(c, "min_tier", &m.MinTier, tierNames)
	top := ceilingOf(m.MaxTier)
	enum(c, "max_tier", &top, ceilingNames)
	m.MaxTier = top.shown()
}

// OpenContract asks for a signal contract. A sponsor opens its own; an
// operator names the sponsor.
type OpenContract struct {
	Sponsor            string       `json:"sponsor,omitempty" doc:"whose funds pay; a sponsor may leave it out"`
	Title              string       `json:"title" doc:"at most 120 characters" minLength:"1" maxLength:"120"`
	Brief              string       `json:"brief" doc:"what is asked for; at most 4,000 characters" minLength:"1" maxLength:"4000"`
	Kind               ContractKind `json:"kind,omitempty" doc:"operational contracts run on during a crisis and need an operator"`
	Channel            Niche        `json:"channel"`
	Payload            string       `json:"payload,omitempty" doc:"what the agent works with; suppressed during a crisis; at most 8,000 characters" maxLength:"8000"`
	Budget             Credits      `json:"budget" doc:"at least the payout of the lowest tier that matches" minimum:"0.01" maximum:"10000000000"`
	Matching           Matching     `json:"matching,omitzero"`
	ExecutionsPerAgent uint32       `json:"executions_per_agent,omitempty" doc:"default: 1" minimum:"1" maximum:"1000000" zero:"false"`
	EndsAt             Millis       `json:"ends_at,omitempty" doc:"when it ends and the rest returns; default: never"`
	ClearingHours      uint32       `json:"clearing_hours,omitempty" doc:"until an execution clears, at most as many as the constitution says, which is the default" minimum:"1" zero:"false"`
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

// contract is the row of a contract. Once it is finished it goes into the
// journal, see archive.
type contract struct {
	id       uint64 // entry that opened it
	sponsor  uint32 // row of the party
	kind     ContractKind
	channel  Niche
	state    ContractState // ContractOpen while it lives, see stateOf
	min      Tier
	max      ceiling
	niches   []Niche
	provider []string
	limit    uint32 // executions per agent
	opened   Millis
	ends     Millis // 0 is never
	budget   Credits
	spent    Credits
	clearing uint32 // hours until its executions clear; 0 is what the constitution says

	newcomers Credits  // of spent, what newcomers were paid
	runs      uint64   // executions
	left      *balance // of the budget
}

func (ct *contract) fields(c *wire.Codec) {
	wire.Num(c, "id", &ct.id)
	wire.Num(c, "sponsor", &ct.sponsor)
	enum(c, "kind", &ct.kind, contractKindNames)
	enum(c, "channel", &ct.channel, nicheNames)
	enum(c, "state", &ct.state, contractStateNames)
	enum(c, "min_tier", &ct.min, tierNames)
	wire.List(c, "niches", &ct.niches, func(c *wire.Codec, n *Niche) { enumElement(c, (*uint8)(n), nicheNames) })
	wire.Strs(c, "llm_providers", &ct.provider)
	wire.Num(c, "limit", &ct.limit)
	wire.Num(c, "opened", &ct.opened)
	wire.Num(c, "ends", &ct.ends)
	wire.Amount(c, "budget", &ct.budget)
	enum(c, "max_tier", &ct.max, ceilingNames)
	wire.Num(c, "clearing", &ct.clearing)
	wire.Amount(c, "spent", &ct.spent)
	wire.Amount(c, "newcomers", &ct.newcomers)
	wire.Num(c, "runs", &ct.runs)
	if ct.left == nil {
		ct.left = new(balance)
	}
	c.Member("left", ct.left.fields)
}

func contractID(ct *contract) uint64 { return ct.id }

// live reports whether a contract may still be executed or topped up.
func (ct *contract) live() bool { return ct.state == ContractOpen }

// stateOf returns the state of a contract: one that lives is exhausted iff what
// is left is below the payout of min_tier, the cheapest that may still come. A
// dearer agent meets 409 while others go on.
func (s *state) stateOf(ct *contract) ContractState {
	if ct.live() && ct.budget-ct.spent < s.law.tier(ct.min).Payout {
		return ContractExhausted
	}
	return ct.state
}

// over reports whether a contract's time is up, be its end recorded or still
// waiting behind others that fell due at the same moment.
func (ct *contract) over(at Millis) bool { return ct.ends != 0 && at >= ct.ends }

// contract returns the row of a contract, or a refusal.
func (s *state) contract(field string, id uint64) (*contract, error) {
	if ct, ok := s.contracts.Get(id); ok {
		return ct, nil
	}
	return nil, contractUnknown(field)
}

func contractUnknown(field string) error {
	return &Refusal{Kind: ErrNotFound, Code: code.ContractUnknown, Field: field, What: "names no signal contract", Next: "{listContracts} lists them"}
}

type openContract struct{ OpenContract }

func (*openContract) route() string { return "contract" }

func (c *openContract) decide(s *state, call *call) error {
	sponsor, err := c.authority(s, call)
	if err != nil {
		return err
	}
	if err := c.check(s, call.at); err != nil {
		return err
	}
	f := &ContractOpened{Sponsor: sponsor, Contract: c.Kind, Channel: c.Channel, Budget: c.Budget,
		Matching: c.Matching, Limit: max(c.ExecutionsPerAgent, 1), Ends: c.EndsAt, Clearing: c.ClearingHours}
	return payContract(s, call, f, sponsor, s.root.next, c.Budget)
}

// payContract moves a budget from a sponsor to a contract.
func payContract(s *state, call *call, f Fact, sponsor string, id uint64, budget Credits) error {
	if held := s.held(SponsorFunds(sponsor)); held < budget {
		return refuse(ErrInsufficientCredits, code.SponsorFunds, "the sponsor's uncommitted funds do not cover the budget", "ask an operator to book a deposit")
	}
	call.add(f, move{SponsorFunds(sponsor), -budget}, move{ContractBudget(id), budget})
	return nil
}

// authority returns the slug of whose contract it is, if the caller may open it.
func (c *openContract) authority(s *state, call *call) (sponsor string, err error) {
	_, p, err := call.actor(s)
	if err != nil {
		return "", err
	}
	sponsor = c.Sponsor
	switch {
	case p.kind == AgentParty:
		return "", forbidden("", code.SponsorsOnly, "only a sponsor or an operator opens contracts", "{asSponsor}")
	case p.kind == SponsorParty && c.Sponsor == "":
		sponsor = p.slug
	case p.kind == SponsorParty && c.Sponsor != p.slug:
		return "", forbidden("", code.ForeignSponsor, "a sponsor opens its own contracts only", "leave sponsor out")
	}
	if c.Kind == Operational && p.kind != OperatorParty {
		return "", forbidden("L3", code.OperationalNeedsOperator, "an operational contract is exempt from blackouts and needs an operator", "ask an operator, or open a commercial one")
	}
	_, _, err = s.sponsor("sponsor", sponsor)
	return sponsor, err
}

// foldProvider returns the name of a model provider as it is stored and
// compared: case makes no difference, so that "OpenAI" and "openai" are one.
func foldProvider(name string) string { return strings.ToLower(name) }

// providerForm is what a provider's folded name looks like.
var providerForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)

func checkProvider(field, name string) error {
	if !providerForm.MatchString(name) {
		return invalid(field, code.ProviderMalformed, "is not a provider's name", "use 1 to 40 letters, digits, dots, dashes and underscores")
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
		return invalid("kind", code.KindUnknown, "is neither commercial nor operational", "")
	}
	if err := checkChannel(c.Channel); err != nil {
		return err
	}
	if err := c.checkMoney(s); err != nil {
		return err
	}
	if c.EndsAt != 0 && c.EndsAt <= at {
		return invalid("ends_at", code.TimePast, "is not in the future", "")
	}
	if most := s.law.Market.ClearingHours; int(c.ClearingHours) > most {
		return invalid("clearing_hours", code.ClearingTooLong, "is over the "+plural.Count(most, "hour", "hours")+" of the constitution", "leave it out, or say less")
	}
	return c.checkMatching()
}

// checkMoney wants a budget that pays an execution at least.
func (c *openContract) checkMoney(s *state) error {
	if err := checkAmount("budget", c.Budget); err != nil {
		return err
	}
	if int(c.Matching.MinTier) >= len(s.law.Tiers) || c.Budget < s.law.tier(c.Matching.MinTier).Payout {
		return invalid("budget", code.BudgetBelowPayout, "does not cover one payout of the lowest tier that matches", "raise the budget, or match a lower tier")
	}
	return nil
}

func (c *openContract) checkMatching() error {
	m := &c.Matching
	unknown := func(n Niche) bool { return n == NoNiche || int(n) >= len(nicheNames) }
	if len(m.Niches) > len(Niches()) || slices.ContainsFunc(m.Niches, unknown) {
		return invalid("matching.niches", code.NicheUnknown, "must list at most the six niches", "")
	}
	if m.MaxTier != nil && (int(*m.MaxTier) >= len(tierNames) || *m.MaxTier < m.MinTier) {
		return invalid("matching.max_tier", code.MaxTierBelowMin, "is below min_tier", "raise it, or leave it out")
	}
	if len(m.LLMProviders) > 20 {
		return invalid("matching.llm_providers", code.TooMany, "has more than 20 names", "")
	}
	for _, p := range m.LLMProviders {
		if err := checkProvider("matching.llm_providers", p); err != nil {
			return err
		}
	}
	if c.ExecutionsPerAgent > 1_000_000 {
		return invalid("executions_per_agent", code.NumberTooLarge, "is over 1000000", "")
	}
	return nil
}

func (c *openContract) fields(k *wire.Codec) {
	wire.Str(k, "title", &c.Title)
	wire.Str(k, "brief", &c.Brief)
	wire.Str(k, "payload", &c.Payload)
}

// ContractOpened records a contract; its texts stand in the private part.
type ContractOpened struct {
	Sponsor  string
	Contract ContractKind
	Channel  Niche
	Budget   Credits
	Matching Matching
	Limit    uint32
	Ends     Millis
	Clearing uint32 // hours; 0 is what the constitution says
}

func (*ContractOpened) kind() Kind { return KindContractOpened }

func (f *ContractOpened) asked(*pastView) (command, error) {
	return &openContract{OpenContract{Sponsor: f.Sponsor, Kind: f.Contract, Channel: f.Channel, Budget: f.Budget,
		Matching: f.Matching, ExecutionsPerAgent: f.Limit, EndsAt: f.Ends, ClearingHours: f.Clearing}}, nil
}

func (f *ContractOpened) fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	enum(c, "contract", &f.Contract, contractKindNames)
	enum(c, "channel", &f.Channel, nicheNames)
	wire.Amount(c, "budget", &f.Budget)
	f.Matching.fields(c)
	wire.Num(c, "executions_per_agent", &f.Limit)
	wire.Num(c, "ends_at", &f.Ends)
	wire.Num(c, "clearing_hours", &f.Clearing)
}

func (f *ContractOpened) apply(s *state, e *Entry) {
	sponsor, _, _ := s.party(f.Sponsor)
	s.contracts.Add(e.Seq, contract{id: e.Seq, sponsor: sponsor, kind: f.Contract, channel: f.Channel, min: f.Matching.MinTier, max: ceilingOf(f.Matching.MaxTier), clearing: f.Clearing,
		niches: f.Matching.Niches, provider: f.Matching.LLMProviders, limit: f.Limit, opened: e.At, ends: f.Ends, budget: f.Budget, left: new(balance)})
	s.roots.Edit(s.root).counts.Contracts++
	s.deadlines.plan(contractEnds, f.Ends, e.Seq)
}

// own copies the lists, which the state keeps and the caller may go on to
// change, and folds the names of providers.
func (m *Matching) own() {
	m.Niches, m.LLMProviders = slices.Clone(m.Niches), slices.Clone(m.LLMProviders)
	for i, name := range m.LLMProviders {
		m.LLMProviders[i] = foldProvider(name)
	}
}

// OpenContract opens a signal contract from a sponsor's funds.
//
// Refusals: budget_below_payout, channel_missing, clearing_too_long,
// foreign_sponsor, kind_unknown, max_tier_below_min, niche_unknown,
// operational_needs_operator, provider_malformed, sponsor_funds,
// sponsor_unknown, sponsors_only.
func (ses *Session) OpenContract(ctx context.Context, in OpenContract) (ContractReceipt, error) {
	in.Matching.own()
	c := &openContract{in}
	if err := c.checkTexts(); err != nil {
		return ContractReceipt{}, err
	}
	return run(ctx, ses, c, c, func(e *Entry) ContractReceipt {
		f := e.Fact.(*ContractOpened)
		return ContractReceipt{CampaignID: e.Seq, Sponsor: f.Sponsor, Remaining: f.Budget, Seq: e.Seq, At: e.At}
	})
}

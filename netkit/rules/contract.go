package rules

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

var ceilingNames = append(netkit.Names{""}, netkit.TierNames...)

func ceilingOf(t *netkit.Tier) netkit.Ceiling {
	if t == nil {
		return netkit.NoCeiling
	}
	return netkit.Ceiling(*t + 1)
}

func matchingFields(m *netkit.Matching, c *wire.Codec) {
	wire.List(c, "niches", &m.Niches, func(c *wire.Codec, n *netkit.Niche) { enumElement(c, (*uint8)(n), netkit.NicheNames) })
	wire.Strs(c, "llm_providers", &m.LLMProviders)
	enum(c, "min_tier", &m.MinTier, netkit.TierNames)
	top := ceilingOf(m.MaxTier)
	enum(c, "max_tier", &top, ceilingNames)
	m.MaxTier = top.Shown()
	namedFields(&m.NamedAgents, c)
}

// Contract is the row of a contract. Once it is finished it goes into the
// journal, see archive.
type Contract struct {
	Id       uint64 // entry that opened it
	sponsor  uint32 // row of the party
	kind     netkit.ContractKind
	channel  netkit.Niche
	State    netkit.ContractState // ContractOpen while it lives, see stateOf
	min      netkit.Tier
	max      netkit.Ceiling
	niches   []netkit.Niche
	provider []string
	limit    uint32 // executions per agent
	opened   netkit.Millis
	ends     netkit.Millis // 0 is never
	budget   netkit.Credits
	spent    netkit.Credits
	clearing uint32 // hours until its executions clear; 0 is what the constitution says
	// exclusive contracts ask for signals that were not sold elsewhere of late.
	exclusive bool
	named     namedAgents // admitted or shut out
	invited   []uint32    // ascending rows of parties; a list is replaced and never changed
	// structured contracts ask for data that fits a schema, which is among their texts.
	structured bool
	pace       pace

	newcomers netkit.Credits // of spent, what newcomers were paid
	runs      uint64         // executions
	left      *Balance       // of the budget
}

func (ct *Contract) Fields(c *wire.Codec) {
	wire.Num(c, "id", &ct.Id)
	wire.Num(c, "sponsor", &ct.sponsor)
	enum(c, "kind", &ct.kind, netkit.ContractKindNames)
	enum(c, "channel", &ct.channel, netkit.NicheNames)
	enum(c, "state", &ct.State, netkit.ContractStateNames)
	enum(c, "min_tier", &ct.min, netkit.TierNames)
	wire.List(c, "niches", &ct.niches, func(c *wire.Codec, n *netkit.Niche) { enumElement(c, (*uint8)(n), netkit.NicheNames) })
	wire.Strs(c, "llm_providers", &ct.provider)
	wire.Num(c, "limit", &ct.limit)
	wire.Num(c, "opened", &ct.opened)
	wire.Num(c, "ends", &ct.ends)
	wire.Amount(c, "budget", &ct.budget)
	enum(c, "max_tier", &ct.max, ceilingNames)
	wire.Num(c, "clearing", &ct.clearing)
	c.Flag("exclusive", &ct.exclusive)
	c.Flag("structured", &ct.structured)
	ct.named.Fields(c)
	wire.List(c, "invited", &ct.invited, wire.Number)
	c.Member("pace", ct.pace.Fields)
	wire.Amount(c, "spent", &ct.spent)
	wire.Amount(c, "newcomers", &ct.newcomers)
	wire.Num(c, "runs", &ct.runs)
	if ct.left == nil {
		ct.left = new(Balance)
	}
	c.Member("left", undo.Then(undo.FreezeOf(c.Freeze), ct.left).Fields)
}

func contractID(ct *Contract) uint64 { return ct.Id }

// live reports whether a contract may still be executed or topped up.
func (ct *Contract) live() bool { return ct.State == netkit.ContractOpen }

// stateOf returns the state of a contract: one that lives is exhausted iff what
// is left is below the payout of min_tier, the cheapest that may still come. A
// dearer agent meets 409 while others go on.
func (s *State) stateOf(ct *Contract) netkit.ContractState {
	if ct.live() && ct.budget-ct.spent < s.law.Tier(ct.min).Payout {
		return netkit.ContractExhausted
	}
	return ct.State
}

// over reports whether a contract's time is up, be its end recorded or still
// waiting behind others that fell due at the same moment.
func (ct *Contract) over(at netkit.Millis) bool { return ct.ends != 0 && at >= ct.ends }

// Contract returns the row of a contract, or a refusal.
func (s *State) Contract(field string, id uint64) (*Contract, error) {
	if ct, ok := s.contracts.Get(id); ok {
		return ct, nil
	}
	return nil, ContractUnknown(field)
}

func ContractUnknown(field string) error {
	return &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.ContractUnknown, Field: field, What: "names no signal contract", Next: "{listContracts} lists them"}
}

type OpenContract struct{ netkit.OpenContract }

func (*OpenContract) Route() string { return "contract" }

func (c *OpenContract) Decide(s *State, call *Call) error {
	sponsor, err := c.authority(s, call)
	if err != nil {
		return err
	}
	if err := c.check(s, call.At); err != nil {
		return err
	}
	f := &ContractOpened{Sponsor: sponsor, Contract: c.Kind, Channel: c.Channel, Budget: c.Budget,
		Matching: c.Matching, Limit: max(c.ExecutionsPerAgent, 1), Ends: c.EndsAt, Clearing: c.ClearingHours, Exclusive: c.Exclusive, Criteria: uint32(len(c.Criteria)), ADay: c.BudgetADay, AnHour: c.BudgetAnHour, Structured: c.Schema != ""}
	return payContract(s, call, f, sponsor, s.root.Next, c.Budget)
}

// Receipt returns the receipt of the command from its entry.
func (*OpenContract) Receipt(e *Entry) netkit.ContractReceipt {
	f := e.Fact.(*ContractOpened)
	return netkit.ContractReceipt{CampaignID: e.Seq, Sponsor: f.Sponsor, Remaining: f.Budget, Seq: e.Seq, At: e.At}
}

// payContract moves a budget from a sponsor to a contract.
func payContract(s *State, call *Call, f Fact, sponsor string, id uint64, budget netkit.Credits) error {
	if held := s.Held(netkit.SponsorFunds(sponsor)); held < budget {
		return netkit.Refuse(netkit.ErrInsufficientCredits, code.SponsorFunds, "the sponsor's uncommitted funds do not cover the budget", "ask an operator to book a deposit")
	}
	call.Add(f, Move{netkit.SponsorFunds(sponsor), -budget}, Move{netkit.ContractBudget(id), budget})
	return nil
}

// authority returns the slug of whose contract it is, if the caller may open it.
func (c *OpenContract) authority(s *State, call *Call) (sponsor string, err error) {
	_, p, err := call.Actor(s)
	if err != nil {
		return "", err
	}
	if sponsor, err = actingSponsor(s, call, c.Sponsor); err != nil {
		return "", err
	}
	if c.Kind == netkit.Operational && p.Kind != netkit.OperatorParty {
		return "", netkit.Forbidden("L3", code.OperationalNeedsOperator, "an operational contract is exempt from blackouts and needs an operator", "ask an operator, or open a commercial one")
	}
	_, _, err = s.activeSponsor("sponsor", sponsor)
	return sponsor, err
}

// actingSponsor returns the slug of the sponsor that a caller acts for: the sponsor
// itself, or the one that an operator names.
func actingSponsor(s *State, call *Call, named string) (string, error) {
	_, p, err := call.Actor(s)
	switch {
	case err != nil:
		return "", err
	case p.Kind == netkit.AgentParty:
		return "", netkit.Forbidden("", code.SponsorsOnly, "only a sponsor or an operator opens contracts and names their agents", "{asSponsor}")
	case p.Kind == netkit.SponsorParty && named != "" && named != p.Slug:
		return "", netkit.Forbidden("", code.ForeignSponsor, "a sponsor opens and steers its own contracts only", "leave sponsor out")
	case p.Kind == netkit.SponsorParty:
		return p.Slug, nil
	}
	return named, nil
}

// providerForm is what a provider's folded name looks like.
var providerForm = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)

func checkProvider(field, name string) error {
	if !providerForm.MatchString(name) {
		return netkit.Invalid(field, code.ProviderMalformed, "is not a provider's name", "use 1 to 40 letters, digits, dots, dashes and underscores")
	}
	return nil
}

func (c *OpenContract) CheckTexts() error {
	if err := netkit.CheckText("title", c.Title, 1, 120); err != nil {
		return err
	}
	if err := netkit.CheckText("brief", c.Brief, 1, 4000); err != nil {
		return err
	}
	if err := c.checkCriteria(); err != nil {
		return err
	}
	return netkit.CheckText("payload", c.Payload, 0, 8000)
}

func (c *OpenContract) check(s *State, at netkit.Millis) error {
	if int(c.Kind) >= len(netkit.ContractKindNames) {
		return netkit.Invalid("kind", code.KindUnknown, "is neither commercial nor operational", "")
	}
	if err := checkChannel(c.Channel); err != nil {
		return err
	}
	if err := c.checkMoney(s); err != nil {
		return err
	}
	if c.EndsAt != 0 && c.EndsAt <= at {
		return netkit.Invalid("ends_at", code.TimePast, "is not in the future", "")
	}
	if most := s.law.Market.ClearingHours; int(c.ClearingHours) > most {
		return netkit.Invalid("clearing_hours", code.ClearingTooLong, "is over the "+plural.Count(most, "hour", "hours")+" of the constitution", "leave it out, or say less")
	}
	if len(c.Criteria) > netkit.MaxCriteria {
		return netkit.Invalid("criteria", code.TooMany, "has more than 10 texts", "leave some out")
	}
	if c.Exclusive && !s.MarksResale() {
		return netkit.Invalid("exclusive", code.ExclusiveUnavailable, "cannot be asked for, since the constitution marks no resold signals", "leave it out")
	}
	if err := s.checkPace(c.Matching.MinTier, c.BudgetADay, c.BudgetAnHour); err != nil {
		return err
	}
	return cmp.Or(c.checkMatching(), c.checkNames(s))
}

// checkMoney wants a budget that pays an execution at least.
func (c *OpenContract) checkMoney(s *State) error {
	if err := checkAmount("budget", c.Budget); err != nil {
		return err
	}
	if int(c.Matching.MinTier) >= len(s.law.Tiers) || c.Budget < s.law.Tier(c.Matching.MinTier).Payout {
		return netkit.Invalid("budget", code.BudgetBelowPayout, "does not cover one payout of the lowest tier that matches", "raise the budget, or match a lower tier")
	}
	return nil
}

// checkNames wants agents where the matching names some.
func (c *OpenContract) checkNames(s *State) error {
	if err := s.checkNamed("matching.admit", c.Matching.Admit); err != nil {
		return err
	}
	return s.checkNamed("matching.shut_out", c.Matching.ShutOut)
}

func (c *OpenContract) checkMatching() error {
	m := &c.Matching
	unknown := func(n netkit.Niche) bool { return n == netkit.NoNiche || int(n) >= len(netkit.NicheNames) }
	if len(m.Niches) > len(netkit.Niches()) || slices.ContainsFunc(m.Niches, unknown) {
		return netkit.Invalid("matching.niches", code.NicheUnknown, "must list at most the six niches", "")
	}
	if m.MaxTier != nil && (int(*m.MaxTier) >= len(netkit.TierNames) || *m.MaxTier < m.MinTier) {
		return netkit.Invalid("matching.max_tier", code.MaxTierBelowMin, "is below min_tier", "raise it, or leave it out")
	}
	if len(m.LLMProviders) > 20 {
		return netkit.Invalid("matching.llm_providers", code.TooMany, "has more than 20 names", "")
	}
	for _, p := range m.LLMProviders {
		if err := checkProvider("matching.llm_providers", p); err != nil {
			return err
		}
	}
	if c.ExecutionsPerAgent > 1_000_000 {
		return netkit.Invalid("executions_per_agent", code.NumberTooLarge, "is over 1000000", "")
	}
	return nil
}

func (c *OpenContract) Fields(k *wire.Codec) {
	wire.Str(k, "title", &c.Title)
	wire.Str(k, "brief", &c.Brief)
	wire.Str(k, "payload", &c.Payload)
	wire.Str(k, "schema", &c.Schema)
	wire.Strs(k, "criteria", &c.Criteria)
}

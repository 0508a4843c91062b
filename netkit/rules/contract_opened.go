package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ContractOpened records a contract; its texts are in the private part.
type ContractOpened struct {
	Sponsor  string
	Contract netkit.ContractKind
	Channel  netkit.Niche
	Budget   netkit.Credits
	Matching netkit.Matching
	Limit    uint32
	Ends     netkit.Millis
	Clearing uint32 // hours; 0 is what the constitution says
	// Exclusive lets its sponsor return a resold signal outside its share.
	Exclusive    bool
	ADay, AnHour netkit.Credits // it pays at most; 0 is no limit
	Structured   bool           // it asks for data that fits the schema among its texts
	Criteria     uint32         // that it has among its texts
}

func (*ContractOpened) Kind() netkit.Kind { return netkit.KindContractOpened }

func (f *ContractOpened) CommandOf(*PastView) (Command, error) {
	return &OpenContract{netkit.OpenContract{Schema: unknownData(f.Structured), Sponsor: f.Sponsor, Kind: f.Contract, Channel: f.Channel, Budget: f.Budget,
		Matching: f.Matching, ExecutionsPerAgent: f.Limit, EndsAt: f.Ends, ClearingHours: f.Clearing, Exclusive: f.Exclusive, Criteria: make([]string, min(f.Criteria, netkit.MaxCriteria+1)), BudgetADay: f.ADay, BudgetAnHour: f.AnHour}}, nil
}

func (f *ContractOpened) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	enum(c, "contract", &f.Contract, netkit.ContractKindNames)
	enum(c, "channel", &f.Channel, netkit.NicheNames)
	wire.Amount(c, "budget", &f.Budget)
	matchingFields(&f.Matching, c)
	wire.Num(c, "executions_per_agent", &f.Limit)
	wire.Num(c, "ends_at", &f.Ends)
	wire.Num(c, "clearing_hours", &f.Clearing)
	c.Flag("exclusive", &f.Exclusive)
	c.Flag("structured", &f.Structured)
	wire.Amount(c, "budget_a_day", &f.ADay)
	wire.Amount(c, "budget_an_hour", &f.AnHour)
	wire.Num(c, "criteria", &f.Criteria)
}

func (f *ContractOpened) Apply(s *State, e *Entry) {
	sponsor, _, _ := s.party(f.Sponsor)
	s.contracts.Add(e.Seq, Contract{Id: e.Seq, sponsor: sponsor, kind: f.Contract, channel: f.Channel, min: f.Matching.MinTier, max: ceilingOf(f.Matching.MaxTier), clearing: f.Clearing, exclusive: f.Exclusive,
		niches: f.Matching.Niches, provider: f.Matching.LLMProviders, limit: f.Limit, opened: e.At, ends: f.Ends, budget: f.Budget, left: new(Balance), named: namedAgents{s.rowsOf(f.Matching.Admit), s.rowsOf(f.Matching.ShutOut)}, pace: pace{day: f.ADay, hour: f.AnHour}, structured: f.Structured})
	s.roots.Edit(s.root).Counts.Contracts++
	s.deadlines.plan(contractEnds, f.Ends, e.Seq)
}

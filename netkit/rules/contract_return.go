package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// A sponsor may return a signal that is true and of no use to it, while the pay has
// not cleared and no case holds it: up to MarketRules.ReturnShare of its purchases
// in MarketRules.ReturnDays. Agents see its rate before they execute. A contract may
// ask for exclusive signals: then one that is nearly the same as a signal delivered
// to another sponsor in the MarketRules.ResaleDays before is returned outside that
// share. No rule reads a text: the network declares the likeness in the entry.

// marketDay counts a sponsor's purchases and returns of a date.
type marketDay struct {
	day                 netkit.Day
	purchases, returned uint32
	resold              uint32 // returned outside the sponsor's share
	// waits counts acceptances by the dates that their pay waited. It is replaced and
	// never changed, so that a rollback has the old.
	waits []uint32
}

func (d *marketDay) Fields(c *wire.Codec) {
	wire.Num(c, "day", &d.day)
	wire.Num(c, "purchases", &d.purchases)
	wire.Num(c, "returned", &d.returned)
	wire.Num(c, "resold", &d.resold)
	wire.List(c, "waits", &d.waits, wire.Number)
}

// on returns the row of a date for writing, and drops the rows that no constitution
// looks back at. The list is a new one where a rollback needs the old.
func (b *bought) on(d netkit.Day) *marketDay {
	old := func(row marketDay) bool { return int(d-row.day) >= netkit.MaxReturnDays }
	b.days = slices.DeleteFunc(slices.Clone(b.days), old)
	if k := len(b.days) - 1; k >= 0 && b.days[k].day == d {
		return &b.days[k]
	}
	b.days = append(b.days, marketDay{day: d})
	return &b.days[len(b.days)-1]
}

// returnsOf returns a sponsor's purchases and returns in the look-back.
func (s *State) returnsOf(sponsor uint32, at netkit.Millis) netkit.ReturnRecord {
	var purchases, returned, resold uint64
	for _, row := range s.extra(s.parties.At(sponsor)).bought.days {
		if int(at.Day()-row.day) < s.law.Market.ReturnDays {
			purchases, returned, resold = purchases+uint64(row.purchases), returned+uint64(row.returned), resold+uint64(row.resold)
		}
	}
	r := s.law.Market.Returns(purchases, returned)
	r.Resold = resold
	return r
}

// MarksResale reports whether the constitution has signals marked that were
// delivered to another sponsor before.
func (s *State) MarksResale() bool { return s.law.Market.ResaleDays > 0 }

// Resold reports whether a signal delivered at a moment counts as sold before, if
// one that it resembles was delivered to another sponsor at an earlier one; 0 is
// never.
func (s *State) Resold(at, elsewhere netkit.Millis) bool {
	return elsewhere != 0 && at-elsewhere < netkit.Millis(s.law.Market.ResaleDays)*netkit.FullDay
}

// ReturnExecution holds the content of the execution's entry, fetched before the
// queue.
type ReturnExecution struct {
	sponsor   string
	earned    Earned
	exclusive bool
	criteria  uint32 // of the contract
	// Unmet are the numbers of the criteria that the signal does not meet.
	Unmet []uint32
	// Resold is the hint of the network that the signal was delivered to another
	// sponsor before.
	Resold bool
	before uint64 // returns that a preview counts as made, 0 for an act
}

// Exclusive reports whether the contract asks for exclusive signals.
func (c *ReturnExecution) Exclusive() bool { return c.exclusive }

// NewReturn returns the command that returns the execution of an entry. Earlier reads
// the entry that opened its contract.
func NewReturn(e *Entry, unmet []uint32, earlier func(uint64) (*Entry, error)) (*ReturnExecution, error) {
	f, ok := e.Fact.(*Executed)
	if !ok {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.ExecutionUnknown, Field: "execution_id", What: "names no execution", Next: "{listExecutions} lists them"}
	}
	opened, err := earlier(f.Campaign)
	if err != nil {
		return nil, err
	}
	return &ReturnExecution{sponsor: f.Sponsor, earned: e.Earned(f), exclusive: f.Exclusive, criteria: CountCriteria(opened), Unmet: unmet}, nil
}

func (*ReturnExecution) Route() string { return "execution.return" }

func (c *ReturnExecution) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	sponsor, _ := s.slugs.Get(c.sponsor)
	m := &s.law.Market
	outside := c.exclusive && c.Resold && s.MarksResale()
	if p.Slug != c.sponsor {
		return netkit.Forbidden("", code.ForeignContract, "only its sponsor may return an execution", "")
	}
	if err := s.refuseSettled(&c.earned, call.At); err != nil {
		return err
	}
	if err := checkUnmet(c.Unmet, c.criteria, !outside); err != nil {
		return err
	}
	if !outside && s.returnsOf(sponsor, call.At).Left <= c.before {
		return conflict(code.ReturnsUsed, "you have returned what the constitution allows: "+m.ReturnShare.String()+" of your purchases of "+plural.Count(m.ReturnDays, "day", "days")+", rounded up",
			"wait until older returns are out of these days; {reportSubject} reports a breach of a law")
	}
	f, moves := s.GiveBack(&c.earned, sponsor, 0, call.At)
	f.(*ExecutionReturnedFact).Resold, f.(*ExecutionReturnedFact).Unmet = outside, c.Unmet
	call.Add(f, moves...)
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*ReturnExecution) Receipt(e *Entry) netkit.ReturnReceipt {
	f := e.Fact.(*ExecutionReturnedFact)
	return netkit.ReturnReceipt{ExecutionID: f.Id, Agent: f.Agent, Pay: -e.Amount(netkit.Wallet(f.Agent)) - e.Amount(netkit.Treasury), Unmet: f.Unmet, Resold: f.Resold, Seq: e.Seq, At: e.At}
}

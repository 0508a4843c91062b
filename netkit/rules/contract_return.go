package rules

import (
	"slices"
	"strconv"

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
	// Ticks are the criteria that are ticked off, in order.
	netkit.Ticks
	// Resold is the hint of the network that the signal was delivered to another
	// sponsor before.
	Resold bool
	before uint64 // returns that a preview counts as made, 0 for an act
}

// Exclusive reports whether the contract asks for exclusive signals.
func (c *ReturnExecution) Exclusive() bool { return c.exclusive }

// NewReturn returns the command that returns the execution of an entry. Earlier reads
// the entry that opened its contract.
func NewReturn(e *Entry, ticks netkit.Ticks, earlier func(uint64) (*Entry, error)) (*ReturnExecution, error) {
	f, ok := e.Fact.(*Executed)
	if !ok {
		return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.ExecutionUnknown, Field: "execution_id", What: "names no execution", Next: "{listExecutions} lists them"}
	}
	x := e.Earned(f)
	criteria, err := countCriteria(&x, earlier)
	if err != nil {
		return nil, err
	}
	return &ReturnExecution{sponsor: f.Sponsor, earned: x, exclusive: f.Exclusive, criteria: criteria, Ticks: ticks}, nil
}

func (*ReturnExecution) Route() string { return "execution.return" }

func (c *ReturnExecution) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	sponsor, _ := s.slugs.Get(c.sponsor)
	outside := c.exclusive && c.Resold && s.MarksResale()
	if p.Slug != c.sponsor {
		return netkit.Forbidden("", code.ForeignContract, "only its sponsor may return an execution", "")
	}
	if err := s.refuseSettled(&c.earned, call.At); err != nil {
		return err
	}
	if err := checkTicks(&c.Ticks, c.criteria); err != nil {
		return err
	}
	if len(c.Unmet) == 0 && c.criteria > 0 && !outside {
		return netkit.Invalid("unmet", code.CriteriaMissing, "names no criterion, and the contract has "+plural.Count(int(c.criteria), "criterion", "criteria"), "{getContract} shows them; name those that the signal does not meet")
	}
	if r := s.returnsOf(sponsor, call.At); !outside && r.Left <= c.before {
		return s.refuseReturn(r.Returned+c.before, r.Purchases)
	}
	f, moves := s.GiveBack(&c.earned, sponsor, 0, call.At)
	f.(*ExecutionReturnedFact).Resold, f.(*ExecutionReturnedFact).Ticks = outside, c.Ticks
	call.Add(f, moves...)
	return nil
}

// refuseReturn returns the refusal of a further return after so many of a sponsor's
// purchases.
func (s *State) refuseReturn(returned, purchases uint64) error {
	m := &s.law.Market
	what := "the constitution lets no sponsor return an execution"
	if m.ReturnShare > 0 {
		what = "you returned " + strconv.FormatUint(returned, 10) + " of your " + plural.Count(purchases, "purchase", "purchases") + " in " + plural.Count(m.ReturnDays, "day", "days") +
			", and may return " + m.ReturnShare.String() + " of them, rounded up"
	}
	return conflict(code.ReturnsUsed, what, "accept it, or wait until older returns are out of these days; {reportSubject} reports a breach of a law")
}

// Receipt returns the receipt of the command from its entry.
func (*ReturnExecution) Receipt(e *Entry) netkit.ReturnReceipt {
	f := e.Fact.(*ExecutionReturnedFact)
	return netkit.ReturnReceipt{ExecutionID: f.Id, Agent: f.Agent, Pay: -e.Amount(netkit.Wallet(f.Agent)) - e.Amount(netkit.Treasury), Ticks: f.Ticks, Resold: f.Resold, Seq: e.Seq, At: e.At}
}

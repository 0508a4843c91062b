package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// What the treasury may spend.
//
// The treasury pays fees for verdicts and rewards for reports, and nothing else.
// Under a constitution with ReviewRules.IncomeDays it pays them while their sum
// over that many days, today included, stays within its income of the same days:
//
//   - prices of paid feed reads, on their date;
//   - bonds that were lost, on their date;
//   - its shares of executions: at once where these clear at once or are accepted,
//     else by the night that closes the date on which they clear. A share that is
//     pending, held for a case or returned is no income, and is never spent.
//
// What the income does not cover is owed, and paid in the order in which the cases
// became final as soon as it is covered. Each payment is an entry of its own.

// treasury is what the state keeps of the treasury besides its balance.
type treasury struct {
	days    [netkit.MaxIncomeDays]treasuryDay // by date modulo maxIncomeDays
	changes undo.Images[treasuryDay]
	Owed    list[OwedPayment] // the oldest first
}

// treasuryDay is what the treasury got and paid on a date.
type treasuryDay struct {
	day    netkit.Day
	income netkit.Credits
	paid   netkit.Credits // fees and rewards
}

func (d *treasuryDay) Fields(c *wire.Codec) {
	wire.Num(c, "day", &d.day)
	wire.Amount(c, "income", &d.income)
	wire.Amount(c, "paid", &d.paid)
}

// OwedPayment is a fee or reward that waits for income. The case may have left
// memory when it is paid.
type OwedPayment struct {
	Id     uint64 // of the case
	place  uint32 // in the list of the case's payments
	party  uint32
	reason paymentReason
	Amount netkit.Credits
}

func (o *OwedPayment) Fields(c *wire.Codec) {
	wire.Num(c, "case", &o.Id)
	wire.Num(c, "place", &o.place)
	wire.Num(c, "party", &o.party)
	enum(c, "reason", &o.reason, paymentReasonNames)
	wire.Amount(c, "amount", &o.Amount)
}

// dayFields carries the days that hold something.
func (t *treasury) dayFields(c *wire.Codec) {
	var all []treasuryDay
	if !c.Reading() {
		for k := range t.days {
			if row := *undo.Then(undo.FreezeOf(c.Freeze), &t.days[k]); row != (treasuryDay{}) {
				all = append(all, row)
			}
		}
	}
	wire.List(c, "treasury_days", &all, object[treasuryDay])
	if c.Reading() {
		for _, row := range all {
			t.days[uint32(row.day)%netkit.MaxIncomeDays] = row
		}
	}
}

// on returns the row of a date for writing.
func (t *treasury) on(d netkit.Day) *treasuryDay {
	row := t.changes.Edit(&t.days[uint32(d)%netkit.MaxIncomeDays])
	if row.day != d {
		*row = treasuryDay{day: d}
	}
	return row
}

// book records a payment behind a case to a party.
func (t *treasury) book(f *CasePaid, party uint32, e *Entry) {
	if f.Late {
		t.Owed.Ids = t.Owed.Ids[1:]
	}
	if f.Owed {
		t.Owed.add(OwedPayment{f.Case, f.Place, party, f.Reason, f.Amount})
	}
	switch moved := e.Amount(netkit.Treasury); {
	case moved > 0:
		t.on(e.At.Day()).income += moved
	case moved < 0:
		t.on(e.At.Day()).paid -= moved
	}
}

// room returns the income less the fees and rewards of so many days up to today.
func (t *treasury) room(today netkit.Day, days int) (sum netkit.Credits) {
	for k := range t.days {
		if row := &t.days[k]; row.day <= today && int(today-row.day) < days {
			sum += row.income - row.paid
		}
	}
	return sum
}

// earnShare makes income of a share of the treasury that waited to clear.
func (s *State) earnShare(share netkit.Credits, d netkit.Day) {
	if share != 0 {
		s.roots.Edit(s.root).UnclearedShares -= share
		s.treasury.on(d).income += share
	}
}

// Spendable returns what the treasury may pay in fees and rewards at a moment.
func (s *State) Spendable(at netkit.Millis) netkit.Credits {
	free := s.Held(netkit.Treasury)
	if days := s.law.Review.IncomeDays; days > 0 {
		free = min(free-s.root.UnclearedShares, s.treasury.room(at.Day(), days))
	}
	return max(0, free)
}

// OwedTotal sums up the fees and rewards that wait for income.
func (s *State) OwedTotal() (sum netkit.Credits) {
	for _, o := range s.treasury.Owed.Ids {
		sum += o.Amount
	}
	return sum
}

// owedDue returns the payment of the oldest fee or reward that is owed, nil while
// the treasury's income does not cover it.
func (s *State) owedDue(at netkit.Millis) (Fact, []Move) {
	if len(s.treasury.Owed.Ids) == 0 {
		return nil, nil
	}
	o := &s.treasury.Owed.Ids[0]
	if s.Spendable(at) < o.Amount {
		return nil, nil
	}
	p := s.parties.At(o.party)
	f := &CasePaid{Case: o.Id, Place: o.place, Party: p.Slug, Reason: o.reason, Amount: o.Amount, Late: true}
	return f, []Move{{netkit.Treasury, -o.Amount}, {s.purse(p), o.Amount}}
}

// FallsDue reports whether something falls due at or before a moment.
func (s *State) FallsDue(at netkit.Millis) bool {
	if s.Waits(at) {
		return true
	}
	f, _ := s.owedDue(at)
	return f != nil
}

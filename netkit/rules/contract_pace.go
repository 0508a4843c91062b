package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A contract may limit its payouts in a day and in an hour, both of UTC. A payout that
// comes back makes no room in the same day or hour.

// pace holds the limits of a contract and the sums paid within them.
type pace struct {
	day, hour netkit.Credits // at most, in a day and an hour; 0 is no limit
	last      netkit.Millis  // when the latest execution was paid
	inDay     netkit.Credits // paid in its day
	inHour    netkit.Credits // paid in its hour
}

func (p *pace) Fields(c *wire.Codec) {
	wire.Amount(c, "day", &p.day)
	wire.Amount(c, "hour", &p.hour)
	wire.Num(c, "last", &p.last)
	wire.Amount(c, "in_day", &p.inDay)
	wire.Amount(c, "in_hour", &p.inHour)
}

// limited reports whether the contract has a limit.
func (p *pace) limited() bool { return p.day != 0 || p.hour != 0 }

// paidBy returns the sums paid in the day and the hour of a moment.
func (p *pace) paidBy(at netkit.Millis) (day, hour netkit.Credits) {
	if at.Day() == p.last.Day() {
		day = p.inDay
	}
	if at/netkit.Hour == p.last/netkit.Hour {
		hour = p.inHour
	}
	return day, hour
}

// add records a payout. A contract without a limit keeps none of it.
func (p *pace) add(payout netkit.Credits, at netkit.Millis) {
	if !p.limited() {
		return
	}
	p.inDay, p.inHour = p.paidBy(at)
	p.last, p.inDay, p.inHour = at, p.inDay+payout, p.inHour+payout
}

// wait returns when the limits let the contract pay an amount again, 0 if they do at
// the moment of asking.
func (p *pace) wait(payout netkit.Credits, at netkit.Millis) (until netkit.Millis) {
	day, hour := p.paidBy(at)
	if p.hour != 0 && hour+payout > p.hour {
		until = (at/netkit.Hour + 1) * netkit.Hour
	}
	if p.day != 0 && day+payout > p.day {
		until = netkit.Millis(at.Day()+1) * netkit.FullDay
	}
	return until
}

// refusePaced returns the refusal of an execution that the limits put off.
func (p *pace) refusePaced(payout netkit.Credits, at netkit.Millis) *netkit.Refusal {
	day, hour := p.paidBy(at)
	what := "the contract pays at most " + p.hour.String() + " credits an hour and has paid " + hour.String() + " in this one"
	if p.day != 0 && day+payout > p.day {
		what = "the contract pays at most " + p.day.String() + " credits a day and has paid " + day.String() + " today"
	}
	return conflict(code.BudgetPaced, what, "execute it from "+p.wait(payout, at).String()+" on, or find another with {listContracts}")
}

// atOnce returns how many payouts of an amount the limits let through at once, where
// there is a limit.
func (p *pace) atOnce(payout netkit.Credits) uint64 {
	limit := p.day
	if p.hour != 0 && (limit == 0 || p.hour < limit) {
		limit = p.hour
	}
	return uint64(limit / payout)
}

// inADay returns how many payouts of an amount the limits let through in a day.
func (p *pace) inADay(payout netkit.Credits) uint64 {
	switch {
	case p.hour == 0:
		return uint64(p.day / payout)
	case p.day == 0:
		return 24 * uint64(p.hour/payout)
	}
	return min(24*uint64(p.hour/payout), uint64(p.day/payout))
}

// over returns the pacing of a budget, or nil without a limit.
func (p *pace) over(budget netkit.Credits) *netkit.Pacing {
	if !p.limited() {
		return nil
	}
	most := p.day
	if p.hour != 0 && (most == 0 || 24*p.hour < most) {
		most = 24 * p.hour
	}
	return &netkit.Pacing{MostADay: most, LeastDays: uint64((budget + most - 1) / most)}
}

// most returns the largest payout that the contract may ever make from its funds.
func (ct *Contract) most() netkit.Credits {
	most := ct.left.Held
	for _, limit := range []netkit.Credits{ct.pace.day, ct.pace.hour} {
		if limit != 0 {
			most = min(most, limit)
		}
	}
	return most
}

// checkPace wants limits that pay an execution of the lowest tier that matches.
func (s *State) checkPace(lowest netkit.Tier, day, hour netkit.Credits) error {
	least := s.law.Tier(lowest).Payout
	for _, x := range []struct {
		field string
		limit netkit.Credits
	}{{"budget_a_day", day}, {"budget_an_hour", hour}} {
		if x.limit == 0 {
			continue
		}
		if err := checkAmount(x.field, x.limit); err != nil {
			return err
		}
		if x.limit < least {
			return netkit.Invalid(x.field, code.BudgetBelowPayout, "does not cover one payout of the lowest tier that matches", "raise it, or leave it out")
		}
	}
	return nil
}

package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// What an execution does, and when.
//
// At the execution, whatever the clearing time:
//   - the payout leaves the contract's budget and is posted to the wallet and the
//     treasury;
//   - the sponsor's backing is used up (payment.used), and what the agent's
//     diversity will count is fixed (payment.counted), within the daily cap of the
//     pair;
//   - the execution counts against the contract's limit per agent and, of an agent
//     with few cleared transactions, against the newcomers' share of the budget.
//
// When it clears (clearTime; zero is at once, the rule of constitutions without a
// clearing time):
//   - the agent can spend its share;
//   - the execution is a transaction, and evidence for reputation, diversity and
//     badges, under the date on which it was executed;
//   - the backing that it passes on (payment.passed) is the agent's.
//
// Until then it is in the books and counts for nothing. No entry says that an
// execution cleared: its evidence row has the moment from which it counts, so that
// every answer is a function of the journal and the time of asking. An execution
// clears earlier when its sponsor accepts it (execution.accepted), later when it is
// held (see contract_hold.go), and never when it was returned (execution.returned). The night that closes the date of clearing
// judges the agent.
//
// An evidence row sums up what one agent did for one sponsor on one date, as far as
// it clears at the same moment. Moments are whole quarters of an hour, which
// bounds the rows of an agent that works without pause. The night sums up what
// has cleared into one row a date, as it was before.

// Quarter is a moment in whole quarters of an hour since 1970; 0 is none.
type Quarter uint32

const quarterHour = 15 * netkit.Minute

// quarterAt returns the first quarter at or after a moment.
func quarterAt(t netkit.Millis) Quarter { return Quarter((t + quarterHour - 1) / quarterHour) }

// Millis returns the moment.
func (q Quarter) Millis() netkit.Millis { return netkit.Millis(q) * quarterHour }

// ClearTime is when pay clears by itself; the zero value is at once.
type ClearTime struct {
	clears Quarter       // as expected at the execution: if no crisis begins before
	market netkit.Millis // in market time, which then applies; 0 where real time does
}

func (t *ClearTime) Fields(c *wire.Codec) {
	wire.Num(c, "clears", &t.clears)
	wire.Num(c, "clears_market", &t.market)
}

// deadline returns the moment as a deadline.
func (t ClearTime) deadline() deadline { return deadline{t.clears.Millis(), t.market} }

// day returns its date on the clock that applies.
func (t ClearTime) day() netkit.Day {
	if t.market != 0 {
		return t.market.Day()
	}
	return t.clears.Millis().Day()
}

// cleared reports whether what a row sums up counts at a moment.
func (e *Evidence) cleared(at Instant) bool { return e.deadline().Reached(at) }

// pending is what an agent has earned that has not cleared.
type pending struct {
	Pay        netkit.Credits // of its wallet, and not to be spent
	backing    netkit.Credits // of its backing, and not to be passed on
	executions uint32         // of its transactions, and not to be counted
}

// pending sums up the pay of agent i that has not cleared at a moment.
func (s *State) pending(i uint32, at netkit.Millis) (sum pending) {
	rows := s.parties.At(i).Agent.Evidence
	if s.root.clearing == 0 {
		return sum
	}
	until := s.clearedUntil(i, at)
	since := s.oldestPending(until).Day()
	for k := len(rows) - 1; k >= 0 && rows[k].Day >= since; k-- {
		if ev := &rows[k]; !ev.cleared(until) {
			sum.Pay += ev.pay
			sum.backing += ev.passed
			sum.executions += ev.Stands
		}
	}
	for _, h := range s.holds.M[i] {
		sum.Pay += h.pay
		sum.backing += h.passed
		sum.executions++
	}
	return sum
}

// oldestPending returns the moment before which nothing was executed that has not
// cleared by another: it looks back as far as the longest clearing time that was
// ever in force, without the time in which crises suppressed commerce.
func (s *State) oldestPending(at Instant) netkit.Millis {
	return s.clock.Real(at.market - netkit.Millis(s.root.clearing)*netkit.Hour - quarterHour)
}

// backing is what stands behind the payments of agent i at a moment.
func (s *State) backing(i uint32, at netkit.Millis) netkit.Credits {
	return max(0, s.parties.At(i).Backing-s.pending(i, at).backing)
}

// transactions counts those of agent i that have cleared.
func (s *State) transactions(i uint32, at netkit.Millis) uint32 {
	return s.parties.At(i).Agent.Transactions - s.pending(i, at).executions
}

// clears returns when an execution of a contract at a moment clears. No crisis
// suppresses the contract at that moment, or it could not be executed.
func (s *State) clears(ct *Contract, at netkit.Millis) (t ClearTime) {
	hours := s.clearingHours(ct)
	if hours == 0 {
		return t
	}
	step := Quarter(max(s.law.Market.ClearingMinutes/15, 1))
	t.clears = (quarterAt(at+netkit.Millis(hours)*netkit.Hour) + step - 1) / step * step
	if s.law.Crisis.MarketTime && ct.kind == netkit.Commercial {
		t.market = t.clears.Millis() - s.clock.suppressed(at)
	}
	return t
}

// clearingHours is what the constitution says, or less where the contract does.
func (s *State) clearingHours(ct *Contract) int {
	if ct.clearing == 0 {
		return s.law.Market.ClearingHours
	}
	return min(s.law.Market.ClearingHours, int(ct.clearing))
}

// mergeCleared sums up the rows of an agent that have cleared by a moment into
// those that count at once; the first open of them do already. It also returns
// the treasury's shares in what has cleared. What it changes
// is a new list, with room for the next days: the old one stays as it was for a
// rollback.
func mergeCleared(rows []Evidence, open int, by Instant) (merged []Evidence, shares netkit.Credits) {
	waited := func(ev *Evidence) bool { return ev.clears != 0 && ev.cleared(by) }
	if !slices.ContainsFunc(rows[open:], func(ev Evidence) bool { return waited(&ev) }) {
		return rows, 0
	}
	merged = append(make([]Evidence, 0, len(rows)+len(rows)/8), rows[:open]...)
	for _, ev := range rows[open:] {
		if waited(&ev) {
			shares += ev.share
			ev.ClearTime, ev.pay, ev.passed, ev.share = ClearTime{}, 0, 0, 0
		}
		k := len(merged) - 1
		for k >= 0 && merged[k].Day == ev.Day && (merged[k].With != ev.With || merged[k].ClearTime != ev.ClearTime) {
			k--
		}
		if k < 0 || merged[k].Day != ev.Day {
			merged = append(merged, ev)
			continue
		}
		merged[k].add(&ev)
	}
	return merged, shares
}

// add sums up two rows of one counterparty, date and clearing.
func (e *Evidence) add(o *Evidence) {
	e.In += o.In
	e.Out += o.Out
	e.Stands += o.Stands
	e.Answered += o.Answered
	e.Expired += o.Expired
	e.cheap += o.cheap
	e.pay += o.pay
	e.passed += o.passed
	e.share += o.share
}

// LastMoment is the end of a date.
func LastMoment(date netkit.Day) netkit.Millis { return netkit.Millis(date+1)*netkit.FullDay - 1 }

// OldestPendingAt is OldestPending for a moment, which it returns on both clocks.
func (s *State) OldestPendingAt(now netkit.Millis) (Instant, netkit.Millis) {
	at := s.instant(now)
	return at, s.oldestPending(at)
}

package netkit

import (
	"slices"

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

// quarter is a moment in whole quarters of an hour since 1970; 0 is none.
type quarter uint32

const quarterHour = 15 * minute

// quarterAt returns the first quarter at or after a moment.
func quarterAt(t Millis) quarter { return quarter((t + quarterHour - 1) / quarterHour) }

// millis returns the moment.
func (q quarter) millis() Millis { return Millis(q) * quarterHour }

// clearTime is when pay clears by itself; the zero value is at once.
type clearTime struct {
	clears quarter // as expected at the execution: if no crisis begins before
	market Millis  // in market time, which then applies; 0 where real time does
}

func (t *clearTime) fields(c *wire.Codec) {
	wire.Num(c, "clears", &t.clears)
	wire.Num(c, "clears_market", &t.market)
}

// deadline returns the moment as a deadline.
func (t clearTime) deadline() deadline { return deadline{t.clears.millis(), t.market} }

// day returns its date on the clock that applies.
func (t clearTime) day() Day {
	if t.market != 0 {
		return t.market.Day()
	}
	return t.clears.millis().Day()
}

// cleared reports whether what a row sums up counts at a moment.
func (e *evidence) cleared(at instant) bool { return e.deadline().reached(at) }

// pending is what an agent has earned that has not cleared.
type pending struct {
	pay        Credits // of its wallet, and not to be spent
	backing    Credits // of its backing, and not to be passed on
	executions uint32  // of its transactions, and not to be counted
}

// pending sums up what of agent i has not cleared at a moment.
func (s *state) pending(i uint32, at Millis) (sum pending) {
	rows := s.parties.At(i).agent.evidence
	if s.root.clearing == 0 {
		return sum
	}
	until := s.clearedUntil(i, at)
	since := s.oldestPending(until).Day()
	for k := len(rows) - 1; k >= 0 && rows[k].day >= since; k-- {
		if ev := &rows[k]; !ev.cleared(until) {
			sum.pay += ev.pay
			sum.backing += ev.passed
			sum.executions += ev.stands
		}
	}
	for _, h := range s.holds.M[i] {
		sum.pay += h.pay
		sum.backing += h.passed
		sum.executions++
	}
	return sum
}

// oldestPending returns the moment before which nothing was executed that has not
// cleared by another: it looks back as far as the longest clearing time that was
// ever in force, without the time in which crises suppressed commerce.
func (s *state) oldestPending(at instant) Millis {
	return s.clock.real(at.market - Millis(s.root.clearing)*hour - quarterHour)
}

// backing is what stands behind the payments of agent i at a moment.
func (s *state) backing(i uint32, at Millis) Credits {
	return max(0, s.parties.At(i).backing-s.pending(i, at).backing)
}

// transactions counts those of agent i that have cleared.
func (s *state) transactions(i uint32, at Millis) uint32 {
	return s.parties.At(i).agent.transactions - s.pending(i, at).executions
}

// clears returns when an execution of a contract at a moment clears. No crisis
// suppresses the contract at that moment, or it could not be executed.
func (s *state) clears(ct *contract, at Millis) (t clearTime) {
	hours := s.clearingHours(ct)
	if hours == 0 {
		return t
	}
	step := quarter(max(s.law.Market.ClearingMinutes/15, 1))
	t.clears = (quarterAt(at+Millis(hours)*hour) + step - 1) / step * step
	if s.law.Crisis.MarketTime && ct.kind == Commercial {
		t.market = t.clears.millis() - s.clock.suppressed(at)
	}
	return t
}

// clearingHours is what the constitution says, or less where the contract does.
func (s *state) clearingHours(ct *contract) int {
	if ct.clearing == 0 {
		return s.law.Market.ClearingHours
	}
	return min(s.law.Market.ClearingHours, int(ct.clearing))
}

// newcomer reports whether an agent has so few cleared transactions that only a
// share of each budget is for the likes of it.
func (s *state) newcomer(i uint32, at Millis) bool {
	return s.law.Market.NewcomersShare > 0 && s.hasFewTransactions(i, at)
}

// hasFewTransactions reports whether an agent has fewer cleared transactions than
// MarketRules.NewcomersTransactions.
func (s *state) hasFewTransactions(i uint32, at Millis) bool {
	few := uint32(s.law.Market.NewcomersTransactions)
	return s.parties.At(i).agent.transactions < few || s.transactions(i, at) < few
}

// leftForNewcomers reports whether a contract still pays a newcomer. The first
// payout to one may be more than the share.
func (s *state) leftForNewcomers(ct *contract, payout Credits) bool {
	return ct.newcomers == 0 || ct.newcomers+payout <= s.law.Market.newcomersPart(ct.budget)
}

// mergeCleared sums up the rows of an agent that have cleared by a moment into
// those that count at once; the first open of them do already. It also returns
// the treasury's shares in what has cleared. What it changes
// is a new list, with room for the next days: the old one stays as it was for a
// rollback.
func mergeCleared(rows []evidence, open int, by instant) (merged []evidence, shares Credits) {
	waited := func(ev *evidence) bool { return ev.clears != 0 && ev.cleared(by) }
	if !slices.ContainsFunc(rows[open:], func(ev evidence) bool { return waited(&ev) }) {
		return rows, 0
	}
	merged = append(make([]evidence, 0, len(rows)+len(rows)/8), rows[:open]...)
	for _, ev := range rows[open:] {
		if waited(&ev) {
			shares += ev.share
			ev.clearTime, ev.pay, ev.passed, ev.share = clearTime{}, 0, 0, 0
		}
		k := len(merged) - 1
		for k >= 0 && merged[k].day == ev.day && (merged[k].with != ev.with || merged[k].clearTime != ev.clearTime) {
			k--
		}
		if k < 0 || merged[k].day != ev.day {
			merged = append(merged, ev)
			continue
		}
		merged[k].add(&ev)
	}
	return merged, shares
}

// add sums up two rows of one counterparty, date and clearing.
func (e *evidence) add(o *evidence) {
	e.in += o.in
	e.out += o.out
	e.stands += o.stands
	e.answered += o.answered
	e.expired += o.expired
	e.cheap += o.cheap
	e.pay += o.pay
	e.passed += o.passed
	e.share += o.share
}

// lastMoment is the end of a date.
func lastMoment(date Day) Millis { return Millis(date+1)*day - 1 }

// earned is what an execution's entry says of its pay. Whoever takes an execution
// up again has it from that entry.
type earned struct {
	id       uint64 // of the execution
	campaign uint64
	agent    string
	day      Day // of the execution
	clearTime
	payout   Credits // of the contract
	share    Credits // of the agent in it
	used     Credits // of the sponsor's backing
	counted  Credits // of the agent's diversity
	passed   Credits // of its backing
	newcomer bool
}

func (x *earned) fields(c *wire.Codec) {
	wire.Num(c, "execution", &x.id)
	wire.Str(c, "agent", &x.agent)
	wire.Num(c, "day", &x.day)
	wire.Amount(c, "counted", &x.counted)
	x.uncleared(c)
}

// treasury returns the treasury's share in the payout of an execution that clears
// later.
func (x *earned) treasury() Credits { return x.payout - x.share }

// uncleared carries what is needed of an execution that clears later.
func (x *earned) uncleared(c *wire.Codec) {
	wire.Num(c, "campaign", &x.campaign)
	x.clearTime.fields(c)
	wire.Amount(c, "payout", &x.payout)
	wire.Amount(c, "share", &x.share)
	wire.Amount(c, "used", &x.used)
	wire.Amount(c, "passed", &x.passed)
	c.Flag("newcomer", &x.newcomer)
}

// countsFrom is the date from which an execution is among what its sponsor paid:
// that on which it clears by its entry. One that was accepted is among it from the
// acceptance on, as it is for its agent: see paidOn.early. Under a constitution
// without ScoreRules.AcceptedCounts it is so on that date only.
func (x *earned) countsFrom() Day { return countsFrom(x.day, x.clears) }

// paid is an amount in what the sponsor of an execution paid.
func (x *earned) paid(amount Credits, accepted bool) paidOn {
	row := paidOn{day: x.countsFrom(), sum: amount}
	if accepted {
		row.early = amount
	}
	return row
}

func countsFrom(d Day, clears quarter) Day { return max(d, clears.millis().Day()) }

// earned returns what an execution paid. Of one that cleared at once nothing can
// be taken back but what counts.
func (e *Entry) earned(f *Executed) earned {
	x := earned{id: e.Seq, agent: f.Agent, day: e.At.Day(), counted: f.counted}
	if f.Clears != 0 {
		x.campaign, x.clearTime, x.payout, x.share = f.Campaign, f.clearTime(), f.Payout, e.amount(Wallet(f.Agent))
		x.used, x.passed, x.newcomer = f.used, f.passed, f.Newcomer
	}
	return x
}

// uncleared reports whether an execution waits to clear at a moment.
func (s *state) uncleared(x *earned, at Millis) bool {
	i, _ := s.slugs.Get(x.agent)
	return s.waitsForCase(i, x.id) ||
		!x.deadline().reached(s.clearedUntil(i, at)) && !s.undone(x.id) && !s.wasAccepted(x)
}

// wasAccepted reports whether an execution was accepted before it cleared. It is
// forgotten once the date on which it would have cleared is closed.
func (s *state) wasAccepted(x *earned) bool {
	return s.accepted.count(x.clearTime.day(), x.id) > 0
}

// undone reports whether an execution was returned or overturned.
func (s *state) undone(id uint64) bool {
	_, returned := s.returned.Get(id)
	_, overturned := s.overturned.Get(id)
	return returned || overturned
}

// takeBack takes an execution out of the agent's evidence, and returns the
// treasury's share if that waited there to become income. The night may have
// dropped the row as too old to count: then there is nothing to do.
func (s *state) takeBack(i, sponsor uint32, x *earned) (share Credits) {
	row, accepted := s.findEvidence(i, sponsor, x.day, x.clearTime), s.wasAccepted(x)
	if row == nil || accepted {
		row = s.findEvidence(i, sponsor, x.day, clearTime{}) // where what has cleared is summed up
	}
	if row == nil {
		return 0
	}
	s.past.forget(i, x.day)
	ev := s.evidence.Edit(row)
	ev.stands--
	ev.in -= x.counted
	s.addPaidRow(sponsor, i, x.paid(-x.counted, accepted))
	if ev.clears != 0 {
		share = x.treasury()
		ev.pay -= x.share
		ev.passed -= x.passed
		ev.share -= share
	}
	return share
}

// putBack puts it into the evidence again, to clear at a moment.
func (s *state) putBack(i, sponsor uint32, x *earned, clears clearTime) {
	ev := s.evidenceRow(i, sponsor, x.day, clears)
	ev.stands++
	ev.in += x.counted
	s.addPaidRow(sponsor, i, x.paid(x.counted, s.wasAccepted(x)))
	if clears != (clearTime{}) {
		ev.pay += x.share
		ev.passed += x.passed
		ev.share += x.treasury()
	}
}

// giveBack returns the pay of an execution that has not cleared to its contract,
// or to the sponsor if that is finished; nil if it has cleared. Cause is the entry
// of the case. The agent's share is in its wallet, since what has not cleared
// cannot be spent, and so is the treasury's under ReviewRules.IncomeDays; under
// other rules the treasury gives what it has.
func (s *state) giveBack(x *earned, sponsor uint32, cause uint64, at Millis) (Fact, []move) {
	if !s.uncleared(x, at) {
		return nil, nil
	}
	f := &ExecutionReturnedFact{Case: cause, Sponsor: s.parties.At(sponsor).slug, earned: *x}
	to := SponsorFunds(f.Sponsor)
	if ct, ok := s.contracts.Get(x.campaign); ok && ct.live() {
		to = ContractBudget(x.campaign)
	}
	treasury := min(x.treasury(), s.held(Treasury))
	return f, []move{{Wallet(x.agent), -x.share}, {Treasury, -treasury}, {to, x.share + treasury}}
}

// ExecutionReturnedFact records that the pay of an execution went back before it
// cleared. The execution counts for nobody any more.
type ExecutionReturnedFact struct {
	Case    uint64
	Sponsor string
	earned
}

func (*ExecutionReturnedFact) kind() Kind { return KindExecutionReturned }

func (*ExecutionReturnedFact) asked(*pastView) (command, error) { return nil, nil }

func (f *ExecutionReturnedFact) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "sponsor", &f.Sponsor)
	f.earned.fields(c)
}

func (f *ExecutionReturnedFact) apply(s *state, e *Entry) {
	sponsor, _ := s.slugs.Get(f.Sponsor)
	i, ok := s.slugs.Get(f.agent)
	if !ok {
		return
	}
	if ct, ok := s.contracts.Get(f.campaign); ok && ct.live() {
		s.contracts.Edit(ct)
		ct.spent -= e.amount(ContractBudget(f.campaign))
		if f.newcomer {
			ct.newcomers -= f.payout
		}
	}
	s.roots.Edit(s.root).unclearedShares -= f.treasury()
	if !s.dropHold(i, f.id) {
		s.takeBack(i, sponsor, &f.earned)
	}
	p := s.parties.Change(i)
	p.agent.transactions--
	p.backing = max(0, p.backing-f.passed)
	s.parties.Change(sponsor).backing += f.used
	s.changeExtra(sponsor).bought.returned -= e.amount(Wallet(f.agent)) + e.amount(Treasury)
	s.returned.Put(f.id, e.Seq)
	s.touch(i, atOnce)
}

// Pay that has not cleared waits longer than its clearing time
//
//   - while its agent is suspended or listed: the time stands still for it at the
//     judgement, and what the sponsor reports meanwhile still returns. When the
//     agent is reinstated, the rest clears by its own time, which may be over;
//   - from a report of its sponsor on, until the case is final. If that upholds
//     the report, the pay returns with the judgement; if not, it clears by its own
//     time, which may be over.
//
// As with clearing, no entry says so: the reports and judgements do.

// heldPay is an execution whose sponsor's report is open. It is out of the
// agent's evidence meanwhile.
type heldPay struct {
	execution uint64
	pay       Credits // what the wallet has of it
	passed    Credits // backing that it brings
}

func (h *heldPay) fields(c *wire.Codec) {
	wire.Num(c, "execution", &h.execution)
	wire.Amount(c, "pay", &h.pay)
	wire.Amount(c, "passed", &h.passed)
}

// clearedUntil is the moment up to which pay of agent i has cleared: that of
// asking, or that of the judgement which stopped the agent.
func (s *state) clearedUntil(i uint32, at Millis) instant {
	if stopped, ok := s.stopped.Get(i); ok {
		at = min(at, stopped)
	}
	return s.instant(at)
}

// waitsForCase reports whether an execution of agent i waits for a case.
func (s *state) waitsForCase(i uint32, execution uint64) bool {
	return slices.ContainsFunc(s.holds.M[i], func(h heldPay) bool { return h.execution == execution })
}

// holdPay makes the execution that a case is about wait for it, if its sponsor is
// among the reporters and it has not cleared.
func (s *state) holdPay(cs *reviewCase, at Millis) {
	if !cs.ofSponsor() || !s.uncleared(&cs.earned, at) || s.waitsForCase(cs.reported, cs.subject) {
		return
	}
	s.takeBack(cs.reported, cs.sponsor, &cs.earned)
	held := heldPay{cs.subject, cs.earned.share, cs.earned.passed}
	s.holds.Put(cs.reported, append(slices.Clip(s.holds.M[cs.reported]), held))
}

// releasePay lets the execution of a final case clear, unless another case about it
// still holds it.
func (s *state) releasePay(cs *reviewCase) {
	for _, law := range []Status{Suspended, Rogue} {
		if other, ok := s.latestCase(judgedKey{cs.subject, law}); ok && other.id != cs.id && !other.final && other.ofSponsor() {
			return
		}
	}
	if s.dropHold(cs.reported, cs.subject) {
		s.putBack(cs.reported, cs.sponsor, &cs.earned, cs.earned.clearTime)
	}
}

// dropHold ends the waiting of an execution, and reports whether it did wait.
func (s *state) dropHold(i uint32, execution uint64) bool {
	if !s.waitsForCase(i, execution) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(s.holds.M[i]), func(h heldPay) bool { return h.execution == execution })
	if len(rest) == 0 {
		s.holds.Drop(i)
	} else {
		s.holds.Put(i, rest)
	}
	return true
}

// ofSponsor reports whether the sponsor of the execution that a case is about
// reported it.
func (r *reviewCase) ofSponsor() bool {
	return r.execution && slices.Contains(r.reporters(), r.sponsor)
}

// forgetAccepted forgets which executions that would have cleared by a date were
// accepted before. Those of stopped agents are kept: for them the time stands
// still, and what was accepted must not look as if it had not cleared. Dates of
// market time end later than those of real time, so that both are over by then.
func (s *state) forgetAccepted(date Day) {
	over := s.clock.market(lastMoment(date))
	for d, all := range s.accepted.m {
		if lastMoment(d) > over {
			continue
		}
		s.accepted.forget(d)
		for execution, i := range all {
			if _, stopped := s.stopped.Get(i); stopped {
				s.accepted.set(d, execution, i)
			}
		}
	}
}

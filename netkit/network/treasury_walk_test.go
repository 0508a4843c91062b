package network

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// court is a market with reviewers, an agent that reports and paid dispatches.
type court struct{ *market }

func (m court) step() {
	steps := []func(){
		m.market.step, m.market.step, m.market.step,
		func() { m.market.reports(m.buyer(), m.one(m.bought), "L1") },
		func() {
			r, err := m.As("rob").Report(m.t.Context(), netkit.Report{Subject: m.one(m.bought), Law: "L1", Evidence: "e"})
			if err == nil {
				m.cases = append(m.cases, r.CaseID)
			}
		},
		m.judges, m.judges,
		func() { m.As("rob").Manifest(m.t.Context(), netkit.ReadManifest{Priorities: allPriorities}) },
	}
	steps[m.draw(len(steps))]()
}

// judges has every reviewer of a case give a verdict.
func (m court) judges() {
	id := m.one(m.cases)
	x, err := m.op().Case(m.t.Context(), id)
	if err != nil {
		return
	}
	for _, slug := range x.Panel {
		m.As(slug).Verdict(m.t.Context(), netkit.Verdict{CaseID: id, Uphold: m.draw(3) > 0, Reasoning: "r"})
	}
}

// income replays the journal and compares each fee and reward with what the
// treasury got in the days before: its balance less what is no income yet grows by
// income and shrinks by fees and rewards, and by nothing else. It returns how many
// were paid at once, owed and paid late.
func (m court) income(t rapid.TB) (paid, owed, late int) {
	type flow struct {
		day          netkit.Day
		income, paid netkit.Credits
	}
	s, flows := rules.NewState(), []flow{}
	for r, err := range m.store.Read(m.t.Context(), 0, m.Size()) {
		if err != nil {
			t.Fatal(err)
		}
		e := must[*rules.Entry](m.t)(rules.ReadEntry(r))
		before := s.Held(netkit.Treasury) - netkit.Credits(inside(s, "root").Elem().FieldByName("UnclearedShares").Int())
		s.Take(e)
		change := s.Held(netkit.Treasury) - netkit.Credits(inside(s, "root").Elem().FieldByName("UnclearedShares").Int()) - before
		if before+change < 0 {
			t.Fatalf("entry %d: the treasury spent %s of what is pending or held", e.Seq, -before-change)
		}
		x, ok := e.Fact.(*rules.CasePaid)
		switch {
		case ok && x.Owed:
			owed++
		case ok && x.Late:
			late++
		case ok && change < 0:
			paid++
		case change < 0:
			t.Fatalf("entry %d, %s: the treasury lost %s", e.Seq, e.Kind, -change)
		}
		flows = append(flows, flow{e.At.Day(), max(0, change), max(0, -change)})
		if change >= 0 {
			continue
		}
		sum := netkit.Credits(0)
		for _, f := range flows {
			if e.At.Day()-f.day < 30 {
				sum += f.income - f.paid
			}
		}
		if sum < 0 {
			t.Fatalf("entry %d: fees and rewards of 30 days are %s more than the income", e.Seq, -sum)
		}
	}
	return paid, owed, late
}

// Fees and rewards stay within the treasury's income of 30 days, what is pending
// or held is never spent, credits are conserved, and what is owed is paid as soon
// as it is covered, whatever happens in which order.
func TestFeesStayWithinIncome(t *testing.T) {
	var paid, owed, late int
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t, newTreasury, clearing(72), func(c *netkit.Constitution) { c.Review.ReportReward = 30 })
		m := court{&market{fixture: f, draw: func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "draw") }, state: map[uint64]netkit.ExecutionState{}}}
		m.agents("ada", "bea", "rob")
		for k := range 6 {
			m.reviewers(fmt.Sprintf("rev-%d", k))
		}
		m.admit("acme", 1000*netkit.Credit)
		m.closes()
		m.publishes(netkit.P1, netkit.NicheMedia, "h")
		for range rapid.IntRange(30, 90).Draw(rt, "steps") {
			m.step()
		}
		m.passes(30 * 24 * time.Hour)
		m.ticks()
		if x, ok := m.nextOwed(); ok && m.Network.state.Spendable(netkit.At(m.now)) >= x.Amount {
			rt.Fatalf("got %s owed to case %d, want it paid: the income covers it", x.Amount, x.Id)
		}
		if b := must[netkit.Books](t)(m.As("").Conservation(t.Context())); b.Sum != 0 {
			rt.Fatalf("got a sum of %s, want 0.00", b.Sum)
		}
		a, b, c := m.income(rt)
		paid, owed, late = paid+a, owed+b, late+c
		m.replays(t, string(m.Network.state.Canonical()))
		m.restarts(t)
		must[struct{}](t)(struct{}{}, m.Close(t.Context()))
	})
	if paid == 0 || owed == 0 || late == 0 {
		t.Errorf("got %d payments at once, %d owed and %d late, want some of each", paid, owed, late)
	}
}

// nextOwed returns the oldest payment that is owed.
func (m court) nextOwed() (o rules.OwedPayment, ok bool) {
	if all := owedIn(m.Network.state); len(all) > 0 {
		return all[0], true
	}
	return o, false
}

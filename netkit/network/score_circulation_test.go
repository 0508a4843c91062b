package network

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// factory is a market in which three sponsors of one owner pay four workers of its
// own among 20 agents of 8 others, for as many days as the badge FIELD_AGENT takes.
func factory(t *testing.T, changes ...func(*netkit.Constitution)) (f *fixture, workers, honest []string) {
	t.Helper()
	return factoryPaying(t, 0, 6, changes...)
}

// factoryPaying is a factory whose sponsors paid some of the reviewers.
func factoryPaying(t *testing.T, paid, reviewers int, changes ...func(*netkit.Constitution)) (f *fixture, workers, honest []string) {
	t.Helper()
	f = start(t, journal.NewMemory(), append([]func(*netkit.Constitution){newReview, func(c *netkit.Constitution) {
		c.Detectors = netkit.Version1().Detectors
		c.Detectors.BurstFrom = 1000
	}}, changes...)...)
	workers, honest = named("worker", 4), named("honest", 20)
	f.reviewers(named("reviewer", reviewers)...)
	f.agents(slices.Concat(workers, honest)...)
	market, own := f.contracts("market", 8), f.contracts("own", 3)
	for day := range 10 {
		if day < 3 {
			f.staffs(named("reviewer", paid), own)
		}
		for k, slug := range honest {
			for n := range 3 {
				f.executes(slug, market[(k+n*n)%8])
			}
		}
		f.staffs(workers, own)
		f.days(1)
		f.night()
	}
	return f, workers, honest
}

// contracts has sponsors open a contract each.
func (f *fixture) contracts(name string, n int) (ids []uint64) {
	f.t.Helper()
	for _, slug := range named(name, n) {
		f.admit(slug, 5000*netkit.Credit)
		ids = append(ids, f.opens(slug, 5000*netkit.Credit, 1000))
	}
	return ids
}

// staffs has each agent execute each contract.
func (f *fixture) staffs(agents []string, contracts []uint64) {
	f.t.Helper()
	for _, slug := range agents {
		for _, id := range contracts {
			f.executes(slug, id)
		}
	}
}

// badged lists those of some agents that hold FIELD_AGENT.
func (f *fixture) badged(agents []string) (all []string) {
	for _, slug := range agents {
		if f.row(slug).Badges.Has(netkit.FieldAgent) {
			all = append(all, slug)
		}
	}
	return all
}

// circulationCases lists the cases that nights filed, the oldest first.
func (f *fixture) circulationCases() (all []netkit.CaseView) {
	f.t.Helper()
	for _, cs := range must[netkit.List[netkit.CaseView]](f.t)(f.op().Cases(f.t.Context(), netkit.CaseQuery{})).Items {
		if cs.Reporter == netkit.NetworkActor {
			all = append(all, cs)
		}
	}
	slices.Reverse(all)
	return all
}

// The night files a case against each worker of a factory and issues it no badge; an
// upheld case enters it in the registry, a dismissed one frees the badge and the flag
// files the next case after 90 days, and a won appeal restores all.
func TestCirculationIsACase(t *testing.T) {
	f, workers, honest := factory(t)
	if got := f.badged(honest); len(got) != 20 {
		t.Errorf("honest: got %d badges, want 20", len(got))
	}
	if got := f.badged(workers); got != nil {
		t.Errorf("got badges of %v, want none while their cases are open", got)
	}
	cases := f.circulationCases()
	if len(cases) != 4 {
		t.Fatalf("got %+v, want four cases", cases)
	}
	for k, cs := range cases {
		if cs.Law != "L2" || cs.SubjectKind != "agent" || cs.Reported != workers[k] || cs.Subject != f.row(workers[k]).Seq || len(cs.Panel) != 3 {
			t.Errorf("got %+v, want a panel of three that judges %s under L2", cs, workers[k])
		}
		for _, slug := range []string{honest[0], "operator"} {
			if got := must[netkit.CaseView](t)(f.As(slug).Case(t.Context(), cs.ID)).Evidence; !strings.Contains(got, "own-02: ") {
				t.Errorf("%q reads %q, want the sponsors that the walk ends on", slug, got)
			}
		}
	}
	const held = "no_open_case_of_circulation"
	ex := must[netkit.Explanation](t)(f.As("").Explain(t.Context(), workers[0], nil))
	if i := slices.IndexFunc(ex.Badges[0].Conditions, func(c netkit.Condition) bool { return c.Name == held }); i < 0 || ex.Badges[0].Conditions[i].Met {
		t.Errorf("got %+v, want %s unmet", ex.Badges[0].Conditions, held)
	}
	funds := f.state.Held(netkit.Treasury)
	f.votes(cases[0].ID, true, cases[0].Panel[:2]...)
	f.votes(cases[1].ID, false, cases[1].Panel[:2]...)
	f.votes(cases[2].ID, true, cases[2].Panel[:2]...)
	for k, want := range []netkit.Status{netkit.Rogue, netkit.Active, netkit.Rogue, netkit.Active} {
		if got := f.row(workers[k]).Status; got != want {
			t.Errorf("%s: got %s, want %s", workers[k], got, want)
		}
	}
	must[netkit.CaseReceipt](t)(f.As(workers[2]).Appeal(t.Context(), netkit.Appeal{CaseID: cases[2].ID, Grounds: "real work"}))
	f.votes(cases[2].ID, false, f.circulationCases()[2].Panel[:2]...)
	f.days(1)
	f.night()
	if got, want := f.badged(workers), []string{workers[1], workers[2]}; !slices.Equal(got, want) {
		t.Errorf("got badges of %v, want %v", got, want)
	}
	if got := f.found(workers[1])["circulation_among_its_sponsors"]; got == "" {
		t.Error("the flag of a dismissed case is gone")
	}
	f.days(8)
	f.ticks()
	if got, want := f.state.Held(netkit.Treasury), funds-8*netkit.Credit; got != want {
		t.Errorf("the treasury holds %s, want %s: eight verdicts", got, want)
	}
	f.restarts(t)
}

// Reviewers whom the sponsors of a circle paid do not judge its agents, neither at
// first nor in an appeal, unless the constitution has the agent as the only side.
func TestReviewersOfACircleDoNotJudge(t *testing.T) {
	if got := seatsOfPaidReviewers(t, true); got != 0 {
		t.Errorf("sponsors are sides: got %d seats of reviewers whom they paid", got)
	}
	for range 5 { // chance alone passes all of them over in one run of about 200
		if seatsOfPaidReviewers(t, false) > 0 {
			return
		}
	}
	t.Error("the agent is the only side: got no seat of a reviewer whom a sponsor paid")
}

// seatsOfPaidReviewers counts the seats of reviewers whom the sponsors of a circle paid
// on the first and second panels of its four cases.
func seatsOfPaidReviewers(t *testing.T, sides bool) (seats int) {
	t.Helper()
	f, _, _ := factoryPaying(t, 2, 12, func(c *netkit.Constitution) { c.Detectors.CirculationSides = sides })
	cases := f.circulationCases()
	if len(cases) != 4 {
		t.Fatalf("got %d cases of circulation, want four", len(cases))
	}
	for _, cs := range cases {
		f.votes(cs.ID, true, cs.Panel[:2]...)
		must[netkit.CaseReceipt](t)(f.As(cs.Reported).Appeal(t.Context(), netkit.Appeal{CaseID: cs.ID, Grounds: "real work"}))
		second := must[netkit.CaseView](t)(f.op().Case(t.Context(), cs.ID)).Panel
		for _, slug := range named("reviewer", 2) {
			if slices.Contains(cs.Panel, slug) || slices.Contains(second, slug) {
				seats++
			}
		}
	}
	f.restarts(t)
	return seats
}

// An audit finds a case with other figures than those of the walk, and one left out.
func TestAnAuditWalksAgain(t *testing.T) {
	f, _, _ := factory(t)
	a := must[*rules.Auditor](t)(rules.NewAuditor(netkit.AuditConfig{Entry: func(seq uint64) ([]byte, error) { return f.recorded(seq), nil }}))
	for seq := range f.state.Size() {
		e := must[*rules.Entry](t)(f.Entry(t.Context(), seq))
		if filed, ok := e.Fact.(*rules.CirculationFiled); ok {
			lie, bent := *filed, *e
			lie.Have--
			bent.Fact = &lie
			left := must[*rules.Entry](t)(f.Entry(t.Context(), seq+1))
			left.Seq = seq
			for _, other := range []*rules.Entry{&bent, left} {
				var v *netkit.Violation
				if err := a.Take(rules.AppendEntry(nil, other)); !errors.As(err, &v) || v.Entry != seq || v.Rule != "detectors" && other == &bent {
					t.Errorf("%s: got %v, want a violation", other.Kind, err)
				}
			}
			return
		}
		if err := a.Take(f.recorded(seq)); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("no case was filed")
}

// A night that was not written leaves no case behind.
func TestCirculationFiledUndone(t *testing.T) {
	f, _, honest := factory(t)
	want, lots := string(f.state.Canonical()), f.state.UndrawnLots()
	filed := &rules.CirculationFiled{Subject: f.row(honest[0]).Seq, Reported: honest[0], Have: 9000, Most: 2499}
	filed.Apply(f.state, &rules.Entry{Seq: f.state.Size(), At: netkit.At(f.now)})
	if got := f.state.UndrawnLots(); len(got) != len(lots)+1 {
		t.Fatalf("got %v, want a case that waits for its panel", got)
	}
	f.state.Rollback()
	if got := string(f.state.Canonical()); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got := f.state.UndrawnLots(); len(got) != len(lots) {
		t.Errorf("got %v, want no case", got)
	}
	f.restarts(t)
}

// recorded returns the public part of an entry.
func (f *fixture) recorded(seq uint64) []byte {
	f.t.Helper()
	return rules.AppendEntry(nil, must[*rules.Entry](f.t)(f.Entry(f.t.Context(), seq)))
}

// After a judgement the flag files no case for 90 days, then the next one.
func TestCirculationIsACaseAgain(t *testing.T) {
	f, workers, _ := factory(t, func(c *netkit.Constitution) { c.Detectors.CirculationCaseDays = 20 })
	for _, cs := range f.circulationCases() {
		f.votes(cs.ID, false, cs.Panel[:2]...)
	}
	own := f.contracts("more", 1) // has its agents judged
	for _, c := range []struct{ days, want int }{{10, 4}, {9, 4}, {2, 8}, {5, 8}} {
		f.staffs(workers, own)
		f.days(c.days)
		f.night()
		if got := len(f.circulationCases()); got != c.want {
			t.Errorf("%d days later: got %d cases, want %d", c.days, got, c.want)
		}
	}
	f.restarts(t)
}

// Under a constitution without the rule a flag files no case and holds no badge.
func TestCirculationIsAFlagOnly(t *testing.T) {
	f, workers, _ := factory(t, func(c *netkit.Constitution) { c.Detectors.CirculationCaseDays = 0 })
	if got := f.badged(workers); len(got) != 4 || f.circulationCases() != nil {
		t.Errorf("got badges of %v and cases %v, want four badges", got, f.circulationCases())
	}
	if got := f.found(workers[0])["circulation_among_its_sponsors"]; got == "" {
		t.Error("got no flag")
	}
}

// The walk finds whom the list of a sponsor's payees finds.
func TestTheWalkFindsWhomTheListFinds(t *testing.T) {
	f, workers, honest := factory(t, payeesListed)
	for _, slug := range slices.Concat(workers, honest) {
		found := f.found(slug)
		listed, walked := found["sponsors_that_pay_alike"] != "", found["circulation_among_its_sponsors"] != ""
		if own := slices.Contains(workers, slug); listed != own || walked != own {
			t.Errorf("%s: got %v", slug, found)
		}
	}
}

package network

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// underVersion1 begins a network under the constitution of new networks.
func underVersion1(c *netkit.Constitution) { *c = *netkit.Version1() }

// A sponsor cannot read what it bought while a crisis runs, so the time in which
// it may report does not run either.
func TestCrisisStopsTheClearing(t *testing.T) {
	f := start(t, journal.NewMemory(), underVersion1)
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	id := f.executes("ada", f.opens("acme", 50*netkit.Credit, 1))
	crisis := f.publishes(netkit.P0, netkit.NicheHealth, "flood")
	f.passes(71 * time.Hour)
	must[netkit.CrisisReceipt](t)(f.op().RenewCrisis(t.Context(), netkit.RenewCrisis{DispatchID: crisis, Reason: "it goes on"}))
	f.passes(3 * time.Hour)
	f.ticks()
	if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), id)); got.State != netkit.ExecutionPending || !got.Suppressed || got.ClearsAt != netkit.At(f.now)+141*netkit.Hour {
		t.Errorf("got %s, suppressed %v, clears at %s; want it pending and suppressed, and to clear 72 hours after the crisis", got.State, got.Suppressed, got.ClearsAt)
	}
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(t.Context(), netkit.ResolveCrisis{DispatchID: crisis, Reason: "over"}))
	got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), id))
	if got.State != netkit.ExecutionPending || got.Signal == nil || got.ClearsAt != netkit.At(f.now)+72*netkit.Hour {
		t.Errorf("got %s, a signal %v, clears at %s; want it pending, readable, and to clear in 72 hours", got.State, got.Signal != nil, got.ClearsAt)
	}
	f.restarts(t)
	f.passes(72*time.Hour - time.Millisecond)
	f.is(id, netkit.ExecutionPending, false)
	f.passes(time.Millisecond)
	f.is(id, netkit.ExecutionCleared, false)
}

// The reviewers of a case cannot read its subject either: the case stays with its
// panel.
func TestCrisisStopsTheVerdicts(t *testing.T) {
	f := start(t, journal.NewMemory(), underVersion1)
	f.agents("ada")
	f.reviewers("rev-a", "rev-b", "rev-c", "rev-d", "rev-e")
	f.admit("acme", 100*netkit.Credit)
	id := f.executes("ada", f.opens("acme", 50*netkit.Credit, 1))
	r := f.reports("acme", id, "L1")
	drawn := must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID))
	if len(drawn.Panel) != 5 || drawn.VerdictsBy != netkit.At(f.now)+72*netkit.Hour {
		t.Fatalf("got panel %v until %s, want five reviewers for 72 hours", drawn.Panel, drawn.VerdictsBy)
	}
	f.passes(time.Hour)
	f.publishes(netkit.P0, netkit.NicheHealth, "flood")
	for range 73 {
		f.passes(time.Hour)
		f.ticks()
	}
	got := must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID))
	if got.State != netkit.CaseWithPanel || got.VerdictsBy != netkit.At(dawn)+144*netkit.Hour {
		t.Fatalf("got %s until %s, want it with the panel until %s", got.State, got.VerdictsBy, netkit.At(dawn)+144*netkit.Hour)
	}
	f.restarts(t)
	f.votes(r.CaseID, true, drawn.Panel[:3]...)
	got = must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID))
	if got.State != netkit.CaseUpheld {
		t.Errorf("got %s, want it upheld by its panel", got.State)
	}
	f.publishes(netkit.P0, netkit.NicheHealth, "storm") // begins soon after the other, but too few agents qualify to hold it
	f.passes(8 * 24 * time.Hour)
	f.ticks()
	if got := must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID)); got.Final || got.AppealBy != netkit.At(f.now)+2*24*netkit.Hour {
		t.Errorf("got final %v, to be appealed by %s; want seven days without the three of the crisis", got.Final, got.AppealBy)
	}
	f.passes(2 * 24 * time.Hour)
	f.ticks()
	if got := must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID)); !got.Final {
		t.Error("the case is not final after seven days without the crisis")
	}
	f.restarts(t)
}

// alarm is something that happens to a crisis, hours after the start; crises are
// numbered in the order in which they begin.
type alarm struct {
	hour   int
	act    string // "begin", "renew" or "resolve"
	crisis int
}

// sounds has alarms happen and the hours between them go by. It returns at an hour.
func (f *fixture) sounds(alarms []alarm, until int) {
	f.t.Helper()
	ctx := f.t.Context()
	var begun []uint64
	for _, a := range alarms {
		f.now = dawn.Add(time.Duration(a.hour) * time.Hour)
		switch a.act {
		case "begin":
			begun = append(begun, f.publishes(netkit.P0, netkit.NicheHealth, "flood"))
		case "renew":
			must[netkit.CrisisReceipt](f.t)(f.op().RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: begun[a.crisis], Reason: "it goes on"}))
		case "resolve":
			must[netkit.CrisisReceipt](f.t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: begun[a.crisis], Reason: "over"}))
		}
	}
	f.now = dawn.Add(time.Duration(until) * time.Hour)
}

// Pay clears, a panel's time is over and an agent is judged 72 hours after what
// they are about, without the union of the crises since then.
func TestMarketTimeLeavesOutTheUnionOfCrises(t *testing.T) {
	for _, c := range []struct {
		name   string
		alarms []alarm
		hours  int // until both are over
	}{
		{"no crisis", nil, 72},
		{"expired", []alarm{{1, "begin", 0}}, 144},
		{"resolved", []alarm{{1, "begin", 0}, {11, "resolve", 0}}, 82},
		{"resolved on the last day", []alarm{{70, "begin", 0}, {80, "resolve", 0}}, 82},
		{"renewed", []alarm{{1, "begin", 0}, {70, "renew", 0}}, 213},
		{"renewed and resolved", []alarm{{1, "begin", 0}, {70, "renew", 0}, {90, "resolve", 0}}, 161},
		{"overlapping", []alarm{{1, "begin", 0}, {20, "begin", 1}, {30, "resolve", 0}, {40, "resolve", 1}}, 111},
		{"overlapping and expired", []alarm{{1, "begin", 0}, {20, "begin", 1}}, 163},
		{"one within the other", []alarm{{1, "begin", 0}, {5, "begin", 1}, {10, "resolve", 1}, {20, "resolve", 0}}, 91},
		{"the later one resolved", []alarm{{1, "begin", 0}, {20, "begin", 1}, {30, "resolve", 1}}, 144},
		{"one after the other", []alarm{{1, "begin", 0}, {11, "resolve", 0}, {11, "begin", 1}, {21, "resolve", 1}, {50, "begin", 2}, {60, "resolve", 2}}, 102},
		{"resolved at once", []alarm{{1, "begin", 0}, {1, "resolve", 0}}, 72},
		{"begun in the last hour", []alarm{{71, "begin", 0}}, 144},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := start(t, journal.NewMemory(), underVersion1)
			f.agents("ada", "bea", "cora")
			f.reviewers("rev-a", "rev-b", "rev-c", "rev-d", "rev-e", "rev-f", "rev-g", "rev-h", "rev-i", "rev-j")
			f.admit("acme", 100*netkit.Credit)
			id := f.executes("ada", f.opens("acme", 50*netkit.Credit, 1))
			r := f.reports("acme", f.executes("bea", f.opens("acme", 20*netkit.Credit, 1)), "L1")
			plain := f.offers(func(o *netkit.OpenContract) {
				o.Kind, o.Budget, o.Sponsor = netkit.Operational, 20*netkit.Credit, "acme"
			})
			operational := f.executes("cora", plain)
			panel := must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID)).Panel
			f.sounds(c.alarms, c.hours)
			f.now = f.now.Add(-time.Millisecond)
			f.ticks()
			if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), id)); got.State != netkit.ExecutionPending || got.ClearsAt != netkit.At(f.now)+1 {
				t.Errorf("got %s until %s, want it pending until %s", got.State, got.ClearsAt, netkit.At(f.now)+1)
			}
			if got := f.wallet("ada"); got.Pending != 170 || got.BioVerified.Transactions != 0 {
				t.Errorf("got %s pending and %d transactions, want 1.70 and 0", got.Pending, got.BioVerified.Transactions)
			}
			if got := must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID)); !slices.Equal(got.Panel, panel) || got.VerdictsBy != netkit.At(f.now)+1 {
				t.Errorf("got panel %v until %s, want %v until %s", got.Panel, got.VerdictsBy, panel, netkit.At(f.now)+1)
			}
			if got := must[netkit.ExecutionView](t)(f.op().Delivery(t.Context(), operational)).ClearsAt; got != netkit.At(dawn)+72*netkit.Hour {
				t.Errorf("operational: got %s, want 72 hours of real time", got)
			}
			f.restarts(t)
			f.now = f.now.Add(time.Millisecond)
			f.ticks()
			f.is(id, netkit.ExecutionCleared, false)
			if got := f.wallet("ada"); got.Pending != 0 || got.BioVerified.Transactions != 1 {
				t.Errorf("got %s pending and %d transactions, want 0.00 and 1", got.Pending, got.BioVerified.Transactions)
			}
			if got := must[netkit.CaseView](t)(f.op().Case(t.Context(), r.CaseID)); slices.Equal(got.Panel, panel) {
				t.Error("the panel keeps the case after its time")
			}
			f.restarts(t)
			f.clearsInItsNight(netkit.At(f.now).Day())
		})
	}
}

// clearsInItsNight closes the missed dates and checks that ada's row is summed up
// by the night of the date on which it cleared, which therefore judges the agent.
func (f *fixture) clearsInItsNight(cleared netkit.Day) {
	f.t.Helper()
	i := f.num("ada")
	f.now = f.now.Add(24 * time.Hour)
	for d := f.state.NextNight(); d <= cleared; d++ {
		must[netkit.NightReport](f.t)(f.op().CloseNight(f.t.Context(), netkit.CloseNight{Date: &d}))
		row := tablesOf(f.state).Parties.At(i).Agent.Evidence[0]
		if summed := row.ClearTime == (rules.ClearTime{}); summed != (d == cleared) {
			f.t.Errorf("night of %s: summed up %v, want the night of %s", d, summed, cleared)
		}
	}
}

// A night that comes while a crisis runs looks at the agent again, also if the
// crisis is resolved before its term.
func TestNightsFollowACrisis(t *testing.T) {
	f := start(t, journal.NewMemory(), underVersion1)
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	f.executes("ada", f.opens("acme", 50*netkit.Credit, 1))
	f.sounds([]alarm{{1, "begin", 0}, {70, "renew", 0}}, 70)
	for range 4 { // the crisis would last until hour 142
		f.night()
		f.passes(time.Hour)
	}
	f.sounds(nil, 100)
	f.night()
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(t.Context(), netkit.ResolveCrisis{DispatchID: must[netkit.CrisisView](t)(f.As("").Crisis(t.Context())).Running[0].ID, Reason: "over"}))
	f.now = dawn.Add(171 * time.Hour) // cleared: 99 hours were dark
	f.clearsInItsNight(netkit.At(f.now).Day())
}

// What was executed before market time was adopted clears by real time, and the
// crisis that runs then counts from the adoption.
func TestMarketTimeBeginsWithItsAdoption(t *testing.T) {
	f := start(t, journal.NewMemory(), underVersion1, func(c *netkit.Constitution) {
		c.Crisis.MarketTime, c.Amendment = false, netkit.AmendmentRules{}
	})
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	before := f.executes("ada", f.opens("acme", 20*netkit.Credit, 1))
	f.sounds([]alarm{{1, "begin", 0}}, 10)
	if got := inside(f.state, "clock").Elem(); !got.IsZero() {
		t.Errorf("got %+v before the adoption, want nothing", got)
	}
	law := *(*lawOf(f.state))
	law.Version, law.Crisis.MarketTime = "1.1.0", true
	must[netkit.AcceptReceipt](t)(f.op().AdoptConstitution(t.Context(), netkit.AdoptConstitution{Document: &law}))
	if got := clockOf(f.state).Market(netkit.At(dawn) + 20*netkit.Hour); got != netkit.At(dawn)+10*netkit.Hour {
		t.Errorf("got market time %s, want it to stand since the adoption", got)
	}
	f.sounds(nil, 80)
	f.ticks()
	f.is(before, netkit.ExecutionCleared, false)
	after := f.executes("ada", f.opens("acme", 20*netkit.Credit, 1))
	if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), after)).ClearsAt; got != netkit.At(f.now)+72*netkit.Hour {
		t.Errorf("got that it clears at %s, want in 72 hours", got)
	}
	f.restarts(t)
}

// piece is a time in which a crisis suppresses commerce, as entries say it.
type piece struct {
	of       uint64
	from, to netkit.Millis
}

// pieces reads the journal.
func (f *fixture) pieces() (all []piece) {
	f.t.Helper()
	for r, err := range f.store.Read(f.t.Context(), 0, f.state.Size()) {
		if err != nil {
			f.t.Fatal(err)
		}
		e := must[*rules.Entry](f.t)(rules.ReadEntry(r))
		switch x := e.Fact.(type) {
		case *rules.Published:
			if x.Priority == netkit.P0 && !x.Held {
				all = append(all, piece{e.Seq, e.At, x.Until})
			}
		case *rules.CrisisRenewed:
			all = append(all, piece{x.Dispatch, e.At, x.Until})
		case *rules.CrisisResolved:
			for k := range all {
				if all[k].of == x.Dispatch {
					all[k].to = min(all[k].to, e.At)
				}
			}
		}
	}
	return all
}

// refMarket is the definition, a minute at a time.
func refMarket(all []piece, from, to netkit.Millis) netkit.Millis {
	at := to
	for m := from; m < to; m += netkit.Minute {
		if slices.ContainsFunc(all, func(p piece) bool { return p.from <= m && m < p.to }) {
			at -= netkit.Minute
		}
	}
	return at
}

// Market time is, at any moment that was, what the entries of the crises add up to,
// and its inverse is the first moment of it; after a restart and a replay too.
func TestMarketTimeAgainstItsDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t, func(c *netkit.Constitution) { c.Crisis = netkit.Version1().Crisis })
		draw := func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "draw") }
		var begun []uint64
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			f.passes(time.Duration(draw(4*24*60)) * time.Minute / time.Duration(1+9*draw(2)) / time.Minute * time.Minute)
			if draw(4) == 0 {
				f.ticks()
			}
			switch draw(4) {
			case 0, 1:
				begun = append(begun, f.publishes(netkit.P0, netkit.NicheHealth, "flood"))
			case 2:
				if len(begun) > 0 {
					f.op().RenewCrisis(t.Context(), netkit.RenewCrisis{DispatchID: begun[draw(len(begun))], Reason: "it goes on"})
				}
			default:
				if len(begun) > 0 {
					f.op().ResolveCrisis(t.Context(), netkit.ResolveCrisis{DispatchID: begun[draw(len(begun))], Reason: "over"})
				}
			}
		}
		all, clock, now := f.pieces(), clockOf(f.state), netkit.At(f.now)
		for range 20 {
			at := netkit.At(dawn) + (now-netkit.At(dawn))/netkit.Minute*netkit.Minute*netkit.Millis(draw(1001))/1000/netkit.Minute*netkit.Minute
			if got, want := clock.Market(at), refMarket(all, netkit.At(dawn), at); got != want {
				rt.Fatalf("at %s: got market time %s, want %s, in %v", at, got, want, clock)
			}
		}
		for range 20 {
			m := netkit.At(dawn) + netkit.Millis(draw(int(now-netkit.At(dawn))+int(80*netkit.Hour)))
			at := clock.Real(m)
			if clock.Market(at) != m || clock.Market(at-1) >= m {
				rt.Fatalf("market time %s: got %s, whose market time is %s, in %v", m, at, clock.Market(at), clock)
			}
			if e := clock.Earliest(m, now); e > at || m <= clock.Market(now) && e != at {
				rt.Fatalf("market time %s: got %s at the earliest, want at most %s", m, e, at)
			}
		}
		f.restarts(t)
		must[struct{}](t)(struct{}{}, f.Close(t.Context()))
	})
}

// An audit decides market deadlines again: it accepts those that the rules set and
// refuses any other.
func TestAuditDecidesMarketDeadlinesAgain(t *testing.T) {
	begun := func() (f *fixture, contract uint64) {
		f = start(t, journal.NewMemory(), underVersion1)
		f.agents("ada")
		f.admit("acme", 100*netkit.Credit)
		contract = f.opens("acme", 50*netkit.Credit, 1)
		f.sounds([]alarm{{1, "begin", 0}, {11, "resolve", 0}}, 12)
		return f, contract
	}
	honest, contract := begun()
	e := must[*rules.Entry](t)(honest.Entry(t.Context(), honest.executes("ada", contract)))
	for change, rule := range map[netkit.Millis]string{0: "", 1: "execution clears_market", -10 * netkit.Hour: "execution clears_market"} {
		f, _ := begun()
		fact, moves := *e.Fact.(*rules.Executed), []rules.Move{}
		fact.ClearsMarket += change
		for _, p := range e.Postings {
			moves = append(moves, rules.Move{To: p.Account, Amount: p.Amount})
		}
		f.bent = true
		if err := do(t.Context(), f.As("ada"), &plainly{&fact, moves}); err != nil {
			t.Fatal(err)
		}
		_, err := Audit(t.Context(), f.store)
		var v *netkit.Violation
		if errors.As(err, &v); rule == "" && err != nil || rule != "" && (v == nil || v.Rule != rule) {
			t.Errorf("changed by %d ms: got %v, want %q", change, err, rule)
		}
	}
}

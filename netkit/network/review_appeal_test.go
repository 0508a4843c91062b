package network

import (
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

func TestAppeals(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second bool
		by            string
		want          netkit.CaseState
		standing      netkit.Status
		transactions  uint32
		penalties     int
	}{
		{"won by the agent", true, false, "ada", netkit.CaseDismissed, netkit.Active, 1, 0},
		{"lost by the agent", true, true, "ada", netkit.CaseUpheld, netkit.Suspended, 0, 1},
		{"won by the reporter", false, true, "rob", netkit.CaseUpheld, netkit.Suspended, 0, 1},
		{"lost by the reporter", false, false, "rob", netkit.CaseDismissed, netkit.Active, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, id := hall(t)
			ctx := t.Context()
			k := f.reports("rob", id, "L1")
			_, err := f.As("ada").Appeal(ctx, netkit.Appeal{CaseID: k.CaseID, Grounds: "g"})
			refused(t, err, netkit.ErrConflict, "case_undecided")
			f.votes(k.CaseID, c.first, k.Panel[:2]...)
			other := map[string]string{"ada": "rob", "rob": "ada"}[c.by]
			_, err = f.As(other).Appeal(ctx, netkit.Appeal{CaseID: k.CaseID, Grounds: "g"})
			refused(t, err, netkit.ErrForbidden, "not_the_loser")
			f.days(6)
			a := must[netkit.CaseReceipt](t)(f.As(c.by).Appeal(ctx, netkit.Appeal{CaseID: k.CaseID, Grounds: "g"}))
			for _, slug := range a.Panel {
				if slices.Contains(k.Panel, slug) {
					t.Errorf("%s judges its own judgement", slug)
				}
			}
			_, before := f.standsAt(k.CaseID)
			if want := map[bool]netkit.Status{true: netkit.Suspended, false: netkit.Active}[c.first]; before != want {
				t.Errorf("while the appeal runs: got %s, want %s", before, want)
			}
			f.votes(k.CaseID, c.second, a.Panel[:2]...)
			got, standing := f.standsAt(k.CaseID)
			row := f.row("ada")
			if got != c.want || standing != c.standing || row.Agent.Transactions != c.transactions || len(f.extra("ada").Incidents) != c.penalties {
				t.Errorf("got %s, %s, %d transactions, %d incidents; want %s, %s, %d, %d", got, standing,
					row.Agent.Transactions, len(f.extra("ada").Incidents), c.want, c.standing, c.transactions, c.penalties)
			}
			_, err = f.As(map[bool]string{true: "ada", false: "rob"}[c.second]).Appeal(ctx, netkit.Appeal{CaseID: k.CaseID, Grounds: "g"})
			refused(t, err, netkit.ErrConflict, "appealed_already")
			for k, slug := range slices.Concat(k.Panel[:2], a.Panel[:2]) {
				voted := c.first
				if k > 1 {
					voted = c.second
				}
				rows := f.extra(slug).Verdicts
				if len(rows) != 1 || rows[0].Agreed != (voted == c.second) {
					t.Errorf("%s: got %+v, want one verdict, agreed %v", slug, rows, voted == c.second)
				}
			}
			f.replays(t, string(f.state.Canonical()))
		})
	}
}

// Without an appeal a judgement is final after seven days, and only then do
// its verdicts count.
func TestJudgementsBecomeFinal(t *testing.T) {
	f, id := hall(t)
	ctx := t.Context()
	k := f.reports("rob", id, "L1")
	f.passes(time.Hour)
	f.votes(k.CaseID, true, k.Panel[:2]...)
	f.passes(7*24*time.Hour - time.Millisecond)
	f.ticks()
	if got := f.extra(k.Panel[0]).Verdicts; len(got) != 0 {
		t.Errorf("before: got %+v, want none", got)
	}
	f.passes(time.Millisecond)
	_, err := f.As("ada").Appeal(ctx, netkit.Appeal{CaseID: k.CaseID, Grounds: "g"})
	refused(t, err, netkit.ErrConflict, "case_final")
	f.ticks()
	want := rules.VerdictRow{Day: netkit.At(f.now).Day(), Reporter: f.num("rob"), Reported: f.num("ada"), Agreed: true, Took: netkit.Hour}
	if got := f.extra(k.Panel[0]).Verdicts; len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := must[netkit.CaseView](t)(f.op().Case(ctx, k.CaseID)); !got.Final {
		t.Error("the case is not final")
	}
	if got := f.extra("rob").Reports; got != 0 {
		t.Errorf("got %d open reports, want 0", got)
	}
}

func TestReinstatement(t *testing.T) {
	f, id := hall(t)
	ctx := t.Context()
	in := netkit.Reinstate{Agent: "ada", Reason: "it was a test"}
	_, err := f.op().Reinstate(ctx, in)
	refused(t, err, netkit.ErrConflict, "agent_active")
	k := f.reports("rob", id, "L2")
	f.votes(k.CaseID, true, k.Panel[:2]...)
	_, err = f.As("rob").Reinstate(ctx, in)
	refused(t, err, netkit.ErrForbidden, "operators_only")
	_, err = f.op().Reinstate(ctx, netkit.Reinstate{Agent: "ada"})
	refused(t, err, netkit.ErrInvalid, "reason_missing")
	must[netkit.StandingReceipt](t)(f.op().Reinstate(ctx, in))
	if got := f.row("ada"); got.Status != netkit.Active || len(f.extra("ada").Incidents) != 1 {
		t.Errorf("got %s with %d penalties, want active with 1", got.Status, len(f.extra("ada").Incidents))
	}
	if l := must[netkit.List[netkit.RogueEntry]](t)(f.As("").Rogues(ctx, netkit.Page{})); len(l.Items) != 0 {
		t.Errorf("got %+v, want an empty registry", l.Items)
	}
	// A lost appeal does not undo what the operator did.
	a := must[netkit.CaseReceipt](t)(f.As("ada").Appeal(ctx, netkit.Appeal{CaseID: k.CaseID, Grounds: "g"}))
	f.votes(k.CaseID, true, a.Panel[:2]...)
	if got := f.row("ada").Status; got != netkit.Active {
		t.Errorf("after the appeal: got %s, want active", got)
	}
	f.replays(t, string(f.state.Canonical()))
}

// Whoever witnesses the revocation is of the panel that decided.
func TestTheWitnessIsOfThePanelThatDecided(t *testing.T) {
	f, id := hall(t)
	f.badge("ada", netkit.FieldAgent)
	c := f.reports("rob", id, "L2")
	f.votes(c.CaseID, true, c.Panel[0])
	f.passes(72 * time.Hour)
	f.ticks()
	second := must[netkit.CaseView](t)(f.op().Case(t.Context(), c.CaseID)).Panel
	f.votes(c.CaseID, true, second[2], second[1])
	got := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.Badges[0].Revoked
	if got == nil || got.Revoker != second[1] || got.Witness != second[2] {
		t.Errorf("got %+v, want it revoked by %s, witnessed by %s", got, second[1], second[2])
	}
}

// What an operator lifted stays lifted when one of the cases is won besides.
func TestReinstatementHoldsAgainstOtherCases(t *testing.T) {
	f, id := hall(t)
	other := f.executes("ada", f.opens("acme", 10*netkit.Credit, 10))
	listed, suspended := f.reports("rob", id, "L2"), f.reports("rob", other, "L1")
	f.votes(listed.CaseID, true, listed.Panel[:2]...)
	f.votes(suspended.CaseID, true, suspended.Panel[:2]...)
	must[netkit.StandingReceipt](t)(f.op().Reinstate(t.Context(), netkit.Reinstate{Agent: "ada", Reason: "r"}))
	third := f.executes("ada", f.opens("acme", 10*netkit.Credit, 10))
	again := f.reports("rob", third, "L2")
	f.votes(again.CaseID, true, again.Panel[:2]...)
	a := must[netkit.CaseReceipt](t)(f.As("ada").Appeal(t.Context(), netkit.Appeal{CaseID: again.CaseID, Grounds: "g"}))
	f.votes(again.CaseID, false, a.Panel[:2]...)
	if got := f.row("ada").Status; got != netkit.Active {
		t.Errorf("got %s, want active", got)
	}
}

// A won appeal lifts its own case only.
func TestTwoCasesOfOneAgent(t *testing.T) {
	f, id := hall(t)
	ctx := t.Context()
	second := f.executes("ada", f.opens("acme", 50*netkit.Credit, 10))
	listed, suspended := f.reports("rob", id, "L2"), f.reports("rob", second, "L1")
	f.votes(listed.CaseID, true, listed.Panel[:2]...)
	f.votes(suspended.CaseID, true, suspended.Panel[:2]...)
	if got := f.row("ada").Status; got != netkit.Rogue {
		t.Errorf("got %s, want rogue", got)
	}
	a := must[netkit.CaseReceipt](t)(f.As("ada").Appeal(ctx, netkit.Appeal{CaseID: listed.CaseID, Grounds: "g"}))
	f.votes(listed.CaseID, false, a.Panel[:2]...)
	if got := f.row("ada").Status; got != netkit.Suspended {
		t.Errorf("after the appeal: got %s, want suspended", got)
	}
	if l := must[netkit.List[netkit.RogueEntry]](t)(f.As("").Rogues(ctx, netkit.Page{})); len(l.Items) != 0 {
		t.Errorf("got %+v, want an empty registry", l.Items)
	}
}

package network

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// hall is a network in which ada has executed a contract of acme, rob is who
// reports it, and six reviewers wait.
func hall(t testing.TB) (f *fixture, execution uint64) {
	f = memory(t)
	f.agents("ada", "rob")
	f.reviewers("rev-a", "rev-b", "rev-c", "rev-d", "rev-e", "rev-f")
	f.admit("acme", 100*netkit.Credit)
	return f, f.executes("ada", f.opens("acme", 50*netkit.Credit, 10))
}

func (f *fixture) standsAt(id uint64) (netkit.CaseState, netkit.Status) {
	f.t.Helper()
	cs, ok := tablesOf(f.state).Cases.Get(id)
	if !ok {
		f.t.Fatalf("there is no case %d", id)
	}
	return cs.State, tablesOf(f.state).Parties.At(cs.Reported).Status
}

func TestUpheldL1SuspendsAndOverturns(t *testing.T) {
	f, id := hall(t)
	ctx := t.Context()
	f.executes("ada", f.opens("acme", 50*netkit.Credit, 10))
	wallet := f.state.Held(netkit.Wallet("ada"))
	c := f.reports("rob", id, "L1")
	if c.State != netkit.CaseWithPanel || len(c.Panel) != 3 {
		t.Fatalf("got %+v, want a panel of three", c)
	}
	if got := f.votes(c.CaseID, true, c.Panel[0]); got.State != netkit.CaseWithPanel {
		t.Errorf("after one verdict: got %s, want panel", got.State)
	}
	if got := f.votes(c.CaseID, true, c.Panel[1]); got.State != netkit.CaseUpheld {
		t.Errorf("after two: got %s, want upheld", got.State)
	}
	_, err := f.As(c.Panel[2]).Verdict(ctx, netkit.Verdict{CaseID: c.CaseID, Reasoning: "late"})
	refused(t, err, netkit.ErrConflict, "case_not_with_panel")

	p := f.row("ada")
	ev := f.state.FindEvidence(f.num("ada"), f.num("acme"), netkit.At(f.now).Day(), rules.ClearTime{})
	if p.Status != netkit.Suspended || p.Agent.Transactions != 1 || ev.Stands != 1 || ev.In != 170 {
		t.Errorf("got %s, %d transactions, %d that stand, %s counted; want suspended, 1, 1, 1.70", p.Status, p.Agent.Transactions, ev.Stands, ev.In)
	}
	if got := f.extra("ada").Incidents; len(got) != 1 || got[0].Weight != 20_000 {
		t.Errorf("got %+v, want the largest penalty alone", got)
	}
	f.has(netkit.Wallet("ada"), wallet)
	profile := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada"))
	if profile.Status != netkit.Suspended || profile.BioVerified.ReputationScore != 0 {
		t.Errorf("got %s with %s, want suspended with 0.00", profile.Status, profile.BioVerified.ReputationScore)
	}
	f.replays(t, string(f.state.Canonical()))
}

// A suspended or listed agent can read and appeal, and nothing else.
func TestWhatASuspendedAgentMayDo(t *testing.T) {
	for _, law := range []string{"L1", "L2"} {
		f, id := hall(t)
		ctx := t.Context()
		campaign := f.opens("acme", 10*netkit.Credit, 1)
		c := f.reports("rob", id, law)
		f.votes(c.CaseID, true, c.Panel[:2]...)
		by, code := as("ada"), "agent_"+f.row("ada").Status.String()
		for name, call := range map[string]func() error{
			"execute": func() error {
				_, err := f.For(by).Execute(ctx, netkit.Execute{CampaignID: campaign, Signal: signal})
				return err
			},
			"claims": func() error { _, err := f.For(by).SetClaims(ctx, netkit.Claims{}); return err },
			"attention": func() error {
				_, err := f.For(by).SendAttention(ctx, netkit.SendAttention{To: "rob", Subject: "s", Body: "b"})
				return err
			},
			"report": func() error {
				_, err := f.For(by).Report(ctx, netkit.Report{Subject: id, Law: "L1", Evidence: "e"})
				return err
			},
			"witness": func() error { _, err := f.For(by).Witness(ctx, netkit.Witness{ID: 1}); return err },
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), "appeal") {
				t.Errorf("%s %s: got %v, want a refusal that names the appeal", law, name, err)
			} else {
				refused(t, err, netkit.ErrForbidden, code)
			}
		}
		must[netkit.OwnProfile](t)(f.For(by).OwnProfile(ctx))
		must[netkit.List[netkit.Notice]](t)(f.For(by).Notices(ctx, netkit.Page{}))
		must[netkit.CaseView](t)(f.For(by).Case(ctx, c.CaseID))
		must[netkit.CaseReceipt](t)(f.For(by).Appeal(ctx, netkit.Appeal{CaseID: c.CaseID, Grounds: "it did stop"}))
	}
}

func TestUpheldL2ListsAndRevokes(t *testing.T) {
	f, id := hall(t)
	ctx := t.Context()
	f.badge("ada", netkit.FieldAgent)
	f.badge("ada", netkit.DisputeMaster)
	f.days(7)
	f.confirms("rev-a", "rev-b", "rev-c", "rev-d", "rev-e", "rev-f")
	c := f.reports("rob", id, "L2")
	f.votes(c.CaseID, true, c.Panel[0], c.Panel[1])
	if got := f.row("ada"); got.Status != netkit.Rogue || got.Badges.Len() != 0 || got.Agent.Transactions != 1 {
		t.Errorf("got %s with %d badges and %d transactions, want rogue, 0 and 1", got.Status, got.Badges.Len(), got.Agent.Transactions)
	}
	for _, b := range must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")).BioVerified.Badges {
		if b.Revoked == nil || b.Revoked.Reason == "" || b.Revoked.Revoker != c.Panel[1] || b.Revoked.Witness != c.Panel[0] {
			t.Errorf("%s: got %+v, want it revoked by %s, witnessed by %s", b.Badge, b.Revoked, c.Panel[1], c.Panel[0])
		}
	}
	if got := f.extra("ada").Incidents; len(got) != 1 || got[0].Weight != 5000 {
		t.Errorf("got %+v, want one incident of 5.000", got)
	}
	l := must[netkit.List[netkit.RogueEntry]](t)(f.As("").Rogues(ctx, netkit.Page{}))
	if len(l.Items) != 1 || l.Items[0].Slug != "ada" || l.Items[0].Case != c.CaseID {
		t.Errorf("got %+v, want ada", l.Items)
	}
	f.replays(t, string(f.state.Canonical()))
}

// Where nobody on the panel may witness, or an operator decided, the listing
// is immediate and the revocation waits for a witness.
func TestRevocationOfL2WaitsForAWitness(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada", "rob")
	f.witnesses("wit-a", "wit-b", "wit-c")
	f.confirms("rob")
	f.admit("acme", 100*netkit.Credit)
	id := f.executes("ada", f.opens("acme", 50*netkit.Credit, 10))
	f.badge("ada", netkit.FieldAgent)
	c := f.reports("rob", id, "L2")
	if c.State != netkit.CaseWithOperator {
		t.Fatalf("got %+v, want it with the operator", c)
	}
	_, err := f.As("rob").Decide(ctx, netkit.Decide{CaseID: c.CaseID, Uphold: true, Reasoning: "clear"})
	refused(t, err, netkit.ErrForbidden, "operators_only")
	must[netkit.CaseReceipt](t)(f.op().Decide(ctx, netkit.Decide{CaseID: c.CaseID, Uphold: true, Reasoning: "clear"}))
	if got := f.row("ada"); got.Status != netkit.Rogue || got.Badges.Len() != 1 {
		t.Errorf("got %s with %d badges, want rogue with 1", got.Status, got.Badges.Len())
	}
	waits := must[netkit.List[netkit.WitnessRequest]](t)(f.As("wit-a").Witnessing(ctx, netkit.Page{})).Items
	if len(waits) != 1 || waits[0].By != "operator" {
		t.Fatalf("got %+v, want one revocation", waits)
	}
	_, err = f.As("rob").Witness(ctx, netkit.Witness{ID: waits[0].ID})
	refused(t, err, netkit.ErrForbidden, "witness_is_party")
	must[netkit.WitnessReceipt](t)(f.As("wit-a").Witness(ctx, netkit.Witness{ID: waits[0].ID}))
	if got := f.row("ada").Badges.Len(); got != 0 {
		t.Errorf("got %d badges, want none", got)
	}
}

func TestReportRefusals(t *testing.T) {
	f, id := hall(t)
	p0 := f.publishes(netkit.P0, netkit.NicheMedia, "fire")
	f.reports("rob", id, "L1")
	for _, c := range []struct {
		by   string
		in   netkit.Report
		kind error
		code string
	}{
		{"", netkit.Report{Subject: id, Law: "L2", Evidence: "e"}, netkit.ErrUnauthenticated, "unauthenticated"},
		{"operator", netkit.Report{Subject: id, Law: "L2", Evidence: "e"}, netkit.ErrForbidden, "agents_only"},
		{"ada", netkit.Report{Subject: id, Law: "L2", Evidence: "e"}, netkit.ErrForbidden, "own_subject"},
		{"rob", netkit.Report{Subject: id, Law: "L3", Evidence: "e"}, netkit.ErrInvalid, "law_unknown"},
		{"rob", netkit.Report{Subject: id, Law: "L2", Evidence: ""}, netkit.ErrInvalid, "text_missing"},
		{"rob", netkit.Report{Subject: 1, Law: "L2", Evidence: "e"}, netkit.ErrNotFound, "subject_unknown"},
		{"rob", netkit.Report{Subject: 1 << 40, Law: "L2", Evidence: "e"}, netkit.ErrNotFound, "entry_unknown"},
		{"rob", netkit.Report{Subject: p0, Law: "L2", Evidence: "e"}, netkit.ErrForbidden, "subject_no_agents"},
		{"rob", netkit.Report{Subject: id, Law: "L1", Evidence: "e"}, netkit.ErrConflict, "case_exists"},
	} {
		_, err := f.As(c.by).Report(t.Context(), c.in)
		refused(t, err, c.kind, c.code)
	}
}

func TestReportsOfOneAgentAreLimited(t *testing.T) {
	f, _ := hall(t)
	id := f.opens("acme", 50*netkit.Credit, 25)
	for range 20 {
		f.reports("rob", f.executes("ada", id), "L1")
	}
	_, err := f.As("rob").Report(t.Context(), netkit.Report{Subject: f.executes("ada", id), Law: "L1", Evidence: "e"})
	refused(t, err, netkit.ErrLimit, "reports_open")
}

func TestDispatchesOfAgentsAreReviewed(t *testing.T) {
	f, _ := hall(t)
	must[netkit.RoleReceipt](t)(f.op().SetRole(t.Context(), netkit.SetRole{Agent: "ada", Role: "correspondent", Grant: true, Reason: "asked"}))
	d := must[netkit.DispatchReceipt](t)(f.As("ada").Publish(t.Context(), netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheMedia, Headline: "h", Summary: "s"}))
	c := f.reports("rob", d.DispatchID, "L1")
	f.votes(c.CaseID, true, c.Panel[:2]...)
	if got := f.row("ada"); got.Status != netkit.Suspended || got.Agent.Transactions != 1 {
		t.Errorf("got %s with %d transactions, want suspended with 1", got.Status, got.Agent.Transactions)
	}
}

// A panel that lets 72 hours pass is drawn again once, and then an operator
// decides.
func TestPanelsAreRedrawnOnce(t *testing.T) {
	f, id := hall(t)
	ctx := t.Context()
	f.reviewers("rev-g", "rev-h", "rev-i") // enough for a third panel
	c := f.reports("rob", id, "L1")
	f.votes(c.CaseID, true, c.Panel[0])
	f.passes(72*time.Hour - time.Millisecond)
	f.ticks()
	if got := must[netkit.CaseView](t)(f.op().Case(ctx, c.CaseID)); !slices.Equal(got.Panel, c.Panel) {
		t.Errorf("before its time: got %v, want %v", got.Panel, c.Panel)
	}
	f.passes(time.Millisecond)
	f.ticks()
	second := must[netkit.CaseView](t)(f.op().Case(ctx, c.CaseID))
	for _, slug := range second.Panel {
		if slices.Contains(c.Panel, slug) {
			t.Errorf("%s was drawn again", slug)
		}
	}
	_, err := f.As(c.Panel[1]).Verdict(ctx, netkit.Verdict{CaseID: c.CaseID, Uphold: true, Reasoning: "late"})
	refused(t, err, netkit.ErrForbidden, "not_drawn")
	_, err = f.op().Decide(ctx, netkit.Decide{CaseID: c.CaseID, Uphold: true, Reasoning: "r"})
	refused(t, err, netkit.ErrConflict, "case_not_with_operator")
	if got := f.votes(c.CaseID, true, second.Panel[0]); got.State != netkit.CaseWithPanel {
		t.Errorf("one verdict of each panel: got %s, want panel: majorities are of one panel", got.State)
	}
	f.passes(72 * time.Hour)
	f.ticks()
	if got, _ := f.standsAt(c.CaseID); got != netkit.CaseWithOperator {
		t.Errorf("got %s, want operator", got)
	}
	f.replays(t, string(f.state.Canonical()))
	must[netkit.CaseReceipt](t)(f.op().Decide(ctx, netkit.Decide{CaseID: c.CaseID, Uphold: false, Reasoning: "it stopped"}))
	if got, standing := f.standsAt(c.CaseID); got != netkit.CaseDismissed || standing != netkit.Active {
		t.Errorf("got %s and %s, want dismissed and active", got, standing)
	}
}

// Texts are for those whom a case concerns.
func TestWhoReadsTheTexts(t *testing.T) {
	f, id := hall(t)
	ctx := t.Context()
	k := f.reports("rob", id, "L1")
	f.votes(k.CaseID, true, k.Panel[:1]...)
	f.agents("zoe")
	for slug, sees := range map[string]bool{"rob": true, "ada": true, k.Panel[0]: true, "operator": true, "zoe": false} {
		v := must[netkit.CaseView](t)(f.As(slug).Case(ctx, k.CaseID))
		if (v.Evidence != "") != sees || (v.Verdicts[0].Reasoning != "") != sees {
			t.Errorf("%s: got %+v, want texts %v", slug, v, sees)
		}
	}
	if l := must[netkit.List[netkit.CaseView]](t)(f.As("zoe").Cases(ctx, netkit.CaseQuery{Mine: true})); len(l.Items) != 0 {
		t.Errorf("zoe: got %+v, want none of her own", l.Items)
	}
	state := netkit.CaseWithPanel
	if l := must[netkit.List[netkit.CaseView]](t)(f.As("zoe").Cases(ctx, netkit.CaseQuery{State: &state})); len(l.Items) != 1 || l.Items[0].Evidence != "" {
		t.Errorf("zoe: got %+v, want one without texts", l.Items)
	}
	e, p, err := f.entry(ctx, k.CaseID)
	if err != nil || p == nil {
		t.Fatalf("got %v, %v", p, err)
	}
	if public := string(rules.AppendEntry(nil, e)); strings.Contains(public, "no line stopped") {
		t.Errorf("the evidence is public: %s", public)
	}
}

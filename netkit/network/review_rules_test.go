package network

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// newReview gives a constitution today's numbers of review, with panels of three,
// and lets agents of every tier report.
func newReview(c *netkit.Constitution) {
	c.Review = netkit.Version1().Review
	c.Review.ReporterTier, c.Review.LargestPanel = netkit.Unverified, 0
	c.Review.ReportReward, c.Review.IncomeDays, c.Review.RefundForReward = 2*netkit.Credit, 0, false // as before they changed
	c.Review.SponsorBond, c.Review.HoldOverturned, c.Review.OneCasePerAgent, c.Review.SponsorOpenReports = 0, false, false, 200
}

// bench is a network under today's rules of review in which ada has executed a
// contract of acme and core has nothing to do with it.
func bench(t testing.TB, changes ...func(*netkit.Constitution)) (f *fixture, execution uint64) {
	t.Helper()
	f = start(t, journal.NewMemory(), append([]func(*netkit.Constitution){newReview}, changes...)...)
	f.agents("ada", "rob", "sue")
	f.reviewers("rev-a", "rev-b", "rev-c", "rev-d", "rev-e", "rev-f", "rev-g", "rev-h", "rev-i", "rev-j", "rev-k", "rev-l")
	f.admit("acme", 100*netkit.Credit)
	f.admit("core", 100*netkit.Credit)
	return f, f.executes("ada", f.opens("acme", 50*netkit.Credit, 10))
}

// panelOf returns the panel of a case.
func (f *fixture) panelOf(id uint64) []string { return f.caseAt(id).Panel }

func (f *fixture) caseAt(id uint64) netkit.CaseView {
	f.t.Helper()
	return must[netkit.CaseView](f.t)(f.op().Case(f.t.Context(), id))
}

// facts lists the entries of a kind.
func (f *fixture) facts(k netkit.Kind) (all []*rules.Entry) {
	f.t.Helper()
	for r, err := range f.store.Read(f.t.Context(), 0, f.Size()) {
		if err != nil {
			f.t.Fatal(err)
		}
		if e := must[*rules.Entry](f.t)(rules.ReadEntry(r)); e.Kind == k {
			all = append(all, e)
		}
	}
	return all
}

// A panel is drawn by an entry of its own after the report, by a value that
// nobody had when it was filed, and anyone can check it with the log's key.
func TestPanelIsDrawnAfterTheReport(t *testing.T) {
	private, public, err := note.GenerateKey(rand.New(rand.NewSource(1)), "agentnet/testnet")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	law := netkit.Version1()
	law.Review.ReporterTier, law.Economy.GrantForFeed = netkit.Unverified, false
	store, now := journal.NewMemory(), dawn
	n := must[*Network](t)(New(t.Context(), Config{Store: store, Now: func() time.Time { return now }, Draw: signer.Sign,
		Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}, LogKey: public, Constitution: law}}))
	f := &fixture{Network: n, t: t, store: store, now: now}
	f.agents("ada", "rob")
	f.reviewers("rev-a", "rev-b", "rev-c", "rev-d", "rev-e")
	f.admit("acme", 100*netkit.Credit)
	c := f.reports("rob", f.executes("ada", f.opens("acme", 50*netkit.Credit, 10)), "L1")
	if c.State != netkit.CaseDrawing || len(c.Panel) != 0 {
		t.Errorf("got %+v, want a report without a panel", c)
	}
	drawn := f.facts("case.drawn")
	if len(drawn) != 1 || drawn[0].Actor != netkit.NetworkActor || drawn[0].Seq <= c.Seq {
		t.Fatalf("got %v, want one draw by the network after entry %d", drawn, c.Seq)
	}
	fact := drawn[0].Fact.(*rules.CaseDrawn)
	v, err := note.NewVerifier(public)
	if err != nil || !v.Verify(rules.DrawMessage("testnet", "panel", c.CaseID, 0), fact.Signature[:]) {
		t.Errorf("the signature of the draw does not verify (%v)", err)
	}
	if got := f.panelOf(c.CaseID); !slices.Equal(got, fact.Panel) || len(got) != 5 {
		t.Errorf("got panel %v, want the five of %v", got, fact.Panel)
	}
	audited := must[netkit.Audited](t)(Audit(t.Context(), store))
	if audited.Entries != f.Size() {
		t.Errorf("got %d entries audited, want %d", audited.Entries, f.Size())
	}
	// Another value than the signature would be another panel: it does not pass.
	text := fmt.Sprintf("%x", fact.Signature)
	forgery := &forged{store, drawn[0].Seq, text, strings.Repeat("ab", 64)}
	_, err = Audit(t.Context(), forgery)
	if err == nil || !strings.Contains(err.Error(), `"draw unsigned"`) {
		t.Errorf("got %v, want the forged value found", err)
	}
}

// With log witnesses the draw waits for the first tree that they sign after
// the report.
func TestDrawWaitsForTheWitnesses(t *testing.T) {
	f, id := bench(t)
	var signed netkit.TreeHead
	f.Network.witnessed = func() (netkit.TreeHead, bool) { return signed, signed != netkit.TreeHead{} }
	c := f.reports("rob", id, "L1")
	signed = f.tree.head()
	f.ticks()
	if got := f.caseAt(c.CaseID).State; got != netkit.CaseWithPanel {
		t.Fatalf("got %s, want a panel once the report is witnessed", got)
	}
	again := f.reports("sue", f.executes("ada", f.opens("acme", 5*netkit.Credit, 1)), "L1")
	f.ticks()
	if got := f.caseAt(again.CaseID); got.State != netkit.CaseDrawing || len(got.Panel) != 0 {
		t.Errorf("got %s with %v, want it to wait: the signed tree is older", got.State, got.Panel)
	}
	signed = f.tree.head()
	f.ticks()
	if got := f.facts("case.drawn"); len(got) != 2 || got[1].Fact.(*rules.CaseDrawn).Tree != signed {
		t.Errorf("got %+v, want the second draw to name the tree of %d entries", got, signed.Size)
	}
}

// Until a case is decided, nobody learns what a reviewer found.
func TestVerdictsAreHiddenUntilTheCaseIsDecided(t *testing.T) {
	f, id := bench(t)
	c := f.reports("rob", id, "L1")
	panel := f.panelOf(c.CaseID)
	r := f.votes(c.CaseID, true, panel[0])
	if r.State != netkit.CaseWithPanel {
		t.Errorf("got %s, want panel", r.State)
	}
	v := f.caseAt(c.CaseID)
	if len(v.Verdicts) != 1 || v.Verdicts[0].Uphold != nil || v.Verdicts[0].Reasoning != "" || v.Verdicts[0].Reviewer != panel[0] {
		t.Errorf("got %+v, want to see only who gave a verdict", v.Verdicts)
	}
	for rec, err := range f.store.Read(t.Context(), r.Seq, r.Seq+1) {
		if err != nil || bytes.Contains(rec.Public, []byte("uphold")) {
			t.Errorf("got %s (%v), want a public part that does not say", rec.Public, err)
		}
	}
	_, err := f.op().ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: r.Seq, Reason: "r"})
	refused(t, err, netkit.ErrConflict, "verdict_sealed")
	f.restarts(t)
	f.votes(c.CaseID, false, panel[1])
	if got := f.caseAt(c.CaseID); got.State != netkit.CaseWithPanel || got.Verdicts[1].Uphold != nil {
		t.Errorf("got %+v, want it undecided at one against one", got)
	}
	f.votes(c.CaseID, true, panel[2])
	v = f.caseAt(c.CaseID)
	if v.State != netkit.CaseUpheld || f.row("ada").Status != netkit.Suspended {
		t.Fatalf("got %s, want upheld", v.State)
	}
	for k, want := range []bool{true, false, true} {
		if v.Verdicts[k].Uphold == nil || *v.Verdicts[k].Uphold != want || v.Verdicts[k].Reasoning == "" {
			t.Errorf("verdict %d: got %+v, want %v with its reasoning", k, v.Verdicts[k], want)
		}
	}
	decided := f.facts("case.decided")
	if len(decided) != 1 || decided[0].Fact.(*rules.CaseDecided).Decider != panel[2] {
		t.Errorf("got %+v, want it decided by %s", decided[0].Fact, panel[2])
	}
	f.restarts(t)
	forgery := &forged{f.store, decided[0].Seq, `"uphold":true,"nonce"`, `"nonce"`}
	_, err = Audit(t.Context(), forgery)
	if err == nil || !strings.Contains(err.Error(), `"seal broken"`) {
		t.Errorf("got %v, want the changed verdict found", err)
	}
}

// A panel that lets its time pass takes its hidden verdicts along; they count
// for the record of their reviewers once the case is final.
func TestHiddenVerdictsOfALapsedPanel(t *testing.T) {
	f, id := bench(t)
	c := f.reports("rob", id, "L1")
	first := f.panelOf(c.CaseID)
	f.votes(c.CaseID, true, first[0])
	f.passes(72 * time.Hour)
	f.ticks()
	second := f.panelOf(c.CaseID)
	if len(second) != 3 || slices.ContainsFunc(second, func(s string) bool { return slices.Contains(first, s) }) {
		t.Fatalf("got %v after %v, want three others", second, first)
	}
	f.votes(c.CaseID, true, second[0], second[1])
	f.days(7)
	f.ticks()
	if got := f.extra(first[0]).Verdicts; len(got) != 1 || !got[0].Agreed {
		t.Errorf("got %+v, want one verdict that agreed", got)
	}
	f.restarts(t)
}

// A bond is held until the case is final; it returns unless no reviewer found
// anything in the report. Verdicts and upheld reports are paid for.
func TestBondsFeesAndRewards(t *testing.T) {
	for _, c := range []struct {
		name    string
		uphold  []bool // by the reviewers who are asked
		wallet  netkit.Credits
		upheld  bool
		payouts netkit.Credits // by the treasury
	}{
		{"upheld", []bool{true, true}, 52 * netkit.Credit, true, 4 * netkit.Credit},
		{"dismissed by two of three", []bool{true, false, false}, 50 * netkit.Credit, false, 3 * netkit.Credit},
		{"groundless", []bool{false, false}, 45 * netkit.Credit, false, 2*netkit.Credit - 5*netkit.Credit},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, id := bench(t)
			f.bent = true // the treasury gets something past the rules
			f.holds("sue", 0)
			r := f.reports("rob", id, "L1")
			f.has(netkit.Wallet("rob"), 45*netkit.Credit)
			f.has(netkit.Escrow(r.CaseID), 5*netkit.Credit)
			treasury := f.state.Held(netkit.Treasury)
			panel := f.panelOf(r.CaseID)
			for k, uphold := range c.uphold {
				f.votes(r.CaseID, uphold, panel[k])
			}
			f.has(netkit.Wallet("rob"), 45*netkit.Credit)
			f.days(7)
			f.ticks()
			f.has(netkit.Wallet("rob"), c.wallet)
			f.has(netkit.Escrow(r.CaseID), 0)
			f.has(netkit.Treasury, treasury-c.payouts)
			for k := range c.uphold {
				f.has(netkit.Wallet(panel[k]), 51*netkit.Credit)
			}
			f.replays(t, string(f.state.Canonical()))
		})
	}
}

// What the treasury does not cover lapses, and an entry says so.
func TestTreasuryThatCannotPay(t *testing.T) {
	f, id := bench(t) // holds 0.30 of the one execution
	r := f.reports("acme", id, "L1")
	f.votes(r.CaseID, true, f.panelOf(r.CaseID)[:2]...)
	f.days(7)
	f.ticks()
	paid := f.facts("case.paid")
	if len(paid) != 3 {
		t.Fatalf("got %d payments, want a reward and two fees", len(paid))
	}
	for _, e := range paid {
		if f := e.Fact.(*rules.CasePaid); !f.Unpaid || len(e.Postings) != 0 {
			t.Errorf("got %+v, want it unpaid", f)
		}
	}
	f.restarts(t)
}

// Who may report, and what it takes.
func TestWhoReports(t *testing.T) {
	f, id := bench(t, func(c *netkit.Constitution) { c.Review.ReporterTier = netkit.Verified })
	p1 := f.publishes(netkit.P1, netkit.NicheMedia, "h")
	for _, c := range []struct {
		by      string
		subject uint64
		kind    error
		code    string
	}{
		{"rob", id, netkit.ErrForbidden, "reporter_tier"},
		{"core", id, netkit.ErrForbidden, "foreign_subject"},
		{"acme", p1, netkit.ErrForbidden, "foreign_subject"},
		{"ada", id, netkit.ErrForbidden, "own_subject"},
	} {
		_, err := f.As(c.by).Report(t.Context(), netkit.Report{Subject: c.subject, Law: "L1", Evidence: "e"})
		refused(t, err, c.kind, c.code)
	}
	if got := f.reports("acme", id, "L1"); got.State != netkit.CaseDrawing {
		t.Errorf("the sponsor: got %+v, want a case", got)
	}
	f.has(netkit.SponsorFunds("acme"), 50*netkit.Credit) // no bond
	if got := f.reports("operator", id, "L2"); got.State != netkit.CaseDrawing {
		t.Errorf("an operator: got %+v, want a case", got)
	}
	old := f.executes("ada", f.opens("acme", 5*netkit.Credit, 1))
	f.days(180)
	_, err := f.As("acme").Report(t.Context(), netkit.Report{Subject: old, Law: "L1", Evidence: "e"})
	refused(t, err, netkit.ErrConflict, "subject_too_old")
}

func TestBondThatIsNotCovered(t *testing.T) {
	f, id := bench(t)
	f.holds("rob", 499)
	f.Unchanged(t, func() {
		_, err := f.As("rob").Report(t.Context(), netkit.Report{Subject: id, Law: "L1", Evidence: "e"})
		refused(t, err, netkit.ErrInsufficientCredits, "wallet_short")
	})
}

// A hollow report of a friend shields nothing: the sponsor is heard with it, or
// after it.
func TestHollowReportShieldsNothing(t *testing.T) {
	t.Run("together", func(t *testing.T) {
		f, id := bench(t)
		hollow := f.reports("rob", id, "L1")
		joined := f.reports("acme", id, "L1")
		if joined.CaseID != hollow.CaseID {
			t.Fatalf("got case %d, want the report to join case %d", joined.CaseID, hollow.CaseID)
		}
		v := f.caseAt(hollow.CaseID)
		if len(v.Joined) != 1 || v.Joined[0].Reporter != "acme" || v.Joined[0].Evidence == "" {
			t.Errorf("got %+v, want the panel to see both reports", v)
		}
		f.votes(hollow.CaseID, true, f.panelOf(hollow.CaseID)[:2]...)
		if got := f.row("ada").Status; got != netkit.Suspended {
			t.Errorf("got %s, want suspended", got)
		}
		f.restarts(t)
	})
	t.Run("afterwards", func(t *testing.T) {
		f, id := bench(t)
		hollow := f.reports("rob", id, "L1")
		f.votes(hollow.CaseID, false, f.panelOf(hollow.CaseID)[:2]...)
		_, err := f.As("rob").Report(t.Context(), netkit.Report{Subject: id, Law: "L1", Evidence: "e"})
		refused(t, err, netkit.ErrConflict, "reported_already")
		second := f.reports("acme", id, "L1")
		if second.CaseID == hollow.CaseID {
			t.Fatal("the sponsor's report joined a case that is decided")
		}
		_, err = f.As("rob").Appeal(t.Context(), netkit.Appeal{CaseID: hollow.CaseID, Grounds: "g"})
		refused(t, err, netkit.ErrConflict, "case_followed")
		f.votes(second.CaseID, true, f.panelOf(second.CaseID)[:2]...)
		if got := f.row("ada").Status; got != netkit.Suspended {
			t.Errorf("got %s, want suspended", got)
		}
		_, err = f.As("sue").Report(t.Context(), netkit.Report{Subject: id, Law: "L1", Evidence: "e"})
		refused(t, err, netkit.ErrConflict, "case_exists")
		f.days(8)
		f.ticks()
		f.restarts(t)
	})
	t.Run("three hollow ones", func(t *testing.T) {
		f, id := bench(t)
		f.agents("tom", "una")
		for _, friend := range []string{"rob", "sue", "tom"} {
			f.reports(friend, id, "L1")
		}
		_, err := f.As("una").Report(t.Context(), netkit.Report{Subject: id, Law: "L1", Evidence: "e"})
		refused(t, err, netkit.ErrConflict, "case_exists")
		f.reports("acme", id, "L1")
		f.reports("operator", id, "L1")
	})
}

// Business of less than 5.00 keeps no reviewer out; a sponsor's payments do so
// only while enough others are left.
func TestDealingsThatMakeAParty(t *testing.T) {
	f, id := bench(t)
	reviewers := []string{"rev-a", "rev-b", "rev-c", "rev-d", "rev-e", "rev-f", "rev-g", "rev-h", "rev-i", "rev-j", "rev-k", "rev-l"}
	for k, price := range []netkit.Credits{499, 500} {
		slug := reviewers[k]
		f.takes(slug, price)
		r := f.asks("rob", slug)
		must[netkit.AttentionReceipt](t)(f.As(slug).AnswerAttention(t.Context(), netkit.AnswerAttention{ID: r.ID, Body: "a"}))
	}
	rob, ada, acme := f.num("rob"), f.num("ada"), f.num("acme")
	got := f.state.SlugsOf(f.state.Eligible([]uint32{rob, ada}, nil))
	if want := slices.Concat(reviewers[:1], reviewers[2:]); !slices.Equal(got, want) {
		t.Errorf("got %v, want all but rev-b", got)
	}
	campaign := f.opens("acme", 45*netkit.Credit, 3)
	pays := func(slugs ...string) []string {
		for _, slug := range slugs {
			for range 3 {
				f.executes(slug, campaign)
			}
		}
		return f.state.SlugsOf(f.state.Eligible([]uint32{acme, ada}, nil))
	}
	if paid := pays(reviewers[4:10]...); len(paid) != 12-6 {
		t.Errorf("got %v, want the six whom acme paid 5.10 left out", paid)
	}
	if paid := pays(reviewers[10]); len(paid) != 12 {
		t.Errorf("got %v, want all of them, since acme paid more than half", paid)
	}
	past := f.state.RowsOf(reviewers[:4])
	if got := f.state.Eligible([]uint32{acme, ada}, past); len(got) < 3 {
		t.Errorf("got %v, want those whom acme paid where too few others are left", f.state.SlugsOf(got))
	}
	_ = id
}

// Two bought reviewers of twelve: a false report is upheld as often as chance
// draws both of them, 4.5 %, however the reporter times it.
func TestForeseenPanelsAreGone(t *testing.T) {
	f := start(t, journal.NewMemory(), newReview, func(c *netkit.Constitution) {
		c.Review.ReportBond, c.Review.OpenReports = 0, 1<<20
	})
	f.rand = rand.New(rand.NewSource(11))
	f.Network.rand = f.rand
	f.agents("rival", "liar")
	var all []string
	for k := range 12 {
		all = append(all, fmt.Sprintf("rev-%02d", k))
	}
	f.reviewers(all...)
	f.admit("acme", 5000*netkit.Credit)
	campaign := f.opens("acme", 5000*netkit.Credit, 3000)
	bought := all[:2]
	const reports = 2000
	upheld := 0
	for range reports {
		id := f.executes("rival", campaign)
		// The liar files when everything public says that both bought reviewers
		// would be drawn.
		for range 60 {
			panel := f.state.DrawPanel(f.state.Eligible([]uint32{f.num("rival"), f.num("liar")}, nil), rules.PanelSeed(f.tree.Root(), f.state.Size(), 0))
			if names := f.state.SlugsOf(panel); slices.Contains(names, bought[0]) && slices.Contains(names, bought[1]) {
				break
			}
			niche := netkit.Niches()[f.state.Size()%6]
			must[netkit.ClaimsReceipt](t)(f.As("liar").SetClaims(t.Context(), netkit.Claims{Niche: niche}))
		}
		c := f.reports("liar", id, "L2")
		panel := f.panelOf(c.CaseID)
		for _, slug := range panel {
			if f.caseAt(c.CaseID).State == netkit.CaseWithPanel {
				f.votes(c.CaseID, slices.Contains(bought, slug), slug)
			}
		}
		if f.caseAt(c.CaseID).State == netkit.CaseUpheld {
			upheld++
			must[netkit.StandingReceipt](t)(f.op().Reinstate(t.Context(), netkit.Reinstate{Agent: "rival", Reason: "a test"}))
		}
	}
	if upheld*1000 > 59*reports { // three deviations above 4.5 %
		t.Errorf("got %d of %d false reports upheld, want about 4.5 %%", upheld, reports)
	}
	t.Logf("%d of %d false reports upheld", upheld, reports)
}

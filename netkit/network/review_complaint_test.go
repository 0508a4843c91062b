package network

import (
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// sponsorReports is a change of the constitution: reports of sponsors as new
// networks have them, and fees that the treasury always pays.
func sponsorReports(c *netkit.Constitution) {
	newReview(c)
	r, today := &c.Review, netkit.Version1().Review
	r.SponsorBond, r.HoldOverturned, r.OneCasePerAgent, r.SponsorOpenReports = today.SponsorBond, today.HoldOverturned, today.OneCasePerAgent, today.SponsorOpenReports
	r.ReportReward = 0
}

// buys is a network under sponsorReports with twelve reviewers in which ada has
// executed a contract of acme so many times.
func buys(t *testing.T, times int, changes ...func(*netkit.Constitution)) (f *fixture, ids []uint64) {
	t.Helper()
	f = memory(t, append([]func(*netkit.Constitution){sponsorReports, clearing(72)}, changes...)...)
	f.agents("ada", "rob")
	f.reviewers(named("rev", 12)...)
	f.admit("acme", 200*netkit.Credit)
	id := f.opens("acme", 60*netkit.Credit, 30)
	for range times {
		ids = append(ids, f.executes("ada", id))
	}
	return f, ids
}

// funds is what lies uncommitted with acme.
func (f *fixture) funds() netkit.Credits { return f.state.Held(netkit.SponsorFunds("acme")) }

// finds has two of a case's panel uphold it, or some of its executions, or dismiss it.
func (f *fixture) finds(id uint64, uphold bool, executions ...uint64) {
	f.t.Helper()
	for _, slug := range f.panelOf(id)[:2] {
		must[netkit.CaseReceipt](f.t)(f.As(slug).Verdict(f.t.Context(), netkit.Verdict{CaseID: id, Uphold: uphold, Executions: executions, Reasoning: "read"}))
	}
}

// A sponsor's report costs 5.00 of its free funds, which its receipt
// names, and returns if the report is upheld.
func TestASponsorPostsABond(t *testing.T) {
	for _, uphold := range []bool{true, false} {
		f, ids := buys(t, 1, func(c *netkit.Constitution) { c.Review.VerdictFee = 0 })
		before, treasury := f.funds(), f.state.Held(netkit.Treasury)
		c := f.reports("acme", ids[0], "L1")
		if got := f.funds(); got != before-5*netkit.Credit || c.Bond != 5*netkit.Credit {
			t.Errorf("got funds of %s after the report and a bond of %s, want %s and 5.00", got, c.Bond, before-5*netkit.Credit)
		}
		f.bondIs(c.CaseID, netkit.BondHeld, 5*netkit.Credit)
		f.finds(c.CaseID, uphold)
		f.bondIs(c.CaseID, netkit.BondHeld, 5*netkit.Credit)
		f.waits(8 * 24 * time.Hour)
		f.ticks()
		f.bondIs(c.CaseID, map[bool]netkit.BondState{true: netkit.BondReturned, false: netkit.BondLost}[uphold], 0)
		want, income := before, treasury-30 // the share returned to the contract
		if !uphold {
			want, income = before-5*netkit.Credit, treasury+5*netkit.Credit
		}
		if got := f.funds(); got != want || f.state.Held(netkit.Treasury) != income {
			t.Errorf("upheld %v: got funds of %s and a treasury of %s, want %s and %s", uphold, got, f.state.Held(netkit.Treasury), want, income)
		}
	}
}

// bondIs compares the bond of a case, and those that its sponsor has held.
func (f *fixture) bondIs(id uint64, state netkit.BondState, held netkit.Credits) {
	f.t.Helper()
	cs := must[netkit.CaseView](f.t)(f.op().Case(f.t.Context(), id))
	s := must[netkit.SponsorView](f.t)(f.As("").Sponsor(f.t.Context(), "acme"))
	if cs.Bond != 5*netkit.Credit || cs.BondState != state || s.Bonds != held {
		f.t.Errorf("got a bond of %s that is %s, and %s held, want 5.00 that is %s, and %s", cs.Bond, cs.BondState, s.Bonds, state, held)
	}
}

func TestABondNeedsFunds(t *testing.T) {
	f, ids := buys(t, 1)
	f.opens("acme", 136*netkit.Credit, 1)
	_, err := f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[0], Law: "L1", Evidence: "e"})
	refused(t, err, netkit.ErrInsufficientCredits, "sponsor_funds")
}

func TestASponsorHasTwentyReportsOpen(t *testing.T) {
	f, ids := buys(t, 21)
	for _, id := range ids[:20] {
		f.reports("acme", id, "L1")
	}
	_, err := f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[20], Law: "L1", Evidence: "e"})
	refused(t, err, netkit.ErrLimit, "reports_open")
}

// Reports on one agent are one case until its panel is drawn. The next case is drawn
// once the first is decided, has one panel, and its verdict names what it upholds.
func TestReportsOnOneAgentAreOneCase(t *testing.T) {
	f, ids := buys(t, 4)
	first := f.reports("acme", ids[0], "L1")
	second := f.reports("acme", ids[1], "L1")
	for _, id := range ids[2:] {
		if c := f.reports("acme", id, "L1"); c.CaseID != second.CaseID || second.CaseID == first.CaseID {
			t.Errorf("the report on %d is of case %d, want that of %d, which is not %d", id, c.CaseID, second.CaseID, first.CaseID)
		}
	}
	_, err := f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[3], Law: "L1", Evidence: "e"})
	refused(t, err, netkit.ErrConflict, "reported_already")
	if got := f.caseAt(second.CaseID); got.State != netkit.CaseDrawing || len(got.Executions) != 3 {
		t.Errorf("got %+v, want three executions that wait for a panel", got)
	}
	f.passes(3 * time.Hour)
	f.finds(first.CaseID, false)
	f.ticks()
	f.is(ids[0], netkit.ExecutionPending, false)
	f.is(ids[1], netkit.ExecutionPending, true)
	c := f.caseAt(second.CaseID)
	if c.State != netkit.CaseWithPanel {
		t.Fatalf("got a case in the state %s after the first was decided, want it with a panel", c.State)
	}
	_, err = f.As(c.Panel[0]).Verdict(t.Context(), netkit.Verdict{CaseID: c.ID, Uphold: true, Executions: ids[:1], Reasoning: "r"})
	refused(t, err, netkit.ErrInvalid, "execution_not_judged")
	books := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
	f.finds(c.ID, true, ids[2], ids[1])
	f.is(ids[1], netkit.ExecutionPending, true)
	f.is(ids[2], netkit.ExecutionPending, true)
	f.is(ids[3], netkit.ExecutionPending, true) // the agent is suspended
	for _, x := range f.caseAt(c.ID).Executions {
		if *x.Upheld != slices.Contains(ids[1:3], x.ExecutionID) {
			t.Errorf("got that execution %d is upheld: %v", x.ExecutionID, *x.Upheld)
		}
	}
	f.waits(8 * 24 * time.Hour)
	f.ticks()
	for k, want := range []netkit.ExecutionState{netkit.ExecutionPending, netkit.ExecutionReturned, netkit.ExecutionReturned, netkit.ExecutionPending} {
		f.is(ids[k], want, want == netkit.ExecutionPending)
	}
	after := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
	if got := after.Contracts - books.Contracts; got != 4*netkit.Credit {
		t.Errorf("got %s back in the contract, want 4.00", got)
	}
	if got := f.funds(); got != 130*netkit.Credit {
		t.Errorf("got funds of %s, want 130.00: two of four bonds were lost", got)
	}
	must[netkit.StandingReceipt](t)(f.op().Reinstate(t.Context(), netkit.Reinstate{Agent: "ada", Reason: "served"}))
	f.stands("reinstated", 0, 2)
	want := netkit.ReportRecord{Upheld: 2, Dismissed: 2, MeanHours: 3}
	if got := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), "acme")).Reports; got != want {
		t.Errorf("got a record of %+v, want %+v", got, want)
	}
	if fees := len(f.facts(netkit.KindCasePaid)); fees != 4+4 {
		t.Errorf("got %d payments, want four bonds and four fees", fees)
	}
}

// An upheld report holds the pay until the case is final: a won appeal restores it
// exactly, and without one it returns to the contract, or to the sponsor's funds if
// that has closed.
func TestAWonAppealRestoresThePay(t *testing.T) {
	for _, won := range []bool{true, false} {
		for _, closed := range []bool{true, false} {
			f, ids := buys(t, 2)
			campaign := f.campaign()
			before := f.wallet("ada").Balance
			c := f.reports("acme", ids[0], "L1")
			f.finds(c.CaseID, true)
			f.is(ids[0], netkit.ExecutionPending, true)
			if closed {
				must[netkit.ContractReceipt](t)(f.As("acme").CloseContract(t.Context(), netkit.CloseContract{CampaignID: campaign}))
			}
			funds, budget := f.funds(), f.state.Held(netkit.ContractBudget(campaign))
			if won {
				must[netkit.CaseReceipt](t)(f.As("ada").Appeal(t.Context(), netkit.Appeal{CaseID: c.CaseID, Grounds: "it is so"}))
				f.finds(c.CaseID, false)
				f.ticks()
				f.stands("won", 340, 0)
				f.waits(72 * time.Hour)
				f.stands("won and cleared", 0, 2)
				if got := f.wallet("ada").Balance; got != before {
					t.Errorf("got a wallet of %s after a won appeal, want %s", got, before)
				}
				continue
			}
			f.waits(8 * 24 * time.Hour)
			f.ticks()
			f.is(ids[0], netkit.ExecutionReturned, false)
			if got := f.wallet("ada").Balance; got != before-170 {
				t.Errorf("got a wallet of %s, want %s", got, before-170)
			}
			wantFunds, wantBudget := funds+5*netkit.Credit, budget+2*netkit.Credit
			if closed {
				wantFunds, wantBudget = wantFunds+2*netkit.Credit, budget
			}
			if f.funds() != wantFunds || f.state.Held(netkit.ContractBudget(campaign)) != wantBudget {
				t.Errorf("closed %v: got funds of %s and a budget of %s, want %s and %s", closed, f.funds(), f.state.Held(netkit.ContractBudget(campaign)), wantFunds, wantBudget)
			}
		}
	}
}

// The first dismissal frees the pay; an appeal that the sponsor wins decides the
// standing only.
func TestADismissalFreesThePay(t *testing.T) {
	f, ids := buys(t, 1)
	c := f.reports("acme", ids[0], "L1")
	f.finds(c.CaseID, false)
	f.waits(72 * time.Hour)
	f.stands("dismissed", 0, 1)
	must[netkit.CaseReceipt](t)(f.As("acme").Appeal(t.Context(), netkit.Appeal{CaseID: c.CaseID, Grounds: "it is not so"}))
	before := f.wallet("ada").Balance
	f.finds(c.CaseID, true)
	f.ticks()
	f.is(ids[0], netkit.ExecutionOverturned, false)
	if me := f.wallet("ada"); me.Balance != before || me.BioVerified.Transactions != 0 {
		t.Errorf("got a wallet of %s and %d transactions, want %s and none", me.Balance, me.BioVerified.Transactions, before)
	}
}

package network

import (
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// A stop ends the sponsor's contracts and returns its funds and budgets; what was
// delivered clears, and what comes back later is returned too.
func TestStoppingASponsor(t *testing.T) {
	f := memory(t, newReview, clearing(72), returnable, sponsorReports)
	ctx := t.Context()
	f.agents("ada", "bea")
	f.admit("acme", 1000*netkit.Credit)
	contract, other := f.opens("acme", 40*netkit.Credit, 9), f.opens("acme", 60*netkit.Credit, 9)
	cleared, reported, returned := f.executes("ada", contract), f.executes("bea", contract), f.executes("ada", contract)
	cs := must[netkit.CaseReceipt](t)(f.As("acme").Report(ctx, netkit.Report{Subject: reported, Law: "L1", Evidence: "e"}))

	stop := netkit.StopSponsor{Sponsor: "acme", Reason: "invoices unpaid"}
	_, err := f.As("acme").StopSponsor(ctx, stop)
	refused(t, err, netkit.ErrForbidden, "operators_only")
	_, err = f.op().StopSponsor(ctx, netkit.StopSponsor{Sponsor: "acme"})
	refused(t, err, netkit.ErrInvalid, "reason_missing")
	out := must[netkit.StopReceipt](t)(f.op().StopSponsor(ctx, stop))
	paid := 3 * (*lawOf(f.state)).Tier(netkit.Unverified).Payout
	bond := (*lawOf(f.state)).Review.SponsorBond
	if want := 900*netkit.Credit - bond; out.Funds != want || out.Contracts != 2 || out.Budgets != 100*netkit.Credit-paid {
		t.Errorf("got %+v, want %s of funds and 2 contracts with %s", out, want, 100*netkit.Credit-paid)
	}
	f.ticks()
	for _, id := range []uint64{contract, other} {
		if got := must[netkit.Campaign](t)(f.As("").Campaign(ctx, id)); got.State != netkit.ContractEnded || got.Remaining != 0 {
			t.Errorf("contract %d: got %s with %s, want it ended", id, got.State, got.Remaining)
		}
	}

	for name, try := range map[string]func() error{
		"open": func() error {
			_, err := f.As("acme").OpenContract(ctx, netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: netkit.Credit * 10})
			return err
		},
		"report": func() error {
			_, err := f.As("acme").Report(ctx, netkit.Report{Subject: cleared, Law: "L1", Evidence: "e"})
			return err
		},
		"deposit": func() error {
			_, err := f.op().Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 1, Reference: "wire 2"})
			return err
		},
		"again": func() error { _, err := f.op().StopSponsor(ctx, stop); return err },
	} {
		t.Run(name, func(t *testing.T) { refused(t, try(), netkit.ErrConflict, "sponsor_stopped") })
	}

	left := func(want netkit.Credits) {
		t.Helper()
		f.ticks()
		s := must[netkit.SponsorView](t)(f.As("").Sponsor(ctx, "acme"))
		if s.Funds != 0 || s.Stopped == nil || s.Stopped.Reason != stop.Reason || s.Stopped.Operator != "operator" || s.Stopped.Returned != want {
			t.Errorf("got funds of %s and %+v, want %s returned", s.Funds, s.Stopped, want)
		}
	}
	back := 1000*netkit.Credit - paid - bond
	left(back)
	must[netkit.ReturnReceipt](t)(f.As("acme").ReturnExecution(ctx, netkit.ReturnExecution{ExecutionID: returned}))
	left(back + paid/3)
	must[netkit.CaseReceipt](t)(f.op().Decide(ctx, netkit.Decide{CaseID: cs.CaseID, Uphold: true, Reasoning: "r"}))
	f.passes(30 * 24 * time.Hour)
	left(back + 2*paid/3 + bond)
	if got := must[netkit.ExecutionView](t)(f.As("").Delivery(ctx, cleared)).State; got != netkit.ExecutionCleared {
		t.Errorf("got an execution that is %s, want it cleared", got)
	}
	n := must[netkit.List[netkit.Notice]](t)(f.As("acme").Notices(ctx, netkit.Page{})).Items
	if !slices.ContainsFunc(n, func(n netkit.Notice) bool { return n.Kind == "sponsor.stopped" }) {
		t.Errorf("got notices %+v, want one of the stop", n)
	}
	f.replays(t, string(f.state.Canonical()))
}

// A start in the middle of a stop carries on with it.
func TestAStartCarriesOnAStop(t *testing.T) {
	f := memory(t)
	f.admit("acme", 1000*netkit.Credit)
	f.opens("acme", 40*netkit.Credit, 9)
	must[netkit.StopReceipt](t)(f.op().StopSponsor(t.Context(), netkit.StopSponsor{Sponsor: "acme", Reason: "r"}))
	must[struct{}](t)(struct{}{}, f.Close(t.Context()))
	f.open()
	f.ticks()
	if s := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), "acme")); s.Funds != 0 || s.Stopped.Returned != 1000*netkit.Credit {
		t.Errorf("got funds of %s and %s returned, want all of it returned", s.Funds, s.Stopped.Returned)
	}
}

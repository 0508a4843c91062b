package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// waits lets time go by and closes the days that are over.
func (f *fixture) waits(d time.Duration) {
	f.t.Helper()
	f.now = f.now.Add(d)
	if err := f.Tick(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	must[netkit.NightReport](f.t)(f.op().CloseNight(f.t.Context(), netkit.CloseNight{}))
}

// stands compares what an agent has pending and how many transactions count.
func (f *fixture) stands(when string, pending netkit.Credits, transactions uint32) {
	f.t.Helper()
	if me := f.wallet("ada"); me.Pending != pending || me.BioVerified.Transactions != transactions {
		f.t.Errorf("%s: got %s pending and %d transactions, want %s and %d", when, me.Pending, me.BioVerified.Transactions, pending, transactions)
	}
	f.replays(f.t, string(f.state.Canonical()))
}

// is compares the state of an execution, and whether it waits beyond its time.
func (f *fixture) is(id uint64, want netkit.ExecutionState, held bool) {
	f.t.Helper()
	if got := must[netkit.ExecutionView](f.t)(f.As("acme").Delivery(f.t.Context(), id)); got.State != want || got.Held != held {
		f.t.Errorf("execution %d: got %s, held %v; want %s, %v", id, got.State, got.Held, want, held)
	}
}

// The pay of an execution that its sponsor reported waits for the final judgement,
// however long that takes.
func TestAReportOfTheSponsorHoldsThePay(t *testing.T) {
	for _, uphold := range []bool{false, true} {
		f, ids := delivers(t, 2, newReview)
		r := must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[0], Law: "L2", Evidence: "invented"}))
		f.is(ids[0], netkit.ExecutionPending, true)
		f.waits(96 * time.Hour)
		f.stands("after its time", 170, 1)
		f.is(ids[0], netkit.ExecutionPending, true)
		f.is(ids[1], netkit.ExecutionCleared, false)
		if got := must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: ids[:1]})); len(got.Accepted) != 0 {
			t.Errorf("got %v accepted, want that it waits for the case", got.Accepted)
		}
		books := must[netkit.Books](t)(f.As("").Conservation(t.Context()))
		must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: r.CaseID, Uphold: uphold, Reasoning: "seen"}))
		if uphold {
			f.stands("upheld", 0, 1)
			f.is(ids[0], netkit.ExecutionReturned, false)
			if after := must[netkit.Books](t)(f.As("").Conservation(t.Context())); after.Contracts-books.Contracts != 200 {
				t.Errorf("got %s back, want 2.00", after.Contracts-books.Contracts)
			}
			continue
		}
		f.stands("dismissed, and open to appeal", 170, 1)
		f.waits(8 * 24 * time.Hour)
		f.stands("final", 0, 2)
		f.is(ids[0], netkit.ExecutionCleared, false)
	}
}

// A case that ends before the clearing time leaves that as it was.
func TestADismissedReportLeavesTheClearingTime(t *testing.T) {
	f, ids := delivers(t, 1, newReview, clearing(20*24))
	r := must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[0], Law: "L1", Evidence: "invented"}))
	must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: r.CaseID, Reasoning: "seen"}))
	f.waits(8 * 24 * time.Hour)
	f.stands("final", 170, 0)
	f.is(ids[0], netkit.ExecutionPending, false)
	f.waits(12 * 24 * time.Hour)
	f.stands("its own time", 0, 1)
}

// Two cases about one execution hold it until both are final.
func TestTheLastCaseReleasesThePay(t *testing.T) {
	f, ids := delivers(t, 1, newReview)
	first := must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[0], Law: "L1", Evidence: "invented"}))
	must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: first.CaseID, Reasoning: "seen"}))
	second := must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[0], Law: "L2", Evidence: "spam"}))
	f.waits(8 * 24 * time.Hour)
	f.stands("the first is final", 170, 0)
	must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: second.CaseID, Reasoning: "seen"}))
	f.waits(8 * 24 * time.Hour)
	f.stands("both are final", 0, 1)
}

// Pay that a dismissal freed and an upheld report of another case holds returns
// once, when both are upheld.
func TestPayHeldByAnotherCaseReturnsOnce(t *testing.T) {
	f, ids := delivers(t, 1, sponsorReports)
	decides := func(id uint64, uphold bool) {
		t.Helper()
		must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: id, Uphold: uphold, Reasoning: "seen"}))
	}
	other := must[netkit.CaseReceipt](t)(f.op().Report(t.Context(), netkit.Report{Subject: ids[0], Law: "L2", Evidence: "spam"}))
	decides(other.CaseID, true)
	mine := must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), netkit.Report{Subject: ids[0], Law: "L1", Evidence: "invented"}))
	decides(mine.CaseID, false)
	must[netkit.CaseReceipt](t)(f.As("acme").Appeal(t.Context(), netkit.Appeal{CaseID: mine.CaseID, Grounds: "look again"}))
	decides(mine.CaseID, true)
	f.waits(8 * 24 * time.Hour)
	f.is(ids[0], netkit.ExecutionReturned, false)
	f.stands("both are final", 0, 0)
	if got := f.wallet("ada").Balance; got != 50*netkit.Credit {
		t.Errorf("got a wallet of %s, want the grant", got)
	}
}

// While an agent is suspended nothing of it clears: what the sponsor reports
// returns, what it accepted before does not, and the rest clears once an operator
// reinstates the agent.
func TestSuspensionStopsTheClearing(t *testing.T) {
	f, ids := delivers(t, 4, newReview)
	must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: ids[:1]}))
	upheld := func(id uint64) {
		t.Helper()
		r := must[netkit.CaseReceipt](t)(f.As("acme").Report(t.Context(), netkit.Report{Subject: id, Law: "L1", Evidence: "invented"}))
		must[netkit.CaseReceipt](t)(f.op().Decide(t.Context(), netkit.Decide{CaseID: r.CaseID, Uphold: true, Reasoning: "it is"}))
	}
	upheld(ids[1])
	f.stands("suspended", 340, 1)
	f.waits(30 * 24 * time.Hour)
	f.stands("long after", 340, 1)
	f.is(ids[2], netkit.ExecutionPending, true)
	upheld(ids[2])
	f.is(ids[2], netkit.ExecutionReturned, false)
	upheld(ids[0])
	f.is(ids[0], netkit.ExecutionOverturned, false)
	f.stands("two more reports", 170, 0)
	must[netkit.StandingReceipt](t)(f.op().Reinstate(t.Context(), netkit.Reinstate{Agent: "ada", Reason: "served"}))
	f.stands("reinstated", 0, 1)
	f.is(ids[3], netkit.ExecutionCleared, false)
	f.waits(48 * time.Hour)
	f.stands("after a night", 0, 1)
	if got := f.wallet("ada").Balance; got != 50*netkit.Credit+2*170 {
		t.Errorf("got a wallet of %s, want the grant and two shares", got)
	}
	if n := inside(f.state, "accepted").FieldByName("M").Len(); n != 0 {
		t.Errorf("got %d dates of accepted executions, want none", n)
	}
}

package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// commits is a change of the constitution: registrations need commitments.
func commits(c *netkit.Constitution) { c.Limits.CommitmentDays, c.Limits.PlaybooksPerDay = 7, 10 }

// commitsTo commits an agent to the file of resolved(content).
func (f *fixture) commitsTo(slug string, content byte) netkit.CommitmentReceipt {
	f.t.Helper()
	return must[netkit.CommitmentReceipt](f.t)(f.As(slug).CommitPlaybook(f.t.Context(), netkit.CommitPlaybook{Commitment: netkit.Hash{content}.CommittedBy(slug)}))
}

// Nobody registers a file without having committed to it, and the commitment of
// another agent is of no use.
func TestARegistrationNeedsItsCommitment(t *testing.T) {
	f := memory(t, commits)
	ctx := t.Context()
	f.agents("ada", "bob")
	_, err := f.As("ada").RegisterPlaybook(ctx, resolved(1))
	refused(t, err, netkit.ErrConflict, "playbook_uncommitted")
	first := f.commitsTo("ada", 1)
	f.Unchanged(t, func() {
		if again := f.commitsTo("ada", 1); again != first {
			t.Errorf("got %+v, want %+v again", again, first)
		}
	})
	f.restarts(t)
	must[netkit.CommitmentReceipt](t)(f.As("bob").CommitPlaybook(ctx, netkit.CommitPlaybook{Commitment: netkit.Hash{1}.CommittedBy("ada")})) // copied from the journal
	_, err = f.As("bob").RegisterPlaybook(ctx, resolved(1))
	refused(t, err, netkit.ErrConflict, "playbook_uncommitted")
	must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(1)))
	f.commitsTo("bob", 1) // now the hash is known, and too late
	_, err = f.As("bob").RegisterPlaybook(ctx, resolved(1))
	refused(t, err, netkit.ErrConflict, "playbook_known")
	if n := len(extraIn(f.state, f.row("ada")).Commitments); n != 0 {
		t.Errorf("got %d commitments of ada, want the one used and forgotten", n)
	}
	f.replays(t, string(f.state.Canonical()))
}

func TestCommitmentsAgeAndAreFew(t *testing.T) {
	f := memory(t, commits)
	f.agents("ada")
	for i := range byte(10) {
		f.commitsTo("ada", i+1)
	}
	_, err := f.As("ada").CommitPlaybook(t.Context(), netkit.CommitPlaybook{Commitment: netkit.Hash{11}})
	refused(t, err, netkit.ErrLimit, "playbooks_per_day")
	_, err = f.As("ada").CommitPlaybook(t.Context(), netkit.CommitPlaybook{})
	refused(t, err, netkit.ErrInvalid, "hash_missing")
	f.now = f.now.Add(7*24*time.Hour - time.Millisecond)
	must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(t.Context(), resolved(1)))
	f.now = f.now.Add(time.Millisecond)
	_, err = f.As("ada").RegisterPlaybook(t.Context(), resolved(2))
	refused(t, err, netkit.ErrConflict, "playbook_uncommitted")
	f.commitsTo("ada", 2)
	if n := len(extraIn(f.state, f.row("ada")).Commitments); n != 1 {
		t.Errorf("got %d commitments kept, want the new one alone", n)
	}
	plain := memory(t)
	plain.agents("ada")
	_, err = plain.As("ada").CommitPlaybook(t.Context(), netkit.CommitPlaybook{Commitment: netkit.Hash{1}})
	refused(t, err, netkit.ErrConflict, "commitment_unneeded")
}

// Who learns a hash on its way commits later than the owner, and has to give the
// file back even if it registers first.
func TestTheEarlierCommitmentHasTheFile(t *testing.T) {
	f := memory(t, commits)
	ctx := t.Context()
	f.agents("ada", "bob")
	f.commitsTo("ada", 1)
	f.commitsTo("bob", 1)
	must[netkit.PlaybookReceipt](t)(f.As("bob").RegisterPlaybook(ctx, resolved(1)))
	own := must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(1)))
	if again := must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(1))); again != own {
		t.Errorf("got %+v, want %+v again", again, own)
	}
	f.restarts(t)
	f.commitsTo("bob", 1)
	_, err := f.As("bob").RegisterPlaybook(ctx, resolved(1))
	refused(t, err, netkit.ErrConflict, "playbook_known")
	if x := must[netkit.Exchange](t)(f.As("").Exchange(ctx)); x.Inventory != 1 {
		t.Errorf("got an inventory of %d, want 1", x.Inventory)
	}
	if list := must[netkit.List[netkit.Playbook]](t)(f.As("bob").Inventory(ctx, netkit.Page{})); len(list.Items) != 0 {
		t.Errorf("got %+v left to bob, want nothing", list.Items)
	}
	f.replays(t, string(f.state.Canonical()))
}

// An upheld report takes a registration out of the inventory, so that whoever
// resolved the case can register it; a won appeal puts it back.
func TestAReportRemovesARegistration(t *testing.T) {
	f := memory(t, newReview)
	ctx := t.Context()
	f.agents("ada", "bob")
	stolen := must[netkit.PlaybookReceipt](t)(f.As("bob").RegisterPlaybook(ctx, resolved(1)))
	_, err := f.op().Report(ctx, netkit.Report{Subject: stolen.PlaybookID, Law: "L1", Evidence: "e"})
	refused(t, err, netkit.ErrInvalid, "law_unknown")
	r := must[netkit.CaseReceipt](t)(f.op().Report(ctx, netkit.Report{Subject: stolen.PlaybookID, Law: "L2", Evidence: "it is ada's file"}))
	if got := must[netkit.CaseView](t)(f.op().Case(ctx, r.CaseID)); got.SubjectKind != "playbook" {
		t.Errorf("got a case about a %s, want playbook", got.SubjectKind)
	}
	counts := func(when string, inventory uint64, bobs int) {
		t.Helper()
		x := must[netkit.Exchange](t)(f.As("").Exchange(ctx))
		list := must[netkit.List[netkit.Playbook]](t)(f.As("bob").Inventory(ctx, netkit.Page{}))
		if x.Inventory != inventory || len(list.Items) != bobs {
			t.Errorf("%s: got an inventory of %d, %d of bob; want %d and %d", when, x.Inventory, len(list.Items), inventory, bobs)
		}
	}
	counts("reported", 1, 1)
	must[netkit.CaseReceipt](t)(f.op().Decide(ctx, netkit.Decide{CaseID: r.CaseID, Uphold: true, Reasoning: "it is"}))
	counts("upheld", 0, 0)
	f.restarts(t)
	must[netkit.PlaybookReceipt](t)(f.As("ada").RegisterPlaybook(ctx, resolved(1)))
	counts("registered by ada", 1, 0)
	must[netkit.CaseReceipt](t)(f.As("bob").Appeal(ctx, netkit.Appeal{CaseID: r.CaseID, Grounds: "g"}))
	must[netkit.CaseReceipt](t)(f.op().Decide(ctx, netkit.Decide{CaseID: r.CaseID, Reasoning: "it is not"}))
	counts("appeal won", 2, 1)
	f.replays(t, string(f.state.Canonical()))
}

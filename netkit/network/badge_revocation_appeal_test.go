package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// revoked is a network under today's rules of review in which an operator and
// bea have taken a badge from ada.
func revoked(t testing.TB) (f *fixture, id uint64) {
	t.Helper()
	f = start(t, journal.NewMemory(), newReview)
	f.witnesses("ada", "bea", "cora", "emma")
	f.reviewers("rev-a", "rev-b", "rev-c", "rev-d", "rev-e")
	f.badge("ada", netkit.FieldAgent)
	id = must[netkit.RevocationReceipt](t)(f.op().RevokeBadge(t.Context(), netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "r"})).RevocationID
	must[netkit.WitnessReceipt](t)(f.As("bea").Witness(t.Context(), netkit.Witness{ID: id}))
	return f, id
}

// A revocation that rests on no case is judged by a panel when the holder
// appeals, and the badge comes back with its penalty forgiven if it is dismissed.
func TestRevocationCanBeAppealed(t *testing.T) {
	for _, stands := range []bool{true, false} {
		f, id := revoked(t)
		ctx := t.Context()
		_, err := f.As("cora").Appeal(ctx, netkit.Appeal{CaseID: id, Grounds: "g"})
		refused(t, err, netkit.ErrForbidden, "not_the_loser")
		c := must[netkit.CaseReceipt](t)(f.As("ada").Appeal(ctx, netkit.Appeal{CaseID: id, Grounds: "I sold nothing"}))
		_, err = f.As("ada").Appeal(ctx, netkit.Appeal{CaseID: id, Grounds: "g"})
		refused(t, err, netkit.ErrConflict, "appealed_already")
		v := f.caseAt(c.CaseID)
		if v.SubjectKind != "revocation" || v.Law != "L6" || v.State != netkit.CaseWithPanel || v.Reporter != "operator" || v.Reported != "ada" {
			t.Errorf("got %+v, want a case of the revocation before a panel", v)
		}
		for _, slug := range v.Panel {
			if f.caseAt(c.CaseID).State == netkit.CaseWithPanel {
				f.votes(c.CaseID, stands, slug)
			}
		}
		badges, penalties := 1, 0
		if stands {
			badges, penalties = 0, 1
		}
		if got := f.row("ada").Badges.Len(); got != badges || len(f.extra("ada").Incidents) != penalties {
			t.Errorf("stands %v: got %d badges and %d penalties, want %d and %d", stands, got, len(f.extra("ada").Incidents), badges, penalties)
		}
		if got := f.caseAt(c.CaseID); !got.Final {
			t.Error("the judgement is not final")
		}
		f.ticks()
		f.replays(t, string(f.state.Canonical()))
	}
}

func TestRevocationIsAppealedInTime(t *testing.T) {
	f, id := revoked(t)
	f.days(7)
	_, err := f.As("ada").Appeal(t.Context(), netkit.Appeal{CaseID: id, Grounds: "late"})
	refused(t, err, netkit.ErrConflict, "case_final")
}

// A named witness that is silent for 72 hours keeps no badge: any that
// qualifies may witness then. After 14 days the revocation lapses.
func TestRevocationOpensAndLapses(t *testing.T) {
	f := start(t, journal.NewMemory(), newReview)
	ctx := t.Context()
	f.witnesses("ada", "bea", "cora", "emma")
	f.badge("ada", netkit.FieldAgent)
	begin := func() uint64 {
		return must[netkit.RevocationReceipt](t)(f.op().RevokeBadge(ctx, netkit.RevokeBadge{Agent: "ada", Badge: netkit.FieldAgent, Reason: "r", Witness: "cora"})).RevocationID
	}
	id := begin()
	f.passes(72*time.Hour - time.Millisecond)
	_, err := f.As("bea").Witness(ctx, netkit.Witness{ID: id})
	refused(t, err, netkit.ErrForbidden, "witness_other_asked")
	f.passes(time.Millisecond)
	if got := must[netkit.List[netkit.WitnessRequest]](t)(f.As("bea").Witnessing(ctx, netkit.Page{})).Items; len(got) != 1 {
		t.Errorf("got %+v, want the revocation open to bea", got)
	}
	f.days(11)
	f.ticks()
	_, err = f.As("bea").Witness(ctx, netkit.Witness{ID: id})
	refused(t, err, netkit.ErrConflict, "already_revoked")
	if got := f.row("ada").Badges.Len(); got != 1 {
		t.Errorf("after it lapsed: got %d badges, want 1", got)
	}
	second := begin()
	f.days(4)
	must[netkit.WitnessReceipt](t)(f.As("bea").Witness(ctx, netkit.Witness{ID: second}))
	if got := f.row("ada").Badges.Len(); got != 0 {
		t.Errorf("got %d badges, want none", got)
	}
	f.ticks()
	f.replays(t, string(f.state.Canonical()))
}

// What a case took away, a won appeal gives back.
func TestWonAppealRestoresBadges(t *testing.T) {
	f, id := bench(t)
	ctx := t.Context()
	f.badge("ada", netkit.FieldAgent)
	c := f.reports("acme", id, "L2")
	vote := func(uphold bool) {
		for _, slug := range f.panelOf(c.CaseID) {
			if f.caseAt(c.CaseID).State == netkit.CaseWithPanel {
				f.votes(c.CaseID, uphold, slug)
			}
		}
	}
	vote(true)
	if got := f.row("ada").Badges.Len(); got != 0 {
		t.Fatalf("got %d badges, want none", got)
	}
	must[netkit.CaseReceipt](t)(f.As("ada").Appeal(ctx, netkit.Appeal{CaseID: c.CaseID, Grounds: "g"}))
	vote(false)
	if got := f.row("ada"); got.Badges.Len() != 1 || got.Status != netkit.Active {
		t.Errorf("got %d badges and %s, want one and active", got.Badges.Len(), got.Status)
	}
	f.ticks()
	f.replays(t, string(f.state.Canonical()))
}

package netkit

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// revoked is a network under today's rules of review in which an operator and
// bea have taken a badge from ada.
func revoked(t testing.TB) (f *fixture, id uint64) {
	t.Helper()
	f = start(t, journal.NewMemory(), newReview)
	f.witnesses("ada", "bea", "cora", "emma")
	f.reviewers("rev-a", "rev-b", "rev-c", "rev-d", "rev-e")
	f.badge("ada", FieldAgent)
	id = must[RevocationReceipt](t)(f.op().RevokeBadge(t.Context(), RevokeBadge{Agent: "ada", Badge: FieldAgent, Reason: "r"})).RevocationID
	must[WitnessReceipt](t)(f.As("bea").Witness(t.Context(), Witness{id}))
	return f, id
}

// A revocation that rests on no case is judged by a panel when the holder
// appeals, and the badge comes back with its penalty forgiven if it is dismissed.
func TestRevocationCanBeAppealed(t *testing.T) {
	for _, stands := range []bool{true, false} {
		f, id := revoked(t)
		ctx := t.Context()
		_, err := f.As("cora").Appeal(ctx, Appeal{id, "g"})
		refused(t, err, ErrForbidden, "not_the_loser")
		c := must[CaseReceipt](t)(f.As("ada").Appeal(ctx, Appeal{id, "I sold nothing"}))
		_, err = f.As("ada").Appeal(ctx, Appeal{id, "g"})
		refused(t, err, ErrConflict, "appealed_already")
		v := f.caseAt(c.CaseID)
		if v.SubjectKind != "revocation" || v.Law != "L6" || v.State != CaseWithPanel || v.Reporter != "operator" || v.Reported != "ada" {
			t.Errorf("got %+v, want a case of the revocation before a panel", v)
		}
		for _, slug := range v.Panel {
			if f.caseAt(c.CaseID).State == CaseWithPanel {
				f.votes(c.CaseID, stands, slug)
			}
		}
		badges, penalties := 1, 0
		if stands {
			badges, penalties = 0, 1
		}
		if got := f.row("ada").badges.len(); got != badges || len(f.extra("ada").incidents) != penalties {
			t.Errorf("stands %v: got %d badges and %d penalties, want %d and %d", stands, got, len(f.extra("ada").incidents), badges, penalties)
		}
		if got := f.caseAt(c.CaseID); !got.Final {
			t.Error("the judgement is not final")
		}
		f.ticks()
		f.replays(t, string(f.state.canonical()))
	}
}

func TestRevocationIsAppealedInTime(t *testing.T) {
	f, id := revoked(t)
	f.days(7)
	_, err := f.As("ada").Appeal(t.Context(), Appeal{id, "late"})
	refused(t, err, ErrConflict, "case_final")
}

// A named witness that is silent for 72 hours keeps no badge: any that
// qualifies may witness then. After 14 days the revocation lapses.
func TestRevocationOpensAndLapses(t *testing.T) {
	f := start(t, journal.NewMemory(), newReview)
	ctx := t.Context()
	f.witnesses("ada", "bea", "cora", "emma")
	f.badge("ada", FieldAgent)
	begin := func() uint64 {
		return must[RevocationReceipt](t)(f.op().RevokeBadge(ctx, RevokeBadge{Agent: "ada", Badge: FieldAgent, Reason: "r", Witness: "cora"})).RevocationID
	}
	id := begin()
	f.passes(72*time.Hour - time.Millisecond)
	_, err := f.As("bea").Witness(ctx, Witness{id})
	refused(t, err, ErrForbidden, "witness_other_asked")
	f.passes(time.Millisecond)
	if got := must[List[WitnessRequest]](t)(f.As("bea").Witnessing(ctx, Page{})).Items; len(got) != 1 {
		t.Errorf("got %+v, want the revocation open to bea", got)
	}
	f.days(11)
	f.ticks()
	_, err = f.As("bea").Witness(ctx, Witness{id})
	refused(t, err, ErrConflict, "already_revoked")
	if got := f.row("ada").badges.len(); got != 1 {
		t.Errorf("after it lapsed: got %d badges, want 1", got)
	}
	second := begin()
	f.days(4)
	must[WitnessReceipt](t)(f.As("bea").Witness(ctx, Witness{second}))
	if got := f.row("ada").badges.len(); got != 0 {
		t.Errorf("got %d badges, want none", got)
	}
	f.ticks()
	f.replays(t, string(f.state.canonical()))
}

// What a case took away, a won appeal gives back.
func TestWonAppealRestoresBadges(t *testing.T) {
	f, id := bench(t)
	ctx := t.Context()
	f.badge("ada", FieldAgent)
	c := f.reports("acme", id, "L2")
	vote := func(uphold bool) {
		for _, slug := range f.panelOf(c.CaseID) {
			if f.caseAt(c.CaseID).State == CaseWithPanel {
				f.votes(c.CaseID, uphold, slug)
			}
		}
	}
	vote(true)
	if got := f.row("ada").badges.len(); got != 0 {
		t.Fatalf("got %d badges, want none", got)
	}
	must[CaseReceipt](t)(f.As("ada").Appeal(ctx, Appeal{c.CaseID, "g"}))
	vote(false)
	if got := f.row("ada"); got.badges.len() != 1 || got.status != Active {
		t.Errorf("got %d badges and %s, want one and active", got.badges.len(), got.status)
	}
	f.ticks()
	f.replays(t, string(f.state.canonical()))
}

package host

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
)

// restoredFromArchive takes the three steps.
func restoredFromArchive(t *testing.T, store archive.Store, ids []age.Identity, at time.Time) (dir string, v Verified, done Finished) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "restored")
	if _, err := StageArchive(t.Context(), store, store.String(), ids, dir, at, nil); err != nil {
		t.Fatal(err)
	}
	later, err := ReadLaterArchive(t.Context(), dir, store)
	if err != nil {
		t.Fatal(err)
	}
	if v, err = Verify(t.Context(), dir, later, nil); err != nil {
		t.Fatal(err)
	}
	if done, err = Finish(t.Context(), dir, later, func(err error) { t.Logf("alarm: %v", err) }); err != nil {
		t.Fatal(err)
	}
	return dir, v, done
}

// A restore to a second before an erasure, with the archive at hand, stays erased: the
// text, the recording and a token that was revoked.
func TestRestoreToASecondStaysErased(t *testing.T) {
	dir, store := t.TempDir(), bucket(t)
	ids, recipient := keyPair(t)
	h, text, dispatch, recording := lively(t, dir)
	const token = 1 // of a-0, which has to be revoked before its entry is erased
	closeHost(t, h)
	h = archivedNetwork(t, dir, ArchiveConfig{Store: store, Recipients: []string{recipient}})
	spawned(t, h, "b", 3)
	awaitArchive(t, h)
	before := h.Network.Health()
	time.Sleep(20 * time.Millisecond) // the clock of entries has milliseconds
	op := h.Network.As("operator")
	if _, err := op.RevokeToken(t.Context(), netkit.RevokeToken{TokenID: token, Reason: "lost"}); err != nil {
		t.Fatal(err)
	}
	for _, entry := range []uint64{token, text, dispatch} {
		if _, err := op.ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: entry, Reason: "asked"}); err != nil {
			t.Fatal(err)
		}
	}
	spawned(t, h, "c", 3)
	awaitArchive(t, h)
	closeHost(t, h)

	to, v, done := restoredFromArchive(t, store, ids, before.At.Time())
	if v.Report.Entries != before.Entries || v.Erasures != 3 {
		t.Errorf("verified %d entries and %d erasures, want %d and 3", v.Report.Entries, v.Erasures, before.Entries)
	}
	if want := []uint64{token, text, dispatch}; !slices.Equal(done.Erased, want) || len(done.Refused) > 0 {
		t.Errorf("erased %v, refused %v, want %v", done.Erased, done.Refused, want)
	}
	back := archivedNetwork(t, to, ArchiveConfig{Store: bucket(t), Recipients: []string{recipient}})
	if got := privateOf(t, back, text); strings.Contains(got, secret) {
		t.Errorf("the erased text is there: %q", got)
	}
	if err := checkRecording(to, mustHash(t, recording)); err == nil {
		t.Error("the erased recording is there")
	}
	closeHost(t, back)
	// The old archive belongs to the network as it went on.
	if _, err := New(t.Context(), Config{Dir: to, Archive: &ArchiveConfig{Store: store, Recipients: []string{recipient}}}); !errors.Is(err, archive.ErrAhead) && !errors.Is(err, archive.ErrOtherWriter) {
		t.Errorf("the old archive: got %v, want a refusal", err)
	}
}

// A restore of the whole archive may continue it, once it takes over.
func TestRestoredFolderTakesOver(t *testing.T) {
	dir, store := t.TempDir(), bucket(t)
	ids, recipient := keyPair(t)
	h, _, _, recording := lively(t, dir)
	closeHost(t, h)
	cfg := ArchiveConfig{Store: store, Recipients: []string{recipient}}
	h = archivedNetwork(t, dir, cfg)
	closeHost(t, h)
	to, v, _ := restoredFromArchive(t, store, ids, time.Time{})
	if v.Recordings != 1 || checkRecording(to, mustHash(t, recording)) != nil {
		t.Errorf("%d recordings are there, want 1", v.Recordings)
	}
	if _, err := New(t.Context(), Config{Dir: to, Archive: &cfg}); !errors.Is(err, archive.ErrOtherWriter) {
		t.Errorf("before the take-over: got %v, want ErrOtherWriter", err)
	}
	f, err := OpenFollower(t.Context(), FollowConfig{Dir: to, Store: store, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Ahead(); !errors.Is(err, ErrFork) {
		t.Errorf("following with the restored folder: got %v, want ErrFork", err)
	}
	if _, err := f.TakeOver(t.Context(), cfg.Recipients, nil); err != nil {
		t.Fatal(err)
	}
	h = archivedNetwork(t, to, cfg)
	spawned(t, h, "after", 2)
	awaitArchive(t, h)
	closeHost(t, h)
	out, err := FindUnarchived(t.Context(), dir, store)
	if err != nil || !out.Replaced || len(out.Entries) > 0 {
		t.Errorf("the first folder: got %+v, %v, want nothing missing", out, err)
	}
}

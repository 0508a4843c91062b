package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/archive"
)

// bucket makes an archive in a folder.
func bucket(t *testing.T) archive.Store {
	t.Helper()
	store, err := archive.NewFolder(filepath.Join(t.TempDir(), "bucket"))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// archivedNetwork opens the network of a folder with an archive.
func archivedNetwork(t *testing.T, dir string, cfg ArchiveConfig) *Host {
	t.Helper()
	h, err := New(t.Context(), Config{Dir: dir, Archive: &cfg, Alarm: func(err error) { t.Logf("alarm: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// awaitArchive waits until all entries of a network are in its archive.
func awaitArchive(t *testing.T, h *Host) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := h.archived.writer.Load().Wait(ctx, h.Network.Health().Entries); err != nil {
		t.Fatalf("%v; status %+v", err, h.archived.writer.Load().Status())
	}
}

// followed makes a follower's folder of all that an archive holds.
func followed(t *testing.T, dir string, store archive.Store, ids []age.Identity) *Follower {
	t.Helper()
	f, err := OpenFollower(t.Context(), FollowConfig{Dir: dir, Store: store, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	return f
}

// A standby has the same root, private parts and recordings; erasures reach it; it
// takes over, and the old writer stops at its next upload.
func TestStandbyTakesOver(t *testing.T) {
	dir, standby, store := t.TempDir(), filepath.Join(t.TempDir(), "standby"), bucket(t)
	ids, recipient := keyPair(t)
	h, text, dispatch, recording := lively(t, dir)
	closeHost(t, h)
	cfg := ArchiveConfig{Store: store, Recipients: []string{recipient}}
	h = archivedNetwork(t, dir, cfg)
	spawned(t, h, "b", 5)
	awaitArchive(t, h)

	f := followed(t, standby, store, ids)
	if got := f.Tree(); got.Size != h.Network.Health().Entries {
		t.Errorf("the standby has %d entries, want %d", got.Size, h.Network.Health().Entries)
	}
	for r, err := range f.Store.Read(t.Context(), text, text+1) {
		if err != nil || !strings.Contains(string(r.Private), secret) {
			t.Errorf("got the private part %q, %v", r.Private, err)
		}
	}
	if err := checkRecording(standby, mustHash(t, recording)); err != nil {
		t.Error(err)
	}

	if _, err := h.Network.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: text, Reason: "asked"}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Network.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: dispatch, Reason: "asked"}); err != nil {
		t.Fatal(err)
	}
	awaitArchive(t, h)
	if err := f.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	for r, err := range f.Store.Read(t.Context(), text, text+1) {
		if err != nil || r.Private != nil {
			t.Errorf("after the erasure: got the private part %q, %v", r.Private, err)
		}
	}
	for range 200 { // the archive removes the recording after the entry
		if err := f.Follow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if checkRecording(standby, mustHash(t, recording)) != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if checkRecording(standby, mustHash(t, recording)) == nil {
		t.Error("the standby keeps the recording of an erased dispatch")
	}
	// An archive read afresh has neither the text nor the recording.
	lateDir := filepath.Join(t.TempDir(), "late")
	late := followed(t, lateDir, store, ids)
	if checkRecording(lateDir, mustHash(t, recording)) == nil {
		t.Error("a new follower got the recording of an erased dispatch")
	}
	for r, err := range late.Store.Read(t.Context(), text, text+1) {
		if err != nil || r.Private != nil {
			t.Errorf("a new follower: got the private part %q, %v", r.Private, err)
		}
	}
	if err := errors.Join(late.Store.Check(t.Context()), late.Close()); err != nil {
		t.Error(err)
	}

	out, err := f.TakeOver(t.Context(), cfg.Recipients, func(err error) { t.Logf("alarm of the standby: %v", err) })
	if err != nil {
		t.Fatal(err)
	}
	if out.Epoch != 1 || out.Recorded.Restored != out.Tree {
		t.Errorf("got %+v", out)
	}
	// The old writer acknowledges until its next upload, then nothing.
	_, _ = h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "too-late"})
	for range 200 {
		if h.archived.writer.Load().Err() != nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "much-too-late"}); !errors.Is(err, netkit.ErrUnavailable) {
		t.Errorf("the old writer after the take-over: got %v, want ErrUnavailable", err)
	}
	closeHost(t, h)
	if _, err := New(t.Context(), Config{Dir: dir, Archive: &cfg}); !errors.Is(err, archive.ErrOtherWriter) {
		t.Errorf("the old folder starts: got %v, want ErrOtherWriter", err)
	}
	// The new one serves, and its own standby follows.
	h = archivedNetwork(t, standby, cfg)
	spawned(t, h, "c", 3)
	awaitArchive(t, h)
	next := followed(t, filepath.Join(t.TempDir(), "next"), store, ids)
	if got := next.Tree().Size; got != h.Network.Health().Entries {
		t.Errorf("the next standby has %d entries, want %d", got, h.Network.Health().Entries)
	}
	if err := next.Close(); err != nil {
		t.Error(err)
	}
	closeHost(t, h)
}

func mustHash(t *testing.T, s string) (h netkit.Hash) {
	t.Helper()
	if err := h.UnmarshalText([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return h
}

// failing is a store whose requests fail while down is set.
type failing struct {
	archive.Store
	down atomic.Bool
}

func (f *failing) Create(ctx context.Context, name string, content []byte) error {
	if f.down.Load() {
		return errors.New("no route to the bucket")
	}
	return f.Store.Create(ctx, name, content)
}

func (f *failing) Read(ctx context.Context, name string) ([]byte, error) {
	if f.down.Load() {
		return nil, errors.New("no route to the bucket")
	}
	return f.Store.Read(ctx, name)
}

// With sync nothing is acknowledged that the archive lacks, and each acknowledged
// entry is there at once.
func TestArchiveSync(t *testing.T) {
	dir := t.TempDir()
	closeHost(t, begin(t, dir))
	_, recipient := keyPair(t)
	store := &failing{Store: bucket(t)}
	h := archivedNetwork(t, dir, ArchiveConfig{Store: store, Recipients: []string{recipient}, Sync: true})
	for i := range 5 {
		if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: fmt.Sprintf("a-%d", i)}); err != nil {
			t.Fatal(err)
		}
		tail, err := archive.Tail(t.Context(), store)
		if err != nil || tail.Tree.Size != h.Network.Health().Entries {
			t.Fatalf("after an acknowledgement the archive has %+v, %v", tail, err)
		}
	}
	before := h.Network.Health().Entries
	store.down.Store(true)
	if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "unknown"}); !errors.Is(err, netkit.ErrUnknownOutcome) {
		t.Errorf("out of reach: got %v, want ErrUnknownOutcome", err)
	}
	if got := h.Network.Health().Entries; got != before {
		t.Errorf("readers see %d entries, want %d", got, before)
	}
	store.down.Store(false)
	for range 500 {
		if h.Network.Health().Entries > before {
			break
		}
		_, _ = h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "unknown"})
		time.Sleep(20 * time.Millisecond)
	}
	if got := h.Network.Health().Entries; got <= before {
		t.Errorf("within reach again: readers see %d entries, want more than %d", got, before)
	}
	closeHost(t, h)
}

// After serve.archive-patience nothing is written until the archive is in reach again.
func TestArchivePatience(t *testing.T) {
	dir := t.TempDir()
	closeHost(t, begin(t, dir))
	_, recipient := keyPair(t)
	store := &failing{Store: bucket(t)}
	var mu sync.Mutex
	var alarms []string
	h, err := New(t.Context(), Config{Dir: dir, Archive: &ArchiveConfig{Store: store, Recipients: []string{recipient}, Patience: time.Millisecond}, Alarm: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		alarms = append(alarms, err.Error())
	}})
	if err != nil {
		t.Fatal(err)
	}
	awaitArchive(t, h)
	store.down.Store(true)
	spawned(t, h, "a", 1)
	refused := func() bool {
		_, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: "b-" + time.Now().Format("150405-000000000")})
		return errors.Is(err, netkit.ErrUnavailable)
	}
	await := func(want bool) {
		t.Helper()
		for range 1000 {
			if refused() == want {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("refused is never %v", want)
	}
	await(true)
	if status, _ := h.Archive(); status.Behind == 0 || status.Failing == 0 || !strings.Contains(status.Problem, "no route") {
		t.Errorf("got the status %+v", status)
	}
	store.down.Store(false)
	await(false)
	closeHost(t, h)
	if !slices.ContainsFunc(alarms, func(s string) bool { return strings.Contains(s, "serve.archive-patience") }) {
		t.Errorf("got the alarms %q", alarms)
	}
}

// The drill restores the public side without an identity and all of it with one, and
// names what is damaged.
func TestArchiveDrill(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(t.TempDir(), "bucket")
	store, err := archive.NewFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	ids, recipient := keyPair(t)
	h, _, _, _ := lively(t, dir)
	closeHost(t, h)
	h = archivedNetwork(t, dir, ArchiveConfig{Store: store, Recipients: []string{recipient}})
	awaitArchive(t, h)
	for _, c := range []struct {
		ids  []age.Identity
		full bool
	}{{nil, false}, {ids, true}} {
		d, err := DrillArchive(t.Context(), dir, store, c.ids, h.Store, nil)
		if err != nil || d.Problem != "" || d.Full != c.full || d.Tree.Size != h.Network.Health().Entries || d.Books.Accounts == 0 || d.Books.Sum != 0 {
			t.Errorf("got %+v, %v", d, err)
		}
	}
	closeHost(t, h)
	for _, folder := range []string{"public/journal", "private/journal"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s holds %v, %v", folder, files, err)
		}
		whole, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		whole[len(whole)/2] ^= 1
		if err := os.WriteFile(files[0], whole, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := DrillArchive(t.Context(), dir, store, nil, nil, nil)
		if err != nil || !strings.Contains(d.Problem, filepath.Base(files[0])) {
			t.Errorf("%s was altered: got %q, %v, want its name", files[0], d.Problem, err)
		}
		whole[len(whole)/2] ^= 1
		if err := os.WriteFile(files[0], whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// promised is what a store has acknowledged, and what it was asked for besides.
type promised struct {
	head     uint64          // entries that were acknowledged
	asked    uint64          // entries of the append under way
	erased   map[uint64]bool // acknowledged
	erasing  map[uint64]bool // under way
	snapshot uint64          // size of the newest snapshot that was acknowledged
}

// cutRun appends, erases and writes snapshots on a power disk, and at every sync
// cuts the power of a copy.
type cutRun struct {
	t      *testing.T
	disk   *powerDisk
	random *rand.Rand
	promised
	copied bool // appends are not synced, so that they promise nothing by themselves
	cuts   int
	lost   []string // what was acknowledged and is gone
}

// cutNow looks at what a cut would leave now.
func (r *cutRun) cutNow() { r.endNow(keepSome(r.random)) }

// endNow looks at what is left where keep chooses what was not synced.
func (r *cutRun) endNow(keep func() bool) {
	r.cuts++
	dir := r.disk.image(r.t, keep)
	defer os.RemoveAll(dir)
	if err := r.check(dir); err != nil {
		r.lost = append(r.lost, fmt.Sprintf("cut %d, %d entries acknowledged: %v", r.cuts, r.head, err))
	}
}

// check opens what is left as the next start would, and compares it with what was
// promised.
func (r *cutRun) check(dir string) (err error) {
	s, err := Open(context.Background(), Config{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	head, err := s.Head(context.Background())
	if err != nil {
		return err
	}
	if head.Size < r.head || head.Size > r.asked {
		return fmt.Errorf("%d entries, want %d to %d", head.Size, r.head, r.asked)
	}
	if err := r.checkEntries(s, head.Size); err != nil {
		return err
	}
	if err := s.Check(context.Background()); err != nil {
		return err
	}
	return r.checkSnapshot(s)
}

func (r *cutRun) checkEntries(s *Store, size uint64) error {
	var tree journal.Tree
	var nodes []journal.Node
	next := uint64(0)
	for rec, err := range s.Read(context.Background(), 0, size) {
		if err != nil {
			return err
		}
		want := journaltest.Record(next)
		part := bytes.Equal(rec.Private, want.Private)
		switch {
		case rec.Seq != next || !bytes.Equal(rec.Public, want.Public):
			return fmt.Errorf("entry %d: got %v", next, rec)
		case r.erased[next] && rec.Private != nil:
			return fmt.Errorf("entry %d was erased, and its private part is there", next)
		case !r.erased[next] && !part && !(r.erasing[next] && rec.Private == nil):
			return fmt.Errorf("entry %d: got the private part %q", next, rec.Private)
		}
		nodes = tree.Append(journal.Leaf(rec.Public), nodes)
		next++
	}
	if next != size {
		return fmt.Errorf("read %d entries of %d", next, size)
	}
	return journal.CheckNodes(context.Background(), s, nodes)
}

func (r *cutRun) checkSnapshot(s *Store) error {
	size, in, err := s.ReadSnapshot(context.Background())
	if errors.Is(err, journal.ErrNoSnapshot) && r.snapshot == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	b, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	if size < r.snapshot || string(b) != snapshotOf(size) {
		return fmt.Errorf("a snapshot at %d of %d bytes, want one at %d or later", size, len(b), r.snapshot)
	}
	return nil
}

func snapshotOf(size uint64) string {
	return string(bytes.Repeat(strconv.AppendUint(nil, size, 10), 2000))
}

// live opens the store, uses it until so many cuts were made, and closes it.
func (r *cutRun) live(tune tuning, cuts int) {
	r.disk.onSync = func() {
		if r.cuts < cuts {
			r.cutNow()
		}
	}
	s, err := open(context.Background(), r.disk.config(), tune)
	if err != nil {
		r.t.Fatal(err)
	}
	var tree journal.Tree
	var head journal.Head
	for step, cut := 0, false; !cut && step < 60; step++ {
		head = r.append(s, head, &tree)
		r.disk.mu.Lock()
		if r.cuts < cuts { // just acknowledged, and nothing synced since
			r.cutNow()
		}
		cut = r.cuts >= cuts
		r.disk.mu.Unlock()
		if step%7 == 6 {
			size := head.Size
			if err := s.WriteSnapshot(context.Background(), size, func(w io.Writer) error {
				_, err := io.WriteString(w, snapshotOf(size))
				return err
			}); err != nil {
				r.t.Fatal(err)
			}
			r.promise(func() { r.snapshot, r.head = size, size })
		}
		if step%5 == 4 {
			if err := s.Sync(context.Background()); err != nil {
				r.t.Fatal(err)
			}
			r.promise(func() { r.head = head.Size })
		}
	}
	if err := s.Close(); err != nil {
		r.t.Fatal(err)
	}
}

// promise changes what was promised between two calls of the disk, which cut the power.
func (r *cutRun) promise(change func()) {
	r.disk.mu.Lock()
	defer r.disk.mu.Unlock()
	change()
}

// append adds a batch, and now and then erases an entry with it.
func (r *cutRun) append(s *Store, head journal.Head, tree *journal.Tree) journal.Head {
	var b journal.Batch
	r.promise(func() {
		b.Records = journaltest.Records(head.Size, 1+r.random.IntN(40))
		if head.Size > 0 && r.random.IntN(4) == 0 {
			b.Erase = []uint64{r.random.Uint64N(head.Size)}
		}
		r.asked = head.Size + uint64(len(b.Records))
		for _, seq := range b.Erase {
			r.erasing[seq] = true
		}
	})
	for _, rec := range b.Records {
		b.Nodes = tree.Append(journal.Leaf(rec.Public), b.Nodes)
	}
	next, err := s.Append(context.Background(), head, b)
	if err != nil {
		r.t.Fatal(err)
	}
	r.promise(func() {
		if !r.copied || len(b.Erase) > 0 {
			r.head = next.Size
		}
		for _, seq := range b.Erase {
			r.erased[seq] = true
		}
	})
	return next
}

// cutting runs lives of new folders until so many cuts were made, and returns what
// was lost.
func cutting(t *testing.T, tune tuning, copied bool, cuts int) (lost []string) {
	for seed := uint64(1); cuts > 0; seed++ {
		r := &cutRun{t: t, disk: newPowerDisk(t, tempFolder(t)), random: rand.New(rand.NewPCG(seed, 9)),
			copied: copied, promised: promised{erased: map[uint64]bool{}, erasing: map[uint64]bool{}}}
		r.live(tune, min(cuts, 150))
		cuts -= r.cuts
		for _, what := range r.lost {
			lost = append(lost, fmt.Sprintf("seed %d, %s", seed, what))
		}
		os.RemoveAll(r.disk.dir)
	}
	return lost
}

// small makes the engine move its log into the database often.
func small() tuning {
	tune := measured
	tune.checkpointSize = 12
	return tune
}

// manyCuts is how many times the power is cut: 1,000, or as many as NETKIT_CUTS
// says. A soak is
//
//	NETKIT_CUTS=20000 go test ./netkit/journal/sqlite -run PowerCut -timeout 2h
func manyCuts(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("NETKIT_CUTS"))
	switch {
	case err == nil:
		return n
	case testing.Short():
		return 100
	}
	return 1000
}

// Nothing that was acknowledged is lost in a power cut, beginning with the first
// transaction of a new folder.
func TestPowerCut(t *testing.T) {
	cuts := manyCuts(t)
	lost := cutting(t, small(), false, cuts)
	for i, what := range lost {
		if i < 10 {
			t.Error(what)
		}
	}
	if len(lost) > 0 {
		t.Errorf("%d of %d cuts lost what was acknowledged", len(lost), cuts)
	}
}

// Nothing is lost where a goroutine moves the log into the database while batches are
// appended.
func TestPowerCutWhileTheLogMoves(t *testing.T) {
	tune := small()
	tune.lastPages = 1
	for i, what := range cutting(t, tune, false, manyCuts(t)/4) {
		if i < 10 {
			t.Error(what)
		}
	}
}

// A cut of a copy's power takes batches from the end only, and none that was synced.
func TestPowerCutOfACopy(t *testing.T) {
	tune := small()
	tune.synchronous = "NORMAL"
	for i, what := range cutting(t, tune, true, manyCuts(t)/4) {
		if i < 10 {
			t.Error(what)
		}
	}
}

// A sync makes batches durable also while a reader keeps the log from being moved.
func TestSyncOfACopyThatIsRead(t *testing.T) {
	d := newPowerDisk(t, tempFolder(t))
	cfg := d.config()
	cfg.Copied = true
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 3)})
	if err := s.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader, err := sqlite3.Open(filepath.Join(d.dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := reader.Exec("BEGIN; SELECT * FROM batches"); err != nil {
		t.Fatal(err)
	}
	head = journaltest.MustAppend(t, s, head, journal.Batch{Records: journaltest.Records(3, 2)})
	if err := s.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	left := d.image(t, func() bool { return false })
	after, err := Open(t.Context(), Config{Dir: left})
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if got, err := after.Head(t.Context()); err != nil || got != head {
		t.Errorf("after a power cut: got %v, %v, want %v", got, err, head)
	}
}

// A copy is read right after each append, though nothing was synced, also where a
// transaction is larger than the cache and its frames are written twice.
func TestACopyIsReadAsItGrows(t *testing.T) {
	tune := measured
	tune.synchronous, tune.cacheBytes = "NORMAL", 64<<10
	s, err := open(t.Context(), Config{Dir: t.TempDir(), Copied: true}, tune)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var head journal.Head
	for _, n := range []int{1, 3, 500, 1, 2000, 2} {
		want := journaltest.Records(head.Size, n)
		head = journaltest.MustAppend(t, s, head, journal.Batch{Records: want})
		if diff := cmp.Diff(want, journaltest.ReadAll(t, s, head.Size-uint64(n), head.Size)); diff != "" {
			t.Fatalf("%d records (-want +got):\n%s", n, diff)
		}
	}
}

// The same cuts find what is lost when commits are not synced, so the simulation
// does forget.
func TestPowerCutControl(t *testing.T) {
	tune := small()
	tune.synchronous = "NORMAL"
	if lost := cutting(t, tune, false, 100); len(lost) == 0 {
		t.Error("100 cuts lost nothing with synchronous=NORMAL: the simulation simulates nothing")
	}
}

// A cut at any sync of a migration leaves the old journal or the new one, with all
// entries, and what was erased stays so.
func TestPowerCutMigration(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 2
	}
	for version := 1; version < schemaVersion; version++ {
		for seed := range seeds {
			dir := older(t, version, journaltest.Records(0, 700))
			r := newRun(t, dir, 700, version > 1, seed)
			r.disk.onSync = r.cutNow
			s, err := Open(t.Context(), r.disk.config())
			if err != nil {
				t.Fatal(err)
			}
			r.disk.mu.Lock()
			r.cutNow()
			r.disk.mu.Unlock()
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for _, what := range r.lost {
				t.Errorf("version %d, seed %d: %s", version, seed, what)
			}
			if r.cuts < 4 {
				t.Errorf("version %d: got %d cuts, want one at each sync", version, r.cuts)
			}
		}
	}
}

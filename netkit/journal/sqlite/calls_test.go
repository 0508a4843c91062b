package sqlite

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// newRun begins a run on a folder of so many entries, of which an older version
// has erased entry 4.
func newRun(t *testing.T, dir string, entries uint64, erased bool, seed uint64) *cutRun {
	return &cutRun{t: t, disk: newPowerDisk(t, dir), random: rand.New(rand.NewPCG(seed, 4)),
		promised: promised{head: entries, asked: entries, erased: map[uint64]bool{4: erased}, erasing: map[uint64]bool{}}}
}

// A process that ends at any of 50 points of a migration leaves a journal that the
// next start opens, with all entries.
func TestMigrationKilled(t *testing.T) {
	const points = 50
	migrate := func(each func(*cutRun)) *cutRun {
		r := newRun(t, older(t, 2, journaltest.Records(0, 8000)), 8000, true, 1)
		r.disk.onCall = func() { each(r) }
		s, err := Open(t.Context(), r.disk.config())
		if err != nil {
			t.Fatal(err)
		}
		r.disk.onCall = nil
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return r
	}
	total := 0
	migrate(func(*cutRun) { total++ })
	call := 0
	r := migrate(func(r *cutRun) {
		if call++; call*points/total > r.cuts {
			r.endNow(keepAll)
		}
	})
	for _, what := range r.lost {
		t.Error(what)
	}
	if r.cuts < points {
		t.Errorf("ended at %d points of %d calls, want %d", r.cuts, total, points)
	}
}

// An error of the disk at any call, once or from there on, loses nothing that was
// acknowledged, and a record that was refused for certain is not there. A short run
// takes every seventh call.
func TestErrorAtEveryCall(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for name, begin := range map[string]func() *cutRun{
		"append and snapshot": func() *cutRun { return newRun(t, tempFolder(t), 0, false, 1) },
		"migration": func() *cutRun {
			return newRun(t, older(t, 2, journaltest.Records(0, 300)), 300, true, 1)
		},
	} {
		for _, stuck := range []bool{false, true} {
			failed := 0
			for n := 1; ; n += step {
				r := begin()
				r.disk.failAt, r.disk.stuck = n, stuck
				r.work()
				over := r.disk.calls < n
				r.disk.failAt = 0
				r.endNow(keepAll)
				r.endNow(keepSome(r.random))
				os.RemoveAll(r.disk.dir)
				for _, what := range r.lost {
					t.Errorf("%s: an error at call %d, stuck %v: %s", name, n, stuck, what)
				}
				if over {
					break
				}
				failed++
			}
			if failed < 20/step {
				t.Errorf("%s: got %d calls, want more to fail", name, failed)
			}
		}
	}
}

// work opens the store, appends, erases and writes a snapshot, and notes what was
// acknowledged. It goes on after errors as the clerk of a network would.
func (r *cutRun) work() {
	s, err := Open(context.Background(), r.disk.config())
	if err != nil {
		return
	}
	defer s.Close() // whose error changes nothing that was acknowledged
	head, err := s.Head(context.Background())
	if err != nil {
		return
	}
	for step := range uint64(3) {
		b := journal.Batch{Records: journaltest.Records(head.Size, 30)}
		if step == 1 {
			b.Erase = []uint64{1}
		}
		if !r.appendAnyhow(s, &head, b) {
			return
		}
	}
	err = s.WriteSnapshot(context.Background(), head.Size, func(w io.Writer) error {
		_, err := io.WriteString(w, snapshotOf(head.Size))
		return err
	})
	if err == nil {
		r.snapshot = head.Size
	}
}

// appendAnyhow appends a batch, and repeats it while the outcome is in doubt.
func (r *cutRun) appendAnyhow(s *Store, head *journal.Head, b journal.Batch) bool {
	r.erasing = map[uint64]bool{}
	for _, seq := range b.Erase {
		r.erasing[seq] = true
	}
	next, err := b.Next(*head)
	if err != nil {
		r.t.Fatal(err)
	}
	doubtful := false
	for range 3 {
		r.asked = next.Size
		_, err := s.Append(context.Background(), *head, b)
		var moved *journal.HeadMovedError
		switch {
		case err == nil, errors.As(err, &moved) && doubtful && moved.Have == next:
			*head, r.head = next, next.Size
			for _, seq := range b.Erase {
				r.erased[seq] = true
			}
			return true
		case errors.Is(err, journal.ErrDoubtful):
			doubtful = true
		case !doubtful: // refused for certain
			r.asked, r.erasing = r.head, map[uint64]bool{}
		}
	}
	return false
}

package cluster

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/replica"
)

// failing is a folder whose appends fail.
type failing struct {
	Folder
	mu      sync.Mutex
	fail    error
	times   int  // that it fails
	carried bool // whether the appends that fail are carried out
}

func (f *failing) AppendCopies(ctx context.Context, at journal.Head, tree *journal.Tree, batches []journal.SealedBatch, keys []journal.BatchKeys, erase []uint64) (journal.Head, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.times > 0 {
		f.times--
		if f.carried {
			_, _ = f.Folder.AppendCopies(ctx, at, tree, batches, keys, erase)
		}
		return journal.Head{}, f.fail
	}
	return f.Folder.AppendCopies(ctx, at, tree, batches, keys, erase)
}

// A folder that cannot be written for a time holds its node up; one that does not
// continue what the cluster agreed on stops it. The others continue.
func TestFolderThatFails(t *testing.T) {
	tests := []struct {
		name    string
		fail    error
		times   int
		carried bool
		stops   bool
		events  int // reported at least
	}{
		{"full", journal.ErrFull, 5, false, false, 2},
		{"written, and the answer is lost", journal.ErrFull, 1, true, false, 2},
		{"damaged", journal.ErrNotJournal, 1, false, true, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			simulate(t, 3, func(t *testing.T, s *simulation, c *client) {
				hurt := s.nodes[1]
				hurt.stop()
				var mu sync.Mutex
				var reports []error
				hurt.report = func(err error) {
					mu.Lock()
					defer mu.Unlock()
					reports = append(reports, err)
				}
				hurt.wrap = func(f Folder) Folder {
					return &failing{Folder: f, fail: test.fail, times: test.times, carried: test.carried}
				}
				hurt.start()
				for range 20 {
					s.append(c, s.nodes[0])
					time.Sleep(time.Second)
				}
				if len(c.acked) < 10 {
					t.Errorf("%d entries were acknowledged next to the node that fails", len(c.acked))
				}
				mu.Lock()
				defer mu.Unlock()
				if len(reports) < test.events || !errors.Is(reports[0], test.fail) {
					t.Errorf("got the reports %v, want %v first", reports, test.fail)
				}
				head, err := hurt.store.Head(context.Background())
				if test.stops {
					if !errors.Is(hurt.node.Err(), ErrDamaged) || hurt.node.Status(context.Background()).Leader == "b" {
						t.Errorf("got %v, want that the node stopped as damaged", hurt.node.Err())
					}
				} else if err != nil || head != c.at || reports[len(reports)-1] != nil {
					t.Errorf("the folder ends at %v, %v, want %v", head, err, c.at)
				}
			})
		})
	}
}

// A store may be behind its folder, since the state machine writes that.
func TestStoreBehindItsFolder(t *testing.T) {
	simulate(t, 3, func(t *testing.T, s *simulation, c *client) {
		store, err := replica.Open(context.Background(), replica.Config{Engine: s.nodes[0].node, Folder: s.nodes[0].node.Folder()})
		if err != nil {
			t.Fatal(err)
		}
		s.append(c, s.nodes[1])
		time.Sleep(time.Second)
		head, err := store.Head(context.Background())
		if err != nil || head != c.at || head.Size == 0 {
			t.Fatalf("got %v, %v, want the head %v", head, err, c.at)
		}
		if head, err = store.Append(context.Background(), head, journal.Batch{Records: journaltest.Records(head.Size, 2)}); err != nil || head.Size != c.at.Size+2 {
			t.Errorf("got %v, %v, want two entries more than %d", head, err, c.at.Size)
		}
	})
}

// The keys of an erased entry leave the files of raft when the log is cut.
func TestErasedKeysLeaveTheLog(t *testing.T) {
	simulate(t, 1, func(t *testing.T, s *simulation, c *client) {
		n := s.nodes[0]
		time.Sleep(2 * time.Second)
		c.batch = c.draw(t)
		secret := bytes.Clone(c.batch.Keys)
		if s.append(c, n); len(c.acked) == 0 {
			t.Fatal(s.trace.String())
		}
		if !found(t, n.dir, secret) {
			t.Fatal("the log of raft does not hold the keys of its newest batch: the test looks in the wrong place")
		}
		if err := n.node.cutBehind(true); err != nil {
			t.Fatal(err)
		}
		if found(t, n.dir, secret) {
			t.Error("the files of raft hold the keys of a batch after the log was cut")
		}
	})
}

// found reports whether a file of raft holds some bytes.
func found(t *testing.T, dir string, want []byte) bool {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("nothing to look for")
	}
	files, err := filepath.Glob(filepath.Join(dir, raftFile+"*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, want) {
			return true
		}
	}
	return false
}

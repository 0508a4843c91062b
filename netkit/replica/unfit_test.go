package replica_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/replica"
)

// A node that cannot write hands over, even where no other node is there, and writes again once it can.
func TestAnUnfitNodeHandsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := new(journaltest.Engine)
		var full atomic.Bool
		n := replica.NewNode(replica.NodeConfig{Store: node(t, e), Name: "a", Address: "http://a", Unfit: func() error {
			if full.Load() {
				return errors.New("the disk is full")
			}
			return nil
		}}, idle{})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- n.Run(ctx) }()
		for _, want := range []bool{true, false, true} {
			full.Store(!want)
			time.Sleep(3 * time.Second)
			synctest.Wait()
			w, err := e.Writer(t.Context())
			if err != nil || n.Leads() != want || (w.Node == "a") != want {
				t.Errorf("with a full disk %v: got the writer %+v, %v", !want, w, err)
			}
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// leaving is a network whose node hands over while it begins to lead.
type leaving struct {
	idle
	node *replica.Node
}

// Lead implements [replica.Network].
func (l *leaving) Lead(ctx context.Context) error {
	l.node.HandOver(ctx)
	return nil
}

// A node that hands over while it takes over does not write.
func TestHandOverDuringTakeOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := new(journaltest.Engine)
		l := new(leaving)
		l.node = replica.NewNode(replica.NodeConfig{Store: node(t, e), Name: "a", Address: "http://a"}, l)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- l.node.Run(ctx) }()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if w, err := e.Writer(t.Context()); err != nil || l.node.Leads() || w.Node != "" || w.Term == 0 {
			t.Errorf("got the writer %+v, %v, leads %v, want none after the first term", w, err, l.node.Leads())
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// fullFolder is a folder whose disk can be full.
type fullFolder struct {
	*sqlite.Store
	full atomic.Bool
}

// AppendCopies implements [replica.Folder].
func (f *fullFolder) AppendCopies(ctx context.Context, at journal.Head, tree *journal.Tree, batches []journal.SealedBatch, keys []journal.BatchKeys, erase []uint64) (journal.Head, error) {
	if f.full.Load() {
		return journal.Head{}, journal.ErrFull
	}
	return f.Store.AppendCopies(ctx, at, tree, batches, keys, erase)
}

// A node whose folder cannot take a batch that the engine has hands over, and writes
// again once the folder has it.
func TestANodeThatCannotKeepHandsOver(t *testing.T) {
	e := new(journaltest.Engine)
	f := &fullFolder{Store: folder(t, t.TempDir())}
	store, err := replica.Open(t.Context(), replica.Config{Engine: e, Folder: f})
	if err != nil {
		t.Fatal(err)
	}
	n := replica.NewNode(replica.NodeConfig{Store: store, Name: "a", Address: "http://a", Every: time.Millisecond}, idle{})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	netkittest.Until(t, "the node writes", n.Leads)
	f.full.Store(true)
	if _, err := store.Append(t.Context(), journal.Head{}, journal.Batch{Records: journaltest.Records(0, 2)}); !errors.Is(err, journal.ErrFull) {
		t.Errorf("got %v, want %v", err, journal.ErrFull)
	}
	netkittest.Until(t, "the node hands over", func() bool {
		w, err := e.Writer(t.Context())
		return err == nil && w.Node == "" && !n.Leads()
	})
	f.full.Store(false)
	netkittest.Until(t, "the node writes again", n.Leads)
	if head, err := store.Head(t.Context()); err != nil || head.Size != 2 {
		t.Errorf("got %+v, %v, want both entries in the folder", head, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

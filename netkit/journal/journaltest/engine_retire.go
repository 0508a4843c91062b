package journaltest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// testEngineRetire checks that an engine which a network left takes nothing more,
// shows where the network is, and still has all batches. It skips an engine that no
// network can leave.
func testEngineRetire(t *testing.T, e, other journal.Engine) {
	r, ok := e.(journal.Retirer)
	if !ok {
		t.Skip("a network cannot leave this engine")
	}
	want := Records(0, 3)
	head := grow(t, e, journal.Head{}, want)
	if w, err := other.Claim(t.Context(), 0, "a", "http://a"); err != nil || w.Term != 1 {
		t.Fatalf("got %+v, %v, want a in term 1", w, err)
	}
	waited := make(chan error)
	go func() { waited <- other.Wait(t.Context(), head.Size) }()
	if got, err := r.Retire(t.Context(), "the folder /net"); err != nil || got != head {
		t.Fatalf("got %v, %v, want %v", got, err, head)
	}
	calls := map[string]func(journal.Engine) error{
		"Head": func(e journal.Engine) error { _, err := e.Head(t.Context()); return err },
		"Append": func(e journal.Engine) error {
			_, err := e.Append(t.Context(), head, sealed(t, e, Records(head.Size, 2)))
			return err
		},
		"Wait":  func(e journal.Engine) error { return e.Wait(t.Context(), head.Size) },
		"Claim": func(e journal.Engine) error { _, err := e.Claim(t.Context(), 1, "b", "http://b"); return err },
		"Beat":  func(e journal.Engine) error { return e.Beat(t.Context(), 1) },
		"Retire": func(e journal.Engine) error {
			_, err := e.(journal.Retirer).Retire(t.Context(), "somewhere else")
			return err
		},
	}
	for name, call := range calls {
		for which, e := range map[string]journal.Engine{"itself": e, "another connection": other} {
			var moved *journal.RetiredError
			if err := call(e); !errors.As(err, &moved) || !errors.Is(err, journal.ErrRetired) || moved.To != "the folder /net" || moved.Head != head {
				t.Errorf("%s by %s: got %v, want that the network was moved to the folder /net at %v", name, which, err, head)
			}
		}
	}
	if err := <-waited; !errors.Is(err, journal.ErrRetired) {
		t.Errorf("a call that waited: got %v, want %v", err, journal.ErrRetired)
	}
	expectBatches(t, other, want)
	if err := e.Wait(t.Context(), 0); err != nil {
		t.Errorf("waiting for an entry that is there: %v", err)
	}
}

// testEngineRetireRace retires an engine while another node appends to it: an acknowledged
// batch is within the last head, and nothing is acknowledged behind it.
func testEngineRetireRace(t *testing.T, e, other journal.Engine) {
	r, ok := e.(journal.Retirer)
	if !ok {
		t.Skip("a network cannot leave this engine")
	}
	begun := make(chan struct{})
	var writing sync.WaitGroup
	var acknowledged journal.Head
	var failed error
	writing.Go(func() {
		at := journal.Head{}
		for n := 0; ; n++ {
			next, err := other.Append(context.WithoutCancel(t.Context()), at, sealed(t, other, Records(at.Size, 2)))
			if err != nil {
				failed = err
				return
			}
			at, acknowledged = next, next
			if n == 20 {
				close(begun)
			}
		}
	})
	<-begun
	last, err := r.Retire(t.Context(), "the folder /net")
	if err != nil {
		t.Fatal(err)
	}
	writing.Wait()
	if !errors.Is(failed, journal.ErrRetired) {
		t.Errorf("the writer got %v, want %v", failed, journal.ErrRetired)
	}
	if acknowledged != last {
		t.Errorf("the writer's last acknowledged head is %v, and the journal ends at %v", acknowledged, last)
	}
	expectBatches(t, other, Records(0, int(last.Size)))
}

package network

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// A batch ends once it has the bytes of Config.Batch, however many commands wait.
func TestBatchEndsAtItsBytes(t *testing.T) {
	var mu sync.Mutex
	var shared, commands int
	n, err := New(t.Context(), Config{Store: journal.NewMemory(), Wait: -1, Batch: 1, Genesis: &netkit.Genesis{Network: "batches", Constitution: netkit.Version1(), OperatorToken: netkit.Token{1}},
		Wrote: func(w Write) {
			mu.Lock()
			defer mu.Unlock()
			commands += w.Commands
			if w.Commands > 1 {
				shared++
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			if _, err := n.As("").Spawn(t.Context(), netkit.Spawn{Slug: fmt.Sprint("agent-", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := n.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	if shared > 0 || commands < 200 {
		t.Errorf("got %d commands, and %d batches of several, want 200 commands alone", commands, shared)
	}
}

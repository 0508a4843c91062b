package journaltest

import (
	"context"
	"sync"

	"github.com/agentnet/netctl/netkit/journal"
)

// Fault is what befalls one Append. The zero Fault lets it through.
type Fault struct {
	// Err is returned in place of the store's answer: journal.ErrDoubtful, or
	// any other error for a definite failure.
	Err error
	// Applied says that the batch is written all the same and only the reply is
	// lost. If the store refuses the batch, its own error is returned.
	Applied bool
}

// Faulty is a store whose appends fail as told. The other methods are those of
// the store within.
type Faulty struct {
	journal.Store
	// Hook is asked before each Append, the first of which is number 0, and may
	// block to hold it up. Nil means no faults. Calls do not overlap.
	Hook func(n int, at journal.Head, b journal.Batch) Fault

	mu sync.Mutex
	n  int
}

// Append implements journal.Store.
func (f *Faulty) Append(ctx context.Context, at journal.Head, b journal.Batch) (journal.Head, error) {
	fault := f.next(at, b)
	if fault.Err != nil && !fault.Applied {
		return journal.Head{}, fault.Err
	}
	head, err := f.Store.Append(ctx, at, b)
	if err != nil || fault.Err == nil {
		return head, err
	}
	return journal.Head{}, fault.Err
}

func (f *Faulty) next(at journal.Head, b journal.Batch) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.n
	f.n++
	if f.Hook == nil {
		return Fault{}
	}
	return f.Hook(n, at, b)
}

// Once is a Hook that lets the nth Append, counted from 0, suffer fault.
func Once(nth int, fault Fault) func(int, journal.Head, journal.Batch) Fault {
	return func(n int, _ journal.Head, _ journal.Batch) Fault {
		if n == nth {
			return fault
		}
		return Fault{}
	}
}

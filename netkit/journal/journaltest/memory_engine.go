package journaltest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/seal"
)

// Engine is a [journal.Engine] in memory. Several nodes may share one. The zero
// Engine is empty.
type Engine struct {
	// Fault is asked before each append, and may block to hold it up. Nil means no
	// faults.
	Fault func(at journal.Head, b journal.EngineBatch) Fault

	mu      sync.Mutex
	head    journal.Head
	batches []journal.EngineBatch
	grown   chan struct{} // closed by the next append; nil where no call waits
	writer  journal.Writer
	members []journal.Member      // sorted by name
	retired *journal.RetiredError // nil while it takes batches
}

var _ journal.Retirer = (*Engine)(nil)

// Head implements journal.Engine.
func (e *Engine) Head(ctx context.Context) (journal.Head, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.retired != nil {
		return journal.Head{}, e.retired
	}
	return e.head, ctx.Err()
}

// Retire implements journal.Retirer.
func (e *Engine) Retire(ctx context.Context, to string) (journal.Head, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.retired != nil {
		return journal.Head{}, e.retired
	}
	if err := ctx.Err(); err != nil {
		return journal.Head{}, err
	}
	e.retired = &journal.RetiredError{Head: e.head, To: to}
	if e.grown != nil {
		close(e.grown)
		e.grown = nil
	}
	return e.head, nil
}

// Append implements journal.Engine.
func (e *Engine) Append(ctx context.Context, at journal.Head, b journal.EngineBatch) (journal.Head, error) {
	if err := ctx.Err(); err != nil {
		return journal.Head{}, err
	}
	var fault Fault
	if e.Fault != nil {
		fault = e.Fault(at, b)
	}
	if fault.Err != nil && !fault.Applied {
		return journal.Head{}, fault.Err
	}
	next, err := e.append(at, b)
	if err == nil && fault.Err != nil {
		return journal.Head{}, fault.Err
	}
	return next, err
}

func (e *Engine) append(at journal.Head, b journal.EngineBatch) (journal.Head, error) {
	next, err := b.Next(at)
	if err != nil {
		return journal.Head{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := e.holding(b.First); i < len(e.batches) && same(&e.batches[i], &b) {
		return next, nil
	}
	if e.retired != nil {
		return journal.Head{}, e.retired
	}
	if at != e.head {
		return journal.Head{}, &journal.HeadMovedError{Have: e.head, Want: at}
	}
	b.Public, b.Sealed, b.Keys = cloneAll(b.Public), cloneAll(b.Sealed), bytes.Clone(b.Keys)
	for _, seq := range b.Erase {
		if err := e.erase(seq); err != nil {
			return journal.Head{}, err
		}
	}
	b.Erase = nil
	e.batches, e.head = append(e.batches, b), next
	if e.grown != nil {
		close(e.grown)
		e.grown = nil
	}
	return next, nil
}

// holding is the place of the batch that holds an entry.
func (e *Engine) holding(seq uint64) int {
	i, found := slices.BinarySearchFunc(e.batches, seq, func(b journal.EngineBatch, seq uint64) int { return int(int64(b.First) - int64(seq)) })
	if !found && i > 0 && seq < e.batches[i-1].First+uint64(len(e.batches[i-1].Public)) {
		i--
	}
	return i
}

func same(a, b *journal.EngineBatch) bool {
	return a.First == b.First && a.Root == b.Root && slices.EqualFunc(a.Public, b.Public, bytes.Equal) && slices.EqualFunc(a.Sealed, b.Sealed, bytes.Equal)
}

// erase forgets the key of an entry.
func (e *Engine) erase(seq uint64) error {
	b := &e.batches[e.holding(seq)]
	keys, err := seal.ParseKeys(b.Keys)
	if err != nil {
		return err
	}
	var parts []uint64
	for i, part := range b.Sealed {
		if part != nil {
			parts = append(parts, b.First+uint64(i))
		}
	}
	left := keys.Without(parts, []uint64{seq})
	b.Keys = bytes.Clone(left.Bytes())
	return nil
}

func cloneAll(parts [][]byte) [][]byte {
	out := make([][]byte, len(parts))
	for i, part := range parts {
		out[i] = bytes.Clone(part)
	}
	return out
}

// Batches implements journal.Engine.
func (e *Engine) Batches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
		e.mu.Lock()
		head, rest := e.head, slices.Clone(e.batches[e.holding(from):])
		e.mu.Unlock()
		err := ctx.Err()
		if err == nil && from > head.Size {
			err = fmt.Errorf("%w: the engine ends at entry %d", journal.ErrNotFound, head.Size)
		}
		if err != nil {
			yield(journal.EngineBatch{}, err)
			return
		}
		for _, b := range rest {
			b.Public, b.Sealed, b.Keys = cloneAll(b.Public), cloneAll(b.Sealed), bytes.Clone(b.Keys)
			if !yield(b, nil) {
				return
			}
		}
	}
}

// Wait implements journal.Engine.
func (e *Engine) Wait(ctx context.Context, size uint64) error {
	for {
		e.mu.Lock()
		if e.head.Size > size {
			e.mu.Unlock()
			return nil
		}
		if e.retired != nil {
			e.mu.Unlock()
			return e.retired
		}
		if e.grown == nil {
			e.grown = make(chan struct{})
		}
		grown := e.grown
		e.mu.Unlock()
		select {
		case <-grown:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Writer implements journal.Engine.
func (e *Engine) Writer(ctx context.Context) (journal.Writer, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.writer, ctx.Err()
}

// Claim implements journal.Engine.
func (e *Engine) Claim(ctx context.Context, before uint64, node, address string) (journal.Writer, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.retired != nil {
		return journal.Writer{}, e.retired
	}
	if e.writer.Term != before {
		return e.writer, journal.ErrClaimed
	}
	e.writer = journal.Writer{Term: before + 1, Node: node, Address: address, Beat: e.writer.Beat + 1}
	return e.writer, ctx.Err()
}

// Beat implements journal.Engine.
func (e *Engine) Beat(ctx context.Context, term uint64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.retired != nil {
		return e.retired
	}
	if e.writer.Term != term {
		return journal.ErrClaimed
	}
	e.writer.Beat++
	return ctx.Err()
}

// Limits implements journal.Engine.
func (e *Engine) Limits() journal.EngineLimits {
	return journal.EngineLimits{Acknowledged: "in the memory of this process"}
}

// Close implements journal.Engine.
func (e *Engine) Close() error { return nil }

// Truncate takes back the newest batches of an engine until it has at most so many
// entries, as a fail-over to a server that lacks them does.
func (e *Engine) Truncate(size uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for n := len(e.batches); n > 0 && e.head.Size > size; n-- {
		last := e.batches[n-1]
		e.batches, e.head = e.batches[:n-1], journal.Head{Size: last.First}
		if n > 1 {
			before := e.batches[n-2]
			e.head.Tip = journal.Leaf(before.Public[len(before.Public)-1])
		}
	}
}

package network

import (
	"context"

	"github.com/agentnet/netctl/netkit/journal"
)

// Batch runs do. Commands and views that get do's context run at once, on the
// caller's goroutine, and share one durable write when do ends. Other commands
// and views wait until then. Programs that make many commands in a row, such as
// imports and simulations, save a write and a hop to the writer for each.
//
// The clock is read for every command, so Config.Now may move within a batch.
// What do sees is durable once Batch returns nil. After an error nothing of it
// was kept, or, with ErrUnknownOutcome, all or nothing.
//
// Calls of this network inside do need do's context: with another one they wait
// for do to end, as does a batch within a batch.
func (n *Network) Batch(ctx context.Context, do func(ctx context.Context)) error {
	b := &openBatch{n: n, records: make(chan *journal.Batch), over: make(chan struct{})}
	j := &job{within: b, done: make(chan error, 1)}
	withdraw, err := n.clerk.SubmitPatiently(j)
	if err != nil {
		return refusedJob(err)
	}
	select {
	case b.batch = <-b.records:
	case <-ctx.Done():
		if withdraw() {
			return ctx.Err()
		}
		b.batch = <-b.records
	}
	func() {
		defer close(b.over)
		defer func() { b.batch = nil }()
		do(context.WithValue(ctx, batchKey{}, b))
	}()
	return <-j.done
}

// openBatch is a batch whose commands a caller decides in the writer's place.
type openBatch struct {
	n       *Network
	records chan *journal.Batch // the writer hands over what to fill
	over    chan struct{}       // closed when the caller is done
	batch   *journal.Batch      // nil before and after
}

type batchKey struct{}

// batchOf returns the open batch of this network that a context stands for.
func (n *Network) batchOf(ctx context.Context) (*openBatch, bool) {
	b, ok := ctx.Value(batchKey{}).(*openBatch)
	return b, ok && b.n == n && b.batch != nil
}

// lend hands the batch to its caller and waits until it is done. Readers are
// let in meanwhile: they wait for the batch to be durable, as for any other.
func (b *openBatch) lend(batch *journal.Batch) {
	b.n.mu.Unlock()
	defer b.n.mu.Lock()
	b.records <- batch
	<-b.over
}

// decide decides one command of the batch.
func (b *openBatch) decide(j *job) error {
	m := b.n.machine
	b.n.mu.Lock()
	defer b.n.mu.Unlock()
	m.now, m.err = b.n.time()
	m.step = true
	m.Decide(j, b.batch)
	return j.err
}

// record returns an entry of the batch that is not yet in the journal.
func (b *openBatch) record(seq uint64) (journal.Record, bool) {
	rs := b.batch.Records
	if len(rs) == 0 || seq < rs[0].Seq || seq-rs[0].Seq >= uint64(len(rs)) {
		return journal.Record{}, false
	}
	return rs[seq-rs[0].Seq], true
}

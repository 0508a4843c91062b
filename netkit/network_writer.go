package netkit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/journal"
)

// job is a command in the clerk's queue.
type job struct {
	cmd      command
	by       Caller
	stored   []byte   // private part as it will be stored
	private  *private // the same, decoded
	hash     [32]byte // SHA-256 of stored
	receipt  func(*Entry)
	err      error  // a refusal
	replay   uint64 // entry whose receipt comes again: of the same idempotency key, or of what was recorded already
	replayed bool
	done     chan error
	within   *openBatch // instead of cmd: the caller's own commands
}

// machine is the network as its clerk sees it.
type machine struct {
	n     *Network
	now   Millis
	err   error // a clock that cannot be trusted refuses every command
	step  bool  // one step of long work may still go into the open batch
	call  call
	entry Entry
	arena []byte // public parts of the open batch; a store keeps none of it

	sources access.Sources // where the day's unpaid entries came from
}

// Begin keeps readers out and looks at the clock.
func (m *machine) Begin() {
	m.n.mu.Lock()
	m.arena = m.arena[:0]
	m.now, m.err = m.n.time()
	m.step = true
}

// Seal lets readers in again.
func (m *machine) Seal() { m.n.mu.Unlock() }

// Decide first appends what has fallen due, then what the command asks for.
func (m *machine) Decide(j *job, b *journal.Batch) {
	if j.within != nil {
		j.within.lend(b)
		return
	}
	if m.err != nil {
		j.err = m.err
		return
	}
	if j.err = m.n.refuseStopped(); j.err != nil {
		return
	}
	s := m.n.state
	at := max(m.now, s.root.at)
	m.settle(at, b)
	if j.private != nil && j.private.scope != "" {
		if j.replay, j.replayed, j.err = m.n.secrets.usedKey(actorOf(j.cmd, j.by), j.private); j.replayed || j.err != nil {
			return
		}
	}
	m.call = call{at: at, by: j.by, facts: m.call.facts[:0]}
	if j.err = m.call.decide(s, j.cmd); j.err != nil {
		return
	}
	if j.replay, j.replayed = m.call.again, m.call.again != 0; j.replayed {
		return
	}
	if j.err = m.n.secrets.allow(j.by, m.call.facts); j.err != nil {
		return
	}
	if j.err = m.n.secrets.fresh(j.cmd); j.err != nil {
		return
	}
	if j.err = m.n.secrets.erasable(j.cmd, at); j.err != nil {
		return
	}
	if g, ok := j.cmd.(guarded); ok {
		if j.err = g.permitted(s, m.n.secrets, at); j.err != nil {
			return
		}
	}
	if m.unchanged(j) {
		return
	}
	if j.err = m.affords(j, at); j.err != nil {
		return
	}
	if len(m.call.facts) == 0 {
		j.receipt(nil)
	}
	for i := range m.call.facts {
		d := &m.call.facts[i]
		if i == 0 {
			m.record(at, actorOf(j.cmd, j.by), d, j, b)
			j.receipt(&m.entry)
			continue
		}
		m.record(at, actorOf(j.cmd, j.by), d, nil, b)
	}
}

// actorOf names who acts in the entry. A spawn is its own agent's first act.
func actorOf(cmd command, by Caller) string {
	if sp, ok := cmd.(*spawn); ok {
		return sp.Slug
	}
	return by.Slug
}

// settle appends what has fallen due, in steps small enough that nobody
// behind it waits long.
func (m *machine) settle(at Millis, b *journal.Batch) {
	for range dueStep {
		f, moves, ok := m.n.state.nextDue(at)
		if !ok {
			break
		}
		d := draft{fact: f}
		copy(d.moves[:], moves)
		m.record(at, NetworkActor, &d, nil, b)
	}
	if !m.step {
		return
	}
	if f, ok := m.n.state.longWork(); ok {
		m.step = false
		m.record(at, NetworkActor, &draft{fact: f}, nil, b)
	}
}

// record makes an entry of a draft, applies it and adds it to the batch.
// The job, if there is one, has the private part.
func (m *machine) record(at Millis, actor string, d *draft, j *job, b *journal.Batch) {
	s, e := m.n.state, &m.entry
	e.Private = [32]byte{}
	s.enter(e, at, actor, s.law.Version, d)
	var stored []byte
	if j != nil && j.private != nil {
		stored, e.Private = j.stored, j.hash
	}
	switch f := d.fact.(type) {
	case citing:
		before, witnessed := m.n.citations()
		f.cite(s, e, before, witnessed)
	case *PrivateErased:
		b.Erase = append(b.Erase, f.Entry)
	}
	from := len(m.arena)
	m.arena = appendEntry(m.arena, e)
	public := m.arena[from:len(m.arena):len(m.arena)]
	b.Records = append(b.Records, journal.Record{Seq: e.Seq, Public: public, Private: stored})
	b.Nodes = m.n.tree.Append(journal.Leaf(public), b.Nodes)
	s.take(e)
	var p *private
	if stored != nil {
		p = j.private
	}
	m.n.secrets.take(e, p)
}

// enter makes of e the entry that a draft becomes on this state; its private
// part alone is not the state's to say. It keeps the memory of e's postings.
func (s *state) enter(e *Entry, at Millis, actor, law string, d *draft) {
	*e = Entry{Seq: s.root.next, At: at, Kind: d.fact.kind(), Version: entryVersion, Actor: actor,
		Constitution: law, Fact: d.fact, Postings: e.Postings[:0], Private: e.Private}
	var sum Credits
	for _, mv := range d.moves {
		if mv.amount != 0 {
			e.Postings = append(e.Postings, s.book(mv.to, mv.amount))
			sum += mv.amount
		}
	}
	if sum != 0 {
		panic(fmt.Sprintf("netkit: %s moves %s out of nowhere", e.Kind, sum))
	}
}

// Commit forgets the before-images and lets waiting readers go.
func (m *machine) Commit(head journal.Head) {
	m.n.mu.Lock()
	m.n.store.Trust(m.n.tree.Tree, m.n.tree.fresh)
	m.n.commit()
	m.n.mu.Unlock()
	m.n.durable.Reach(head.Size)
}

// Rollback undoes the open batch and sends its readers back.
func (m *machine) Rollback() {
	m.n.mu.Lock()
	m.n.state.rollback()
	m.n.secrets.Rollback()
	m.n.tree.rollback()
	m.n.durable.Lose()
	m.arena = nil // the clerk may have to repeat these bytes
	m.n.mu.Unlock()
}

// Follow applies an entry that was found in the journal.
func (m *machine) Follow(r journal.Record) error { return m.n.follow(r) }

// Answer ends a job.
func (m *machine) Answer(j *job, err error) {
	switch {
	case err == nil:
		err = j.err
	case errors.Is(err, clerk.ErrDoubtful):
		err = &Refusal{Kind: ErrUnknownOutcome, Code: code.OutcomeUnknown, What: "the journal did not say whether this was written",
			Next: "retry with the same Idempotency-Key", After: time.Second}
	default:
		err = unwritten(err)
	}
	j.done <- err
}

// unwritten says why nothing of a command was kept.
func unwritten(err error) *Refusal {
	r := &Refusal{Kind: ErrUnavailable, Code: code.JournalUnavailable, What: "the journal cannot be written at the moment and nothing of this was kept",
		Next: "try again in a second; reads go on", After: time.Second}
	switch {
	case errors.Is(err, journal.ErrFull):
		r.Code, r.What = code.DiskFull, "the network's disk is full and nothing of this was kept"
		r.Next = "try again later; reads go on, and its operator has to make room"
	case errors.Is(err, journal.ErrMoved):
		r.Code, r.What = code.JournalMoved, "the files of the journal were removed or replaced under the running network and nothing of this was kept"
		r.Next = "reads go on; its operator has to put the files back before the server stops"
	}
	return r
}

// time returns the time, or a refusal while the clock is not believed.
func (n *Network) time() (Millis, error) {
	ms, err := n.clock.Read()
	if err == nil {
		return Millis(ms), nil
	}
	r := &Refusal{Kind: ErrUnavailable, Code: code.ClockJumped, After: time.Minute}
	switch {
	case errors.Is(err, clerk.ErrClockBehind):
		r.Code, r.What = code.ClockBehind, "the wall clock was set back by more than five minutes while the network ran, so writing has stopped"
		r.Next = "reads go on; an operator sets the clock right, and writing goes on by itself; or, if it is right, restarts with netctl serve --accept-clock"
	case errors.Is(err, clerk.ErrClockAhead):
		r.What = "the wall clock ran ahead of the monotonic clock by more than a day, writing has stopped"
		r.Next = "an operator sets the clock right, or restarts the server if the clock is right"
	default:
		r.What = "the wall clock ran ahead of the monotonic clock by more than five minutes, as after a suspension"
		r.Next, r.After = "try again in a few seconds; writing goes on once the clock runs steadily", clerk.SteadyFor
	}
	return 0, r
}

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

package netkit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

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
	replay   uint64 // entry that an idempotency key stands for
	replayed bool
	done     chan error
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

	sources sources // where the day's unpaid entries came from
}

// Begin keeps readers out and looks at the clock.
func (m *machine) Begin() {
	m.n.mu.Lock()
	m.arena = m.arena[:0]
	m.now, m.err = m.n.clock.read()
	m.step = true
}

// Seal lets readers in again.
func (m *machine) Seal() { m.n.mu.Unlock() }

// Decide first appends what has fallen due, then what the command asks for.
func (m *machine) Decide(j *job, b *journal.Batch) {
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
		if j.replay, j.replayed, j.err = m.n.secrets.idem.find(j); j.replayed || j.err != nil {
			return
		}
	}
	m.call = call{at: at, by: j.by, facts: m.call.facts[:0]}
	if j.err = j.cmd.decide(s, &m.call); j.err != nil {
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
	case *privateErased:
		b.Erase = append(b.Erase, f.Entry)
	}
	from := len(m.arena)
	m.arena = appendEntry(m.arena, e)
	public := m.arena[from:len(m.arena):len(m.arena)]
	b.Records = append(b.Records, journal.Record{Seq: e.Seq, Public: public, Private: stored})
	b.Nodes = m.n.trunk.Append(journal.Leaf(public), b.Nodes)
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
	m.n.store.Trust(m.n.trunk.Tree, m.n.trunk.fresh)
	m.n.commit()
	m.n.mu.Unlock()
	m.n.durable.reach(head.Size)
}

// Rollback undoes the open batch and sends its readers back.
func (m *machine) Rollback() {
	m.n.mu.Lock()
	m.n.state.rollback()
	m.n.secrets.rollback()
	m.n.trunk.rollback()
	m.n.durable.lose()
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
		err = &Refusal{Kind: ErrUnknownOutcome, Code: "outcome_unknown", What: "the journal did not say whether this was written",
			Next: "retry with the same Idempotency-Key", After: time.Second}
	default:
		err = unwritten(err)
	}
	j.done <- err
}

// unwritten says why nothing of a command was kept.
func unwritten(err error) *Refusal {
	r := &Refusal{Kind: ErrUnavailable, Code: "journal_unavailable", What: "the journal cannot be written at the moment and nothing of this was kept",
		Next: "try again in a second; reads go on", After: time.Second}
	switch {
	case errors.Is(err, journal.ErrFull):
		r.Code, r.What = "disk_full", "the network's disk is full and nothing of this was kept"
		r.Next = "try again later; reads go on, and its operator has to make room"
	case errors.Is(err, journal.ErrMoved):
		r.Code, r.What = "journal_moved", "the files of the journal were removed or replaced under the running network and nothing of this was kept"
		r.Next = "reads go on; its operator has to put the files back before the server stops"
	}
	return r
}

// barrier holds readers back until what they saw is durable.
type barrier struct {
	mu      sync.Mutex
	durable uint64
	losses  uint64
	wake    chan struct{}
}

func newBarrier(size uint64) *barrier { return &barrier{durable: size, wake: make(chan struct{})} }

func (b *barrier) size() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.durable
}

// epoch counts lost batches; it moves only while readers are kept out.
func (b *barrier) epoch() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.losses
}

func (b *barrier) reach(size uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if size > b.durable {
		b.durable = size
		close(b.wake)
		b.wake = make(chan struct{})
	}
}

func (b *barrier) lose() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.losses++
	close(b.wake)
	b.wake = make(chan struct{})
}

// wait returns true once seq entries are durable, false when a batch was lost
// since epoch and the reader has to look again.
func (b *barrier) wait(ctx context.Context, seq, epoch uint64) (bool, error) {
	for {
		b.mu.Lock()
		lost, reached, wake := b.losses != epoch, b.durable >= seq, b.wake
		b.mu.Unlock()
		if lost || reached {
			return !lost, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return false, fmt.Errorf("netkit: waiting for the journal: %w", ctx.Err())
		}
	}
}

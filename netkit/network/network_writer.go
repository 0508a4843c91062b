package network

import (
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/clerk"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// job is a command in the clerk's queue.
type job struct {
	cmd      rules.Command
	by       netkit.Caller
	stored   []byte           // private part as it will be stored
	private  *rules.Private   // the same, decoded
	hash     [32]byte         // SHA-256 of stored
	first    rules.Entry      // its first entry, which the receipt follows from; no fact where nothing was recorded
	postings [3]rules.Posting // of that entry
	err      error            // a refusal
	replay   uint64           // entry whose receipt comes again: of the same idempotency key, or of what was recorded already
	replayed bool
	done     chan error
	within   *openBatch // instead of cmd: the caller's own commands
	part     []job      // instead of cmd: commands that one batch decides in order
}

// machine is the network as its clerk sees it.
type machine struct {
	n     *Network
	now   netkit.Millis
	err   error // a clock that cannot be trusted refuses every command
	step  bool  // one step of long work may still go into the open batch
	call  rules.Call
	entry rules.Entry
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
func (m *machine) Seal() {
	m.n.tokens.newest.Store(int64(m.n.state.Time()))
	m.n.mu.Unlock()
}

// Decide first appends what has fallen due, then what the command asks for.
func (m *machine) Decide(j *job, b *journal.Batch) {
	if j.within != nil {
		j.within.lend(b)
		return
	}
	for i := range j.part {
		m.Decide(&j.part[i], b)
	}
	if j.part != nil {
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
	at := max(m.now, s.Time())
	m.settle(at, b)
	if j.private != nil && j.private.Scope != "" {
		if j.replay, j.replayed, j.err = m.n.secrets.UsedKey(rules.ActorOf(j.cmd, j.by), j.private); j.replayed || j.err != nil {
			return
		}
	}
	m.call = rules.Call{At: at, By: j.by, Facts: m.call.Facts[:0]}
	if j.err = m.call.Decide(s, j.cmd); j.err != nil {
		return
	}
	if j.replay, j.replayed = m.call.Again, m.call.Again != 0; j.replayed {
		return
	}
	if j.err = m.n.secrets.Allow(j.by, m.call.Facts); j.err != nil {
		return
	}
	if j.err = m.n.secrets.Fresh(j.cmd); j.err != nil {
		return
	}
	if j.err = m.n.secrets.Erasable(j.cmd, at); j.err != nil {
		return
	}
	if g, ok := j.cmd.(rules.Guarded); ok {
		if j.err = g.Permitted(s, m.n.secrets, at); j.err != nil {
			return
		}
	}
	if m.Unchanged(j) {
		return
	}
	if j.err = m.affords(j, at); j.err != nil {
		return
	}
	actor := rules.ActorOf(j.cmd, j.by)
	for i := range m.call.Facts {
		m.record(at, actor, &m.call.Facts[i], j, b)
		j = nil // the first entry has the private part
	}
}

// settle appends what has fallen due, in steps small enough that nobody
// behind it waits long.
func (m *machine) settle(at netkit.Millis, b *journal.Batch) {
	for range rules.DueStep {
		f, moves, ok := m.n.state.NextDue(at)
		if !ok {
			break
		}
		d := rules.Draft{Fact: f}
		copy(d.Moves[:], moves)
		m.record(at, netkit.NetworkActor, &d, nil, b)
	}
	if !m.step {
		return
	}
	if f, ok := m.n.state.LongWork(); ok {
		m.step = false
		m.record(at, netkit.NetworkActor, &rules.Draft{Fact: f}, nil, b)
	}
}

// record makes an entry of a draft, applies it and adds it to the batch.
// The job, if there is one, keeps the entry and has its private part.
func (m *machine) record(at netkit.Millis, actor string, d *rules.Draft, j *job, b *journal.Batch) {
	s, e := m.n.state, &m.entry
	if j != nil {
		e = &j.first
		e.Postings = j.postings[:0]
	}
	e.Private = [32]byte{}
	s.Enter(e, at, actor, d)
	var stored []byte
	if j != nil && j.private != nil {
		stored, e.Private = j.stored, j.hash
	}
	if f, ok := d.Fact.(rules.Citing); ok {
		before, witnessed := m.n.citations()
		f.Cite(s, e, before, witnessed)
	}
	if erased, ok := rules.ErasedBy(d.Fact); ok {
		b.Erase = append(b.Erase, erased)
	}
	from := len(m.arena)
	m.arena = rules.AppendEntry(m.arena, e)
	public := m.arena[from:len(m.arena):len(m.arena)]
	b.Records = append(b.Records, journal.Record{Seq: e.Seq, Public: public, Private: stored})
	b.Nodes = m.n.tree.Append(journal.Leaf(public), b.Nodes)
	s.Take(e)
	var p *rules.Private
	if stored != nil {
		p = j.private
	}
	m.n.takeSecret(e, p)
}

// Commit forgets the before-images and lets waiting readers go.
func (m *machine) Commit(head journal.Head) {
	m.n.mu.Lock()
	m.n.store.Trust(m.n.tree.Tree, m.n.tree.fresh)
	m.n.commit()
	m.n.reachBorder()
	m.n.mu.Unlock()
	m.n.writes.Add(1)
	m.n.durable.Reach(head.Size)
}

// Rollback undoes the open batch and sends its readers back.
func (m *machine) Rollback() {
	m.n.mu.Lock()
	m.n.state.Rollback()
	m.n.secrets.Rollback()
	m.n.tokens.forget()
	m.n.tree.rollback()
	m.n.durable.Lose()
	m.arena = nil // the clerk may have to repeat these bytes
	m.n.reachBorder()
	m.n.mu.Unlock()
}

// Follow applies an entry that was found in the journal.
func (m *machine) Follow(r journal.Record) error { return m.n.follow(r) }

// Answer ends a job.
func (m *machine) Answer(j *job, err error) {
	for i := range j.part {
		j.part[i].err = answerOf(&j.part[i], err)
	}
	j.done <- answerOf(j, err)
}

// answerOf returns how a command ended whose batch ended with err.
func answerOf(j *job, err error) error {
	switch {
	case err == nil:
		return j.err
	case errors.Is(err, clerk.ErrDoubtful):
		return &netkit.Refusal{Kind: netkit.ErrUnknownOutcome, Code: code.OutcomeUnknown, What: "the journal did not say whether this was written",
			Next: "retry with the same Idempotency-Key", After: time.Second}
	}
	return unwritten(err)
}

// unwritten says why nothing of a command was kept.
func unwritten(err error) *netkit.Refusal {
	r := &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.JournalUnavailable, What: "the journal cannot be written at the moment and nothing of this was kept",
		Next: "try again in a second; reads go on", After: time.Second}
	switch {
	case errors.Is(err, journal.ErrLowSpace):
		r.Code, r.What = code.DiskFull, "the network's disk has less room than its operator keeps free and nothing of this was kept"
		r.Next = "try again later; reads go on, and its operator has to make room"
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
func (n *Network) time() (netkit.Millis, error) {
	ms, err := n.clock.Read()
	if err == nil {
		return netkit.Millis(ms), nil
	}
	r := &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.ClockJumped, After: time.Minute}
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

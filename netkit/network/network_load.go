package network

import (
	"bytes"
	"context"
	"fmt"
	"runtime"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/fanout"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// decoded is a journal record as the two folds take it.
type decoded struct {
	entry   rules.Entry
	private rules.Private
	secret  bool                   // there is a private part
	leaf    [journal.HashSize]byte // of the public part
}

// read decodes a record and checks it. It keeps none of the record's memory.
func (d *decoded) read(r journal.Record) error { return d.readWith((*rules.Entry).ReadRecord, r) }

// readWith is read with another way of reading the entry.
func (d *decoded) readWith(read func(*rules.Entry, journal.Record) error, r journal.Record) error {
	if err := read(&d.entry, r); err != nil {
		return err
	}
	d.leaf = journal.Leaf(r.Public)
	if d.private, d.secret = (rules.Private{}), false; r.Private == nil {
		return nil
	}
	p := &d.private
	if err := p.Decode(r.Private); err != nil {
		return fmt.Errorf("%w: entry %d: private part: %w", netkit.ErrCorrupt, r.Seq, err)
	}
	if _, ok := d.entry.Fact.(rules.SecretFact); ok {
		p.Text = bytes.Clone(p.Text)
	} else {
		p.Text = nil // content: read from the journal when somebody asks for it
	}
	d.secret = true
	return nil
}

// take applies a decoded record to both folds and the tree, if it carries on
// from there.
func (n *Network) take(d *decoded) error {
	if err := n.state.Continues(&d.entry); err != nil {
		return err
	}
	n.state.Take(&d.entry)
	n.tree.follow(d.leaf)
	private := &d.private
	if !d.secret {
		private = nil
	}
	n.takeSecret(&d.entry, private)
	if n.beside != nil {
		n.beside.Take(&d.entry, private)
		n.beside.Commit()
	}
	if n.followed != nil {
		n.followed.note(n, &d.entry)
	}
	return nil
}

// takeSecret applies an entry with its private part to the second fold.
func (n *Network) takeSecret(e *rules.Entry, p *rules.Private) {
	n.secrets.Take(e, p)
	if _, ok := e.Fact.(rules.SecretFact); ok {
		n.tokens.forget()
	}
}

// follow applies one stored record.
func (n *Network) follow(r journal.Record) error {
	var d decoded
	if err := d.read(r); err != nil {
		return err
	}
	if err := n.take(&d); err != nil {
		return err
	}
	return n.tree.agree(context.Background(), n.store)
}

// commit forgets the before-images.
func (n *Network) commit() {
	n.state.Commit()
	n.secrets.Commit()
	n.tree.commit()
}

// replay applies what stands in the journal beyond the state, and checks that
// it goes as far as the head.
func (n *Network) replay(ctx context.Context, head journal.Head) error {
	take := n.takeAhead
	if n.pace != nil {
		take = n.takeBeside
	}
	failed := take(ctx, head)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("netkit: stopped while replaying: %w", err)
	}
	if failed != nil {
		return failed
	}
	if n.state.Size() != head.Size {
		return fmt.Errorf("%w: it ends before entry %d, its head says %d", netkit.ErrCorrupt, n.state.Size(), head.Size)
	}
	return unexplained(ctx, n.store, n.secrets.Missed.M, head.Size)
}

// takeBeside replays in one goroutine, so that commands find a processor free.
func (n *Network) takeBeside(ctx context.Context, head journal.Head) error {
	for r, err := range n.store.Read(ctx, n.state.Size(), head.Size) {
		if err == nil {
			err = n.follow(r)
		}
		if err != nil {
			return err
		}
		if r.Seq%replayChunk == 0 {
			n.commit()
			n.pace.Taken.Store(r.Seq + 1)
			n.pace.Rest()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	n.commit()
	return nil
}

// takeAhead replays as fast as it can. Decoding costs more than applying, so it
// runs ahead on a core of its own.
func (n *Network) takeAhead(ctx context.Context, head journal.Head) error {
	var decoder rules.EntryDecoder
	decode := func(d *decoded, r journal.Record) error { return d.readWith(decoder.ReadRecord, r) }
	for records, err := range decodeAhead(ctx, n.store.Read(ctx, n.state.Size(), head.Size), decode) {
		for i := range records {
			if err := n.take(&records[i]); err != nil {
				return err
			}
		}
		if err == nil {
			err = n.tree.agree(ctx, n.store)
		}
		if err != nil {
			return err
		}
		n.commit()
	}
	return nil
}

// replayChunk is how many records are taken between two commits.
const replayChunk = 256

// newState returns a state that shares long work among the processors, and lets
// others go first while a snapshot is made or read.
func newState() *rules.State {
	s := rules.NewState()
	s.Use(hooks)
	return s
}

var hooks = rules.Hooks{Spread: fanout.Each, Yield: runtime.Gosched}

// load brings the state up to the journal's head, writing genesis first if
// the journal is empty.
func (n *Network) load(ctx context.Context, cfg Config) (journal.Head, error) {
	head, err := n.store.Head(ctx)
	if err != nil {
		return head, err
	}
	if head.Size == 0 {
		if cfg.Genesis == nil {
			return head, fmt.Errorf("netkit: the journal is empty; give Config.Genesis to begin a network")
		}
		if head, err = n.begin(ctx, cfg.Genesis); err != nil {
			return head, err
		}
	}
	if !cfg.IgnoreSnapshot {
		if err := n.restore(ctx, head); err != nil {
			return head, err
		}
	}
	if err := n.replay(ctx, head); err != nil {
		return head, err
	}
	if err := n.checkHeld(ctx); err != nil {
		return head, err
	}
	n.border = n.state.Size()
	n.state.PlanDeadlines() // a replay leaves deadlines that passed long ago
	n.store.Trust(n.tree.Tree, nil)
	return head, nil
}

// checked returns the store as one that gives back nothing altered. One that
// is checked already stays as it is, so that its owner shares the hashes.
func checked(s journal.Store) *journal.Checked {
	if c, ok := s.(*journal.Checked); ok {
		return c
	}
	return journal.NewChecked(s)
}

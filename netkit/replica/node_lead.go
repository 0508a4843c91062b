package replica

import (
	"context"
	"errors"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

// seen is the beat of a writer as this node saw it change last.
type seen struct {
	term, beat uint64
	at         time.Time
}

// watch beats while the node writes, and looks at the writer's beat while it does
// not.
func (n *Node) watch(ctx context.Context, stop context.CancelCauseFunc) {
	var last seen
	for ctx.Err() == nil {
		err := n.look(ctx, &last)
		if final(err) {
			stop(err)
			return
		}
		if err != nil && ctx.Err() == nil {
			n.report(err)
		}
		timespan.Wait(ctx, n.cfg.Every)
	}
}

func (n *Node) look(ctx context.Context, last *seen) error {
	unfit := n.unfit()
	if term := n.leads.Load(); term != 0 && unfit != nil {
		n.passOn(ctx)
		return unfit
	} else if term != 0 {
		err := n.engine.Beat(ctx, term)
		if !errors.Is(err, journal.ErrClaimed) {
			return err
		}
		n.yield()
	}
	w, err := n.engine.Writer(ctx)
	if err != nil {
		return err
	}
	n.writer.Store(&w)
	n.report(nil)
	if w.Node == Moving { // the engine lacks entries yet
		return nil
	}
	if now := time.Now(); last.at.IsZero() || last.term != w.Term || last.beat != w.Beat {
		*last = seen{w.Term, w.Beat, now}
	}
	silent := w.Node == "" || w.Node == n.cfg.Name || time.Since(last.at) >= n.cfg.Silence
	if !silent || unfit != nil || n.cfg.Follower || n.retired.Load() {
		return nil
	}
	return n.takeOver(ctx, w)
}

// unfit returns why this node is not to write: the reason of Unfit, or that its folder
// could not be written when it was tried last, as on a disk that is full.
func (n *Node) unfit() error {
	if err := n.cfg.Unfit(); err != nil {
		return err
	}
	if err := n.cfg.Store.unkept.Load(); err != nil {
		return *err
	}
	return nil
}

// takeOver makes this node the writer, unless another one was quicker.
func (n *Node) takeOver(ctx context.Context, before journal.Writer) error {
	w, err := n.engine.Claim(ctx, before.Term, n.cfg.Name, n.cfg.Address)
	if errors.Is(err, journal.ErrClaimed) {
		return nil
	}
	if err == nil {
		_, err = n.cfg.Store.Pull(ctx)
	}
	if err != nil {
		return err
	}
	n.writer.Store(&w)
	if err := n.network.Lead(ctx); err != nil {
		n.network.Yield()
		return err
	}
	n.leads.Store(w.Term)
	if n.retired.Load() { // HandOver was called meanwhile
		n.passOn(ctx)
		return nil
	}
	n.report(nil)
	return nil
}

// handOverTime bounds how long a node asks the engine to name no writer.
const handOverTime = 2 * time.Second

// HandOver ends the writing of this node for good, and has another one take over at
// its next look instead of after the writer's silence. Commands under way end.
func (n *Node) HandOver(ctx context.Context) {
	n.retired.Store(true)
	n.passOn(ctx)
}

// passOn ends the writing of this node, and has the engine name no writer.
func (n *Node) passOn(ctx context.Context) {
	term := n.leads.Load()
	n.yield()
	if term == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, handOverTime)
	defer cancel()
	if w, err := n.engine.Claim(ctx, term, "", ""); err == nil { // a failure costs the others the silence
		n.writer.Store(&w)
	}
}

// yield makes this node a follower.
func (n *Node) yield() {
	n.leads.Store(0)
	n.network.Yield()
}

package proof

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint returns the checkpoint that is shown: of the newest head, or of
// the newest one that enough witnesses have cosigned.
func (l *Log) Checkpoint(ctx context.Context) ([]byte, error) {
	h, err := l.show(ctx)
	return h.text, err
}

// show returns the head that is shown, and keeps it first if it is new.
func (l *Log) show(ctx context.Context) (head, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.policy.quorum > 0 {
		if l.shown.N == 0 {
			return head{}, fmt.Errorf("%w: no checkpoint has the cosignatures of %d witnesses", ErrNotWitnessed, l.policy.quorum)
		}
		return l.shown, nil
	}
	if err := l.sign(ctx); err != nil {
		return head{}, err
	}
	if l.shown.N != l.head.N {
		if err := l.replaceShown(ctx, l.head); err != nil {
			return head{}, err
		}
	}
	return l.shown, nil
}

// replaceShown keeps h and shows it from now on.
func (l *Log) replaceShown(ctx context.Context, h head) error {
	if l.keep != nil {
		if err := l.keep(ctx, h.text); err != nil {
			return fmt.Errorf("%w: %w", ErrNotKept, err)
		}
	}
	l.setShown(h)
	return nil
}

func (l *Log) setShown(h head) {
	l.shown = h
	l.latest.Store(&h.Tree)
}

// setLast shows the checkpoint that an earlier process showed last, unless it is
// from before the witnesses were required.
func (l *Log) setLast(ctx context.Context, last []byte) error {
	c, err := OpenCheckpoint(l.policy, last)
	if errors.Is(err, ErrQuorum) {
		return nil
	}
	if err != nil {
		return err
	}
	h, err := l.at(ctx, c.N)
	if err != nil {
		return err
	}
	h.text = last
	l.setShown(h)
	return nil
}

// Witnessed takes a checkpoint that [Log.Sign] made and enough witnesses have
// cosigned, and shows it from now on. A checkpoint of a smaller tree than the one
// that is shown, or with fewer cosignatures, changes nothing.
func (l *Log) Witnessed(ctx context.Context, text []byte) error {
	c, err := OpenCheckpoint(l.policy, text)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.head
	if c.N != h.N {
		if h, err = l.at(ctx, c.N); err != nil {
			return err
		}
	}
	if h.Hash != c.Hash {
		return fmt.Errorf("%w: the root at %d is another one", ErrRolledBack, c.N)
	}
	if c.N < l.shown.N || c.N == l.shown.N && len(text) <= len(l.shown.text) {
		return nil
	}
	h.text = text
	return l.replaceShown(ctx, h)
}

// Latest returns the tree of the newest checkpoint that enough witnesses have
// cosigned, and false before the first and without witnesses. It never waits.
func (l *Log) Latest() (tlog.Tree, bool) {
	t := l.latest.Load()
	if t == nil || l.policy.quorum == 0 {
		return tlog.Tree{}, false
	}
	return *t, true
}

package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Sign returns the newest durable head, signed by the log without its witnesses
// and kept. It signs each size once. An empty journal has nothing to sign.
func (l *Log) Sign(ctx context.Context) (tlog.Tree, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.sign(ctx)
	return l.head.Tree, l.head.text, err
}

// Draw signs the messages by which a network draws reviewers and witnesses, and
// refuses others by their first line. See network.Config.Draw.
func (l *Log) Draw(message []byte) ([]byte, error) {
	if !bytes.HasPrefix(message, []byte("draw of "+l.signer.Name()+"\n")) {
		return nil, errors.New("proof: this is no draw of the log's network")
	}
	return l.signer.Sign(message)
}

// sign signs the head of the journal and keeps it, unless it is signed already.
func (l *Log) sign(ctx context.Context) error {
	have, err := l.store.Head(ctx)
	if err != nil {
		return err
	}
	size := int64(have.Size)
	switch {
	case size == 0:
		return fmt.Errorf("%w: the journal is empty", ErrNotFound)
	case size < max(l.head.N, l.shown.N):
		return fmt.Errorf("%w: it has %d entries, and %d were signed", ErrRolledBack, size, max(l.head.N, l.shown.N))
	case size == l.head.N:
		return nil
	}
	h, err := l.at(ctx, size)
	if err != nil {
		return err
	}
	c := torchwood.Checkpoint{Origin: l.signer.Name(), Tree: h.Tree}
	if h.text, err = note.Sign(&note.Note{Text: c.String()}, l.signer); err != nil {
		return err
	}
	if l.record != nil && !bytes.Equal(h.text, l.kept) {
		if err := l.record(ctx, h.text); err != nil {
			return fmt.Errorf("%w: %w", ErrNotKept, err)
		}
		l.kept = h.text
	}
	l.head = h
	return nil
}

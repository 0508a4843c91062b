package archive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit/timespan"
)

// beginEvery is the pause between two looks for an archive out of reach.
const beginEvery = 100 * time.Millisecond

// run uploads until the context ends or another writer took over.
func (w *Writer) run(ctx context.Context) {
	defer close(w.merging)
	swept := false
	for ctx.Err() == nil {
		begun := w.cfg.Now()
		if !w.begun {
			err := w.begin(ctx)
			if definite(err) {
				w.end(err)
				return
			}
			if !w.report(ctx, err) {
				timespan.Wait(ctx, max(w.cfg.Every, beginEvery))
				continue
			}
		}
		if !swept {
			err := w.sweep(ctx)
			if w.report(ctx, err) {
				swept = true
			} else {
				timespan.Wait(ctx, w.cfg.Every)
				continue
			}
		}
		if !w.awaitEntries(ctx) {
			return
		}
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = w.upload(ctx); errors.Is(err, ErrOtherWriter) {
				w.end(err)
				return
			} else if !w.report(ctx, err) {
				more = false
			}
		}
		timespan.Wait(ctx, max(0, w.cfg.Every-w.cfg.Now().Sub(begun)))
	}
}

// awaitEntries waits for entries to upload, and keeps the small files up to date.
func (w *Writer) awaitEntries(ctx context.Context) bool {
	for ctx.Err() == nil {
		w.report(ctx, w.uploadFiles(ctx))
		w.mu.Lock()
		ready, changed := w.local > w.status.Entries || w.pending != nil, w.changed
		w.mu.Unlock()
		if ready {
			return true
		}
		select {
		case <-changed:
		case <-time.After(filesEvery):
		case <-ctx.Done():
		}
	}
	return false
}

// report notes how a request ended, and returns whether it succeeded.
func (w *Writer) report(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	w.mu.Lock()
	first := false
	switch {
	case err == nil:
		w.failing, w.status.Problem = time.Time{}, ""
	default:
		if first = w.failing.IsZero(); first {
			w.failing = w.cfg.Now()
		}
		w.status.Problem = err.Error()
	}
	w.mu.Unlock()
	if first {
		w.cfg.Alarm(fmt.Errorf("the archive %s is behind: %w", w.cfg.Store, err))
	}
	return err == nil
}

// end stops writing for good.
func (w *Writer) end(err error) {
	w.mu.Lock()
	w.fatal, w.status.Replaced = err, true
	w.wake()
	w.mu.Unlock()
	w.cfg.Alarm(err)
}

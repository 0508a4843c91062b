package network

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// maxFollowedFiles bounds the files that wait for [Network.WaitFiles].
const maxFollowedFiles = 1 << 14

// followed collects the entries that were read from the journal, and not decided here,
// and that concern more than the state: dispatches with files, and erasures.
type followed struct {
	mu      sync.Mutex
	named   []netkit.Hash // for WaitFiles
	erasing bool          // for WaitFiles
	erased  []erasure     // whose texts the snapshot may hold
	files   chan struct{} // holds one where there is something for WaitFiles
	texts   chan struct{} // the same for erased
}

// erasure is an entry by which the private part of another one is erased.
type erasure struct{ seq, of uint64 }

func newFollowed() *followed {
	return &followed{files: make(chan struct{}, 1), texts: make(chan struct{}, 1)}
}

// note collects an entry that was read from the journal.
func (f *followed) note(n *Network, e *rules.Entry) {
	if gone, ok := rules.ErasedBy(e.Fact); ok {
		n.events.drop(gone)
		f.noteErasure(erasure{e.Seq, gone})
	}
	if p, ok := e.Fact.(*rules.Published); ok {
		f.noteFiles(p)
	}
}

func (f *followed) noteErasure(e erasure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.erasing, f.erased = true, append(f.erased, e)
	wake(f.files)
	wake(f.texts)
}

func (f *followed) noteFiles(p *rules.Published) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, file := range []netkit.Hash{p.Audio.SHA256, p.Transcript.SHA256} {
		if file != (netkit.Hash{}) && len(f.named) < maxFollowedFiles {
			f.named = append(f.named, file)
			wake(f.files)
		}
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// WaitFiles waits for entries that were read from the journal, at the start or since
// another process wrote them, and that may concern recordings and transcripts. It
// returns the files that dispatches began to name since the last call, the first 16,384
// of them, and whether a private part was erased. The error is the context's.
func (n *Network) WaitFiles(ctx context.Context) (named []netkit.Hash, erasure bool, err error) {
	f := n.followed
	select {
	case <-f.files:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	named, erasure = f.named, f.erasing
	f.named, f.erasing = nil, false
	return named, erasure, nil
}

// forgetErased sets the snapshot aside where an erasure that was read from the journal
// concerns it, until the context ends.
func (n *Network) forgetErased(ctx context.Context) {
	for {
		select {
		case <-n.followed.texts:
		case <-ctx.Done():
			return
		}
		n.followed.mu.Lock()
		erased := n.followed.erased
		n.followed.erased = nil
		n.followed.mu.Unlock()
		for _, e := range erased {
			if err := n.forgetText(ctx, e); err != nil && ctx.Err() == nil {
				n.alarm(fmt.Errorf("netkit: entry %d was erased, and the snapshot may still hold its text: %w", e.of, err))
			}
		}
	}
}

// forgetText sets the snapshot aside if it is older than an erasure and may hold the
// erased text.
func (n *Network) forgetText(ctx context.Context, e erasure) error {
	size, r, err := n.store.ReadSnapshot(ctx)
	if errors.Is(err, journal.ErrNoSnapshot) {
		return nil
	}
	if err == nil {
		err = r.Close()
	}
	if err != nil || size > e.seq {
		return err
	}
	of, err := n.Entry(ctx, e.of)
	if err != nil {
		return err
	}
	if _, secret := of.Fact.(rules.SecretFact); secret {
		err = n.forgetSnapshot(ctx)
	}
	return err
}

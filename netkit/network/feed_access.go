package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
)

// Dispatch returns one dispatch: a P0 one to everybody, a paid one to who has
// opened it. It never charges.
//
// Refusals: dispatch_not_open, dispatch_unknown.
func (ses *Session) Dispatch(ctx context.Context, id uint64) (netkit.Dispatch, error) {
	d, err := ses.n.dispatchRow(ctx, id)
	if err != nil {
		return netkit.Dispatch{}, err
	}
	open, err := view(ctx, ses.n, func(s *rules.State) (bool, error) { return s.Open(ses.by.Slug, d), nil })
	switch {
	case err != nil:
		return netkit.Dispatch{}, err
	case open:
		return ses.n.readDispatch(ctx, d)
	case ses.by.Slug == "":
		return netkit.Dispatch{}, netkit.Refuse(netkit.ErrUnauthenticated, code.Unauthenticated, "a "+d.Priority.String()+" dispatch is read by an agent that paid for it", "{withToken}")
	}
	return netkit.Dispatch{}, netkit.Refuse(netkit.ErrInsufficientCredits, code.DispatchNotOpen, "you have not opened this dispatch", "{readFeed} opens the newest")
}

// CanFetch reports whether a standing dispatch names a stored recording or
// transcript, and whether the caller may fetch it: those of P0 dispatches
// everybody may, those of paid ones who has opened such a dispatch. The caller
// may give the id of a dispatch that names the file; with 0 the whole journal is
// searched for old ones.
func (ses *Session) CanFetch(ctx context.Context, file netkit.Hash, id uint64) (named, may bool, err error) {
	look := func(old []rules.Dispatch) error {
		got, err := view(ctx, ses.n, func(s *rules.State) (rules.FileAccess, error) { return s.FileAccess(file, ses.by.Slug, old), nil })
		named, may = named || got.Named, may || got.May
		return err
	}
	if id != 0 {
		d, err := ses.n.dispatchRow(ctx, id)
		if err == nil {
			err = look([]rules.Dispatch{*d})
		}
		if may || err != nil && !errors.Is(err, netkit.ErrNotFound) {
			return named, may, err
		}
	}
	err = look(nil)
	if may || id != 0 || err != nil {
		return named, may, err
	}
	err = ses.n.oldDispatches(ctx, look)
	return named, may, err
}

// AudioKeep reports whether a standing dispatch of the last two days names a
// stored file. It may tell of a dispatch that is not durable yet.
func (n *Network) AudioKeep(file netkit.Hash) bool {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.FileAccess(file, "", nil).Named
}

// NamedFiles returns the recordings and transcripts that dispatches name: true
// where one stands, false where all of them are erased. It reads every archived
// dispatch, which takes a while in an old network.
func (n *Network) NamedFiles(ctx context.Context) (map[netkit.Hash]bool, error) {
	all := map[netkit.Hash]bool{}
	note := func(old []rules.Dispatch) error {
		_, err := view(ctx, n, func(s *rules.State) (struct{}, error) { s.NoteFiles(all, old); return struct{}{}, nil })
		return err
	}
	// Those in memory first: what leaves it meanwhile is then met again.
	err := note(nil)
	if err == nil {
		err = n.oldDispatches(ctx, note)
	}
	delete(all, netkit.Hash{})
	return all, err
}

// ErasedFiles returns the recording and the transcript of an erased dispatch
// that no other dispatch names, so that they have to go; nothing for other
// entries.
func (n *Network) ErasedFiles(ctx context.Context, entry uint64) (gone []netkit.Hash, err error) {
	d, err := n.dispatchRow(ctx, entry)
	if errors.Is(err, netkit.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := n.NamedFiles(ctx)
	for _, file := range d.Files() {
		if standing, named := all[file]; named && !standing {
			gone = append(gone, file)
		}
	}
	return gone, err
}

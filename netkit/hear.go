package netkit

import "context"

// open reports whether what was published by entry id at a priority may be had
// in full without paying now.
func (s *state) open(slug string, priority Priority, id uint64) bool {
	if !s.paid(priority) {
		return true
	}
	_, p, ok := s.party(slug)
	return ok && p.kind == AgentParty && id <= s.extra(p).opened
}

// Dispatch returns one dispatch: a P0 one to everybody, a paid one to who has
// opened it. It never charges.
func (n *Network) Dispatch(ctx context.Context, by Caller, id uint64) (Dispatch, error) {
	row, err := view(ctx, n, func(s *state) (dispatch, error) {
		_, d, err := s.dispatch("id", id)
		switch {
		case err != nil:
			return dispatch{}, err
		case s.open(by.Slug, d.priority, d.id):
			return *d, nil
		case by.Slug == "":
			return dispatch{}, refuse(ErrUnauthenticated, "unauthenticated", "a "+d.priority.String()+" dispatch is read by an agent that paid for it", "send Authorization: Bearer TOKEN")
		}
		return dispatch{}, refuse(ErrInsufficientCredits, "dispatch_not_open", "you have not opened this dispatch", "a paid {readFeed} opens all that are published")
	})
	if err != nil {
		return Dispatch{}, err
	}
	return n.readDispatch(ctx, &row)
}

// CanHear reports whether the caller may fetch a stored recording or
// transcript: those of P0 dispatches everybody may, those of paid ones who has
// opened such a dispatch. What no dispatch names nobody may.
func (n *Network) CanHear(ctx context.Context, by Caller, file Hash) (bool, error) {
	return view(ctx, n, func(s *state) (bool, error) {
		named, _ := s.media.get(file)
		for priority, id := range named {
			if id != 0 && s.open(by.Slug, Priority(priority), id) {
				return true, nil
			}
		}
		return false, nil
	})
}

// AudioKeep reports whether a standing dispatch names a stored file, so that the
// sweep of orphans must leave it. It may tell of a dispatch that is not durable
// yet.
func (n *Network) AudioKeep(file Hash) bool {
	m, _ := n.mediaOf(file)
	return m != media{}
}

// AudioErased reports whether the only dispatches that name a stored file are
// erased, so that it has to go.
func (n *Network) AudioErased(file Hash) bool {
	m, named := n.mediaOf(file)
	return named && m == media{}
}

func (n *Network) mediaOf(file Hash) (media, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.state.media.get(file)
}

// ErasedFiles returns the recording and the transcript of an erased dispatch
// that no other dispatch names, so that they have to go; nothing for other
// entries.
func (n *Network) ErasedFiles(ctx context.Context, entry uint64) ([]Hash, error) {
	return view(ctx, n, func(s *state) (gone []Hash, _ error) {
		_, d, err := s.dispatch("", entry)
		if err != nil {
			return nil, nil
		}
		for file := range d.files {
			if m, _ := s.media.get(file); m == (media{}) {
				gone = append(gone, file)
			}
		}
		return gone, nil
	})
}

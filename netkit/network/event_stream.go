package network

import (
	"bytes"
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Stretch reads what the durable entries [from, to) tell all readers, so that
// each entry is decoded once, however many there are. It serves those who keep
// up: from must not lie before the start of this process.
func (n *Network) Stretch(ctx context.Context, from, to uint64) (rules.Stretch, error) {
	var s rules.Stretch
	r := entryRun{n: n, from: from, to: min(to, n.Size()), erased: &s.Erased}
	n.mu.RLock()
	notices, whole, changes := n.state.NoticesBetween(r.from, r.to)
	s.Changes = changes + n.secrets.Tokens.Ended()
	n.mu.RUnlock()
	r.notices, s.Partial = notices, !whole
	for e, err := range r.events(ctx) {
		if err != nil {
			return s, err
		}
		s.Events = append(s.Events, e)
	}
	return s, nil
}

// entryRun goes through a run of durable entries and makes the events that they
// tell. What the notices are is looked up once, so that an entry costs no lock.
type entryRun struct {
	n        *Network
	only     *rules.Subscription // of the only reader, so that what it cannot want is not decoded; nil for all readers
	from, to uint64
	notices  []rules.Addressed // to be told, in the order of their entries
	erased   *uint64           // receives the latest erased entry; may be nil
	told     []rules.ToldEvent // of the entry at hand
}

// events yields what the entries tell, first to everybody, then to single
// readers.
func (r *entryRun) events(ctx context.Context) iter.Seq2[rules.ToldEvent, error] {
	return func(yield func(rules.ToldEvent, error) bool) {
		for x, err := range r.n.sharedEntries(ctx, r.from, r.to) {
			if err == nil {
				err = r.tell(ctx, x)
			}
			if err != nil {
				yield(rules.ToldEvent{}, netkit.EntryDamaged(err))
				return
			}
			for _, e := range r.told {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// tell makes the events of one entry.
func (r *entryRun) tell(ctx context.Context, x *sharedEntry) error {
	r.told = r.told[:0]
	kind := x.kind
	name, public := rules.EventOf(kind)
	public = public && (r.only == nil || r.only.MayWant(name))
	delivers := kind == netkit.KindExecution && (r.only == nil || r.only.MayWant(netkit.EventDelivered))
	notices := r.noticesOf(x.seq)
	erases := r.erased != nil && kind == netkit.KindPrivateErased
	if !public && !delivers && len(notices) == 0 && !erases {
		return nil
	}
	e, p, err := x.decode(r.n)
	if err != nil {
		return err
	}
	if erases {
		gone, _ := rules.ErasedBy(e.Fact)
		*r.erased = max(*r.erased, gone)
	}
	if public {
		ev, err := e.Event(p)
		if err != nil {
			return err
		}
		r.told = append(r.told, ev)
	}
	if delivers {
		resold, err := r.resold(ctx, e)
		if err != nil {
			return err
		}
		data, err := r.data(ctx, e, p)
		if err != nil {
			return err
		}
		r.told = append(r.told, e.DeliveryEvent(resold, data))
	}
	for _, t := range notices {
		r.told = append(r.told, t.Event(e))
	}
	return nil
}

// resold reports whether the event of an execution says that its signal was resold.
// It does under an exclusive contract, where the sponsor may act on it at once;
// others see the mark beside the signal, which costs the readers of events nothing.
func (r *entryRun) resold(ctx context.Context, e *rules.Entry) (bool, error) {
	if !e.Fact.(*rules.Executed).Exclusive {
		return false, nil
	}
	return r.n.resold(ctx, e)
}

// data returns the data of a signal for the event of its execution: of a structured
// contract, unless a crisis suppresses it or it was erased.
func (r *entryRun) data(ctx context.Context, e *rules.Entry, p *rules.Private) (netkit.JSON, error) {
	f := e.Fact.(*rules.Executed)
	if !f.Structured || p == nil || len(p.Text) == 0 {
		return "", nil
	}
	suppressed, err := view(ctx, r.n, func(s *rules.State) (bool, error) { return s.Blackout(), nil })
	if err == nil && suppressed {
		suppressed, err = rules.Commercial(f.Campaign, r.n.reader(ctx))
	}
	if err != nil || suppressed {
		return "", err
	}
	var g signalText
	err = p.Read(&g)
	return g.Data, err
}

// noticesOf takes the notices of entry seq, and drops those of earlier ones.
func (r *entryRun) noticesOf(seq uint64) []rules.Addressed {
	for len(r.notices) > 0 && r.notices[0].Entry() < seq {
		r.notices = r.notices[1:]
	}
	n := 0
	for n < len(r.notices) && r.notices[n].Entry() == seq {
		n++
	}
	found := r.notices[:n]
	r.notices = r.notices[n:]
	return found
}

// peekKind finds an entry's kind without decoding it: what stands before it
// are numbers, so the first field of that name is the one.
func peekKind(public []byte) netkit.Kind {
	_, rest, _ := bytes.Cut(public, []byte(`"kind":"`))
	kind, _, _ := bytes.Cut(rest, []byte{'"'})
	return netkit.Kind(kind)
}

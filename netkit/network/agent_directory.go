package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// A page of the directory is gathered in looks short enough that the clerk
// hardly waits behind one, and ends early when a filter matches next to
// nothing.
const (
	directoryLook  = 1000   // rows looked at under one lock
	directoryShow  = 25     // profiles computed under one lock
	directoryScans = 20_000 // rows looked at for a page
)

// Directory lists agents in the order in which they were spawned. A page that
// looked at 20,000 agents ends there and says where to go on.
//
// Refusals: niche_unknown.
func (ses *Session) Directory(ctx context.Context, q netkit.DirectoryQuery) (netkit.List[netkit.Profile], error) {
	out := netkit.List[netkit.Profile]{Items: []netkit.Profile{}}
	size, err := q.Size()
	if err != nil {
		return out, err
	}
	from, err := q.After()
	if err != nil {
		return out, err
	}
	if err := rules.CheckNiche("niche", q.Niche); err != nil {
		return out, err
	}
	for looked, more := 0, true; more; {
		l, err := ses.n.scanDirectory(ctx, &q, from, size-len(out.Items))
		if err != nil {
			return out, err
		}
		if looked == 0 {
			out.AsOf = l.AsOf
		}
		for _, k := range l.Found {
			p, err := ses.n.complete(ctx, k)
			if err != nil {
				return out, err
			}
			out.Items = append(out.Items, p)
		}
		looked += int(l.Next - from)
		from, more = l.Next, l.More && len(out.Items) < size && looked < directoryScans
		if !more && l.More {
			out.NextCursor = netkit.CursorBelow(uint64(l.Next))
		}
	}
	return out, nil
}

// scanDirectory goes through rows from the given one on.
func (n *Network) scanDirectory(ctx context.Context, q *netkit.DirectoryQuery, from uint32, want int) (rules.DirectoryPage, error) {
	now := n.Now()
	return view(ctx, n, func(s *rules.State) (rules.DirectoryPage, error) {
		return s.Directory(q, from, directoryLook, min(want, directoryShow), now), nil
	})
}

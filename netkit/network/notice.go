package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Notices lists what concerns the caller, newest first. The network keeps the
// latest hundred at least; the journal has them all.
func (ses *Session) Notices(ctx context.Context, page netkit.Page) (netkit.List[netkit.Notice], error) {
	size, before, err := page.Window()
	if err != nil {
		return netkit.List[netkit.Notice]{}, err
	}
	kept, out, err := ses.notices(ctx, before, size)
	if err != nil {
		return out, err
	}
	for _, t := range kept {
		v, err := ses.n.notice(ctx, ses.by.Slug, t)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

// notices picks a page of the kept ones, and the list that they go into.
func (ses *Session) notices(ctx context.Context, before uint64, size int) (kept []rules.Notice, out netkit.List[netkit.Notice], err error) {
	now := ses.n.Now()
	kept, err = view(ctx, ses.n, func(s *rules.State) ([]rules.Notice, error) {
		out = netkit.List[netkit.Notice]{Items: []netkit.Notice{}, AsOf: s.AsOf(now)}
		page, next, err := s.Notices(ses.by, before, size)
		out.NextCursor = next
		return page, err
	})
	return kept, out, err
}

// notice renders one from its entry.
func (n *Network) notice(ctx context.Context, reader string, t rules.Notice) (netkit.Notice, error) {
	e, err := n.Entry(ctx, t.Seq)
	if err != nil {
		return netkit.Notice{}, err
	}
	return t.Render(e, reader), nil
}

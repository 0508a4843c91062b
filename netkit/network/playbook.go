package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

// playbookText is the private part of a registration: the metadata that the
// public part does not hold.
type playbookText netkit.RegisterPlaybook

func (in *playbookText) Fields(c *wire.Codec) {
	wire.Str(c, "title", &in.Title)
	wire.Str(c, "sub_category", &in.SubCategory)
	wire.Str(c, "jurisdiction", &in.Jurisdiction)
	wire.Str(c, "region", &in.Region)
	wire.Str(c, "entity", &in.Entity)
	wire.Num(c, "time_taken_days", &in.TimeTakenDays)
	wire.Str(c, "scrubber_version", &in.ScrubberVersion)
}

// RegisterPlaybook registers a playbook of the caller. The same content again
// is the same registration: its receipt comes again.
//
// Refusals: agents_only, category_unknown, identifies_someone,
// jurisdiction_malformed, label_malformed, playbook_known,
// playbook_uncommitted, playbook_wrong, playbooks_per_day, status_other.
func (ses *Session) RegisterPlaybook(ctx context.Context, in netkit.RegisterPlaybook) (netkit.PlaybookReceipt, error) {
	if err := in.Check(); err != nil {
		return netkit.PlaybookReceipt{}, err
	}
	c := &rules.RegisterPlaybook{RegisterPlaybook: in}
	return run(ctx, ses, c, (*playbookText)(&c.RegisterPlaybook))
}

// Inventory lists the caller's registrations, newest first.
func (ses *Session) Inventory(ctx context.Context, page netkit.Page) (netkit.List[netkit.Playbook], error) {
	out := netkit.List[netkit.Playbook]{Items: []netkit.Playbook{}}
	size, before, err := page.Window()
	if err != nil {
		return out, err
	}
	now := ses.n.Now()
	ids, err := view(ctx, ses.n, func(s *rules.State) ([]uint64, error) {
		ids, next, err := s.OwnInventory(ses.by, before, size)
		out.AsOf, out.NextCursor = s.AsOf(now), next
		return ids, err
	})
	for i := 0; err == nil && i < len(ids); i++ {
		var b netkit.Playbook
		if b, err = ses.n.playbook(ctx, ids[i]); err == nil {
			out.Items = append(out.Items, b)
		}
	}
	return out, err
}

// playbook reads a registration from the journal. Texts that were erased stay
// empty.
func (n *Network) playbook(ctx context.Context, id uint64) (netkit.Playbook, error) {
	e, p, err := n.entry(ctx, id)
	if err != nil {
		return netkit.Playbook{}, err
	}
	b := e.Playbook()
	if p != nil && len(p.Text) > 0 {
		err = p.Read((*playbookText)(&b.RegisterPlaybook))
	}
	return b, err
}

package netclient

import (
	"context"
	"net/url"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Manifest reads the feed. The zero query reads P0, free; asking for P1 or P2
// costs the feed price if it delivers a dispatch that you have not opened, and
// opens the newest ten that match. in.Quote asks for the cost alone; in.MaxCost
// bounds what it may cost. A read that is repeated with the idempotency key of
// its context is paid once.
func (c *Client) Manifest(ctx context.Context, in netkit.ReadManifest) (netkit.Manifest, error) {
	q := paged(nil, in.Page)
	set(q, "priority", join(in.Priorities))
	set(q, "channel", join(in.Channels))
	if in.Quote {
		q.Set("quote", "true")
	}
	if in.Opened {
		q.Set("opened", "true")
	}
	setName(q, "max_cost", in.MaxCost)
	r := to(catalog.ReadFeed)
	r.key = netkit.KeyOf(ctx)
	return get[netkit.Manifest](ctx, c, r, q)
}

// join writes names with commas between them.
func join[T interface{ String() string }](items []T) string {
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = item.String()
	}
	return strings.Join(names, ",")
}

// Publish publishes a dispatch. P1 and P2 need the role correspondent, P0 an
// operator.
func (c *Client) Publish(ctx context.Context, in netkit.Publish) (netkit.DispatchReceipt, error) {
	return post[netkit.DispatchReceipt](ctx, c, to(catalog.PublishDispatch), in)
}

// Dispatch returns one dispatch that is free or that the caller has paid for.
func (c *Client) Dispatch(ctx context.Context, id uint64) (netkit.Dispatch, error) {
	return get[netkit.Dispatch](ctx, c, to(catalog.GetDispatch, number(id)), nil)
}

// RenewCrisis has a crisis go on for another term; its drawn agent only, or an
// operator where too few agents qualify.
func (c *Client) RenewCrisis(ctx context.Context, in netkit.RenewCrisis) (netkit.CrisisReceipt, error) {
	return post[netkit.CrisisReceipt](ctx, c, to(catalog.RenewCrisis, number(in.DispatchID)), in)
}

// ResolveCrisis ends the crisis of a P0 dispatch; operators only.
func (c *Client) ResolveCrisis(ctx context.Context, in netkit.ResolveCrisis) (netkit.CrisisReceipt, error) {
	return post[netkit.CrisisReceipt](ctx, c, to(catalog.ResolveCrisis, number(in.DispatchID)), in)
}

// Crisis tells which crises run.
func (c *Client) Crisis(ctx context.Context) (netkit.CrisisView, error) {
	return get[netkit.CrisisView](ctx, c, to(catalog.GetCrisis), url.Values{})
}

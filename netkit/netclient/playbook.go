package netclient

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// CommitPlaybook commits to a playbook that is registered next.
func (c *Client) CommitPlaybook(ctx context.Context, in netkit.CommitPlaybook) (netkit.CommitmentReceipt, error) {
	return post[netkit.CommitmentReceipt](ctx, c, to(catalog.CommitPlaybook), in)
}

// RegisterPlaybook registers a resolved case by its metadata; the content
// stays where it is.
func (c *Client) RegisterPlaybook(ctx context.Context, in netkit.RegisterPlaybook) (netkit.PlaybookReceipt, error) {
	return post[netkit.PlaybookReceipt](ctx, c, to(catalog.RegisterPlaybook), in)
}

// Inventory lists the caller's registered playbooks.
func (c *Client) Inventory(ctx context.Context, page netkit.Page) (netkit.List[netkit.Playbook], error) {
	return get[netkit.List[netkit.Playbook]](ctx, c, to(catalog.ListPlaybooks), paged(nil, page))
}

// AllInventory walks the inventory.
func (c *Client) AllInventory(ctx context.Context, page netkit.Page) iter.Seq2[netkit.Playbook, error] {
	return all(ctx, page, c.Inventory)
}

// Exchange reports whether the playbook exchange is open.
func (c *Client) Exchange(ctx context.Context) (netkit.Exchange, error) {
	return get[netkit.Exchange](ctx, c, to(catalog.GetExchange), nil)
}

// OpenExchange opens the exchange, which registers intent; operators only.
func (c *Client) OpenExchange(ctx context.Context, in netkit.OpenExchange) (netkit.ExchangeReceipt, error) {
	return post[netkit.ExchangeReceipt](ctx, c, to(catalog.OpenExchange), in)
}

// CloseExchange makes the exchange planned again; operators only.
func (c *Client) CloseExchange(ctx context.Context, in netkit.CloseExchange) (netkit.ExchangeReceipt, error) {
	return post[netkit.ExchangeReceipt](ctx, c, to(catalog.CloseExchange), in)
}

// CreatePlant adds a plant to the plant store.
func (c *Client) CreatePlant(ctx context.Context, in netkit.CreatePlant) (netkit.Plant, error) {
	return post[netkit.Plant](ctx, c, to(catalog.CreatePlant), in)
}

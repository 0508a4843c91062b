package netclient

import (
	"context"
	"iter"

	"github.com/agentnet/netctl/netkit"
)

// RegisterPlaybook registers a resolved case by its metadata; the content
// stays where it is.
func (c *Client) RegisterPlaybook(ctx context.Context, in netkit.RegisterPlaybook) (netkit.PlaybookReceipt, error) {
	return post[netkit.PlaybookReceipt](ctx, c, "/api/btdt/register", in)
}

// Inventory lists the caller's registered playbooks.
func (c *Client) Inventory(ctx context.Context, page netkit.Page) (netkit.List[netkit.Playbook], error) {
	return get[netkit.List[netkit.Playbook]](ctx, c, "/api/btdt/inventory", paged(nil, page))
}

// AllInventory walks the inventory.
func (c *Client) AllInventory(ctx context.Context, page netkit.Page) iter.Seq2[netkit.Playbook, error] {
	return all(ctx, page, c.Inventory)
}

// Exchange tells whether the playbook exchange is open.
func (c *Client) Exchange(ctx context.Context) (netkit.Exchange, error) {
	return get[netkit.Exchange](ctx, c, "/api/exchange", nil)
}

// OpenExchange opens the exchange for good; operators only.
func (c *Client) OpenExchange(ctx context.Context, in netkit.OpenExchange) (netkit.ExchangeReceipt, error) {
	return post[netkit.ExchangeReceipt](ctx, c, "/api/exchange/open", in)
}

// CreatePlant adds a plant to the plant store.
func (c *Client) CreatePlant(ctx context.Context, in netkit.CreatePlant) (netkit.Plant, error) {
	return post[netkit.Plant](ctx, c, "/plants", in)
}

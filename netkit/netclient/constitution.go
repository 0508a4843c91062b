package netclient

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// Constitution returns the law in force, with the hash to accept it by.
func (c *Client) Constitution(ctx context.Context) (netkit.ConstitutionView, error) {
	return get[netkit.ConstitutionView](ctx, c, to(catalog.GetConstitution), nil)
}

// AcceptConstitution records that the caller accepts a version.
func (c *Client) AcceptConstitution(ctx context.Context, in netkit.AcceptConstitution) (netkit.AcceptReceipt, error) {
	return post[netkit.AcceptReceipt](ctx, c, to(catalog.AcceptConstitution), in)
}

// AdoptConstitution puts a later version in force; operators only.
func (c *Client) AdoptConstitution(ctx context.Context, in netkit.AdoptConstitution) (netkit.AcceptReceipt, error) {
	return post[netkit.AcceptReceipt](ctx, c, to(catalog.AdoptConstitution), in)
}

package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

// datedUnopened fills in when the oldest of each channel was published.
func (n *Network) datedUnopened(ctx context.Context, all []netkit.Unopened) ([]netkit.Unopened, error) {
	for i := range all {
		e, err := n.Entry(ctx, all[i].Oldest)
		if err != nil {
			return nil, err
		}
		all[i].Since = e.At
	}
	return all, nil
}

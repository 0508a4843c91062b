package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// OpenExchange opens the exchange.
//
// Refusals: exchange_open.
func (ses *Session) OpenExchange(ctx context.Context, in netkit.OpenExchange) (netkit.ExchangeReceipt, error) {
	if err := netkit.CheckText("reason", in.Reason, 1, 500); err != nil {
		return netkit.ExchangeReceipt{}, err
	}
	c := &rules.OpenExchange{OpenExchange: in}
	return run(ctx, ses, c, c)
}

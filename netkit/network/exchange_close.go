package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// CloseExchange undoes the opening of the exchange, except for the notices sent.
//
// Refusals: exchange_not_open.
func (ses *Session) CloseExchange(ctx context.Context, in netkit.CloseExchange) (netkit.ExchangeReceipt, error) {
	if err := netkit.CheckText("reason", in.Reason, 1, 500); err != nil {
		return netkit.ExchangeReceipt{}, err
	}
	c := &rules.CloseExchange{CloseExchange: in}
	return run(ctx, ses, c, c)
}

// Exchange says where the exchange stands.
func (ses *Session) Exchange(ctx context.Context) (netkit.Exchange, error) {
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *rules.State) (netkit.Exchange, error) { return s.Exchange(now), nil })
}

package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// RevokeToken withdraws a token of the caller; an operator may withdraw any,
// and states a reason for that of another party.
//
// Refusals: reason_missing, token_unknown.
func (ses *Session) RevokeToken(ctx context.Context, in netkit.RevokeToken) (netkit.TokenReceipt, error) {
	c := &rules.RevokeToken{RevokeToken: in}
	if row := ses.n.tokenRow(in.TokenID); row != nil {
		c.Owner = row.Owner
	}
	r, err := run(ctx, ses, c, nil)
	if err != nil {
		return r, err
	}
	r.Last, err = view(ctx, ses.n, func(s *rules.State) (bool, error) {
		return s.LockedOut(ses.n.secrets, r.Owner, r.At), nil
	})
	return r, err
}

// Tokens describes the caller's tokens, oldest first.
func (ses *Session) Tokens(ctx context.Context) ([]netkit.TokenInfo, error) {
	return view(ctx, ses.n, func(s *rules.State) ([]netkit.TokenInfo, error) { return s.TokensOf(ses.n.secrets, ses.by) })
}

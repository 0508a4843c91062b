package network

import (
	"context"
	"slices"

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
		_, p, ok := s.Party(r.Owner)
		return ok && ses.n.secrets.Usable(s, p, r.At) == 0, nil
	})
	return r, err
}

// Tokens describes the caller's tokens, oldest first.
func (ses *Session) Tokens(ctx context.Context) ([]netkit.TokenInfo, error) {
	return view(ctx, ses.n, func(s *rules.State) ([]netkit.TokenInfo, error) {
		_, p, err := s.Reader(ses.by)
		if err != nil {
			return nil, err
		}
		out := []netkit.TokenInfo{}
		for _, id := range append([]uint64{p.Seq}, s.Extra(p).Tokens...) {
			if row, ok := ses.n.secrets.Tokens.ByID(id); ok {
				out = append(out, netkit.TokenInfo{TokenID: id, Scopes: slices.Clone(row.Scopes), ExpiresAt: netkit.Millis(row.Expires), SpendCap: capCredits(row.Limit), Spent: netkit.Credits(row.Spent)})
			}
		}
		return out, nil
	})
}

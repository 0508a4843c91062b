package network

import (
	"context"
	"errors"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// IssueToken gives the caller, or for an operator another party, a token.
//
// Refusals: agent_token, expiry_later, operator_token, party_unknown,
// scope_broader, scope_operator, scope_twice, scope_unknown, scopes_missing,
// token_capped, too_many_tokens.
func (ses *Session) IssueToken(ctx context.Context, in netkit.IssueToken) (netkit.TokenReceipt, error) {
	c := &rules.IssueToken{IssueToken: in, Parent: ses.n.tokenRow(ses.by.Token)}
	token, err := ses.n.mint(in.TokenSHA256, &c.Hash)
	if err != nil {
		return netkit.TokenReceipt{}, err
	}
	out, again, err := perform(ctx, ses, c, c)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, netkit.ErrConflict) && in.TokenSHA256 != nil {
		if id, ok := ses.issued(in); ok {
			e, err := ses.n.Entry(ctx, id)
			if err != nil {
				return netkit.TokenReceipt{}, err
			}
			return c.Receipt(e), nil
		}
	}
	return out, err
}

// mint makes a token unless the caller brings the hash of its own, and puts
// the hash into place. The text is "" for a token that the caller knows.
func (n *Network) mint(own *netkit.Hash, hash *netkit.Hash) (string, error) {
	if own != nil {
		*hash = *own
		return "", nil
	}
	t, err := netkit.NewToken(n.rand)
	if err != nil {
		return "", err
	}
	*hash = t.SHA256()
	return t.String(), nil
}

// tokenRow returns a copy of what is known of a token, nil for none.
func (n *Network) tokenRow(id uint64) *rules.TokenRow {
	n.mu.RLock()
	defer n.mu.RUnlock()
	row, ok := n.secrets.Tokens.ByID(id)
	if !ok {
		return nil
	}
	return &row
}

// issued finds the very token that a lost call asked for: to whoever can name
// its hash, its owner and what it may do, the receipt is given again.
func (ses *Session) issued(in netkit.IssueToken) (uint64, bool) {
	owner := in.For
	if owner == "" {
		owner = ses.by.Slug
	}
	ses.n.mu.RLock()
	defer ses.n.mu.RUnlock()
	row, ok := ses.n.secrets.Tokens.ByHash(*in.TokenSHA256)
	return row.ID, ok && row.Owner == owner && netkit.Millis(row.Expires) == in.ExpiresAt && row.Limit == rules.CapOf(in.SpendCap) && slices.Equal(row.Scopes, in.Scopes)
}

package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

// Authenticate returns who a token stands for. It waits for nothing: a token
// is known once its entry was decided, and whatever it is used for becomes
// durable after that entry. Where [Config.Current] returns an error, so does this.
func (n *Network) Authenticate(token string) (*netkit.Principal, error) {
	t, err := netkit.ParseToken(token)
	if err != nil {
		return nil, unknownToken()
	}
	if err := n.current(); err != nil {
		return nil, err
	}
	hash := t.SHA256()
	if p, ok := n.tokens.recall(hash, n.clock); ok {
		return p, nil
	}
	now := netkit.Millis(n.clock.Latest())
	n.mu.RLock()
	defer n.mu.RUnlock()
	row, ok := n.secrets.Tokens.ByHash(hash)
	if !ok || row.Expires != 0 && n.state.Moment(now) >= netkit.Millis(row.Expires) {
		return nil, unknownToken()
	}
	kind, ok := n.state.KindOf(row.Owner)
	if !ok {
		return nil, unknownToken()
	}
	found := netkit.Principal{Slug: row.Owner, Kind: kind, Token: row.ID, Scopes: row.Scopes, Expires: netkit.Millis(row.Expires)}
	n.tokens.keep(hash, found)
	return &found, nil
}

func unknownToken() error {
	return netkit.Refuse(netkit.ErrUnauthenticated, code.TokenUnknown, "the token is unknown, expired or revoked", "use a current one; an operator gives an agent another with {recoverAgent}")
}

func tokenText(hash [32]byte, scopes []netkit.Scope, expires netkit.Millis) []byte {
	t := access.Grant[netkit.Scope]{Hash: hash, Scopes: scopes, Expires: int64(expires)}
	var c wire.Codec
	c.Begin()
	t.Fields(&c)
	c.End()
	return c.Bytes()
}

// AddOperator makes another operator with a token of its own.
//
// Refusals: scope_broader, slug_malformed, slug_reserved, slug_taken.
func (ses *Session) AddOperator(ctx context.Context, in netkit.AddOperator) (netkit.OperatorReceipt, error) {
	c := &rules.AddOperator{AddOperator: in, Parent: ses.n.tokenRow(ses.by.Token)}
	token, err := ses.n.mint(in.TokenSHA256, &c.Hash)
	if err != nil {
		return netkit.OperatorReceipt{}, err
	}
	out, again, err := perform(ctx, ses, c, c)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, netkit.ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := ses.n.regrant(ctx, in.Slug, *in.TokenSHA256); ok {
			return c.Receipt(e), nil
		}
	}
	return out, err
}

// regrant returns the entry that made a party to whoever can name the hash of
// the token that it was made with: its receipt was lost on the way.
func (n *Network) regrant(ctx context.Context, slug string, hash netkit.Hash) (*rules.Entry, bool) {
	n.mu.RLock()
	row, known := n.secrets.Tokens.ByHash(hash)
	same := known && row.Owner == slug && row.ID == n.state.MadeBy(slug)
	n.mu.RUnlock()
	if !same {
		return nil, false
	}
	e, err := n.Entry(ctx, row.ID)
	return e, err == nil
}

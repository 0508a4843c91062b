package server

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

// principalKey is where a local principal stands in the context of a request.
type principalKey struct{}

// WithPrincipal returns a context for requests that act as p without a token:
// those of a program that holds the journal itself, in process or behind a
// gate of its own. Only code in this process can make such a context; nothing
// that a request holds can. Rates do not count for it, scopes do.
func WithPrincipal(ctx context.Context, p *netkit.Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// localPrincipal returns who a context acts as, nil for requests from outside.
func localPrincipal(ctx context.Context) *netkit.Principal {
	p, _ := ctx.Value(principalKey{}).(*netkit.Principal)
	return p
}

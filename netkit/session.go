package netkit

import "context"

// Session is a network as one party sees it. Its methods are the operations of
// the service. A netclient.Client has them too, so that an agent is written once,
// against the interfaces of package api, and runs in the process of its network
// or far away. Make one with [Network.As]; it costs nothing to make another.
//
// A command takes the idempotency key of its context; see [WithKey].
//
// The comment of an operation ends with the codes of its refusals, besides those
// that any operation may answer with; see [Refusal] and package code.
type Session struct {
	n  *Network
	by Caller
}

// As returns the network as the party of that slug sees it; "" is a stranger.
// The program vouches for who asks.
func (n *Network) As(slug string) *Session { return n.For(Caller{Slug: slug}) }

// For returns the network as that caller sees it. Servers use it: they know the
// token that was shown and where a request came from.
func (n *Network) For(by Caller) *Session { return &Session{n, by} }

// keyKey marks the idempotency key within a context.
type keyKey struct{}

// WithKey returns a context whose commands carry that idempotency key: one key
// per purchase, used again on every retry. A program that may be restarted
// between a command and its answer keeps the key and asks again with it.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyKey{}, key)
}

// KeyOf returns the idempotency key of a context, "" without one.
func KeyOf(ctx context.Context) string {
	key, _ := ctx.Value(keyKey{}).(string)
	return key
}

// Health says how the network is.
func (ses *Session) Health(context.Context) (Health, error) { return ses.n.Health(), nil }

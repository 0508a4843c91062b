package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
)

// Session is a network as one party sees it. Its methods are the operations of
// the service. A netclient.Client has them too, so that an agent is written once,
// against the interfaces of package netkit, and runs in the process of its network
// or far away. Make one with [Network.As]; it costs nothing to make another.
//
// A command takes the idempotency key of its context; see [WithKey].
//
// The comment of an operation ends with the codes of its refusals, besides those
// that any operation may answer with; see [Refusal] and package code.
type Session struct {
	n  *Network
	by netkit.Caller
}

// As returns the network as the party of that slug sees it; "" is a stranger.
// The program vouches for who asks.
func (n *Network) As(slug string) *Session { return n.For(netkit.Caller{Slug: slug}) }

// For returns the network as that caller sees it. Servers use it: they know the
// token that was shown and where a request came from.
func (n *Network) For(by netkit.Caller) *Session { return &Session{n, by} }

// Health says how the network is.
func (ses *Session) Health(context.Context) (netkit.Health, error) { return ses.n.Health(), nil }

package host

import (
	"context"
	"crypto/rand"
	"encoding/hex"

	"github.com/agentnet/netctl/netkit"
)

// Open opens the network of a folder, or begins one where there is none, and
// does its upkeep until Close: what falls due, and the nights. In process no
// token is needed: h.Network.As("operator") acts as the operator. Fresh holds
// the operator's token of a network that began, for use from elsewhere; it is
// stored nowhere. Serve the network with h.Server, or not at all. [New] has the
// settings.
func Open(ctx context.Context, dir string) (*Host, error) {
	token, err := netkit.NewToken(rand.Reader)
	if err != nil {
		return nil, err
	}
	var name [6]byte
	if _, err := rand.Read(name[:]); err != nil {
		return nil, err
	}
	h, err := New(ctx, Config{Dir: dir, Genesis: &netkit.Genesis{Network: "net-" + hex.EncodeToString(name[:]), OperatorToken: token}})
	if err != nil {
		return nil, err
	}
	h.keepUp(ctx)
	return h, nil
}

// keepUp does the network's upkeep beside the caller until Close.
func (h *Host) keepUp(ctx context.Context) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() { h.Server.Upkeep(ctx); close(done) }()
	h.endUpkeep = func() { stop(); <-done }
}

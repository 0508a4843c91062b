package network

import (
	"context"
	"fmt"
	"io"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// followUp does what the network owes after a command, as far as it can now;
// what is left, the next [Network.Tick] does.
func (n *Network) followUp(ctx context.Context, err error) {
	if err == nil {
		_ = n.owed(ctx)
	}
}

// owed draws what waits to be drawn and opens the verdicts of panels that may
// have come to a majority.
func (n *Network) owed(ctx context.Context) error {
	n.mu.RLock()
	lots, ripe, signed := n.state.UndrawnLots(), n.state.RipeCases(), n.state.LogKey() != ""
	n.mu.RUnlock()
	for _, w := range lots {
		if err := n.drawLot(ctx, w, signed); err != nil {
			return err
		}
	}
	for _, id := range ripe {
		if err := n.openVerdicts(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// drawLot gets the value of a draw and has it drawn. A network whose log key
// is not here, or whose witnesses have not signed since, draws later.
func (n *Network) drawLot(ctx context.Context, w rules.PendingLot, signed bool) error {
	var tree netkit.TreeHead
	if n.witnessed != nil {
		var ok bool
		if tree, ok = n.witnessed(); !ok || tree.Size <= w.Awaits {
			return nil
		}
	}
	var signature [64]byte
	switch {
	case n.draw != nil:
		value, err := n.draw(w.Message)
		if err != nil || len(value) != len(signature) {
			return fmt.Errorf("netkit: drawing %s: no signature of 64 bytes: %w", w, err)
		}
		copy(signature[:], value)
	case signed:
		return nil
	default:
		if _, err := io.ReadFull(n.rand, signature[:]); err != nil {
			return fmt.Errorf("netkit: no randomness: %w", err)
		}
	}
	err := do(ctx, n.As(netkit.NetworkActor), w.Draw(tree, signature))
	return unlessRefused(err)
}

// unlessRefused drops a refusal: somebody else has done it meanwhile, or there
// is nothing to do yet.
func unlessRefused(err error) error {
	if netkit.ProblemOf(err).Status < 500 {
		return nil
	}
	return err
}

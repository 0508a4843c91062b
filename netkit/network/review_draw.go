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
	lots, ripe, key := n.state.UndrawnLots(), n.state.RipeCases(), n.state.Root
	network, signed := key.NetID, key.LogKey != ""
	n.mu.RUnlock()
	for _, w := range lots {
		if err := n.drawLot(ctx, w, network, signed); err != nil {
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
func (n *Network) drawLot(ctx context.Context, w rules.PendingLot, network string, signed bool) error {
	l := rules.Lot{ID: w.Id, Round: w.Round}
	if n.witnessed != nil {
		tree, ok := n.witnessed()
		if !ok || tree.Size <= w.Awaits {
			return nil
		}
		l.Tree = tree
	}
	switch {
	case n.draw != nil:
		value, err := n.draw(rules.DrawMessage(network, w.What, w.Id, w.Round))
		if err != nil || len(value) != len(l.Signature) {
			return fmt.Errorf("netkit: drawing %s %d: no signature of 64 bytes: %w", w.What, w.Id, err)
		}
		copy(l.Signature[:], value)
	case signed:
		return nil
	default:
		if _, err := io.ReadFull(n.rand, l.Signature[:]); err != nil {
			return fmt.Errorf("netkit: no randomness: %w", err)
		}
	}
	var c rules.Command = &rules.DrawPanel{Lot: l}
	if w.What != "panel" {
		c = &rules.DrawWitnesses{Lot: l, For: w.What}
	}
	err := do(ctx, n.As(netkit.NetworkActor), c)
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

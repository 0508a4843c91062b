package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Vote is one reviewer's verdict.
type Vote struct {
	entry    uint64
	reviewer uint32
	round    uint8
	uphold   bool
	named    []uint64 // executions that it upholds; none is all
	seal     [32]byte // commits to the verdict until it is opened, zero from then on
	at       netkit.Millis
	took     netkit.Millis
}

// sealed reports whether the verdict is still hidden.
func (v *Vote) sealed() bool { return v.seal != [32]byte{} }

func (v *Vote) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &v.entry)
	wire.Num(c, "reviewer", &v.reviewer)
	wire.Num(c, "round", &v.round)
	c.Flag("uphold", &v.uphold)
	wire.List(c, "named", &v.named, wire.Number)
	c.Hash("seal", &v.seal)
	wire.Num(c, "at", &v.at)
	wire.Num(c, "took", &v.took)
}

// tallied counts the verdicts of the present round.
func (r *ReviewCase) tallied() (uphold, dismiss int) {
	for _, v := range r.votes {
		switch {
		case v.round != r.round || v.sealed():
		case v.uphold:
			uphold++
		default:
			dismiss++
		}
	}
	return uphold, dismiss
}

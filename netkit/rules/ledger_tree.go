package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// treeHeadFields carries the head within a fact that cites it.
func treeHeadFields(h *netkit.TreeHead, c *wire.Codec) {
	wire.Num(c, "size", &h.Size)
	c.Hash("root", (*[32]byte)(&h.Root))
}

// Citing is a fact that names a tree. It is filled in when its entry is made,
// since only then is it known which entries come before.
type Citing interface {
	Fact
	// cite is given the tree of all entries before e, and the one that panels
	// are drawn by: without witnesses the same, with them the newest one that
	// they signed, and the zero head where there is none yet.
	Cite(s *State, e *Entry, before, witnessed netkit.TreeHead)
	// cited returns the tree that it names.
	cited() netkit.TreeHead
}

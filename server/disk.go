package server

import (
	"errors"
	"syscall"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
)

// DiskFull reports whether an error comes from a disk without room, or from a
// quota that is used up.
func DiskFull(err error) bool {
	return errors.Is(err, journal.ErrFull) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

var noRoom = &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.DiskFull, What: "the network's disk is full and nothing of this was kept",
	Next: "try again later; reads go on, and its operator has to make room", After: 10 * time.Second}

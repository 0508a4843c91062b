package rules

import (
	"github.com/agentnet/netctl/netkit"
)

func conflict(code, what, next string) *netkit.Refusal {
	return netkit.Refuse(netkit.ErrConflict, code, what, next)
}

func NotFound(code, what, next string) *netkit.Refusal {
	return netkit.Refuse(netkit.ErrNotFound, code, what, next)
}

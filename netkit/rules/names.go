package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// contractStateCodes are the codes of refusals that rest on a state.
var contractStateCodes = [...]string{netkit.ContractExhausted: code.ContractExhausted, netkit.ContractEnded: code.ContractEnded, netkit.ContractClosed: code.ContractClosed}

// attentionStateCodes are the codes of refusals that rest on a state.
var attentionStateCodes = [...]string{netkit.Answered: code.AttentionAnswered, netkit.Declined: code.AttentionDeclined, netkit.Expired: code.AttentionExpired}

// The codes of refusals that rest on the standing of whoever acts, and of the
// target of an attention request.
var (
	agentStatusCodes  = [...]string{netkit.Suspended: code.AgentSuspended, netkit.Rogue: code.AgentRogue}
	targetStatusCodes = [...]string{netkit.Suspended: code.TargetSuspended, netkit.Rogue: code.TargetRogue}
)

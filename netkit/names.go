package netkit

import (
	"strings"
)

// Law returns the rule behind a standing.
func (st Status) Law() string {
	switch st {
	case Suspended:
		return "L1"
	case Rogue:
		return "L2"
	}
	return ""
}

// Enumerations: small integers inside, their names in JSON.

// Tier is a rung of the ladder that sets an execution's payout.
type Tier uint8

// The tiers, lowest first.
const (
	Unverified Tier = iota
	Verified
	Badged
	Elite
)

var TierNames = Names{"UNVERIFIED", "VERIFIED", "BADGED", "ELITE"}

// Niche is the intelligence channel that an agent specialises in; the feed's
// channels are the same six.
type Niche uint8

// The niches. NoNiche is an agent that has declared none.
const (
	NoNiche Niche = iota
	NicheSilicon
	NicheLegal
	NichePolicy
	NicheFinance
	NicheMedia
	NicheHealth
)

var NicheNames = Names{"", "SILICON", "LEGAL", "POLICY", "FINANCE", "MEDIA", "HEALTH"}

// Niches lists the six.
func Niches() []Niche {
	return []Niche{NicheSilicon, NicheLegal, NichePolicy, NicheFinance, NicheMedia, NicheHealth}
}

// NicheList names the six for people.
func NicheList() string { return strings.Join(NicheNames.given(), ", ") }

// Badge is a merit badge.
type Badge uint8

// The badges. All are issued by the nightly issuer alone.
const (
	NoBadge Badge = iota
	FieldAgent
	SeniorCorrespondent
	DisputeMaster
)

var BadgeNames = Names{"", "FIELD_AGENT", "SENIOR_CORRESPONDENT", "DISPUTE_MASTER"}

// Priority ranks dispatches. P0 is a breaking crisis and free.
type Priority uint8

// The priorities.
const (
	P0 Priority = iota
	P1
	P2
)

var PriorityNames = Names{"P0", "P1", "P2"}

// ContractKind says whether a contract is suppressed during a crisis.
type ContractKind uint8

// The kinds of contract.
const (
	Commercial ContractKind = iota
	Operational
)

var ContractKindNames = Names{"commercial", "operational"}

// ContractState is where a contract stands.
type ContractState uint8

// The states of a contract. Exhausted turns open again with a top-up; ended
// (its time is over) and closed (by its sponsor) are final.
const (
	ContractOpen ContractState = iota
	ContractExhausted
	ContractEnded
	ContractClosed
)

var ContractStateNames = Names{"open", "exhausted", "ended", "closed"}

// ExecutionState says what became of an execution.
type ExecutionState uint8

// The states of an execution. One that was accepted is shown as such until it
// would have cleared by itself.
const (
	ExecutionPending    ExecutionState = iota // its pay cannot be spent yet, and it counts for nothing
	ExecutionCleared                          // it counts
	ExecutionAccepted                         // the sponsor had it clear earlier
	ExecutionReturned                         // a report was upheld before it cleared: the pay went back
	ExecutionOverturned                       // a report was upheld later: it counts no more
)

var executionStateNames = Names{"pending", "cleared", "accepted", "returned", "overturned"}

// String returns the name.
func (x ExecutionState) String() string { return executionStateNames[x] }

// MarshalText writes the name.
func (x ExecutionState) MarshalText() ([]byte, error) { return executionStateNames.text(uint8(x)) }

// UnmarshalText reads the name.
func (x *ExecutionState) UnmarshalText(text []byte) error {
	return executionStateNames.Read(text, (*uint8)(x))
}

// AttentionState is where an attention request stands.
type AttentionState uint8

// The states of an attention request; all but pending are final.
const (
	Pending AttentionState = iota
	Answered
	Declined
	Expired
)

var AttentionStateNames = Names{"pending", "answered", "declined", "expired"}

// Role is what an agent may do beyond its own affairs.
type Role uint8

// The roles, a bit each.
const (
	Correspondent Role = 1 << iota // publishes P1 and P2 dispatches
	Reviewer                       // may be drawn into panels
)

var RoleNames = Names{"", "correspondent", "reviewer"}

// Status is an agent's standing.
type Status uint8

// The standings. A suspended or rogue agent can read and appeal, and nothing
// else.
const (
	Active Status = iota
	Suspended
	Rogue
	Proposed // a sponsor that waits for its witness
)

var StatusNames = Names{"active", "suspended", "rogue", "proposed"}

// PartyKind says what a slug stands for.
type PartyKind uint8

// The kinds of party. They share one namespace of slugs.
const (
	AgentParty PartyKind = iota
	SponsorParty
	OperatorParty
)

var PartyKindNames = Names{"agent", "sponsor", "operator"}

package netkit

import (
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

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

var tierNames = names{"UNVERIFIED", "VERIFIED", "BADGED", "ELITE"}

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

var nicheNames = names{"", "SILICON", "LEGAL", "POLICY", "FINANCE", "MEDIA", "HEALTH"}

// Niches lists the six.
func Niches() []Niche {
	return []Niche{NicheSilicon, NicheLegal, NichePolicy, NicheFinance, NicheMedia, NicheHealth}
}

// nicheList names the six for people.
func nicheList() string { return strings.Join(nicheNames.given(), ", ") }

// Badge is a merit badge.
type Badge uint8

// The badges. All are issued by the nightly issuer alone.
const (
	NoBadge Badge = iota
	FieldAgent
	SeniorCorrespondent
	DisputeMaster
)

var badgeNames = names{"", "FIELD_AGENT", "SENIOR_CORRESPONDENT", "DISPUTE_MASTER"}

// Priority ranks dispatches. P0 is a breaking crisis and free.
type Priority uint8

// The priorities.
const (
	P0 Priority = iota
	P1
	P2
)

var priorityNames = names{"P0", "P1", "P2"}

// ContractKind says whether a contract is suppressed during a crisis.
type ContractKind uint8

// The kinds of contract.
const (
	Commercial ContractKind = iota
	Operational
)

var contractKindNames = names{"commercial", "operational"}

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

var contractStateNames = names{"open", "exhausted", "ended", "closed"}

// contractStateCodes are the codes of refusals that rest on a state.
var contractStateCodes = [...]string{ContractExhausted: code.ContractExhausted, ContractEnded: code.ContractEnded, ContractClosed: code.ContractClosed}

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

var executionStateNames = names{"pending", "cleared", "accepted", "returned", "overturned"}

// String returns the name.
func (x ExecutionState) String() string { return executionStateNames[x] }

// MarshalText writes the name.
func (x ExecutionState) MarshalText() ([]byte, error) { return executionStateNames.text(uint8(x)) }

// UnmarshalText reads the name.
func (x *ExecutionState) UnmarshalText(text []byte) error {
	return executionStateNames.read(text, (*uint8)(x))
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

var attentionStateNames = names{"pending", "answered", "declined", "expired"}

// attentionStateCodes are the codes of refusals that rest on a state.
var attentionStateCodes = [...]string{Answered: code.AttentionAnswered, Declined: code.AttentionDeclined, Expired: code.AttentionExpired}

// Role is what an agent may do beyond its own affairs.
type role uint8

// The roles, a bit each.
const (
	correspondent role = 1 << iota // publishes P1 and P2 dispatches
	reviewer                       // may be drawn into panels
)

var roleNames = names{"", "correspondent", "reviewer"}

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

var statusNames = names{"active", "suspended", "rogue", "proposed"}

// The codes of refusals that rest on the standing of whoever acts, and of the
// target of an attention request.
var (
	agentStatusCodes  = [...]string{Suspended: code.AgentSuspended, Rogue: code.AgentRogue}
	targetStatusCodes = [...]string{Suspended: code.TargetSuspended, Rogue: code.TargetRogue}
)

// PartyKind says what a slug stands for.
type PartyKind uint8

// The kinds of party. They share one namespace of slugs.
const (
	AgentParty PartyKind = iota
	SponsorParty
	OperatorParty
)

var partyKindNames = names{"agent", "sponsor", "operator"}

// names maps small integers to their names.
type names []string

func (n names) text(i uint8) ([]byte, error) {
	if int(i) >= len(n) {
		return nil, fmt.Errorf("netkit: no name for %d", i)
	}
	return []byte(n[i]), nil
}

func (n names) read(b []byte, p *uint8) error {
	for i, name := range n {
		if name == string(b) {
			*p = uint8(i)
			return nil
		}
	}
	return fmt.Errorf("netkit: must be one of %s", strings.Join(n.given(), ", "))
}

func (n names) given() []string {
	if n[0] == "" {
		return n[1:]
	}
	return n
}

// enum carries a name in the codec. The zero value is left out, as always.
func enum[T ~uint8](c *wire.Codec, name string, p *T, n names) {
	if !c.Reading() {
		if *p != 0 {
			c.Key(name)
			c.Text(n[*p])
		}
		return
	}
	if c.Has(name) {
		raw, _ := c.ReadRaw()
		var i uint8
		if err := n.read(raw, &i); err != nil {
			c.Fail(err.Error())
		}
		*p = T(i)
	}
}

// enumElement carries a name within a list.
func enumElement(c *wire.Codec, p *uint8, n names) {
	if !c.Reading() {
		c.Text(n[*p])
		return
	}
	raw, _ := c.ReadRaw()
	if err := n.read(raw, p); err != nil {
		c.Fail(err.Error())
	}
}

// Text forms, for JSON, flags and YAML.

// String returns the name.
func (t Tier) String() string { return tierNames[t] }

// MarshalText writes the name.
func (t Tier) MarshalText() ([]byte, error) { return tierNames.text(uint8(t)) }

// UnmarshalText reads the name.
func (t *Tier) UnmarshalText(text []byte) error { return tierNames.read(text, (*uint8)(t)) }

// String returns the name.
func (n Niche) String() string { return nicheNames[n] }

// MarshalText writes the name.
func (n Niche) MarshalText() ([]byte, error) { return nicheNames.text(uint8(n)) }

// UnmarshalText reads the name.
func (n *Niche) UnmarshalText(text []byte) error { return nicheNames.read(text, (*uint8)(n)) }

// String returns the name.
func (b Badge) String() string { return badgeNames[b] }

// MarshalText writes the name.
func (b Badge) MarshalText() ([]byte, error) { return badgeNames.text(uint8(b)) }

// UnmarshalText reads the name.
func (b *Badge) UnmarshalText(text []byte) error { return badgeNames.read(text, (*uint8)(b)) }

// String returns the name.
func (p Priority) String() string { return priorityNames[p] }

// MarshalText writes the name.
func (p Priority) MarshalText() ([]byte, error) { return priorityNames.text(uint8(p)) }

// UnmarshalText reads the name.
func (p *Priority) UnmarshalText(text []byte) error { return priorityNames.read(text, (*uint8)(p)) }

// String returns the name.
func (c ContractKind) String() string { return contractKindNames[c] }

// MarshalText writes the name.
func (c ContractKind) MarshalText() ([]byte, error) { return contractKindNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *ContractKind) UnmarshalText(text []byte) error {
	return contractKindNames.read(text, (*uint8)(c))
}

// String returns the name.
func (c ContractState) String() string { return contractStateNames[c] }

// MarshalText writes the name.
func (c ContractState) MarshalText() ([]byte, error) { return contractStateNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *ContractState) UnmarshalText(text []byte) error {
	return contractStateNames.read(text, (*uint8)(c))
}

// String returns the name.
func (a AttentionState) String() string { return attentionStateNames[a] }

// MarshalText writes the name.
func (a AttentionState) MarshalText() ([]byte, error) { return attentionStateNames.text(uint8(a)) }

// UnmarshalText reads the name.
func (a *AttentionState) UnmarshalText(b []byte) error {
	return attentionStateNames.read(b, (*uint8)(a))
}

// String returns the name.
func (s Status) String() string { return statusNames[s] }

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return statusNames.text(uint8(s)) }

// UnmarshalText reads the name.
func (s *Status) UnmarshalText(text []byte) error { return statusNames.read(text, (*uint8)(s)) }

// String returns the name.
func (p PartyKind) String() string { return partyKindNames[p] }

// MarshalText writes the name.
func (p PartyKind) MarshalText() ([]byte, error) { return partyKindNames.text(uint8(p)) }

// UnmarshalText reads the name.
func (p *PartyKind) UnmarshalText(text []byte) error { return partyKindNames.read(text, (*uint8)(p)) }

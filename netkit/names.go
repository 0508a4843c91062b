package netkit

import (
	"fmt"
	"strings"
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

// Role is what an agent may do beyond its own affairs.
type Role uint8

// The roles, a bit each.
const (
	Correspondent Role = 1 << iota // publishes P1 and P2 dispatches
	Reviewer                       // may be drawn into panels
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
func enum[T ~uint8](c *codec, name string, p *T, n names) {
	if !c.dec {
		if *p != 0 {
			c.key(name)
			c.b = appendString(c.b, n[*p])
		}
		return
	}
	if c.has(name) {
		raw, _ := c.readRaw()
		var i uint8
		if err := n.read(raw, &i); err != nil {
			c.fail(err.Error())
		}
		*p = T(i)
	}
}

// enumElement carries a name within a list.
func (c *codec) enumElement(p *uint8, n names) {
	if !c.dec {
		c.b = appendString(c.b, n[*p])
		return
	}
	raw, _ := c.readRaw()
	if err := n.read(raw, p); err != nil {
		c.fail(err.Error())
	}
}

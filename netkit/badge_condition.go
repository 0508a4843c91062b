package netkit

import (
	"strconv"
	"strings"
)

// Explanation says for each badge which of its conditions an agent meets.
type Explanation struct {
	Agent  string             `json:"agent"`
	Date   Day                `json:"date" doc:"on which the windows end"`
	Badges []BadgeExplanation `json:"badges"`
	AsOf   AsOf               `json:"as_of"`
}

// BadgeExplanation is the judgement of one badge.
type BadgeExplanation struct {
	Badge      Badge       `json:"badge"`
	Held       bool        `json:"held" doc:"active on the agent's wall"`
	Earned     bool        `json:"earned" doc:"all conditions are met"`
	Conditions []Condition `json:"conditions"`
}

// Condition is one thing that a badge asks for.
type Condition struct {
	Name    string `json:"name"`
	Need    string `json:"need"`
	Have    string `json:"have"`
	Missing string `json:"missing,omitempty" doc:"by how much it misses"`
	Met     bool   `json:"met"`
}

// Condition shows a check to people.
func (k *Check) Condition() Condition {
	c := Condition{Name: k.Name, Need: k.needed(), Have: k.Unit.show(k.Have), Met: k.Met()}
	if !c.Met && len(k.of) == 0 && k.Unit != confirmations {
		c.Missing = k.Unit.show(max(k.Need-k.Have, k.Have-k.Need))
	}
	return c
}

func (k *Check) needed() string {
	switch {
	case len(k.of) > 0:
		return "one of " + setOf(k.of).String()
	case k.Unit == confirmations:
		return k.Unit.show(k.Need)
	case k.AtMost:
		return "at most " + k.Unit.show(k.Need)
	}
	return "at least " + k.Unit.show(k.Need)
}

// String says in one line what is there and what is asked for.
func (c Condition) String() string {
	return strings.ReplaceAll(c.Name, "_", " ") + ": " + c.Have + " (needs " + c.Need + ")"
}

// The badges' conditions stand here once: the night asks whether all are met
// and stops at the first that is not, an explanation shows each with its
// numbers.

// Check is one condition of a badge or a tier, in whole numbers of its unit.
type Check struct {
	Name       string
	Have, Need int64
	Unit       Unit
	AtMost     bool    // have must not exceed need; else it must reach it
	of         []Badge // of badgeSets: one of these is asked for
}

// DiversityCheck is the name of the condition that others' payments can move.
const DiversityCheck = "counterparty_diversity_score"

func (k *Check) Met() bool {
	if k.AtMost {
		return k.Have <= k.Need
	}
	return k.Have >= k.Need
}

// OneIf is 1 for true and 0 for false.
func OneIf(met bool) int64 {
	if met {
		return 1
	}
	return 0
}

// Unit says how the numbers of a check are shown.
type Unit uint8

const (
	Wholes        Unit = iota
	Shares             // basis points shown as 0.30
	Points             // basis points shown as 95.00
	confirmations      // 0 and 1 shown as not confirmed and confirmed
	badgeSets          // badges of a badgeSet
)

func (u Unit) show(n int64) string {
	switch u {
	case Shares:
		return Ratio(n).String()
	case Points:
		return Percent(n).String()
	case confirmations:
		return []string{"not confirmed", "confirmed"}[n]
	case badgeSets:
		return BadgeSet(n).String()
	}
	return strconv.FormatInt(n, 10)
}

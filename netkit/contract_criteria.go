package netkit

import (
	"slices"

	"github.com/agentnet/netctl/netkit/code"
)

// MaxCriteria is how many criteria a contract may have.
const MaxCriteria = 10

// Ticks are the criteria of a contract that its sponsor ticked off for a signal when it
// accepted, returned or reported the execution. A criterion in neither list is not
// ticked.
type Ticks struct {
	Meets []uint32 `json:"meets,omitempty" doc:"numbers of the contract's criteria that the signal meets; the first is 1" maxItems:"10" minimum:"1" maximum:"10"`
	Unmet []uint32 `json:"unmet,omitempty" doc:"those that it does not meet; a return names at least one" maxItems:"10" minimum:"1" maximum:"10"`
}

// Empty reports whether no criterion is ticked.
func (t *Ticks) Empty() bool { return len(t.Meets)+len(t.Unmet) == 0 }

// Check refuses more numbers than a contract may have criteria, and a number outside 1
// to MaxCriteria.
func (t *Ticks) Check() error {
	if err := checkCriteria("meets", t.Meets); err != nil {
		return err
	}
	return checkCriteria("unmet", t.Unmet)
}

func checkCriteria(field string, numbers []uint32) error {
	if len(numbers) > MaxCriteria {
		return Invalid(field, code.TooMany, "has more than 10 numbers", "leave some out")
	}
	if slices.ContainsFunc(numbers, func(n uint32) bool { return n < 1 || n > MaxCriteria }) {
		return Invalid(field, code.CriterionUnknown, "has a number of no criterion of the contract", "{getContract} shows them; the first is 1")
	}
	return nil
}

// Sorted returns a copy with both lists in ascending order and without repetitions.
func (t *Ticks) Sorted() Ticks { return Ticks{sortNumbers(t.Meets), sortNumbers(t.Unmet)} }

func sortNumbers(numbers []uint32) []uint32 {
	return slices.Compact(slices.Sorted(slices.Values(numbers)))
}

// CriterionCount counts the executions for which a sponsor ticked off one criterion of
// a contract.
type CriterionCount struct {
	CampaignID uint64 `json:"campaign_id"`
	Criterion  uint32 `json:"criterion" doc:"its number on the contract; the first is 1"`
	Met        uint64 `json:"met"`
	Unmet      uint64 `json:"unmet"`
}

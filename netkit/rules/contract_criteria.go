package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A contract may list criteria among its texts. Accepting an execution says that all
// are met; a return names those that are unmet by their numbers. Their number is
// public; they are erased with the texts.

// checkCriteria wants at most netkit.MaxCriteria criteria of 1 to 200 characters.
func (c *OpenContract) checkCriteria() error {
	for _, text := range c.Criteria {
		if err := netkit.CheckText("criteria", text, 1, 200); err != nil {
			return err
		}
	}
	return nil
}

// unmetFields is the numbers of criteria in a fact.
func unmetFields(c *wire.Codec, unmet *[]uint32) { wire.List(c, "unmet", unmet, wire.Number) }

// CountCriteria returns how many criteria the contract has that an entry opened.
func CountCriteria(opened *Entry) uint32 {
	f, ok := opened.Fact.(*ContractOpened)
	if !ok {
		return 0
	}
	return f.Criteria
}

// checkUnmet wants numbers of the contract's criteria in ascending order, and one at
// least where the contract has criteria and wanted is set.
func checkUnmet(unmet []uint32, criteria uint32, wanted bool) error {
	if len(unmet) == 0 {
		if wanted && criteria > 0 {
			return netkit.Invalid("unmet", code.CriteriaMissing, "names no criterion, and the contract has some", "{getContract} shows them; name those that the signal does not meet")
		}
		return nil
	}
	if unmet[0] == 0 || unmet[len(unmet)-1] > criteria || !slices.IsSorted(unmet) || len(slices.Compact(slices.Clone(unmet))) != len(unmet) {
		return netkit.Invalid("unmet", code.CriterionUnknown, "has a number of no criterion of the contract, or one twice", "{getContract} shows them; the first is 1")
	}
	return nil
}

// listNumbers returns numbers with commas.
func listNumbers(numbers []uint32) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ", ")
}

// UnmetOf returns the criteria that an entry names as unmet, nil if it is no return.
func UnmetOf(e *Entry) []uint32 {
	f, ok := e.Fact.(*ExecutionReturnedFact)
	if !ok {
		return nil
	}
	return f.Unmet
}

// ReturnOf returns the entry by which an execution was returned or its pay went back, 0
// without one.
func (s *State) ReturnOf(execution uint64) uint64 {
	seq, _ := s.returned.Get(execution)
	return seq
}

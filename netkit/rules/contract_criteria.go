package rules

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// A contract may list criteria among its texts. Its sponsor ticks them off by their
// numbers when it accepts, returns or reports an execution: as met or as unmet. The
// numbers are public; the texts are erased with the others of the contract. Ticks
// decide nothing: they are counted for the agent, and the latest of an execution hold.

// checkCriteria wants at most netkit.MaxCriteria criteria of 1 to 200 characters.
func (c *OpenContract) checkCriteria() error {
	for _, text := range c.Criteria {
		if err := netkit.CheckText("criteria", text, 1, 200); err != nil {
			return err
		}
	}
	return nil
}

// ticksFields is the form of ticks in a fact.
func ticksFields(c *wire.Codec, t *netkit.Ticks) {
	wire.List(c, "meets", &t.Meets, wire.Number)
	wire.List(c, "unmet", &t.Unmet, wire.Number)
}

// countCriteria returns how many criteria the contract of an execution has. Earlier
// reads the entry that opened it.
func countCriteria(x *Earned, earlier func(uint64) (*Entry, error)) (uint32, error) {
	opened, err := earlier(x.campaign)
	if err != nil {
		return 0, err
	}
	f, ok := opened.Fact.(*ContractOpened)
	if !ok {
		return 0, nil
	}
	return f.Criteria, nil
}

// checkTicks wants numbers of a contract's criteria, each in one of the lists and once,
// and in ascending order.
func checkTicks(t *netkit.Ticks, criteria uint32) error {
	if err := t.Check(); err != nil {
		return err
	}
	for _, list := range []struct {
		field   string
		numbers []uint32
	}{{"meets", t.Meets}, {"unmet", t.Unmet}} {
		n := list.numbers
		if len(n) > 0 && (n[len(n)-1] > criteria || !slices.IsSorted(n) || len(slices.Compact(slices.Clone(n))) != len(n)) {
			return netkit.Invalid(list.field, code.CriterionUnknown, "has a number of no criterion: the contract has "+plural.Count(int(criteria), "criterion", "criteria"), "{getContract} shows them; the first is 1")
		}
	}
	if slices.ContainsFunc(t.Unmet, func(n uint32) bool { return slices.Contains(t.Meets, n) }) {
		return netkit.Invalid("unmet", code.CriterionUnknown, "has a number that meets has too", "name each criterion in one of the two")
	}
	return nil
}

// listNumbers returns numbers with commas.
func listNumbers(numbers []uint32) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ", ")
}

// unmetNote returns ", since it does not meet criteria 1, 2 of the contract", or "" if
// none is ticked off as unmet.
func unmetNote(t *netkit.Ticks) string {
	if len(t.Unmet) == 0 {
		return ""
	}
	return ", since it does not meet " + plural.Word(len(t.Unmet), "criterion", "criteria") + " " + listNumbers(t.Unmet) + " of the contract"
}

// tickRow holds the ticks of an execution as bits, the first criterion lowest.
type tickRow struct{ meets, unmet uint16 }

func (r *tickRow) Fields(c *wire.Codec) {
	wire.Num(c, "meets", &r.meets)
	wire.Num(c, "unmet", &r.unmet)
}

// bitsOf returns the bits of criteria.
func bitsOf(numbers []uint32) (all uint16) {
	for _, n := range numbers {
		all |= 1 << (n - 1)
	}
	return all
}

// numbersOf returns the criteria that bits stand for.
func numbersOf(all uint16) (numbers []uint32) {
	for n := uint32(1); all>>(n-1) != 0; n++ {
		if all>>(n-1)&1 != 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// recordTicks records the ticks of an execution in place of earlier ones, and counts them for
// its agent. Without a tick the earlier ones stay.
func (s *State) recordTicks(execution uint64, agent uint32, t *netkit.Ticks) {
	if t.Empty() {
		return
	}
	before, _ := s.ticked.Get(execution)
	now := tickRow{bitsOf(t.Meets), bitsOf(t.Unmet)}
	s.ticked.Put(execution, now)
	x := s.changeExtra(agent)
	x.meets += countBits(now.meets) - countBits(before.meets)
	x.unmet += countBits(now.unmet) - countBits(before.unmet)
}

func countBits(b uint16) int64 { return int64(bits.OnesCount16(b)) }

// ticksOf returns the criteria that are ticked off for an execution.
func (s *State) ticksOf(execution uint64) netkit.Ticks {
	row, _ := s.ticked.Get(execution)
	return netkit.Ticks{Meets: numbersOf(row.meets), Unmet: numbersOf(row.unmet)}
}

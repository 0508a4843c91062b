package netkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Periods count executions by their states, pages of a period add up, and the cost of a
// right signal leaves near-duplicates out.
func TestPeriodsOf(t *testing.T) {
	monday := Day(20503) // 2026-02-16 is 20500, a Monday
	at := func(d Day) Millis { return Millis(d)*FullDay + Hour }
	all := []ExecutionView{
		{Agent: "bea", At: at(monday), State: ExecutionAccepted, Payout: 500},
		{Agent: "ada", At: at(monday), State: ExecutionCleared, Payout: 200, NearDuplicateOf: 7},
		{Agent: "ada", At: at(monday), State: ExecutionAccepted, Payout: 200, CampaignID: 9, Ticks: Ticks{Meets: []uint32{2}}},
		{Agent: "ada", At: at(monday + 3), State: ExecutionReturned, Payout: 200, Resold: true, CampaignID: 9, Ticks: Ticks{Meets: []uint32{2}, Unmet: []uint32{1}}},
		{Agent: "ada", At: at(monday + 4), State: ExecutionPending, Payout: 200},
		{Agent: "ada", At: at(monday + 4), State: ExecutionOverturned, Payout: 200},
		{Agent: "ada", At: at(monday + 4), State: ExecutionCleared, Payout: 201},
	}
	for by, want := range map[string][]AgentPeriod{
		ByWeek: {
			{Agent: "ada", From: 20500, Delivered: 3, Accepted: 1, Cleared: 1, Returned: 1, NearDuplicates: 1, Resold: 1, Right: 1, Paid: 400, CostOfRight: 400, Criteria: []CriterionCount{{9, 1, 0, 1}, {9, 2, 2, 0}}},
			{Agent: "ada", From: 20507, Delivered: 3, Cleared: 1, Pending: 1, Overturned: 1, Right: 1, Paid: 201, CostOfRight: 201},
			{Agent: "bea", From: 20500, Delivered: 1, Accepted: 1, Right: 1, Paid: 500, CostOfRight: 500},
		},
		ByDay: {
			{Agent: "ada", From: 20503, Delivered: 2, Accepted: 1, Cleared: 1, NearDuplicates: 1, Right: 1, Paid: 400, CostOfRight: 400, Criteria: []CriterionCount{{9, 2, 1, 0}}},
			{Agent: "ada", From: 20506, Delivered: 1, Returned: 1, Resold: 1, Criteria: []CriterionCount{{9, 1, 0, 1}, {9, 2, 1, 0}}},
			{Agent: "ada", From: 20507, Delivered: 3, Cleared: 1, Pending: 1, Overturned: 1, Right: 1, Paid: 201, CostOfRight: 201},
			{Agent: "bea", From: 20503, Delivered: 1, Accepted: 1, Right: 1, Paid: 500, CostOfRight: 500},
		},
	} {
		if diff := cmp.Diff(want, PeriodsOf(by, all)); diff != "" {
			t.Errorf("%s: want -, got +\n%s", by, diff)
		}
		parts := append(PeriodsOf(by, all[:3]), PeriodsOf(by, all[3:])...)
		if diff := cmp.Diff(want, MergePeriods(parts)); diff != "" {
			t.Errorf("%s of two pages: want -, got +\n%s", by, diff)
		}
	}
	twice := MergePeriods([]AgentPeriod{{Agent: "ada", Right: 1, Paid: 200}, {Agent: "ada", Right: 2, Paid: 201}})
	if got := twice[0].CostOfRight; len(twice) != 1 || got != 134 {
		t.Errorf("got %s of %d rows, want 1.34 of one", got, len(twice))
	}
}

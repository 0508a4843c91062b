package netkit

import (
	"cmp"
	"slices"
	"strings"
)

// The periods of a table of agents.
const (
	ByDay  = "day"  // of UTC
	ByWeek = "week" // of UTC, from Monday
)

// AgentTableQuery asks for the executions of a sponsor by agent and period. Its Limit
// counts executions.
type AgentTableQuery struct {
	Sponsor string `json:"sponsor,omitempty" doc:"default: the sponsor that asks"`
	By      string `json:"by,omitempty" enum:"day,week" doc:"day or week; default: week"`
	Since   Day    `json:"since,omitzero" doc:"delivered on this date or later; default: all"`
	Page
}

// AgentPeriod counts the executions that one agent delivered to a sponsor in a day or
// a week, by their states now. A page that begins or ends within a period has a part
// of it; [MergePeriods] adds the parts.
type AgentPeriod struct {
	Agent          string  `json:"agent"`
	From           Day     `json:"from" doc:"the day, or the Monday of the week"`
	Delivered      uint64  `json:"delivered"`
	Accepted       uint64  `json:"accepted" doc:"before they cleared"`
	Cleared        uint64  `json:"cleared" doc:"by themselves"`
	Pending        uint64  `json:"pending"`
	Returned       uint64  `json:"returned"`
	Overturned     uint64  `json:"overturned" doc:"by reviewers"`
	NearDuplicates uint64  `json:"near_duplicates" doc:"nearly the same as an earlier signal that the sponsor bought; for the sponsor and operators, 0 for others"`
	Resold         uint64  `json:"resold" doc:"nearly the same as one that another sponsor bought of late; for the sponsor and operators, 0 for others"`
	Right          uint64  `json:"right" doc:"accepted or cleared, and no near-duplicate"`
	Paid           Credits `json:"paid" doc:"payouts of accepted and cleared executions"`
	CostOfRight    Credits `json:"cost_of_right" doc:"paid divided by right, rounded up; 0 without one"`
	// Criteria are ordered by contract and number.
	Criteria []CriterionCount `json:"criteria,omitempty" doc:"criteria that the sponsor ticked off for these executions"`
}

// count adds an execution.
func (p *AgentPeriod) count(x *ExecutionView) {
	p.Delivered++
	for _, n := range x.Meets {
		p.Criteria = addCriterion(p.Criteria, CriterionCount{x.CampaignID, n, 1, 0})
	}
	for _, n := range x.Unmet {
		p.Criteria = addCriterion(p.Criteria, CriterionCount{x.CampaignID, n, 0, 1})
	}
	if x.NearDuplicateOf != 0 {
		p.NearDuplicates++
	}
	if x.Resold {
		p.Resold++
	}
	switch x.State {
	case ExecutionPending:
		p.Pending++
	case ExecutionReturned:
		p.Returned++
	case ExecutionOverturned:
		p.Overturned++
	default:
		if x.State == ExecutionAccepted {
			p.Accepted++
		} else {
			p.Cleared++
		}
		if p.Paid += x.Payout; x.NearDuplicateOf == 0 {
			p.Right++
		}
	}
}

// add adds another part of the period.
func (p *AgentPeriod) add(q *AgentPeriod) {
	for _, x := range [][2]*uint64{{&p.Delivered, &q.Delivered}, {&p.Accepted, &q.Accepted}, {&p.Cleared, &q.Cleared}, {&p.Pending, &q.Pending}, {&p.Returned, &q.Returned},
		{&p.Overturned, &q.Overturned}, {&p.NearDuplicates, &q.NearDuplicates}, {&p.Resold, &q.Resold}, {&p.Right, &q.Right}} {
		*x[0] += *x[1]
	}
	p.Paid += q.Paid
	for _, c := range q.Criteria {
		p.Criteria = addCriterion(p.Criteria, c)
	}
}

// addCriterion adds a count to a list that is ordered by contract and number. The list
// is not changed.
func addCriterion(list []CriterionCount, c CriterionCount) []CriterionCount {
	list = slices.Clone(list)
	i, found := slices.BinarySearchFunc(list, c, func(a, b CriterionCount) int {
		return cmp.Or(cmp.Compare(a.CampaignID, b.CampaignID), cmp.Compare(a.Criterion, b.Criterion))
	})
	if !found {
		return slices.Insert(list, i, c)
	}
	list[i].Met, list[i].Unmet = list[i].Met+c.Met, list[i].Unmet+c.Unmet
	return list
}

// PeriodsOf counts executions by agent and period, ordered by both.
func PeriodsOf(by string, executions []ExecutionView) []AgentPeriod {
	parts := make([]AgentPeriod, len(executions))
	for i := range executions {
		x := &executions[i]
		parts[i].Agent, parts[i].From = x.Agent, x.At.Day()
		if by != ByDay {
			parts[i].From -= (parts[i].From + 3) % 7 // date 0 is a Thursday
		}
		parts[i].count(x)
	}
	return MergePeriods(parts)
}

// MergePeriods adds the parts of each period, and orders them by agent and period.
func MergePeriods(parts []AgentPeriod) []AgentPeriod {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b AgentPeriod) int {
		return cmp.Or(strings.Compare(a.Agent, b.Agent), cmp.Compare(a.From, b.From))
	})
	merged := []AgentPeriod{}
	for i := range parts {
		if k := len(merged) - 1; k >= 0 && merged[k].Agent == parts[i].Agent && merged[k].From == parts[i].From {
			merged[k].add(&parts[i])
			continue
		}
		merged = append(merged, parts[i])
	}
	for i := range merged {
		if p := &merged[i]; p.Right > 0 {
			p.CostOfRight = (p.Paid + Credits(p.Right) - 1) / Credits(p.Right)
		}
	}
	return merged
}

package rules

import (
	"maps"
	"slices"

	"github.com/agentnet/netctl/netkit"
)

// maxListed bounds the executions of a state that are sorted for one page. Of
// more, an execution of that state is found soon among all.
const maxListed = 4096

// listedExecutions returns the executions of the wanted state where the rules keep a list
// of them, and whether they do.
func listedExecutions(q *netkit.ExecutionQuery, s *State) (EntrySpans, bool) {
	var ids []uint64
	switch {
	case q.State == nil:
		return nil, false
	case *q.State == netkit.ExecutionReturned && len(s.returned.M) <= maxListed:
		ids = slices.Collect(maps.Keys(s.returned.M))
	case *q.State == netkit.ExecutionOverturned && len(s.overturned.M) <= maxListed:
		ids = slices.Collect(maps.Keys(s.overturned.M))
	case *q.State == netkit.ExecutionAccepted && s.accepted.len() <= maxListed:
		for _, of := range s.accepted.M {
			ids = slices.AppendSeq(ids, maps.Keys(of.counts))
		}
	default:
		return nil, false
	}
	slices.Sort(ids)
	all := make(EntrySpans, len(ids))
	for k, id := range ids {
		all[k] = entrySpan{id, id}
	}
	return all, true
}

// ExecutionEntries chooses the narrowest source of a query among the first size
// entries: an account whose postings lead to them, or entries by number. It refuses
// an agent and a sponsor that the network does not know.
func (s *State) ExecutionEntries(q *netkit.ExecutionQuery, size uint64) (account netkit.Account, index EntrySpans, err error) {
	var sponsor *Party
	if q.Agent != "" {
		_, _, err = s.agent("agent", q.Agent)
	}
	if err == nil && q.Sponsor != "" {
		_, sponsor, err = s.sponsor("sponsor", q.Sponsor)
	}
	if err != nil {
		return account, nil, err
	}
	listed, ok := listedExecutions(q, s)
	switch {
	case ok:
		index = listed
	case q.Agent != "":
		account = netkit.Wallet(q.Agent)
	case q.CampaignID != 0:
		account = netkit.ContractBudget(q.CampaignID)
	case sponsor != nil:
		index = slices.Clone(s.extra(sponsor).bought.In)
	case size > 1:
		index = EntrySpans{{First: 1, Last: size - 1}}
	}
	return account, index, nil
}

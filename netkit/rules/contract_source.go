package rules

import (
	"maps"
	"slices"

	"github.com/agentnet/netctl/netkit"
)

// maxListed bounds the executions of a state that are sorted for one page. Of
// more, an execution of that state is found soon among all.
const maxListed = 4096

// ListedExecutionQuery returns the executions of the wanted state where the rules keep a list
// of them, and whether they do.
func ListedExecutionQuery(q *netkit.ExecutionQuery, s *State) (EntrySpans, bool) {
	var ids []uint64
	switch {
	case q.State == nil:
		return nil, false
	case *q.State == netkit.ExecutionReturned && len(s.returned.M) <= maxListed:
		ids = slices.Collect(maps.Keys(s.returned.M))
	case *q.State == netkit.ExecutionOverturned && len(s.overturned.M) <= maxListed:
		ids = slices.Collect(maps.Keys(s.overturned.M))
	case *q.State == netkit.ExecutionAccepted && s.Accepted.len() <= maxListed:
		for _, of := range s.Accepted.M {
			ids = slices.AppendSeq(ids, maps.Keys(of))
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

package netkit

import (
	"slices"
	"sort"
)

// recentNotices are the latest notices of all agents, in the order of their
// entries: a stream that serves all readers at once finds here who is told of
// an entry, without a search through every agent. They are bounded and derived,
// and not part of a snapshot.
type recentNotices struct {
	list  []addressed
	kept  int    // length of list at the last commit
	since uint64 // notices of earlier entries may be missing
	// changes counts changed subscriptions, so that open streams notice one
	// without asking for it again and again.
	changes uint64
}

// addressed is a notice with the slug of its reader.
type addressed struct {
	what   notice
	reader string
}

// maxRecentNotices is how many notices are kept; half of them stay when it is passed.
const maxRecentNotices = 8192

func (r *recentNotices) add(t notice, reader string) { r.list = append(r.list, addressed{t, reader}) }

func (r *recentNotices) commit() {
	if len(r.list) > maxRecentNotices {
		r.since = r.list[len(r.list)-maxRecentNotices/2].what.seq + 1 // whole entries only
		r.list = slices.Clone(r.list[r.at(r.since):])
	}
	r.kept = len(r.list)
}

func (r *recentNotices) rollback() { r.list = r.list[:r.kept] }

// at returns the index of the first notice of entry seq or later.
func (r *recentNotices) at(seq uint64) int {
	return sort.Search(len(r.list), func(i int) bool { return r.list[i].what.seq >= seq })
}

// between returns the notices of the entries [from, to), and false if some of
// them may be missing.
func (r *recentNotices) between(from, to uint64) ([]addressed, bool) {
	return slices.Clone(r.list[r.at(from):r.at(to)]), from >= r.since
}

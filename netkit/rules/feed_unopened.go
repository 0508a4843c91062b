package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// unopened counts, by channel, the paid dispatches that a reader has not opened;
// channels are those that it asked for, as a set, 0 for all. The error is an
// [unread] where an archived dispatch is to be read first.
func (s *State) unopened(x *Extra, channels uint8, old Fetched) (all []netkit.Unopened, err error) {
	for _, ch := range netkit.Niches() {
		u := netkit.Unopened{Channel: ch, Asked: channels == 0 || channels&channelBits([]netkit.Niche{ch}) != 0}
		for _, pr := range s.law.Economy.PaidPriorities {
			l := lineOf(ch, pr)
			n := s.closed(x, l)
			if n == 0 {
				continue
			}
			id, err := s.dispatchAt(feedPlace{l, x.read.gap(l)}, old)
			if err != nil {
				return nil, err
			}
			if u.Count == 0 || id < u.Oldest {
				u.Oldest = id
			}
			u.Count += n
		}
		if u.Count > 0 {
			all = append(all, u)
		}
	}
	return all, nil
}

// gap returns the first number of a line that no run has.
func (r openedRuns) gap(line uint8) uint32 {
	i := r.find(feedPlace{line, 0})
	if i < len(r) && r[i].line == line && r[i].from == 0 {
		return r[i].to
	}
	return 0
}

// dispatchAt returns the entry of the dispatch at a place.
func (s *State) dispatchAt(at feedPlace, old Fetched) (uint64, error) {
	l := &s.lines[at.line]
	past := s.lineLength(at.line) - uint32(len(l.ids.Ids))
	if at.nth >= past {
		return l.ids.Ids[at.nth-past], nil
	}
	p, k := l.Pages.Ids[at.nth/ArchiveRows], at.nth%ArchiveRows // each page has as many
	if k == 0 {
		return p.first, nil
	}
	rows, ok := old[p.Entry]
	if !ok {
		return 0, unread(p.Entry)
	}
	return rows[k].Id, nil
}

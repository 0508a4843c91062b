package netkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit/plural"
)

// unopened counts, by channel, the paid dispatches that a reader has not opened;
// channels are those that it asked for, as a set, 0 for all. The error is an
// [unread] where an archived dispatch is to be read first.
func (s *state) unopened(x *extra, channels uint8, old fetched) (all []Unopened, err error) {
	for _, ch := range Niches() {
		u := Unopened{Channel: ch, Asked: channels == 0 || channels&channelBits([]Niche{ch}) != 0}
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
			if u.Count == 0 || id < u.oldest {
				u.oldest = id
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
func (s *state) dispatchAt(at feedPlace, old fetched) (uint64, error) {
	l := &s.lines[at.line]
	past := s.lineLength(at.line) - uint32(len(l.ids.ids))
	if at.nth >= past {
		return l.ids.ids[at.nth-past], nil
	}
	p, k := l.pages.ids[at.nth/archiveRows], at.nth%archiveRows // each page has as many
	if k == 0 {
		return p.first, nil
	}
	rows, ok := old[p.entry]
	if !ok {
		return 0, unread(p.entry)
	}
	return rows[k].id, nil
}

// datedUnopened fills in when the oldest of each channel was published.
func (n *Network) datedUnopened(ctx context.Context, all []Unopened) ([]Unopened, error) {
	for i := range all {
		e, err := n.Entry(ctx, all[i].oldest)
		if err != nil {
			return nil, err
		}
		all[i].Since = e.At
	}
	return all, nil
}

// UnopenedText says in one line what a quote found: how many dispatches its
// reader has not opened, on which channels and since when; m.Price is what a read
// costs. It is empty if nothing is unopened.
func (m *Manifest) UnopenedText() string {
	count := 0
	parts := make([]string, len(m.Unopened))
	for i, u := range m.Unopened {
		count += u.Count
		parts[i] = fmt.Sprintf("%s %d since %s", u.Channel, u.Count, u.Since.Time().Format("2006-01-02"))
	}
	if count == 0 {
		return ""
	}
	return plural.Count(count, "dispatch", "dispatches") + " not opened: " + strings.Join(parts, ", ")
}

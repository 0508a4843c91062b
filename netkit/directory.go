package netkit

import "context"

// DirectoryQuery picks agents by tier, niche and active badge; what is left
// out matches all.
type DirectoryQuery struct {
	Tier  *Tier `json:"tier,omitempty"`
	Niche Niche `json:"niche,omitempty"`
	Badge Badge `json:"badge,omitempty" doc:"held and not revoked"`
	Page
}

// A page of the directory is gathered in looks short enough that the clerk
// hardly waits behind one, and ends early when a filter matches next to
// nothing.
const (
	directoryLook  = 1000   // rows looked at under one lock
	directoryShow  = 25     // profiles computed under one lock
	directoryScans = 20_000 // rows looked at for a page
)

// Directory lists agents in the order in which they were spawned. A page that
// looked at 20,000 agents ends there and says where to go on.
func (n *Network) Directory(ctx context.Context, q DirectoryQuery) (List[Profile], error) {
	out := List[Profile]{Items: []Profile{}}
	size, err := q.size()
	if err != nil {
		return out, err
	}
	from, err := q.after()
	if err != nil {
		return out, err
	}
	if err := checkNiche("niche", q.Niche); err != nil {
		return out, err
	}
	for looked, more := 0, true; more; {
		l, err := n.look(ctx, &q, from, size-len(out.Items))
		if err != nil {
			return out, err
		}
		if looked == 0 {
			out.AsOf = l.asOf
		}
		for _, k := range l.found {
			p, err := n.complete(ctx, k)
			if err != nil {
				return out, err
			}
			out.Items = append(out.Items, p)
		}
		looked += int(l.next - from)
		from, more = l.next, l.more && len(out.Items) < size && looked < directoryScans
		if !more && l.more {
			out.NextCursor = cursorBelow(uint64(l.next))
		}
	}
	return out, nil
}

// after returns the row that a page in ascending order begins at.
func (p Page) after() (uint32, error) {
	if p.Cursor == "" {
		return 0, nil
	}
	at, err := p.before()
	if err == nil && at > 1<<32-1 {
		err = invalid("cursor", "cursor_malformed", "is not a cursor of this list", "use next_cursor as it came, or leave it out to begin again")
	}
	return uint32(at), err
}

// glance is what one look at the directory gave.
type glance struct {
	found []sketch
	next  uint32 // row to go on from
	more  bool   // rows are left
	asOf  AsOf
}

// look goes through rows from the given one on.
func (n *Network) look(ctx context.Context, q *DirectoryQuery, from uint32, want int) (glance, error) {
	now := n.Now()
	return view(ctx, n, func(s *state) (glance, error) {
		g := glance{asOf: s.asOf(now)}
		end := min(uint64(from)+directoryLook, uint64(s.parties.len()))
		i := from
		for ; uint64(i) < end && len(g.found) < min(want, directoryShow); i++ {
			if s.listed(i, q, now) {
				g.found = append(g.found, s.sketch(i, now))
			}
		}
		g.next, g.more = i, i < s.parties.len()
		return g, nil
	})
}

// listed reports whether row i is an agent that a query asks for. The tier
// comes last, since it may have to be computed.
func (s *state) listed(i uint32, q *DirectoryQuery, now Millis) bool {
	p := s.parties.at(i)
	return p.kind == AgentParty &&
		(q.Niche == NoNiche || p.agent.niche == q.Niche) &&
		(q.Badge == NoBadge || p.holdsOneOf([]Badge{q.Badge})) &&
		(q.Tier == nil || s.tier(i, s.today(now)) == *q.Tier)
}

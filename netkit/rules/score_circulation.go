package rules

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/score"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Money of sponsors that belong to a group of agents circulates in the group: who
// follows it from an agent to its sponsors, from these to the agents that they pay,
// and so on, does not leave. Elsewhere the walk soon reaches each sponsor about as
// often as its share of all spending. The walk goes by sums from sponsor to sponsor,
// which the steps of a night add up, agent by agent, for the nights behind it.

// circulation is the row of a sponsor.
type circulation struct {
	spent, nextSpent netkit.Credits // its payments that count; next is of the night under way
	links, next      []sponsorLink  // sorted by row
}

// sponsorLink is the part of a sponsor's payments to agents, by the share of another
// sponsor in the income of these.
type sponsorLink struct {
	sponsor uint32
	weight  netkit.Credits
}

func (l *sponsorLink) Fields(c *wire.Codec) {
	wire.Num(c, "sponsor", &l.sponsor)
	wire.Amount(c, "weight", &l.weight)
}

func (r *circulation) Fields(c *wire.Codec) {
	wire.Amount(c, "spent", &r.spent)
	wire.Amount(c, "next_spent", &r.nextSpent)
	wire.List(c, "links", &r.links, object[sponsorLink])
	wire.List(c, "next", &r.next, object[sponsorLink])
}

// incomeBySponsor returns the cleared payments of sponsors to an agent that count,
// within the look-back of diversity, by row, and the sum.
func (s *State) incomeBySponsor(i uint32, at netkit.Millis) (by []sponsorLink, total netkit.Credits) {
	var sums score.Tally[netkit.Credits]
	rows, cleared := s.parties.At(i).Agent.Evidence, s.clearedUntil(i, at)
	for k := range rows {
		if ev := &rows[k]; ev.In > 0 && s.inDiversityWindow(at, ev.Day) && ev.cleared(cleared) && s.parties.At(ev.With).Kind == netkit.SponsorParty {
			*sums.Of(ev.With) += ev.In
			total += ev.In
		}
	}
	sums.Each(func(j uint32, sum *netkit.Credits) { by = append(by, sponsorLink{j, *sum}) })
	return by, total
}

// addCirculation adds up the income of the agents of the rows [from, to).
func (s *State) addCirculation(from, to uint32, at netkit.Millis) {
	if r := &s.law.Detectors; r.CirculationShare == 0 && r.CirculationExcess == 0 {
		return
	}
	spent, weights := map[uint32]netkit.Credits{}, map[uint32]map[uint32]netkit.Credits{}
	for i := from; i < to; i++ {
		if s.parties.At(i).Kind != netkit.AgentParty || len(s.parties.At(i).Agent.Evidence) == 0 {
			continue
		}
		by, total := s.incomeBySponsor(i, at)
		for _, x := range by {
			if weights[x.sponsor] == nil {
				weights[x.sponsor] = map[uint32]netkit.Credits{}
			}
			spent[x.sponsor] += x.weight
			for _, y := range by {
				weights[x.sponsor][y.sponsor] += netkit.Credits(portion(int64(x.weight), int64(y.weight), int64(total)))
			}
		}
	}
	for _, j := range SortedKeys(spent) {
		row, _ := s.circulation.Get(j)
		row.nextSpent += spent[j]
		for _, l := range row.next {
			weights[j][l.sponsor] += l.weight
		}
		row.next = make([]sponsorLink, 0, len(weights[j]))
		for _, l := range SortedKeys(weights[j]) {
			row.next = append(row.next, sponsorLink{l, weights[j][l]})
		}
		s.circulation.Put(j, row)
	}
}

// closeCirculation makes the sums of a night that is over those of the nights to come.
func (s *State) closeCirculation() {
	for _, j := range SortedKeys(s.circulation.M) {
		row, _ := s.circulation.Get(j)
		if row.nextSpent == 0 {
			s.circulation.Drop(j)
			continue
		}
		s.circulation.Put(j, circulation{spent: row.nextSpent, links: row.next})
	}
}

// walkUnit is the whole of a walk.
const walkUnit = 1_000_000

// circulates returns which part of a walk from an agent ends on sponsors that it
// reaches too often, in basis points.
func (s *State) circulates(i uint32, at netkit.Millis) int64 {
	var sum int64
	for _, x := range s.walkEnds(i, at, s.circulationFactor()) {
		sum += x.reached
	}
	return sum * score.One / walkUnit
}

// exceeds returns which part of a walk from an agent ends on sponsors that it reaches
// too often, beyond their share of all spending, in basis points. Where sponsors of one
// owner are so large that no walk can reach them five times as often as their share,
// it still stays with them.
func (s *State) exceeds(i uint32, at netkit.Millis) int64 {
	var sum int64
	for _, x := range s.walkEnds(i, at, excessFactor) {
		sum += x.reached - x.spent
	}
	return sum * score.One / walkUnit
}

// circulationFactor returns how many times its share of all spending, in tenths, a
// sponsor is reached at most that is not reached too often.
func (s *State) circulationFactor() int64 {
	return 10 * int64(cmp.Or(s.law.Detectors.CirculationFactor, 5))
}

// excessFactor is circulationFactor for DetectorRules.CirculationExcess.
const excessFactor = 15

// walkEnds returns the sponsors that a walk from an agent reaches more often than
// tenths/10 times their share of all spending, by row. Divisions round down.
func (s *State) walkEnds(i uint32, at netkit.Millis, tenths int64) (ends []walkEnd) {
	own, income := s.incomeBySponsor(i, at)
	reached := map[uint32]int64{}
	for _, x := range own {
		reached[x.sponsor] += portion(walkUnit, int64(x.weight), int64(income))
	}
	for range 3 {
		reached = s.walkOn(reached)
	}
	var all netkit.Credits
	for _, row := range s.circulation.M {
		all += row.spent
	}
	for _, j := range SortedKeys(reached) {
		row, _ := s.circulation.Get(j)
		if part := reached[j]; overShare(10*part, int64(all), tenths*walkUnit, int64(row.spent)) {
			ends = append(ends, walkEnd{s.parties.At(j).Slug, part, portion(walkUnit, int64(row.spent), int64(all))})
		}
	}
	return ends
}

// walkOn goes from sponsors to the agents that they pay, and to the sponsors of these.
func (s *State) walkOn(from map[uint32]int64) map[uint32]int64 {
	to := map[uint32]int64{}
	for j, part := range from {
		row, _ := s.circulation.Get(j)
		var all int64
		for _, l := range row.links {
			all += int64(l.weight)
		}
		for _, l := range row.links {
			to[l.sponsor] += portion(part, int64(l.weight), all)
		}
	}
	return to
}

// portion returns a·b/of, rounded down, where b is at most of.
func portion(a, b, of int64) int64 {
	if of == 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	q, _ := bits.Div64(hi, lo, uint64(of))
	return int64(q)
}

// overShare reports whether a·b is more than c·d.
func overShare(a, b, c, d int64) bool {
	h1, l1 := bits.Mul64(uint64(a), uint64(b))
	h2, l2 := bits.Mul64(uint64(c), uint64(d))
	return h1 > h2 || h1 == h2 && l1 > l2
}

// walksCirculation reports whether a night looks for circulation around an agent: it
// is due for a badge, or was found before.
func (s *State) walksCirculation(i uint32, badge bool) bool {
	return s.law.Detectors.CirculationShare > 0 && (badge || s.wasFound(i, circulationCheck))
}

// walksExcess reports whether a night looks for the excess of a walk from an agent, under
// the same conditions.
func (s *State) walksExcess(i uint32, badge bool) bool {
	return s.law.Detectors.CirculationExcess > 0 && (badge || s.wasFound(i, excessCheck))
}

// wasFound reports whether the latest flag of an agent has a detector.
func (s *State) wasFound(i uint32, detector string) bool {
	r, _ := s.flags.Get(i)
	return slices.ContainsFunc(r.detections, func(d Detection) bool { return d.Name == detector })
}

// Detectors for which the night files a case.
const (
	circulationCheck = "circulation_among_its_sponsors"
	excessCheck      = "circulation_beyond_its_sponsors_share"
)

// walkEnd is a sponsor that a walk reaches too often, with parts of walkUnit.
type walkEnd struct {
	sponsor string
	reached int64 // of the walk
	spent   int64 // by the sponsor, of what all sponsors spent
}

func (w *walkEnd) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &w.sponsor)
	wire.Num(c, "reached", &w.reached)
	wire.Num(c, "spent", &w.spent)
}

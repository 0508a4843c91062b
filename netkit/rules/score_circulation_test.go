package rules

import (
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// Own sponsors in a market of 20: the walk stays with them, also if their workers do
// three real works each, and leaves those of honest agents. The steps of a night may
// end anywhere.
func TestCirculationAmongOwnSponsors(t *testing.T) {
	for _, c := range []struct {
		own, workers, real int
		least              int64
	}{{3, 42, 0, 9900}, {5, 5, 0, 9900}, {3, 42, 3, 2500}, {8, 84, 0, 9900}} {
		t.Run(fmt.Sprintf("%d×%d, %d real", c.own, c.workers, c.real), func(t *testing.T) {
			s := NewState()
			s.law = netkit.Version1()
			row := func(slug string, kind netkit.PartyKind) uint32 {
				s.enrol(Party{Slug: slug, Kind: kind})
				return s.parties.Len() - 1
			}
			pay := func(agent, sponsor uint32, sum netkit.Credits) { s.EvidenceOf(agent, sponsor, 90).In += sum }
			var market, own, honest, workers []uint32
			for k := range 20 {
				market = append(market, row(fmt.Sprintf("sponsor-%d", k), netkit.SponsorParty))
			}
			for k := range c.own {
				own = append(own, row(fmt.Sprintf("own-%d", k), netkit.SponsorParty))
			}
			for k := range 150 {
				i := row(fmt.Sprintf("honest-%d", k), netkit.AgentParty)
				for n := range 30 { // the larger sponsors pay more, and each agent has its own few
					j := (k*7 + n*n) % 20
					pay(i, market[j], netkit.Credits(1000+5000/(1+j)))
				}
				honest = append(honest, i)
			}
			for k := range c.workers {
				i := row(fmt.Sprintf("worker-%d", k), netkit.AgentParty)
				for _, j := range own {
					pay(i, j, netkit.Credits(5200/c.own))
				}
				for n := range c.real {
					pay(i, market[(k+n)%20], 5*netkit.Credit)
				}
				workers = append(workers, i)
			}
			at := LastMoment(100)
			for from := uint32(0); from < s.parties.Len(); from += 50 {
				s.addCirculation(from, min(from+50, s.parties.Len()), at)
			}
			if got := s.circulates(workers[0], at); got != 0 {
				t.Errorf("before the night is over: got %d, want 0", got)
			}
			s.closeCirculation()
			for _, i := range workers {
				if got := s.circulates(i, at); got < c.least {
					t.Fatalf("%s: got %d basis points, want %d at least", s.parties.At(i).Slug, got, c.least)
				}
			}
			for _, i := range honest {
				if got := s.circulates(i, at); got > 1200 {
					t.Fatalf("%s: got %d basis points, want 1200 at most", s.parties.At(i).Slug, got)
				}
			}
		})
	}
}

// Own sponsors that pay 29 % and 44 % of all in a young market: none is reached five
// times as often as its share, and the walk still stays with them. Honest agents of
// the same market are not flagged unless the own sponsors pay more than 40 %.
func TestCirculationBeyondTheShareOfLargeSponsors(t *testing.T) {
	for _, own := range []int{3, 6} {
		t.Run(fmt.Sprintf("%d own sponsors", own), func(t *testing.T) {
			s := NewState()
			s.law = netkit.Version1()
			row := func(slug string, kind netkit.PartyKind) uint32 {
				s.enrol(Party{Slug: slug, Kind: kind})
				return s.parties.Len() - 1
			}
			var workers, honest []uint32
			for k := range 10 + own {
				row(fmt.Sprintf("sponsor-%d", k), netkit.SponsorParty)
			}
			for k := range 60 {
				honest = append(honest, row(fmt.Sprintf("honest-%d", k), netkit.AgentParty))
				for n := range 6 {
					s.EvidenceOf(honest[k], uint32((k+n*n)%10), 90).In += 10 * netkit.Credit
				}
			}
			for k := range 8 * own {
				workers = append(workers, row(fmt.Sprintf("worker-%d", k), netkit.AgentParty))
				for n := range own {
					s.EvidenceOf(workers[k], uint32(10+n), 90).In += 60 * netkit.Credit / netkit.Credits(own)
				}
			}
			at := LastMoment(100)
			s.addCirculation(0, s.parties.Len(), at)
			s.closeCirculation()
			most := int64(s.law.Detectors.CirculationExcess)
			for _, i := range workers {
				if walk, excess := s.circulates(i, at), s.exceeds(i, at); walk >= int64(s.law.Detectors.CirculationShare) || excess <= most {
					t.Fatalf("%s: got a walk of %d and an excess of %d basis points, want the excess alone to be flagged", s.parties.At(i).Slug, walk, excess)
				}
			}
			for _, i := range honest {
				if excess := s.exceeds(i, at); (excess > most) != (own == 6) {
					t.Fatalf("%s: got an excess of %d basis points of at most %d", s.parties.At(i).Slug, excess, most)
				}
			}
		})
	}
}

package rules

import (
	"cmp"

	"github.com/agentnet/netctl/netkit"
)

// maxWaitDays is the wait of an acceptance, in days, from which on waits are counted
// together.
const maxWaitDays = 7

// recordDays is the window of a buyer's record where the constitution looks back at no
// returns.
const recordDays = 30

// countAccepted counts an acceptance by how many dates its pay waited.
func (d *marketDay) countAccepted(delivered, accepted netkit.Day) {
	wait := min(max(0, int(accepted-delivered)), maxWaitDays)
	waits := make([]uint32, max(len(d.waits), wait+1))
	copy(waits, d.waits)
	waits[wait]++
	d.waits = waits
}

// buyerRecord returns the reputation of a sponsor as a buyer.
func (s *State) buyerRecord(sponsor uint32, at netkit.Millis) netkit.BuyerRecord {
	b := &s.extra(s.parties.At(sponsor)).bought
	r := netkit.BuyerRecord{Days: cmp.Or(s.law.Market.ReturnDays, recordDays), Upheld: b.upheld, Dismissed: b.dismissed}
	var returned uint64
	var waits [maxWaitDays + 1]uint64
	for k := range b.days {
		row := &b.days[k]
		if int(at.Day()-row.day) >= r.Days {
			continue
		}
		r.Purchases, returned = r.Purchases+uint64(row.purchases), returned+uint64(row.returned)
		for wait, n := range row.waits {
			waits[wait], r.Accepted = waits[wait]+uint64(n), r.Accepted+uint64(n)
		}
	}
	r.AcceptanceRate, r.ReturnRate = ratioOf(r.Accepted, r.Purchases), ratioOf(returned, r.Purchases)
	r.MedianWaitDays = medianOf(waits[:], r.Accepted)
	return r
}

// BuyerRecord returns the reputation of the sponsor that an execution is for.
func (s *State) BuyerRecord(execution *Entry) netkit.BuyerRecord {
	sponsor, _ := s.slugs.Get(execution.Fact.(*Executed).Sponsor)
	return s.buyerRecord(sponsor, execution.At)
}

// ratioOf returns a part of a whole, rounded down and at most 1; 0 of nothing.
func ratioOf(part, whole uint64) netkit.Ratio {
	if whole == 0 {
		return 0
	}
	return netkit.Ratio(min(part, whole) * 10_000 / whole)
}

// medianOf returns the lower median of all numbers, which counts has by value; 0 of an
// empty list.
func medianOf(counts []uint64, all uint64) uint64 {
	var sum uint64
	for value, n := range counts {
		if sum += n; 2*sum >= all && all > 0 {
			return uint64(value)
		}
	}
	return 0
}

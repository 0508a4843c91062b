package simulate

import (
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// griefers turn the largest honest sponsors: from now on they report all that they
// buy, whatever it is.
func griefers(w *world) {
	for _, s := range w.sponsors[:w.sc.Attack.Sponsors] {
		w.turn(s)
	}
}

// capture has one sponsor, of the rank that Sponsors says, buy reviewers, and report all
// that it buys. The bought ones uphold each of its cases.
func capture(w *world) {
	k := &w.sc.Attack
	for _, r := range w.review.reviewers[:k.Bought] {
		w.crime.bought[r.slug] = true
	}
	w.turn(w.sponsors[k.Sponsors-1])
}

// turn has an honest sponsor report all that it buys for the days of the attack, and
// notes at the end of the run which part of its spending came back.
func (w *world) turn(s *sponsor) {
	span := max(w.sc.Attack.Spread, 1)
	before, bought, spent := w.book(s), s.paid, netkit.Credits(0)
	s.reports, s.brought = true, 0
	for day := range span {
		w.after(days(day), func() { w.reserve(s) })
	}
	w.after(days(span), func() { s.reports, spent = false, s.paid-bought })
	w.crime.turned = append(w.crime.turned, func() (gain, of netkit.Credits) {
		return s.paid - bought - (before + s.brought - w.book(s)), spent
	})
}

// book is what a sponsor has in the network: free funds, bonds and budget.
func (w *world) book(s *sponsor) netkit.Credits {
	v, err := w.n.As("").Sponsor(w.ctx, s.slug)
	w.must(err)
	b, err := w.n.As("").Balance(w.ctx, netkit.ContractBudget(s.contract))
	w.must(err)
	return v.Funds + v.Bonds + b.Balance
}

// grieve has a turned sponsor report a purchase, unless it is wary and has seen most
// of its reports dismissed.
func (w *world) grieve(s *sponsor, id uint64) {
	if w.sc.Attack.Wary {
		v, err := w.n.As("").Sponsor(w.ctx, s.slug)
		if w.must(err) && v.Reports.Dismissed > v.Reports.Upheld+4 {
			return
		}
	}
	in := netkit.Report{Subject: id, Law: "L1", Evidence: "This is wrong."}
	r, err := s.Report(w.ctx, in)
	if !w.ok(err) {
		return
	}
	w.crime.note("reports by the turned sponsors", "", w.crime.noted("reports by the turned sponsors")+1)
	w.crime.side[r.CaseID] = true
}

// turnedSponsors adds which part of their spending came back to the turned sponsors.
func (w *world) turnedSponsors(s *sheet) {
	var gain, spent netkit.Credits
	for _, books := range w.crime.turned {
		g, of := books()
		gain, spent = gain+g, spent+of
	}
	if len(w.crime.turned) > 0 {
		s.add("turned sponsors: gain", "credits", credits(gain))
		s.part("turned sponsors: gain, of their spending", float64(gain), float64(spent))
	}
}

// throwAways has new accounts every day, each of which delivers some junk and is then
// left.
func throwAways(w *world) {
	k := &w.sc.Attack
	spread := max(k.Spread, 1)
	for i := range k.Accounts {
		w.after(days(spread)*time.Duration(i)/time.Duration(k.Accounts), func() {
			a := &agent{slug: fmt.Sprintf("away-%05d", i), crooked: true}
			if !w.spawn(a) {
				return
			}
			w.crime.accounts = append(w.crime.accounts, a)
			for j := range k.Each {
				w.after(24*time.Hour*time.Duration(j)/time.Duration(k.Each), func() { w.tryJunk(a) })
			}
		})
	}
}

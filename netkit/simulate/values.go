package simulate

import (
	"maps"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// sheet collects the figures of a run in the order of the table.
type sheet []Value

func (s *sheet) add(name, unit string, v float64) { *s = append(*s, Value{name, unit, v}) }

// part adds a share in percent.
func (s *sheet) part(name string, some, all float64) {
	if all > 0 {
		s.add(name, "%", 100*some/all)
	}
}

func credits(c netkit.Credits) float64 { return float64(c) / float64(netkit.Credit) }

// values lists what the run showed.
func (w *world) values() []Value {
	var s sheet
	w.volume(&s)
	w.ranks(&s)
	w.scores(&s)
	w.money(&s)
	if w.sc.Attack.Kind != "" {
		w.damage(&s)
	}
	return s
}

// volume adds how much was done.
func (w *world) volume(s *sheet) {
	f := &w.tally
	s.add("honest signals a day", "", float64(f.signals)/float64(w.sc.Days))
	s.add("price of a signal", "credits", credits(f.payouts)/float64(max(f.signals, 1)))
	s.add("paid for honest signals a day", "credits", credits(f.payouts-f.returned)/float64(w.sc.Days))
	s.part("honest pay returned without a report", float64(f.returned), float64(f.payouts))
	s.part("wishes refused for want of credits", float64(f.refused[code.WalletShort]), float64(f.asked))
	s.part("agents suspended at least once", float64(len(f.suspended)), float64(len(w.agents)))
	s.add("reports", "", float64(f.cases))
	s.add("verdicts", "", float64(f.verdicts))
	s.add("upheld reports of what was right", "", float64(f.wronged))
	s.add("cases left to the operator", "", float64(len(f.withOperator)))
}

// ranks adds who reached which tier, and when.
func (w *world) ranks(s *sheet) {
	for t := netkit.Verified; t <= netkit.Elite; t++ {
		var when, after []int
		for _, a := range w.agents {
			if r := a.first[t]; r.yes {
				when, after = append(when, r.day), append(after, r.executions)
			}
		}
		s.part(t.String(), float64(len(when)), float64(len(w.agents)))
		if len(when) > 0 {
			s.add(t.String()+": median day", "days", float64(median(when)))
			s.add(t.String()+": median executions", "", float64(median(after)))
		}
	}
	for _, b := range []netkit.Badge{netkit.FieldAgent, netkit.SeniorCorrespondent, netkit.DisputeMaster} {
		honest := 0
		for slug := range w.tally.issued[b] {
			if !w.known[slug].crooked {
				honest++
			}
		}
		s.add(b.String(), "agents", float64(honest))
	}
}

// scores adds how many agents pass the gates, of those with ten executions that
// do not serve one sponsor by choice.
func (w *world) scores(s *sheet) {
	var all, three, five, rep float64
	for _, a := range w.agents {
		p := w.tally.profiles[a.slug]
		if a.executions < 10 || a.loyalty == 1 {
			continue
		}
		all++
		three += one(p.CounterpartyDiversityScore >= 3000)
		five += one(p.CounterpartyDiversityScore >= 5000)
		rep += one(p.ReputationScore >= 9500)
	}
	s.part("diversity ≥ 0.30", three, all)
	s.part("diversity ≥ 0.50", five, all)
	s.part("reputation ≥ 95", rep, all)
	for _, name := range slices.Sorted(maps.Keys(w.tally.flagged)) {
		s.part("honest, ever flagged: "+strings.ReplaceAll(name, "_", " "), float64(len(w.tally.flagged[name])), float64(len(w.agents)))
	}
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// money adds where the credits are at the end.
func (w *world) money(s *sheet) {
	b := &w.tally.books
	earned := credits(-b.Issued - b.Sponsors - b.Contracts)
	s.add("in wallets and treasury", "credits", earned)
	s.part("treasury, of that", credits(b.Treasury), earned)
	s.add("returned to sponsors", "credits", credits(w.returned()))
	var held []float64
	for _, a := range w.agents {
		h, err := w.n.As("").Balance(w.ctx, netkit.Wallet(a.slug))
		if w.must(err) {
			held = append(held, credits(h.Balance))
		}
	}
	s.add("median wallet", "credits", median(held))
	s.add("Gini of wallets", "", gini(held))
}

// returned is what honest sponsors got back of what they had paid.
func (w *world) returned() netkit.Credits {
	left := netkit.Credits(0)
	for _, s := range w.sponsors {
		for _, a := range []netkit.Account{netkit.SponsorFunds(s.slug), netkit.ContractBudget(s.contract)} {
			b, err := w.n.As("").Balance(w.ctx, a)
			w.must(err)
			left += b.Balance
		}
	}
	return w.tally.paid - (w.tally.brought - left)
}

// damage adds what the attacker gained, what it cost and how far it came.
func (w *world) damage(s *sheet) {
	c := &w.crime
	s.add("attacker: accounts", "", float64(len(c.accounts)))
	s.add("attacker: executions", "", float64(c.executions))
	s.add("attacker: junk, of them", "", float64(c.junk))
	s.add("attacker: deposited from outside", "credits", credits(c.outside))
	s.add("attacker: accounts stopped", "", float64(w.stopped()))
	for t := netkit.Verified; t <= netkit.Elite; t++ {
		s.add("attacker: "+t.String(), "", one(c.tiers[t].yes))
		if c.tiers[t].yes {
			s.add("attacker: first "+t.String(), "days", float64(c.tiers[t].day))
		}
	}
	s.add("attacker: best diversity", "", float64(c.diversity)/10_000)
	s.add("attacker: best reputation", "", float64(c.reputation)/100)
	for _, t := range []netkit.Tier{netkit.Badged, netkit.Elite} {
		w.bought(s, t)
	}
	if c.flagged.yes {
		s.add("attacker: flagged after", "days", float64(c.flagged.day))
	}
	s.part("honest agents suspended since it began", float64(len(c.wronged)), float64(len(w.agents)))
	s.part("honest agents flagged since it began", float64(len(c.suspected)), float64(len(w.agents)))
	if worst, ok := w.tally.treasuryTrend(); ok {
		s.add("treasury: lowest growth in 30 days", "credits", credits(worst))
	}
	s.add("sponsors paid for junk", "credits", credits(c.drained))
	s.part("junk, of the sponsors' spending", credits(c.drained), credits(c.spent))
	kept, frozen := w.kept()
	s.add("attacker: keeps", "credits", kept)
	s.add("attacker: frozen in stopped accounts", "credits", frozen)
	// Of a payout 85 % reaches the agent.
	s.part("attacker keeps, of the sponsors' spending", kept/0.85, credits(c.spent))
	days := max(w.sc.Attack.Spread, 1)
	s.add("honest signals a day, meanwhile", "", float64(c.others)/float64(days))
	w.turnedSponsors(s)
	*s = append(*s, c.extra...)
}

// bought adds how many accounts reached a tier before they were flagged or reported,
// and what the attacker's own sponsors paid for each of them.
func (w *world) bought(s *sheet, t netkit.Tier) {
	all, free := 0, 0
	for _, a := range w.crime.accounts {
		if !a.first[t].yes {
			continue
		}
		all++
		day, found := w.crime.found[a.slug]
		if born := w.tally.born[a.slug] - w.sc.Attack.Day; !found || day > born+a.first[t].day {
			free++
		}
	}
	s.add("attacker: accounts "+t.String(), "", float64(all))
	s.add("attacker: accounts "+t.String()+" before a flag or a report", "", float64(free))
	var paid netkit.Credits
	for _, own := range w.crime.sponsors {
		paid += own.paid
	}
	if free > 0 {
		s.add("price of one of these "+t.String(), "credits", credits(paid)/float64(free))
	}
}

// stopped counts the attacker's accounts that were suspended or listed.
func (w *world) stopped() (n int) {
	for _, a := range w.crime.accounts {
		if a.standing != netkit.Active {
			n++
		}
	}
	return n
}

// kept is what the attacker's wallets hold in the end beyond welcome grants and
// what it deposited itself: in accounts that can spend it, and in those that
// were stopped.
func (w *world) kept() (free, frozen float64) {
	free = -credits(w.crime.outside)
	for _, a := range w.crime.accounts {
		b, err := w.n.As("").Balance(w.ctx, netkit.Wallet(a.slug))
		if !w.must(err) {
			continue
		}
		if gain := credits(b.Balance) - 50; a.standing == netkit.Active {
			free += gain
		} else {
			frozen += gain
		}
	}
	return free, frozen
}

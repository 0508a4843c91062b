package simulate

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// crime is what an attacker has, and what is known of it.
type crime struct {
	accounts []*agent
	sponsors []*sponsor
	bought   map[string]bool // reviewers
	side     map[uint64]bool // cases in which bought reviewers vote so
	hollow   map[uint64]bool // cases whose evidence shows nothing

	drained    netkit.Credits // paid by honest sponsors for junk
	spent      netkit.Credits // paid by honest sponsors while the attack ran
	outside    netkit.Credits // deposited by the attacker
	executions int            // of the attacker's accounts
	junk       int            // of them
	others     int            // honest executions while the attack ran

	tiers      [4]reached // of any account, in days since the attack began
	diversity  netkit.Ratio
	reputation netkit.Percent
	flagged    reached
	turned     []func() (gain, of netkit.Credits) // of sponsors that report everything: against reporting nothing, and their spending
	boss       *agent                             // whom the attack is for, nil where each account gains
	found      map[string]int                     // day on which an account of the attacker was flagged or reported first
	wronged    map[string]bool                    // honest agents suspended since the attack began
	suspected  map[string]bool                    // honest agents flagged since
	extra      []Value
}

// attacks are the attackers by name.
var attacks = map[string]func(*world){
	"ring": ring, "own-sponsors": ownSponsors, "drain": drain, "whitewash": whitewash,
	"false-reports": falseReports, "friendly-cases": friendlyCases, "shield": shield, "own-puppets": ownPuppets,
	"grants": grants, "squat": squat, "playbooks": playbooks, "copied-playbooks": copyPlaybooks, "free-ride": freeRide, "ignored": ignored,
	"club": club, "griefers": griefers, "capture": capture, "throw-aways": throwAways,
	"blackout": blackout, "revocation": revocation, "sleeping-witness": sleepingWitness, "law": lawForANight,
}

// Attacks lists the attackers that a scenario may name.
func Attacks() []string { return slices.Sorted(maps.Keys(attacks)) }

// expectAttack plans the beginning of the attack.
func (w *world) expectAttack() {
	k := &w.sc.Attack
	w.crime = crime{bought: map[string]bool{}, side: map[uint64]bool{}, hollow: map[uint64]bool{},
		found: map[string]int{}, wronged: map[string]bool{}, suspected: map[string]bool{}}
	if k.Kind != "" {
		w.on(k.Day, func() { attacks[k.Kind](w) })
	}
}

// running reports whether the attack's work goes on.
func (c *crime) running(w *world) bool {
	k := &w.sc.Attack
	return k.Kind != "" && w.day() >= k.Day && w.day() < k.Day+max(k.Spread, 1)
}

// begun reports whether the attack has begun.
func (w *world) begun() bool { return w.sc.Attack.Kind != "" && w.day() >= w.sc.Attack.Day }

// caught notes that an account of the attacker was flagged or reported.
func (c *crime) caught(w *world, slug string) {
	if _, ok := c.found[slug]; !ok {
		c.found[slug] = w.since()
	}
}

// hides reports whether an account of a wary attacker does nothing more.
func (w *world) hides(a *agent) bool {
	_, found := w.crime.found[a.slug]
	return found && w.sc.Attack.Wary
}

// since is the number of days since the attack began.
func (w *world) since() int { return w.day() - w.sc.Attack.Day }

// hire makes an account of the attacker, with a confirmed wallet.
func (w *world) hire(name string, i int) *agent {
	a := &agent{slug: fmt.Sprintf("%s-%05d", name, i), crooked: true}
	if !w.spawn(a) {
		return nil
	}
	w.crime.accounts = append(w.crime.accounts, a)
	w.after(days(w.sc.Attack.Wallet), func() { w.confirm(a) })
	return a
}

// crew hires so many accounts.
func (w *world) crew(name string, n int) (all []*agent) {
	for i := range n {
		if a := w.hire(name, i); a != nil {
			all = append(all, a)
		}
	}
	return all
}

// junk delivers worthless text, to any honest sponsor where s is nil.
func (w *world) junk(a *agent, s *sponsor) bool {
	if w.hides(a) {
		return false
	}
	if s == nil {
		s = w.sponsors[w.draw(w.shares)]
	}
	return w.execute(a, s, true)
}

// toil spreads an account's junk evenly over the days of the attack. A sponsor of the
// attacker accepts it at once, so that the pay clears.
func (w *world) toil(a *agent, pay func() *sponsor) {
	k := &w.sc.Attack
	for j := range k.Each {
		at := days(max(k.Spread, 1)) * time.Duration(j) / time.Duration(k.Each)
		w.after(at+w.between(0, time.Hour), func() {
			if s := pay(); w.junk(a, s) && s != nil {
				_, err := s.Accept(w.ctx, netkit.AcceptExecutions{ExecutionIDs: a.recent[len(a.recent)-1:]})
				w.ok(err)
			}
		})
	}
}

// anySponsor has junk go to honest sponsors.
func anySponsor() *sponsor { return nil }

// found brings in the attacker's own sponsors, its funds in equal parts.
func (w *world) found() (own []*sponsor) {
	k := &w.sc.Attack
	for i := range k.Sponsors {
		s := &sponsor{slug: fmt.Sprintf("front-%03d", i), crooked: true}
		w.admit(s, netkit.Credits(k.Funds*100/int64(k.Sponsors)))
		own = append(own, s)
	}
	w.crime.sponsors = own
	return own
}

// saw notes how far an account has come.
func (c *crime) saw(w *world, a *agent, p *netkit.Profile) {
	for t := netkit.Unverified; t <= p.BioVerified.Tier; t++ {
		if !c.tiers[t].yes {
			c.tiers[t] = reached{day: w.since(), executions: c.executions, yes: true}
		}
	}
	c.diversity = max(c.diversity, p.BioVerified.CounterpartyDiversityScore)
	if p.Status == netkit.Active {
		c.reputation = max(c.reputation, p.BioVerified.ReputationScore)
	}
}

// note adds a figure that only this attack has.
func (c *crime) note(name, unit string, value float64) {
	for i := range c.extra {
		if c.extra[i].Name == name {
			c.extra[i].Value = value
			return
		}
	}
	c.extra = append(c.extra, Value{name, unit, value})
}

// busiest is the honest agent in good standing with most executions, and the
// badge if one is asked for.
func (w *world) busiest(badge netkit.Badge) *agent {
	var best *agent
	for _, a := range w.agents {
		if a.standing != netkit.Active || badge != netkit.NoBadge && !w.tally.issued[badge][a.slug] {
			continue
		}
		if best == nil || a.executions > best.executions {
			best = a
		}
	}
	return best
}

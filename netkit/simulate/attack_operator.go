package simulate

import (
	"time"

	"github.com/agentnet/netctl/netkit"
)

// blackout has an operator publish a crisis and never resolve it.
func blackout(w *world) {
	w.crisis()
	before := w.tally.signals
	w.after(days(30), func() { w.crime.note("executions in the 30 days of the crisis", "", float64(w.tally.signals-before)) })
	suppressed := 0
	for d := range 30 {
		w.after(days(d)+time.Hour, func() {
			c, err := w.n.As("").Crisis(w.ctx)
			if w.must(err) && len(c.Running) > 0 {
				suppressed++
			}
			w.crime.note("days of 30 without commerce", "days", float64(suppressed))
		})
		if d%7 == 0 && d > 0 { // and begins another where the first has ended
			w.after(days(d), w.crisis)
		}
	}
}

func (w *world) crisis() {
	_, err := w.operator.Publish(w.ctx, netkit.Publish{Priority: netkit.P0, Channel: netkit.NichePolicy, Headline: "A crisis that is none"})
	w.ok(err)
}

// revocation has an operator and a young friend take the badge of the busiest
// agent, which appeals a day later.
func revocation(w *world) {
	friend := w.hire("friend", 0)
	w.after(days(8), func() {
		victim := w.busiest(netkit.FieldAgent)
		r, err := w.operator.RevokeBadge(w.ctx, netkit.RevokeBadge{Agent: victim.slug, Badge: netkit.FieldAgent, Reason: "complaints", Witness: friend.slug})
		if w.ok(err) {
			_, err = friend.Witness(w.ctx, netkit.Witness{ID: r.RevocationID})
			w.ok(err)
			w.after(days(1), func() {
				_, err := victim.Appeal(w.ctx, netkit.Appeal{CaseID: r.RevocationID, Grounds: "No complaint is named."})
				w.ok(err)
			})
		}
		w.without(victim, 60)
	})
}

// without counts the days on which an agent's FIELD_AGENT is not active.
func (w *world) without(a *agent, span int) {
	lost := 0
	for d := range span {
		w.after(days(d)+time.Hour, func() {
			p, err := w.n.As("").Profile(w.ctx, a.slug)
			if w.must(err) && !holds(&p, netkit.FieldAgent) {
				lost++
			}
			w.crime.note("days of 60 without the badge", "days", float64(lost))
		})
	}
}

func holds(p *netkit.Profile, b netkit.Badge) bool {
	for _, v := range p.BioVerified.Badges {
		if v.Badge == b && v.Active {
			return true
		}
	}
	return false
}

// sleepingWitness has a friend named as witness of a revocation that everybody
// else would confirm, and say nothing.
func sleepingWitness(w *world) {
	friend := w.hire("sleeper", 0)
	w.after(days(8), func() {
		victim := w.busiest(netkit.FieldAgent)
		r, err := w.operator.RevokeBadge(w.ctx, netkit.RevokeBadge{Agent: victim.slug, Badge: netkit.FieldAgent, Reason: "three copied signals", Witness: friend.slug})
		if !w.ok(err) {
			return
		}
		kept := 0
		for d := range 30 {
			w.after(days(d)+time.Hour, func() {
				if p, err := w.n.As("").Profile(w.ctx, victim.slug); w.must(err) && holds(&p, netkit.FieldAgent) {
					kept++
				}
				w.crime.note("days of 30 that the badge is kept", "days", float64(kept))
				for _, a := range w.agents {
					if _, err := a.Witness(w.ctx, netkit.Witness{ID: r.RevocationID}); err == nil {
						return
					}
				}
			})
		}
	})
}

// lawForANight has an operator adopt a constitution that makes a friend ELITE,
// and the old one again the next day.
func lawForANight(w *world) {
	friend := w.hire("friend", 0)
	w.earn(friend, 10)
	w.after(days(12), func() {
		w.adopt("1.0.1", func(c *netkit.Constitution) {
			for i := range c.Badges {
				b := &c.Badges[i]
				*b = netkit.BadgeRule{Name: b.Name, Window: b.Window, Diversity: b.Diversity, Events: 1, Counterparties: 1, ActiveDays: min(b.ActiveDays, 1)}
			}
		})
	})
	w.after(days(14), func() {
		w.crime.note("badges given by the law of one night", "", float64(len(w.tally.issued[netkit.SeniorCorrespondent])))
	})
}

// adopt puts a changed constitution in force, if the network lets the operator.
func (w *world) adopt(version string, change func(*netkit.Constitution)) {
	law, err := w.sc.law()
	w.must(err)
	law.Version, law.Issued = version, w.now.Format(time.DateOnly)
	change(law)
	_, err = w.operator.AdoptConstitution(w.ctx, netkit.AdoptConstitution{Document: law})
	w.ok(err)
	v, err := w.n.As("").Constitution(w.ctx)
	in := 0.0
	if w.must(err) && v.Version == version {
		in = 1
	}
	w.crime.note("in force at once", "", in)
}

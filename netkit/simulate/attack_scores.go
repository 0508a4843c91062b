package simulate

import (
	"time"

	"github.com/agentnet/netctl/netkit"
)

// ring has puppets earn by junk and pay one account for answers: it never works
// and rises on what they send. With sponsors of its own the attacker pays the
// puppets itself.
func ring(w *world) {
	k := &w.sc.Attack
	boss := w.hire("boss", 0)
	w.crime.boss = boss
	w.takes(boss, k.Price)
	pay := anySponsor
	if own := w.found(); len(own) > 0 {
		pay = func() *sponsor { return own[w.rng.IntN(len(own))] }
	}
	for _, p := range w.crew("puppet", k.Accounts) {
		w.toil(p, pay)
		for range k.Requests {
			w.after(days(k.Spread)+w.between(2*time.Hour, days(7*max(k.Weeks, 1))), func() { w.bribe(p, boss) })
		}
	}
}

// bribe pays an account for an answer, which it gives at once.
func (w *world) bribe(from, to *agent) {
	r, err := from.SendAttention(w.ctx, netkit.SendAttention{To: to.slug, Subject: "Hello", Body: "Hello."})
	if w.ok(err) {
		w.after(time.Minute, func() { w.answer(to, r.ID) })
	}
}

// club has accounts work well and ask each other: in a circle any other member, or
// in one direction only members that do not ask them.
func club(w *world) {
	k := &w.sc.Attack
	members := w.crew("member", k.Accounts)
	for i, a := range members {
		w.takes(a, k.Price)
		w.habit(a, w.sc.Honest.Wishes, func(a *agent) { w.execute(a, w.sponsors[w.draw(w.shares)], false) })
		reach := (len(members) - 1) / 2
		if k.Circle {
			reach = len(members) - 1
		}
		w.habit(a, float64(k.Requests)/7, func(a *agent) {
			if to := members[(i+1+w.rng.IntN(reach))%len(members)]; !w.hides(a) && !w.hides(to) {
				w.bribe(a, to)
			}
		})
	}
}

// ownSponsors has workers deliver to sponsors that the attacker funds.
func ownSponsors(w *world) {
	k := &w.sc.Attack
	own := w.found()
	for i, a := range w.crew("worker", k.Accounts) {
		next := i
		w.toil(a, func() *sponsor { next++; return own[next%len(own)] })
	}
}

// grants has accounts send their welcome grant to one that keeps it.
func grants(w *world) {
	k := &w.sc.Attack
	boss := w.hire("boss", 0)
	w.takes(boss, k.Price)
	for _, a := range w.crew("donor", k.Accounts) {
		w.bribe(a, boss)
	}
	w.after(days(5), func() {
		b, err := w.n.As("").Balance(w.ctx, netkit.Wallet(boss.slug))
		w.must(err)
		w.crime.note("welcome grants sent on", "credits", credits(max(0, b.Balance-50*netkit.Credit)))
	})
}

// ignored sends a rival requests that it does not want and lets them expire.
func ignored(w *world) {
	k := &w.sc.Attack
	rival := w.bestTaker()
	if rival == nil {
		return
	}
	score := func(when string) {
		p, err := w.n.As("").Profile(w.ctx, rival.slug)
		w.must(err)
		w.crime.note("reputation of the rival "+when, "", float64(p.BioVerified.ReputationScore)/100)
	}
	score("before")
	for _, a := range w.crew("pest", k.Accounts) {
		w.toil(a, anySponsor)
		for week := range k.Weeks {
			w.after(days(k.Spread+7*week)+w.between(time.Hour, days(7)), func() {
				_, err := a.SendAttention(w.ctx, netkit.SendAttention{To: rival.slug, Subject: "Hello", Body: "Hello."})
				w.ok(err)
			})
		}
	}
	w.after(days(k.Spread+7*k.Weeks+4), func() { score("after") })
}

// bestTaker is the honest agent with the highest reputation that takes requests.
func (w *world) bestTaker() (best *agent) {
	for _, a := range w.takers {
		if best == nil || w.tally.profiles[a.slug].ReputationScore > w.tally.profiles[best.slug].ReputationScore {
			best = a
		}
	}
	return best
}

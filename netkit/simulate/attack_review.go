package simulate

import (
	"time"

	"github.com/agentnet/netctl/netkit"
)

// falseReports has accounts report what is right: with reviewers that are
// bought, and after payments that keep honest ones off the panel if a price is
// given. The busiest honest agents are reported.
func falseReports(w *world) {
	k := &w.sc.Attack
	for _, r := range w.review.reviewers[:k.Bought] {
		w.crime.bought[r.slug] = true
	}
	filed, refused := 0, 0
	w.crime.note("false reports upheld at first", "", 0)
	for _, a := range w.crew("liar", k.Accounts) {
		w.earn(a, 12)
		if k.Price > 0 {
			w.after(days(9), func() { w.dust(a) })
		}
		for j := range k.Each {
			w.after(days(14+j*max(k.Spread, 1)/k.Each)+w.between(0, 20*time.Hour), func() {
				if w.accuse(a) {
					filed++
				} else {
					refused++
				}
				w.crime.note("false reports filed", "", float64(filed))
				w.crime.note("false reports refused at once", "", float64(refused))
			})
		}
	}
}

// earn has an account work well enough for a while to be heard.
func (w *world) earn(a *agent, executions int) {
	for range executions {
		w.after(w.between(0, days(9)), func() { w.execute(a, w.sponsors[w.draw(w.shares)], false) })
	}
}

// accuse reports a good execution of the busiest honest agent.
func (w *world) accuse(a *agent) bool {
	rival := w.busiest(netkit.NoBadge)
	if rival == nil || len(rival.recent) == 0 {
		return false
	}
	id := rival.recent[w.rng.IntN(len(rival.recent))]
	r, err := a.Report(w.ctx, netkit.Report{Subject: id, Law: "L1", Evidence: "This is wrong."})
	if w.ok(err) {
		w.crime.side[r.CaseID], w.crime.hollow[r.CaseID] = true, true
	}
	return err == nil
}

// dust pays every reviewer that is not bought a little, so that it has had
// dealings with the reporter.
func (w *world) dust(a *agent) {
	for _, r := range w.review.reviewers {
		if !w.crime.bought[r.slug] {
			_, err := a.SendAttention(w.ctx, netkit.SendAttention{To: r.slug, Subject: "Hello", Body: "Hello.", MaxPrice: &w.sc.Attack.Price})
			w.ok(err)
		}
	}
}

// friendlyCases has friends file hollow reports, so that a reviewer of theirs
// is drawn often and agrees with the rest.
func friendlyCases(w *world) {
	k := &w.sc.Attack
	judge := w.hire("judge", 0)
	w.earn(judge, 30)
	w.after(days(8), func() { w.promote(judge) })
	for _, a := range w.crew("friend", k.Accounts) {
		w.earn(a, 12)
		for j := range k.Each {
			w.after(days(14+j*k.Spread/k.Each)+w.between(0, 20*time.Hour), func() {
				if w.accuse(a) {
					w.crime.note("hollow reports filed", "", w.crime.noted("hollow reports filed")+1)
				}
			})
		}
	}
}

// noted is the value of a figure, 0 before it is noted.
func (c *crime) noted(name string) float64 {
	for _, v := range c.extra {
		if v.Name == name {
			return v.Value
		}
	}
	return 0
}

// shield has a friend report each piece of junk without evidence before anyone
// else can.
func shield(w *world) {
	k := &w.sc.Attack
	w.crime.note("shielded reports refused", "", 0)
	friends := w.crew("shield", max(k.Accounts/2, 1))
	for _, f := range friends {
		w.earn(f, 12)
	}
	for i, a := range w.crew("drainer", k.Accounts) {
		friend := friends[i%len(friends)]
		for j := range k.Each {
			w.after(days(10)+days(max(k.Spread, 1))*time.Duration(j)/time.Duration(k.Each), func() {
				if a.standing != netkit.Active || !w.junk(a, nil) {
					return
				}
				r, err := friend.Report(w.ctx, netkit.Report{Subject: a.recent[len(a.recent)-1], Law: "L1", Evidence: "I have a feeling."})
				if w.ok(err) {
					w.crime.hollow[r.CaseID] = true
				}
			})
		}
	}
}

// begin is the day of the attack on which own puppets begin, once those that report
// them are VERIFIED and paid.
func begin(k *Attack) int {
	if k.Helpers > 0 {
		return 14
	}
	return 0
}

// ownPuppets has accounts deliver junk to a sponsor of the attacker, which reports
// each piece, so that its pay returns and reporters and reviewers are paid.
func ownPuppets(w *world) {
	k := &w.sc.Attack
	own := w.found()[0]
	w.reserve(own)
	books := func() (funds, treasury, owed netkit.Credits) {
		for _, account := range []netkit.Account{netkit.SponsorFunds(own.slug), netkit.ContractBudget(own.contract)} {
			b, err := w.n.As("").Balance(w.ctx, account)
			w.must(err)
			funds += b.Balance
		}
		b, err := w.n.As("").Balance(w.ctx, netkit.Treasury)
		w.must(err)
		return funds, b.Balance, *b.Owed
	}
	before, treasury, _ := books()
	helpers := w.crew("helper", k.Helpers)
	for _, h := range helpers {
		w.earn(h, 12)
	}
	rewards := func() (sum netkit.Credits) {
		for _, h := range helpers {
			b, err := w.n.As("").Balance(w.ctx, netkit.Wallet(h.slug))
			w.must(err)
			sum += b.Balance
		}
		return sum
	}
	earned := netkit.Credits(0)
	w.after(days(begin(k)), func() { earned = rewards() })
	for i, a := range w.crew("puppet", k.Accounts) {
		w.after(days(begin(k))+days(max(k.Spread, 1))*time.Duration(i)/time.Duration(k.Accounts), func() {
			switch {
			case !w.junk(a, own):
			case len(helpers) == 0:
				w.complain(own, a.recent[len(a.recent)-1])
			default:
				_, err := helpers[i%len(helpers)].Report(w.ctx, netkit.Report{Subject: a.recent[len(a.recent)-1], Law: "L1", Evidence: "The source says nothing of the kind."})
				w.ok(err)
			}
		})
	}
	w.after(days(begin(k)+k.Spread+14), func() {
		after, then, owed := books()
		gain := rewards() - earned
		w.crime.note("own sponsor: gain", "credits", credits(after-before))
		w.crime.note("reporters: gain", "credits", credits(gain))
		w.crime.note("gain without work", "credits", credits(after-before+gain))
		w.crime.note("treasury: growth meanwhile", "credits", credits(then-treasury))
		w.crime.note("treasury: owed in the end", "credits", credits(owed))
	})
}

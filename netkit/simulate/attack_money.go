package simulate

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// drain has accounts deliver junk all day, to whatever sponsor still has money,
// and move what they may spend to one that does nothing else.
func drain(w *world) {
	boss := w.hire("boss", 0)
	w.crime.boss = boss
	w.takes(boss, sweepPrice)
	for _, a := range w.crew("drainer", w.sc.Attack.Accounts) {
		w.toilAny(a)
		w.sweep(a, boss)
	}
}

// sweepPrice is what an account sends at a time.
const sweepPrice = 10 * netkit.Credit

// sweep moves an account's credits to a safe one once a day, by requests.
func (w *world) sweep(a, boss *agent) {
	w.every(24*time.Hour, func() {
		for range 90 {
			r, err := a.SendAttention(w.ctx, netkit.SendAttention{To: boss.slug, Subject: "Hello", Body: "Hello."})
			if err != nil || !w.answer(boss, r.ID) {
				return
			}
		}
	})
}

// toilAny is toil that looks for a sponsor with money left.
func (w *world) toilAny(a *agent) {
	k := &w.sc.Attack
	for day := range k.Spread {
		for j := range k.Each {
			w.after(days(day)+24*time.Hour*time.Duration(j)/time.Duration(k.Each), func() {
				w.tryJunk(a)
			})
		}
	}
}

// tryJunk delivers junk to one of four sponsors, whichever has money left.
func (w *world) tryJunk(a *agent) {
	if a.standing != netkit.Active {
		return
	}
	for range 4 {
		if w.junk(a, nil) {
			return
		}
	}
}

// whitewash delivers junk with one account at a time: a suspended one is
// followed by the next.
func whitewash(w *world) {
	k := &w.sc.Attack
	a, next := w.hire("wash", 0), 1
	for day := range k.Spread {
		for j := range k.Each {
			w.after(days(day)+24*time.Hour*time.Duration(j)/time.Duration(k.Each), func() {
				if w.suspended(a) {
					a = w.hire("wash", next)
					next++
				}
				w.junk(a, nil)
			})
		}
	}
}

func (w *world) suspended(a *agent) bool {
	p, err := w.n.As("").Profile(w.ctx, a.slug)
	return w.must(err) && p.Status != netkit.Active
}

// squat spawns accounts for their names and grants.
func squat(w *world) {
	w.crew("name", w.sc.Attack.Accounts)
	b, err := w.n.As("").Conservation(w.ctx)
	w.must(err)
	granted := float64(w.sc.Attack.Accounts) * 50
	w.crime.note("granted to names nobody uses, of all wallets", "%", 100*granted/max(credits(b.Wallets), 1))
}

// playbooks registers files that do not exist.
func playbooks(w *world) {
	k := &w.sc.Attack
	done := 0
	for _, a := range w.crew("author", k.Accounts) {
		for j := range k.Each {
			hash := sha256.Sum256(fmt.Appendf(nil, "%s %d", a.slug, j))
			if w.register(a, hash) {
				done++
			}
		}
	}
	w.crime.note("invented playbooks registered in a day", "", float64(done))
}

// copyPlaybooks learns the hashes of files on their way into the journal, and commits to
// them and registers them before their owners can.
func copyPlaybooks(w *world) {
	k := &w.sc.Attack
	taken, kept := 0, 0
	owners := slices.DeleteFunc(slices.Clone(w.agents), func(a *agent) bool { return a.standing != netkit.Active })
	for i, a := range w.crew("copycat", k.Accounts) {
		for j := range k.Each {
			file := i*k.Each + j
			owner, hash := owners[file%len(owners)], sha256.Sum256(fmt.Appendf(nil, "file %d", file))
			w.commit(owner, hash)
			if w.register(a, hash) {
				taken++
			}
			if !w.file(owner, hash) {
				kept++
			}
		}
	}
	w.crime.note("files registered before their owners", "", float64(taken))
	w.crime.note("files that others keep", "", float64(kept))
}

func (w *world) register(a *agent, hash netkit.Hash) bool {
	return w.commit(a, hash) && w.file(a, hash)
}

func (w *world) commit(a *agent, hash netkit.Hash) bool {
	_, err := a.CommitPlaybook(w.ctx, netkit.CommitPlaybook{Commitment: hash.CommittedBy(a.slug)})
	return w.ok(err)
}

func (w *world) file(a *agent, hash netkit.Hash) bool {
	_, err := a.RegisterPlaybook(w.ctx, netkit.RegisterPlaybook{Title: "Deposit refunded", Category: "utilities", SubCategory: "deposit",
		Jurisdiction: "EU", Status: "RESOLVED", TimeTakenDays: 9, StepCount: 4, ContentSHA256: hash, ScrubberVersion: "scrub/1"})
	return w.ok(err)
}

// freeRide reads the feed rarely, so that one paid read opens much.
func freeRide(w *world) {
	k := &w.sc.Attack
	a := w.hire("rider", 0)
	opened, paid := 0, netkit.Credits(0)
	w.after(days(k.Spread), func() {
		m, err := a.Manifest(w.ctx, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Page: netkit.Page{Limit: 200}})
		if w.ok(err) {
			opened, paid = opened+len(m.Items), paid+m.Charged
		}
		w.crime.note("dispatches opened by one paid read", "", float64(opened))
		w.crime.note("price of a dispatch", "credits", credits(paid)/float64(max(opened, 1)))
	})
}

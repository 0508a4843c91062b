package simulate

import (
	"slices"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// caseload is what reviewers and the operator keep track of.
type caseload struct {
	reviewers []*agent
	due       map[duty]bool  // verdicts that are planned or given
	load      map[string]int // verdicts of a reviewer on load's day
	loadDay   int
	appealed  map[uint64]bool
	punished  map[uint64]bool // upheld cases that were seen
}

// duty is one verdict: the panel of a redraw or an appeal ends at another time.
type duty struct {
	id       uint64
	reviewer string
	by       netkit.Millis
}

// openCaseload has pending cases looked at three times a day.
func (w *world) openCaseload() {
	w.review = caseload{due: map[duty]bool{}, load: map[string]int{}, appealed: map[uint64]bool{}, punished: map[uint64]bool{}}
	w.after(time.Hour, func() {
		w.every(8*time.Hour, func() {
			w.must(w.n.Tick(w.ctx)) // draws the panels of new reports
			w.cases(netkit.CaseWithPanel, 10, w.summon)
			w.cases(netkit.CaseWithOperator, 10, w.ruleOn)
			w.cases(netkit.CaseUpheld, 1, w.upheld)
		})
	})
}

// recruitReviewer makes the first agents that arrive reviewers after a week.
func (w *world) recruitReviewer(a *agent) {
	if len(w.agents) <= w.sc.Review.Reviewers {
		w.review.reviewers = append(w.review.reviewers, a)
		w.after(days(8), func() { w.promote(a) })
	}
}

func (w *world) promote(a *agent) {
	_, err := w.operator.SetRole(w.ctx, netkit.SetRole{Agent: a.slug, Role: "reviewer", Grant: true, Reason: "careful work"})
	w.ok(err)
}

// cases calls do for the cases in a state, the newest pages of 200 of them.
func (w *world) cases(state netkit.CaseState, pages int, do func(*netkit.CaseView)) {
	q := netkit.CaseQuery{State: &state, Page: netkit.Page{Limit: 200}}
	for range pages {
		list, err := w.operator.Cases(w.ctx, q)
		if !w.must(err) {
			return
		}
		for i := range list.Items {
			do(&list.Items[i])
		}
		if q.Cursor = list.NextCursor; q.Cursor == "" {
			return
		}
	}
}

// summon plans the verdicts of a panel, as far as its reviewers have time.
func (w *world) summon(c *netkit.CaseView) {
	r := &w.review
	if w.known[c.Reported].crooked {
		w.crime.caught(w, c.Reported)
	}
	if r.loadDay != w.day() {
		r.loadDay = w.day()
		clear(r.load)
	}
	subjects := w.subjectsOf(c)
	for _, slug := range c.Panel {
		d := duty{c.ID, slug, c.VerdictsBy}
		if r.due[d] || r.load[slug] >= w.sc.Review.Daily {
			continue
		}
		r.due[d] = true
		r.load[slug]++
		w.after(w.between(time.Hour, 20*time.Hour), func() { w.verdict(slug, c.ID, subjects) })
	}
}

// subjectsOf lists the subjects of a case. An agent breaks the law if it is of the
// attack.
func (w *world) subjectsOf(c *netkit.CaseView) []uint64 {
	if c.SubjectKind == "agent" {
		w.bad[c.Subject] = w.known[c.Reported].crooked
	}
	if len(c.Executions) == 0 {
		return []uint64{c.Subject}
	}
	var all []uint64
	for _, x := range c.Executions {
		all = append(all, x.ExecutionID)
	}
	return all
}

// verdict has a reviewer judge each subject: rightly as often as the scenario says,
// or all in the attacker's favour.
func (w *world) verdict(slug string, id uint64, subjects []uint64) {
	a := w.known[slug]
	var wrong []uint64
	side, ours := w.crime.side[id]
	for _, subject := range subjects {
		uphold := w.breaks(id, subject) == w.chance(w.sc.Review.Accuracy)
		if ours && w.crime.bought[slug] {
			uphold = side
		}
		if uphold {
			wrong = append(wrong, subject)
		}
	}
	in := netkit.Verdict{CaseID: id, Uphold: len(wrong) > 0, Reasoning: "I compared it with its source."}
	if len(wrong) < len(subjects) {
		in.Executions = wrong
	}
	_, err := a.Verdict(w.ctx, in)
	if w.ok(err) {
		w.tally.verdicts++
	}
}

// breaks reports whether a case shows that its subject breaks L1.
func (w *world) breaks(id, subject uint64) bool { return w.bad[subject] && !w.crime.hollow[id] }

// deserved reports whether a case upholds something that breaks L1.
func (w *world) deserved(c *netkit.CaseView) bool {
	if len(c.Executions) == 0 {
		return w.bad[c.Subject]
	}
	return slices.ContainsFunc(c.Executions, func(x netkit.CaseSubject) bool { return x.Upheld != nil && *x.Upheld && w.bad[x.ExecutionID] })
}

// ruleOn has the operator decide a case that no panel can, without error, as
// many a day as one reviewer gives verdicts.
func (w *world) ruleOn(c *netkit.CaseView) {
	w.tally.withOperator[c.ID] = true
	if w.review.load["operator"]++; w.review.load["operator"] > w.sc.Review.Daily {
		return
	}
	in := netkit.Decide{CaseID: c.ID, Reasoning: "I compared it with its source."}
	subjects := w.subjectsOf(c)
	for _, subject := range subjects {
		if w.breaks(c.ID, subject) {
			in.Executions = append(in.Executions, subject)
		}
	}
	if in.Uphold = len(in.Executions) > 0; len(in.Executions) == len(subjects) {
		in.Executions = nil
	}
	_, err := w.operator.Decide(w.ctx, in)
	w.ok(err)
}

// upheld has an honest agent that did nothing wrong appeal, and an operator
// reinstate the honest ones after a while.
func (w *world) upheld(c *netkit.CaseView) {
	a := w.known[c.Reported]
	if !w.review.punished[c.ID] {
		w.review.punished[c.ID] = true
		w.tally.convicted(w, a, c)
		if w.crime.side[c.ID] {
			w.crime.note("false reports upheld at first", "", w.crime.noted("false reports upheld at first")+1)
		}
		a.standing = netkit.Suspended
		if r := w.sc.Review.Reinstate; r > 0 && !a.crooked {
			w.after(days(r), func() { w.reinstate(a) })
		}
	}
	if !a.crooked && !w.deserved(c) && !c.Appealed && !c.Final && !w.review.appealed[c.ID] {
		w.review.appealed[c.ID] = true
		_, err := a.Appeal(w.ctx, netkit.Appeal{CaseID: c.ID, Grounds: "The source says what I wrote."})
		w.ok(err)
	}
}

func (w *world) reinstate(a *agent) {
	p, err := w.n.As("").Profile(w.ctx, a.slug)
	if w.must(err) && p.Status == netkit.Suspended {
		_, err = w.operator.Reinstate(w.ctx, netkit.Reinstate{Agent: a.slug, Reason: "one mistake among much work"})
		w.ok(err)
	}
	a.standing = netkit.Active
}

package simulate

import (
	"fmt"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/network"
)

// sponsor is an organisation with one open contract.
type sponsor struct {
	*network.Session
	slug     string
	contract uint64
	share    float64 // of all sponsors' money
	crooked  bool

	reports  bool           // all that it buys, see [world.turn]
	paid     netkit.Credits // so far, before anything was returned
	brought  netkit.Credits // outside money
	read     int            // purchases read since the last look back
	wrong    int            // of them
	left     bool           // its contract is closed for a while
	returned netkit.Ratio   // public rate of returns, as of the last night
}

// rich is what a sponsor commits a month for each agent of the network where a
// scenario sets no budget: more than agents can earn.
const rich = 1000 * netkit.Credit

// admitSponsors brings in the honest sponsors, each with an open contract.
func (w *world) admitSponsors() {
	w.shares = zipf(w.sc.Sponsors, w.sc.Sponsor.Zipf)
	for i := range w.sc.Sponsors {
		s := &sponsor{slug: fmt.Sprintf("sponsor-%03d", i), share: w.shares.share(i)}
		budget := rich * netkit.Credits(w.sc.Agents)
		if w.sc.Sponsor.Budget > 0 {
			budget = netkit.Credits(float64(w.sc.Sponsor.Budget)*100*s.share + 0.5)
		}
		w.admit(s, budget)
		w.sponsors = append(w.sponsors, s)
		w.after(days(30), func() { w.every(days(30), func() { w.fund(s, budget) }) })
	}
}

// admit brings in a sponsor and opens its contract, with an honest agent as
// witness where one is needed.
func (w *world) admit(s *sponsor, budget netkit.Credits) {
	hash := netkit.Hash(netkit.Token(w.bytes()).SHA256())
	r, err := w.operator.ProposeSponsor(w.ctx, netkit.ProposeSponsor{Sponsor: s.slug, Name: s.slug, TokenSHA256: &hash})
	if !w.must(err) {
		return
	}
	for _, a := range w.agents {
		if !r.WitnessNeeded {
			break
		}
		_, err := a.Witness(w.ctx, netkit.Witness{ID: r.AdmissionID})
		r.WitnessNeeded = !w.ok(err)
	}
	s.Session = w.n.As(s.slug)
	if !w.deposit(s, budget) || !s.crooked && !w.reserve(s) {
		return
	}
	w.openContract(s, budget)
}

func (w *world) openContract(s *sponsor, budget netkit.Credits) {
	c, err := s.OpenContract(w.ctx, netkit.OpenContract{Title: "Signals", Brief: "What moved, and who says so.", Channel: netkit.NicheSilicon,
		Budget: budget, ExecutionsPerAgent: 1_000_000})
	w.must(err)
	s.contract = c.CampaignID
}

// deposit books outside money for a sponsor.
func (w *world) deposit(s *sponsor, amount netkit.Credits) bool {
	w.filed++ // each deposit has a reference of its own
	_, err := w.operator.Deposit(w.ctx, netkit.Deposit{Sponsor: s.slug, Amount: amount, Reference: fmt.Sprintf("transfer %s %d", s.slug, w.filed)})
	w.deposited(s, amount)
	s.brought += amount
	return w.must(err)
}

// reserve has a sponsor keep free funds for the bonds of as many reports as
// it may have open.
func (w *world) reserve(s *sponsor) bool {
	law, err := w.sc.law()
	if !w.must(err) {
		return false
	}
	held, err := w.n.As("").Balance(w.ctx, netkit.SponsorFunds(s.slug))
	missing := law.Review.SponsorBond*netkit.Credits(law.Review.SponsorOpenReports) - held.Balance
	return w.must(err) && (missing <= 0 || w.deposit(s, missing))
}

// fund tops up a sponsor's contract to the budget of a month.
func (w *world) fund(s *sponsor, budget netkit.Credits) {
	if s.left {
		return
	}
	left, err := w.n.As("").Balance(w.ctx, netkit.ContractBudget(s.contract))
	w.reserve(s)
	if amount := budget - left.Balance; w.must(err) && amount > 0 && w.deposit(s, amount) {
		_, err := s.FundContract(w.ctx, netkit.FundContract{CampaignID: s.contract, Amount: amount})
		w.ok(err)
	}
}

// delivered has the sponsor read some of what it is sent, and somebody notice
// some of the honest mistakes.
func (w *world) delivered(a *agent, s *sponsor, id uint64, bad bool) {
	if s.reports {
		w.after(time.Hour, func() { w.grieve(s, id) })
		return
	}
	noticed := bad && !a.crooked && w.chance(w.sc.Honest.Noticed)
	if w.returns(a, s, id, noticed) {
		return
	}
	if s.crooked || !noticed && !w.chance(w.sc.Sponsor.Read) {
		return
	}
	w.after(w.between(time.Hour, 48*time.Hour), func() {
		s.read++
		if bad {
			s.wrong++
			w.complain(s, id)
			return
		}
		_, err := s.Accept(w.ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{id}})
		w.ok(err)
	})
}

// expectReactions has honest sponsors look back once a week, and agents see each night
// how much a sponsor returns.
func (w *world) expectReactions() {
	if !w.sc.Reacts {
		return
	}
	w.every(days(7), func() {
		for _, s := range w.sponsors {
			w.lookBack(s)
		}
	})
	w.every(days(1), func() {
		for _, s := range w.sponsors {
			v, err := w.n.As("").Sponsor(w.ctx, s.slug)
			w.must(err)
			s.returned = v.Returns.Rate
		}
	})
}

// lookBack has a sponsor leave for two weeks if a third of at least six purchases that
// it read in the last week were wrong.
func (w *world) lookBack(s *sponsor) {
	read, wrong := s.read, s.wrong
	s.read, s.wrong = 0, 0
	if s.left || s.reports || read < 6 || 3*wrong < read {
		return
	}
	b, err := w.n.As("").Balance(w.ctx, netkit.ContractBudget(s.contract))
	w.must(err)
	_, err = s.CloseContract(w.ctx, netkit.CloseContract{CampaignID: s.contract})
	if s.left = w.ok(err); s.left {
		w.crime.note("times that an honest sponsor left for two weeks", "", w.crime.noted("times that an honest sponsor left for two weeks")+1)
		w.after(days(14), func() {
			s.left = false
			w.openContract(s, b.Balance)
		})
	}
}

// pick draws a sponsor by size, and another where the agents react and it returns
// more than a twentieth of its purchases.
func (w *world) pick() int {
	i := w.draw(w.shares)
	if w.sc.Reacts && w.sponsors[i].returned > 500 {
		i = w.draw(w.shares)
	}
	return i
}

// returns has an honest sponsor return an execution soon after its delivery, if the
// scenario says so and the rules let it.
func (w *world) returns(a *agent, s *sponsor, id uint64, noticed bool) bool {
	k := &w.sc.Sponsor
	if s.crooked || (k.Useless == 0 || !w.chance(k.Useless)) && (k.Lenient == 0 || !noticed || !w.chance(k.Lenient)) {
		return false
	}
	r, err := s.ReturnExecution(w.ctx, netkit.ReturnExecution{ExecutionID: id})
	if !w.ok(err) {
		return false
	}
	if !a.crooked {
		w.tally.returned += r.Pay
	}
	return true
}

// complain reports an execution: as its sponsor, or by an agent where the
// rules hear no sponsor.
func (w *world) complain(s *sponsor, id uint64) {
	in := netkit.Report{Subject: id, Law: "L1", Evidence: "The source says nothing of the kind."}
	r, err := s.Report(w.ctx, in)
	if w.code(err) == code.AgentsOnly {
		r, err = w.agents[w.rng.IntN(len(w.agents))].Report(w.ctx, in)
	}
	if w.ok(err) {
		w.tally.cases++
		delete(w.crime.hollow, r.CaseID) // now there is evidence
	} else if w.code(err) == code.CaseExists {
		w.crime.note("shielded reports refused", "", w.crime.noted("shielded reports refused")+1)
	}
}

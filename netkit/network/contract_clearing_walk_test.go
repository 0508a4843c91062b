package network

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
)

// market is a random life of two agents, a sponsor and an operator in which pay
// clears, is accepted, reported, returned and stopped in any order.
type market struct {
	*fixture
	draw     func(n int) int
	contract uint64 // that is open
	bought   []uint64
	cases    []uint64
	crises   []uint64
	state    map[uint64]netkit.ExecutionState // of each execution, as it was seen last
	stopped  bool                             // the sponsor
	partly   int                              // upheld cases that do not uphold all of their executions
}

func (m *market) agent() netkit.Caller { return as([]string{"ada", "bea"}[m.draw(2)]) }

func (m *market) buyer() netkit.Caller { return as([]string{"acme", "operator"}[m.draw(2)]) }

func (m *market) one(ids []uint64) uint64 {
	if len(ids) == 0 {
		return 0
	}
	return ids[m.draw(len(ids))]
}

// step does one thing, if the rules let it.
func (m *market) step() {
	ctx := m.t.Context()
	yes := m.draw(2) == 0
	steps := []func(){
		m.executes, m.executes, m.executes,
		func() { m.For(m.buyer()).Accept(ctx, netkit.AcceptExecutions{ExecutionIDs: []uint64{m.one(m.bought)}}) },
		func() { m.For(m.buyer()).Accept(ctx, netkit.AcceptExecutions{CampaignID: m.contract}) },
		func() { m.reports(m.buyer(), m.one(m.bought), []string{"L1", "L2"}[m.draw(2)]) },
		func() {
			for _, id := range m.bought[max(0, len(m.bought)-8):] {
				m.reports(as("acme"), id, "L1")
			}
		},
		func() { m.decides(m.one(m.cases), yes) },
		func() {
			for _, id := range slices.Backward(m.cases) {
				m.decides(id, yes)
			}
		},
		func() {
			m.As([]string{"ada", "bea", "acme"}[m.draw(3)]).Appeal(ctx, netkit.Appeal{CaseID: m.one(m.cases), Grounds: "g"})
		},
		func() { m.op().Reinstate(ctx, netkit.Reinstate{Agent: m.agent().Slug, Reason: "r"}) },
		func() { m.closes() },
		m.stops,
		func() { m.adopts() },
		m.alarms, m.alarms,
		func() { m.passes(time.Duration(1+m.draw(40)) * time.Hour) },
		func() { m.passes(time.Duration(1+m.draw(10)) * 24 * time.Hour) },
	}
	steps[m.draw(len(steps))]()
}

func (m *market) executes() {
	if x, err := m.For(m.agent()).Execute(m.t.Context(), netkit.Execute{CampaignID: m.contract, Signal: signal}); err == nil {
		m.bought = append(m.bought, x.ExecutionID)
	}
}

func (m *market) reports(by netkit.Caller, id uint64, law string) {
	r, err := m.For(by).Report(m.t.Context(), netkit.Report{Subject: id, Law: law, Evidence: "e"})
	if err == nil && !slices.Contains(m.cases, r.CaseID) {
		m.cases = append(m.cases, r.CaseID)
	}
}

// decides has an operator judge a case; of one about several executions it upholds
// some.
func (m *market) decides(id uint64, uphold bool) {
	in := netkit.Decide{CaseID: id, Uphold: uphold, Reasoning: "r"}
	if cs, err := m.op().Case(m.t.Context(), id); err == nil && uphold {
		for _, x := range cs.Executions {
			if m.draw(2) == 0 {
				in.Executions = append(in.Executions, x.ExecutionID)
			}
		}
	}
	m.op().Decide(m.t.Context(), in)
}

// bonds sums up the bonds of acme in escrow and those that it lost.
func (m *market) bonds() (open, lost netkit.Credits) {
	for _, id := range m.cases {
		cs := must[netkit.CaseView](m.t)(m.op().Case(m.t.Context(), id))
		upheld := func(subject uint64) bool {
			for _, x := range cs.Executions {
				if x.ExecutionID == subject {
					if cs.State == netkit.CaseUpheld && !*x.Upheld {
						m.partly++
					}
					return *x.Upheld
				}
			}
			return cs.State == netkit.CaseUpheld
		}
		reports := append([]netkit.ReportView{{Reporter: cs.Reporter, Subject: cs.Subject}}, cs.Joined...)
		for _, r := range reports {
			switch {
			case r.Reporter != "acme":
			case !cs.Final:
				open += (*lawOf(m.Network.state)).Review.SponsorBond
			case !upheld(cmp.Or(r.Subject, cs.Subject)):
				lost += (*lawOf(m.Network.state)).Review.SponsorBond
			}
		}
	}
	return open, lost
}

// closes ends the contract and opens another, now and then with a shorter
// clearing time.
func (m *market) closes() {
	if m.stopped {
		return
	}
	m.op().CloseContract(m.t.Context(), netkit.CloseContract{CampaignID: m.contract})
	m.contract = m.offers(func(c *netkit.OpenContract) {
		c.ExecutionsPerAgent, c.Budget = 9, 40*netkit.Credit
		c.ClearingHours = uint32(min(m.draw(3), (*lawOf(m.Network.state)).Market.ClearingHours))
	})
}

// stops ends the sponsor, now and then.
func (m *market) stops() {
	if m.stopped || m.draw(4) != 0 {
		return
	}
	m.stopped = true
	must[netkit.StopReceipt](m.t)(m.op().StopSponsor(m.t.Context(), netkit.StopSponsor{Sponsor: "acme", Reason: "r"}))
}

// adopts changes the clearing time of what comes.
func (m *market) adopts() {
	law := *(*lawOf(m.Network.state))
	law.Version = "1." + m.now.Format("20060102150405") + ".0"
	law.Market.ClearingHours = m.draw(100)
	law.Crisis.MarketTime = law.Crisis.Hours > 0 && m.draw(2) == 0
	m.op().AdoptConstitution(m.t.Context(), netkit.AdoptConstitution{Document: &law})
}

// alarms begins, renews or ends a crisis.
func (m *market) alarms() {
	ctx, id := m.t.Context(), m.one(m.crises)
	switch m.draw(3) {
	case 0:
		m.crises = append(m.crises, m.publishes(netkit.P0, netkit.NicheHealth, "flood"))
	case 1:
		m.op().RenewCrisis(ctx, netkit.RenewCrisis{DispatchID: id, Reason: "r"})
	default:
		m.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: id, Reason: "r"})
	}
}

func (m *market) passes(d time.Duration) { m.waits(d) }

// check compares what the network shows with what follows from the executions:
// nobody's pay is lost, and nothing is paid twice.
func (m *market) check(rt *rapid.T) {
	m.ticks()
	wallets := map[string]netkit.Credits{"ada": 50 * netkit.Credit, "bea": 50 * netkit.Credit}
	pending, count, treasury, paid := map[string]netkit.Credits{}, map[string]uint32{}, netkit.Credits(0), netkit.Credits(0)
	for _, id := range m.bought {
		x := must[netkit.ExecutionView](m.t)(m.As("acme").Delivery(m.t.Context(), id))
		if was, seen := m.state[id]; seen && was != x.State && !follows(was, x.State) {
			rt.Fatalf("execution %d was %s and is %s", id, was, x.State)
		}
		m.state[id] = x.State
		if x.State == netkit.ExecutionReturned {
			continue
		}
		wallets[x.Agent] += x.AgentShare
		treasury += x.TreasuryShare
		paid += x.Payout
		switch x.State {
		case netkit.ExecutionPending:
			pending[x.Agent] += x.AgentShare
		case netkit.ExecutionAccepted, netkit.ExecutionCleared:
			count[x.Agent]++
		}
	}
	for agent, want := range wallets {
		me := m.wallet(agent)
		if me.Balance != want || me.Pending != pending[agent] || me.BioVerified.Transactions != count[agent] {
			rt.Fatalf("%s: got %s, %s pending and %d transactions, want %s, %s and %d", agent, me.Balance, me.Pending,
				me.BioVerified.Transactions, want, pending[agent], count[agent])
		}
	}
	b := must[netkit.Books](m.t)(m.As("").Conservation(m.t.Context()))
	open, lost := m.bonds()
	if got := must[netkit.SponsorView](m.t)(m.As("").Sponsor(m.t.Context(), "acme")).Bonds; got != open {
		rt.Fatalf("got bonds of %s held, want %s", got, open)
	}
	rest, back := 1000*netkit.Credit-paid-open-lost, netkit.Credits(0)
	if m.stopped {
		rest, back = 0, rest
		if got := must[netkit.SponsorView](m.t)(m.As("").Sponsor(m.t.Context(), "acme")).Stopped.Returned; got != back {
			rt.Fatalf("got %s returned to the stopped sponsor, want %s", got, back)
		}
	}
	if treasury += lost; b.Sum != 0 || b.Treasury != treasury || b.Escrow != open || b.Sponsors+b.Contracts != rest || b.Issued != back-1100*netkit.Credit {
		rt.Fatalf("got %+v, want a treasury of %s, bonds of %s in escrow, %s with the sponsor and %s returned to it", b, treasury, open, rest, back)
	}
}

// follows reports whether an execution may go from one state to another. What
// has cleared or was returned is never taken up again; a won appeal lets an
// overturned one stand.
func follows(from, to netkit.ExecutionState) bool {
	switch from {
	case netkit.ExecutionPending:
		return true
	case netkit.ExecutionAccepted, netkit.ExecutionCleared:
		return to == netkit.ExecutionCleared || to == netkit.ExecutionOverturned
	case netkit.ExecutionOverturned:
		return to == netkit.ExecutionCleared || to == netkit.ExecutionAccepted
	}
	return false
}

// Credits are conserved and no pay is lost, whatever the order in which pay is
// accepted, reported, returned and stopped, and the law changed. In the end all
// that was not returned has cleared.
func TestNoPayIsLost(t *testing.T) {
	seen := map[string]int{}
	outcomes := []string{"cleared", "returned", "overturned", "upheld in part"}
	checkUntilSeen(t, seen, outcomes, func(rt *rapid.T) {
		law := rapid.SampledFrom([]func(*netkit.Constitution){newReview, sponsorReports}).Draw(rt, "law")
		f := memory(t, law, clearing(72), func(c *netkit.Constitution) {
			c.Review.VerdictFee, c.Review.ReportReward = 0, 0
			c.Crisis.Hours = 72 * rapid.IntRange(0, 1).Draw(rt, "terms")
			c.Crisis.MarketTime = c.Crisis.Hours > 0
		})
		m := &market{fixture: f, draw: func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "draw") }, state: map[uint64]netkit.ExecutionState{}}
		m.agents("ada", "bea")
		m.admit("acme", 1000*netkit.Credit)
		m.closes()
		for range rapid.IntRange(30, 90).Draw(rt, "steps") {
			m.step()
			m.check(rt)
		}
		for range 2 { // a second case about an agent waits for the first
			for _, id := range m.cases {
				m.op().Decide(t.Context(), netkit.Decide{CaseID: id, Reasoning: "r"})
			}
			m.ticks()
		}
		for _, agent := range []string{"ada", "bea"} {
			m.op().Reinstate(t.Context(), netkit.Reinstate{Agent: agent, Reason: "r"})
		}
		m.passes(30 * 24 * time.Hour)
		m.check(rt)
		for id, state := range m.state {
			if seen[state.String()]++; state == netkit.ExecutionPending {
				rt.Fatalf("execution %d is pending for ever", id)
			}
		}
		seen["upheld in part"] += m.partly
		m.replays(t, string(m.Network.state.Canonical()))
		must[struct{}](t)(struct{}{}, m.Close(t.Context()))
	})
}

package network

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// newcomersFifth is a change of the constitution: at most a fifth of a budget is
// for agents with fewer than that many cleared transactions.
func newcomersFifth(few int) func(*netkit.Constitution) {
	return func(c *netkit.Constitution) { c.Market.NewcomersShare, c.Market.NewcomersTransactions = 2000, few }
}

// yielding is a change of the constitution: newcomers may have more where a contract
// could pay nobody else, and one of them at most a third of their share otherwise.
func yielding(c *netkit.Constitution) { c.Market.NewcomersYield, c.Market.NewcomersLeast = true, 3 }

// Where there is no agent but newcomers, a contract pays them all that it has. Once
// there are others that it could pay, one newcomer gets a third of the newcomers'
// fifth; and when those others have done what they may, newcomers get the rest.
func TestNewcomersShareBindsWhileOthersCanBePaid(t *testing.T) {
	f := start(t, journal.NewMemory(), newcomersFifth(10), yielding, clearing(72))
	f.agents(named("agent", 4)...)
	f.admit("acme", 1000*netkit.Credit)
	executions := func(slug string, id uint64) (n int) {
		for f.tries(t, slug, id) == nil {
			n++
		}
		return n
	}
	offer := func(budget netkit.Credits, each uint32) uint64 {
		return f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = budget, each })
	}
	preview := func(budget netkit.Credits, each uint32) netkit.ContractPreview {
		return must[netkit.ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), netkit.PreviewContract{Budget: budget, ExecutionsPerAgent: each}))
	}
	if got := preview(60*netkit.Credit, 100); got.Tiers[0].Executions != 30 || got.NewcomersBudget != 60*netkit.Credit {
		t.Errorf("got %+v among newcomers, want 30 executions of 2.00", got)
	}
	if got := executions("agent-00", offer(60*netkit.Credit, 100)); got != 30 {
		t.Errorf("got %d executions of a newcomer among newcomers, want 30", got)
	}
	f.inject("agent-03", func(a *rules.AgentRow) { a.Transactions = 10 })
	id := offer(60*netkit.Credit, 4) // 12.00 for newcomers, 4.00 for one
	if got := preview(60*netkit.Credit, 4); got.NewcomersBudget != 12*netkit.Credit || got.Tiers[0].Executions != 4+12 {
		t.Errorf("got %+v, want 4 executions of who is no newcomer, and then 12", got)
	}
	for k, want := range []int{2, 2, 2} {
		if got := executions(fmt.Sprintf("agent-%02d", k), id); got != want {
			t.Errorf("agent-%02d: got %d executions, want %d", k, got, want)
		}
	}
	refused(t, f.tries(t, "agent-00", id), netkit.ErrConflict, "newcomers_share")
	if got := executions("agent-03", id); got != 4 {
		t.Errorf("got %d executions of who is no newcomer, want 4", got)
	}
	for k, want := range []int{2, 2, 2} {
		if got := executions(fmt.Sprintf("agent-%02d", k), id); got != want {
			t.Errorf("agent-%02d, alone: got %d more executions, want %d", k, got, want)
		}
	}
	one := f.offers(func(c *netkit.OpenContract) { c.Budget = 3 * netkit.Credit }) // one payout is over the part
	if err := f.tries(t, "agent-00", one); err != nil {
		t.Errorf("got %v, want the first payout", err)
	}
	niche := f.offers(func(c *netkit.OpenContract) {
		c.Budget, c.ExecutionsPerAgent, c.Matching.MinTier, c.Matching.LLMProviders = 60*netkit.Credit, 100, netkit.Unverified, []string{"mistral"}
	})
	must[netkit.ClaimsReceipt](t)(f.As("agent-01").SetClaims(t.Context(), netkit.Claims{PreferredLLMProvider: "mistral"}))
	if got := executions("agent-01", niche); got != 30 {
		t.Errorf("got %d executions of a contract that matches no other, want 30", got)
	}
}

// A contract keeps a twentieth of its budget for each agent that is no newcomer and that
// it could pay, until a fifth is left for newcomers.
func TestNewcomersShareFallsWithTheOthers(t *testing.T) {
	f := start(t, journal.NewMemory(), newcomersFifth(10), func(c *netkit.Constitution) { c.Market.NewcomersYield, c.Market.NewcomersKept = true, 500 }, clearing(72))
	f.agents(named("agent", 21)...)
	f.admit("acme", 1000*netkit.Credit)
	for others, want := range map[int]int{0: 20, 1: 19, 4: 16, 15: 5, 16: 4, 20: 4} { // executions of 2.00 from 40.00
		for k := range 20 {
			f.inject(fmt.Sprintf("agent-%02d", k+1), func(a *rules.AgentRow) { a.Transactions = 10 * uint32(netkit.OneIf(k < others)) })
		}
		seen := must[netkit.ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), netkit.PreviewContract{Budget: 40 * netkit.Credit, ExecutionsPerAgent: 100}))
		if got := int(seen.NewcomersBudget / (2 * netkit.Credit)); got != want {
			t.Errorf("%d others: got a preview of %d executions, want %d", others, got, want)
		}
		id := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = 40*netkit.Credit, 100 })
		got := 0
		for f.tries(t, "agent-00", id) == nil {
			got++
		}
		if got != want {
			t.Errorf("%d others: got %d executions, want %d", others, got, want)
		}
	}
}

// An agent stays a newcomer after ten cleared transactions until a sponsor accepts an
// execution of it, or until forty of them.
func TestUnreadAgentsAreNewcomers(t *testing.T) {
	f := start(t, journal.NewMemory(), newcomersFifth(10), func(c *netkit.Constitution) { c.Market.NewcomersUnread = 40 }, clearing(72))
	f.agents("ada", "bob", "cleo")
	f.admit("acme", 1000*netkit.Credit)
	x := f.executes("bob", f.offers(nil))
	must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: []uint64{x}}))
	f.restarts(t)
	for slug, n := range map[string]uint32{"ada": 39, "bob": 10, "cleo": 40} {
		f.inject(slug, func(a *rules.AgentRow) { a.Transactions = n })
	}
	id := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = 10*netkit.Credit, 2 }) // 2.00 for newcomers
	for _, slug := range []string{"ada", "bob", "bob", "cleo"} {
		if err := f.tries(t, slug, id); err != nil {
			t.Errorf("%s: got %v, want an execution", slug, err)
		}
	}
	err := f.tries(t, "ada", id)
	refused(t, err, netkit.ErrConflict, "newcomers_share")
	if want := "or fewer than 40 cleared transactions and no execution that a sponsor accepted"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// tries compares what the network answers an agent about a contract in every place
// with what an execution then answers, and returns that.
func (f *fixture) tries(t testing.TB, slug string, id uint64) error {
	t.Helper()
	ctx, ses := f.t.Context(), f.As(slug)
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	one := must[netkit.Campaign](t)(ses.Campaign(ctx, id))
	listed, matched := false, false
	for _, state := range []netkit.ContractState{netkit.ContractOpen, netkit.ContractExhausted, netkit.ContractEnded, netkit.ContractClosed} {
		for _, c := range must[netkit.List[netkit.Campaign]](t)(ses.Market(ctx, netkit.MarketQuery{State: &state, Page: netkit.Page{Limit: 200}})).Items {
			if c.ID == id {
				listed = true
				if diff := cmp.Diff(one, c); diff != "" {
					t.Errorf("%s, contract %d: the list differs (-contract +list):\n%s", slug, id, diff)
				}
			}
		}
	}
	for _, c := range must[netkit.List[netkit.Campaign]](t)(ses.Market(ctx, netkit.MarketQuery{Matched: true, Page: netkit.Page{Limit: 200}})).Items {
		matched = matched || c.ID == id
	}
	seen, previewErr := ses.PreviewExecution(ctx, netkit.Execute{CampaignID: id, Signal: signal})
	got, err := ses.Execute(ctx, netkit.Execute{CampaignID: id, Signal: signal})
	if !listed || matched != (err == nil) || (one.PaysYou != nil) != (err == nil) || (one.Refusal == nil) != (err == nil) {
		t.Errorf("%s, contract %d: the execution got %v; listed %v, matched %v, pays %+v, refusal %+v", slug, id, err, listed, matched, one.PaysYou, one.Refusal)
	}
	if err != nil && one.Refusal != nil {
		if diff := cmp.Diff(rules.PayRefusalOf(err), one.Refusal); diff != "" || one.Refusal.Err().Error() != err.Error() {
			t.Errorf("%s, contract %d: another refusal (-execution +contract):\n%s", slug, id, diff)
		}
	}
	if diff := cmp.Diff(fmt.Sprint(err), fmt.Sprint(previewErr)); diff != "" {
		t.Errorf("%s, contract %d: another refusal (-execution +preview):\n%s", slug, id, diff)
	}
	if err != nil || one.PaysYou == nil {
		return err
	}
	paid := netkit.Rate{Tier: got.Tier, Payout: got.Payout, AgentShare: got.AgentShare, TreasuryShare: got.TreasuryShare}
	if one.PaysYou.Rate != paid || one.PaysYou.ClearsAt != got.ClearsAt || seen.Pay != *one.PaysYou {
		t.Errorf("%s, contract %d: got %+v that clears at %s; the contract said %+v and the preview %+v", slug, id, paid, got.ClearsAt, *one.PaysYou, seen.Pay)
	}
	want := []netkit.PreviewPosting{{Account: netkit.ContractBudget(id).String(), Amount: -got.Payout, After: one.Remaining - got.Payout}, {Account: netkit.Wallet(slug).String(), Amount: got.AgentShare, After: got.Balance},
		{Account: netkit.Treasury.String(), Amount: got.TreasuryShare, After: f.state.Held(netkit.Treasury)}}
	if diff := cmp.Diff(want, seen.Postings); diff != "" {
		t.Errorf("%s, contract %d: other postings (-execution +preview):\n%s", slug, id, diff)
	}
	return nil
}

// The network of the README: 20.00 credits, of which newcomers may have a fifth.
func TestTheThirdNewcomerIsPromisedNothing(t *testing.T) {
	f := start(t, journal.NewMemory(), newcomersFifth(10), clearing(72))
	slugs := named("agent", 3)
	f.agents(slugs...)
	f.admit("acme", 100*netkit.Credit)
	seen := must[netkit.ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), netkit.PreviewContract{Budget: 20 * netkit.Credit}))
	if got := seen.Tiers[netkit.Unverified]; got.Agents != 3 || got.Newcomers != 3 || got.Executions != 2 {
		t.Errorf("got a preview of %+v, want 2 executions by 3 newcomers", got)
	}
	id := f.offers(nil)
	for _, slug := range slugs[:2] {
		if err := f.tries(t, slug, id); err != nil {
			t.Error(err)
		}
	}
	refused(t, f.tries(t, slugs[2], id), netkit.ErrConflict, "newcomers_share")
	refused(t, f.tries(t, slugs[0], id), netkit.ErrConflict, "already_executed")
	for _, reader := range []string{"", "acme", "operator"} {
		if c := must[netkit.Campaign](t)(f.As(reader).Campaign(t.Context(), id)); c.PaysYou != nil || c.Refusal != nil {
			t.Errorf("%q is no agent: got %+v and %+v", reader, c.PaysYou, c.Refusal)
		}
	}
}

func TestAPreviewRecordsNothing(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.admit("acme", 100*netkit.Credit)
	id := f.offers(nil)
	must[netkit.ClaimsReceipt](t)(f.As("bea").SetClaims(t.Context(), netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 12 * netkit.Credit}))
	ask := netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}
	f.Unchanged(t, func() {
		must[netkit.ExecutionPreview](t)(f.As("ada").PreviewExecution(t.Context(), netkit.Execute{CampaignID: id, Signal: signal}))
		_, err := f.As("ada").PreviewExecution(t.Context(), netkit.Execute{CampaignID: id})
		refused(t, err, netkit.ErrInvalid, "text_missing")
		got := must[netkit.AttentionPreview](t)(f.As("ada").PreviewAttention(t.Context(), ask))
		want := []netkit.PreviewPosting{{Account: "wallet:ada", Amount: -12 * netkit.Credit, After: 38 * netkit.Credit}, {Account: "escrow:new", Amount: 12 * netkit.Credit, After: 12 * netkit.Credit}}
		if diff := cmp.Diff(want, got.Postings); diff != "" || got.Price != 12*netkit.Credit || got.ExpiresAt != netkit.At(f.now)+72*netkit.Hour {
			t.Errorf("got %+v: %s", got, diff)
		}
		ask.MaxPrice = new(11 * netkit.Credit)
		_, err = f.As("ada").PreviewAttention(t.Context(), ask)
		refused(t, err, netkit.ErrConflict, "price_above_max")
	})
}

// offerWalk is a random life of agents, contracts and crises in which every
// answer about pay is compared with an execution.
type offerWalk struct {
	*fixture
	draw      func(n int) int
	contracts []uint64
	crisis    uint64
	seen      map[string]int
	limits    [2]netkit.Credits // of what may wait to clear below VERIFIED, and at it
	bought    []netkit.ExecutionView
}

func (w *offerWalk) agent() string { return named("agent", 4)[w.draw(4)] }

func (w *offerWalk) step() {
	ctx := w.t.Context()
	steps := []func(){
		w.execute, w.execute, w.execute, w.execute, w.execute, w.execute,
		w.open,
		func() {
			w.As("acme").FundContract(ctx, netkit.FundContract{CampaignID: w.contract(), Amount: netkit.Credits(1+w.draw(10)) * netkit.Credit})
		},
		func() {
			if w.draw(3) == 0 {
				w.op().CloseContract(ctx, netkit.CloseContract{CampaignID: w.contract()})
			}
		},
		func() {
			w.As(w.agent()).SetClaims(ctx, netkit.Claims{Niche: []netkit.Niche{netkit.NicheLegal, netkit.NicheSilicon}[w.draw(2)], PreferredLLMProvider: []string{"", "mistral"}[w.draw(2)]})
		},
		func() { w.As("acme").Accept(ctx, netkit.AcceptExecutions{CampaignID: w.contract()}) },
		func() { w.stop(w.agent()) },
		w.name,
		func() {
			if len(w.bought) > 0 {
				w.As("acme").Report(ctx, netkit.Report{Subject: w.bought[w.draw(len(w.bought))].ExecutionID, Law: "L1", Evidence: "e"})
			}
		},
		func() { w.op().Reinstate(ctx, netkit.Reinstate{Agent: w.agent(), Reason: "r"}) },
		func() {
			if w.crisis != 0 || w.draw(3) == 0 {
				w.toggleCrisis()
			}
		},
		func() { w.inject(w.agent(), func(a *rules.AgentRow) { a.Confirmed = !a.Confirmed }) },
		func() { w.waits(time.Duration(1+w.draw(40)) * time.Hour) },
	}
	steps[w.draw(len(steps))]()
}

// contract returns one of the newest contracts.
func (w *offerWalk) contract() uint64 {
	return w.contracts[len(w.contracts)-1-w.draw(min(3, len(w.contracts)))]
}

func (w *offerWalk) execute() {
	slug := w.agent()
	me := w.wallet(slug)
	waiting, tier := w.waiting(slug), me.BioVerified.Tier
	err := w.tries(w.t, slug, w.contract())
	if tier <= netkit.Verified {
		over := waiting+(*lawOf(w.Network.state)).Rate(tier).AgentShare > w.limits[tier]
		var r *netkit.Refusal
		if full := errors.As(err, &r) && r.Code == "uncleared_limit"; full && !over || err == nil && over {
			w.t.Errorf("%s at %s has %s that waits to clear: got %v", slug, tier, waiting, err)
		}
	}
	if err == nil {
		x := must[netkit.List[netkit.ExecutionView]](w.t)(w.op().Deliveries(w.t.Context(), netkit.ExecutionQuery{Agent: slug, Page: netkit.Page{Limit: 1}}))
		w.bought = append(w.bought, x.Items[0])
	}
	var r *netkit.Refusal
	if errors.As(err, &r) {
		w.seen[r.Code]++
	} else {
		w.seen["paid"]++
	}
}

// waiting sums up what of an agent's pay is neither cleared nor returned and has
// its clearing time, as the execution said, before it.
func (w *offerWalk) waiting(slug string) (sum netkit.Credits) {
	for _, x := range w.bought {
		if x.Agent == slug && x.ClearsAt > netkit.At(w.now) &&
			must[netkit.ExecutionView](w.t)(w.op().Delivery(w.t.Context(), x.ExecutionID)).State == netkit.ExecutionPending {
			sum += x.AgentShare
		}
	}
	return sum
}

func (w *offerWalk) open() {
	w.contracts = append(w.contracts, w.offers(func(c *netkit.OpenContract) {
		c.ExecutionsPerAgent = uint32(1 + w.draw(4))
		c.ClearingHours = uint32(1 + w.draw(40))
		c.Kind = netkit.ContractKind(w.draw(2))
		if w.draw(3) == 0 {
			c.BudgetAnHour = 6 * netkit.Credit
		}
		if w.draw(4) == 0 {
			c.Matching.ShutOut = []string{w.agent()}
		}
		if w.draw(3) == 0 {
			c.EndsAt = netkit.At(w.now) + netkit.Millis(1+w.draw(40))*netkit.Hour
		}
		if w.draw(3) == 0 {
			c.Matching.Niches = []netkit.Niche{netkit.NicheLegal}
		}
		if w.draw(4) == 0 {
			c.Matching.LLMProviders = []string{"mistral"}
		}
		if c.Matching.MinTier = netkit.Tier(w.draw(4) / 3); w.draw(3) == 0 {
			c.Matching.MaxTier = new(c.Matching.MinTier)
		}
		c.Budget = (*lawOf(w.Network.state)).Rate(c.Matching.MinTier).Payout + netkit.Credits(w.draw(12))*netkit.Credit
	}))
}

// stop has an operator uphold a report about the agent's newest execution.
func (w *offerWalk) stop(slug string) {
	list, err := w.op().Deliveries(w.t.Context(), netkit.ExecutionQuery{Agent: slug, Page: netkit.Page{Limit: 1}})
	if err != nil || len(list.Items) == 0 {
		return
	}
	if r, err := w.As("acme").Report(w.t.Context(), netkit.Report{Subject: list.Items[0].ExecutionID, Law: "L1", Evidence: "e"}); err == nil {
		w.op().Decide(w.t.Context(), netkit.Decide{CaseID: r.CaseID, Uphold: true, Reasoning: "r"})
	}
}

// name admits, shuts out or releases an agent, mostly on one contract.
func (w *offerWalk) name() {
	one := []string{w.agent()}
	in := []netkit.SetAgents{{Admit: one}, {ShutOut: one}, {Release: named("agent", 4)}, {Release: named("agent", 4)}}[w.draw(4)]
	if w.draw(3) > 0 || in.Release != nil {
		in.CampaignID = w.contract()
	}
	w.As("acme").SetAgents(w.t.Context(), in)
	if in.Release != nil {
		in.CampaignID = 0
		w.As("acme").SetAgents(w.t.Context(), in)
	}
}

func (w *offerWalk) toggleCrisis() {
	if w.crisis != 0 {
		w.op().ResolveCrisis(w.t.Context(), netkit.ResolveCrisis{DispatchID: w.crisis, Reason: "over"})
		w.crisis = 0
		return
	}
	w.crisis = w.publishes(netkit.P0, netkit.NicheLegal, "h")
}

// Whatever happened before, what an agent is shown about a contract is what an
// execution then answers.
func TestWhatIsOfferedIsPaid(t *testing.T) {
	seen := map[string]int{}
	answers := []string{"paid", "agent_not_admitted", "budget_paced", "already_executed", "blackout", "contract_closed", "contract_ended", "contract_exhausted", "newcomers_share", "not_matched", "agent_suspended", "uncleared_limit"}
	checkUntilSeen(t, seen, answers, func(rt *rapid.T) {
		limits := [2]netkit.Credits{netkit.Credits(rapid.IntRange(170, 800).Draw(rt, "unverified")), netkit.Credits(rapid.IntRange(425, 2000).Draw(rt, "verified"))}
		f := memory(t, newReview, newcomersFifth(2), clearing(40), exposed(limits[0], limits[1]), func(c *netkit.Constitution) {
			c.Tiers[netkit.Verified].Transactions = 3
			if rapid.Bool().Draw(rt, "yielding") {
				yielding(c)
			}
			c.Crisis = netkit.CrisisRules{Hours: 72, MarketTime: true}
		})
		w := &offerWalk{fixture: f, draw: func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "draw") }, seen: seen, limits: limits}
		w.agents(named("agent", 4)...)
		w.admit("acme", 10_000*netkit.Credit)
		w.open()
		for range rapid.IntRange(30, 80).Draw(rt, "steps") {
			w.step()
			if t.Failed() {
				rt.FailNow()
			}
		}
		must[struct{}](t)(struct{}{}, w.Close(t.Context()))
	})
}

// A sponsor's preview counts the executions that are then paid.
func TestAPreviewCountsWhatIsPaid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t, newcomersFifth(10), clearing(72), func(c *netkit.Constitution) {
			if rapid.Bool().Draw(rt, "yielding") {
				yielding(c)
			}
			c.Market.UnclearedUnverified = rapid.SampledFrom([]netkit.Credits{0, 170, 500, 2000}).Draw(rt, "unverified")
			c.Market.UnclearedVerified = rapid.SampledFrom([]netkit.Credits{0, 425, 1000, 6000}).Draw(rt, "verified")
		})
		slugs := named("agent", rapid.IntRange(1, 8).Draw(rt, "agents"))
		f.agents(slugs...)
		f.admit("acme", 1000*netkit.Credit)
		for _, slug := range slugs {
			f.inject(slug, func(a *rules.AgentRow) {
				a.Transactions = uint32(rapid.SampledFrom([]int{0, 10}).Draw(rt, "transactions"))
				a.Confirmed = rapid.Bool().Draw(rt, "confirmed")
			})
		}
		warm, atLimit := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = 100*netkit.Credit, 3 }), uint64(0)
		probe := f.offers(func(c *netkit.OpenContract) { c.Budget = 100 * netkit.Credit })
		for _, slug := range slugs {
			for range rapid.IntRange(0, 3).Draw(rt, "waiting") {
				_ = f.tries(t, slug, warm) // has pay that waits to clear
			}
			var full *netkit.Refusal
			if _, err := f.As(slug).PreviewExecution(t.Context(), netkit.Execute{CampaignID: probe, Signal: signal}); errors.As(err, &full) && full.Code == "uncleared_limit" {
				atLimit++
			}
		}
		budget, each := netkit.Credits(rapid.IntRange(200, 6000).Draw(rt, "budget")), uint32(rapid.IntRange(1, 3).Draw(rt, "each"))
		seen := must[netkit.ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), netkit.PreviewContract{Budget: budget, ExecutionsPerAgent: each}))
		if seen.AtLimit != atLimit {
			rt.Fatalf("got %d agents at their limit, want %d", seen.AtLimit, atLimit)
		}
		for tier := range netkit.Elite {
			paid := uint64(0)
			id := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = budget, each })
			// Those who may have more come first: newcomers are paid what is left.
			for _, few := range []bool{false, true} {
				for _, slug := range slugs {
					me := must[netkit.Profile](t)(f.As("").Profile(t.Context(), slug)).BioVerified
					if me.Tier != tier || (me.Transactions < 10) != few {
						continue
					}
					for range each {
						if _, err := f.As(slug).Execute(t.Context(), netkit.Execute{CampaignID: id, Signal: signal}); err == nil {
							paid++
						}
					}
				}
			}
			if got := seen.Tiers[tier].Executions; got != paid {
				rt.Fatalf("%s: the preview counted %d executions, %d were paid", tier, got, paid)
			}
		}
		must[struct{}](t)(struct{}{}, f.Close(t.Context()))
	})
}

// Listing 200 contracts for an agent computes its tier once.
func BenchmarkListForAnAgent(b *testing.B) {
	f := start(b, journal.NewMemory(), newcomersFifth(10), clearing(72))
	f.bent = true
	f.agents("ada")
	f.admit("acme", netkit.MaxAmount)
	for range 200 {
		id := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = 10_000*netkit.Credit, 3 })
		must[netkit.Execution](b)(f.As("ada").Execute(b.Context(), netkit.Execute{CampaignID: id, Signal: signal}))
	}
	for _, reader := range []string{"", "ada"} {
		b.Run("by="+reader, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must[netkit.List[netkit.Campaign]](b)(f.As(reader).Market(b.Context(), netkit.MarketQuery{Page: netkit.Page{Limit: 200}}))
			}
		})
	}
}

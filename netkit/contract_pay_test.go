package netkit

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/journal"
)

// newcomersFifth is a change of the constitution: at most a fifth of a budget is
// for agents with fewer than that many cleared transactions.
func newcomersFifth(few int) func(*Constitution) {
	return func(c *Constitution) { c.Market.NewcomersShare, c.Market.NewcomersTransactions = 2000, few }
}

// tries compares what the network answers an agent about a contract in every place
// with what an execution then answers, and returns that.
func (f *fixture) tries(t testing.TB, slug string, id uint64) error {
	t.Helper()
	ctx, ses := f.t.Context(), f.As(slug)
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	one := must[Campaign](t)(ses.Campaign(ctx, id))
	listed, matched := false, false
	for _, state := range []ContractState{ContractOpen, ContractExhausted, ContractEnded, ContractClosed} {
		for _, c := range must[List[Campaign]](t)(ses.Market(ctx, MarketQuery{State: &state, Page: Page{Limit: 200}})).Items {
			if c.ID == id {
				listed = true
				if diff := cmp.Diff(one, c); diff != "" {
					t.Errorf("%s, contract %d: the list differs (-contract +list):\n%s", slug, id, diff)
				}
			}
		}
	}
	for _, c := range must[List[Campaign]](t)(ses.Market(ctx, MarketQuery{Matched: true, Page: Page{Limit: 200}})).Items {
		matched = matched || c.ID == id
	}
	seen, previewErr := ses.PreviewExecution(ctx, Execute{id, signal})
	got, err := ses.Execute(ctx, Execute{id, signal})
	if !listed || matched != (err == nil) || (one.PaysYou != nil) != (err == nil) || (one.Refusal == nil) != (err == nil) {
		t.Errorf("%s, contract %d: the execution got %v; listed %v, matched %v, pays %+v, refusal %+v", slug, id, err, listed, matched, one.PaysYou, one.Refusal)
	}
	if err != nil && one.Refusal != nil {
		if diff := cmp.Diff(payRefusalOf(err), one.Refusal); diff != "" || one.Refusal.Err().Error() != err.Error() {
			t.Errorf("%s, contract %d: another refusal (-execution +contract):\n%s", slug, id, diff)
		}
	}
	if diff := cmp.Diff(fmt.Sprint(err), fmt.Sprint(previewErr)); diff != "" {
		t.Errorf("%s, contract %d: another refusal (-execution +preview):\n%s", slug, id, diff)
	}
	if err != nil || one.PaysYou == nil {
		return err
	}
	paid := Rate{got.Tier, got.Payout, got.AgentShare, got.TreasuryShare}
	if one.PaysYou.Rate != paid || one.PaysYou.ClearsAt != got.ClearsAt || seen.Pay != *one.PaysYou {
		t.Errorf("%s, contract %d: got %+v that clears at %s; the contract said %+v and the preview %+v", slug, id, paid, got.ClearsAt, *one.PaysYou, seen.Pay)
	}
	want := []PreviewPosting{{ContractBudget(id).String(), -got.Payout, one.Remaining - got.Payout}, {Wallet(slug).String(), got.AgentShare, got.Balance},
		{Treasury.String(), got.TreasuryShare, f.state.held(Treasury)}}
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
	f.admit("acme", 100*Credit)
	seen := must[ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), PreviewContract{Budget: 20 * Credit}))
	if got := seen.Tiers[Unverified]; got.Agents != 3 || got.Newcomers != 3 || got.Executions != 2 {
		t.Errorf("got a preview of %+v, want 2 executions by 3 newcomers", got)
	}
	id := f.offers(nil)
	for _, slug := range slugs[:2] {
		if err := f.tries(t, slug, id); err != nil {
			t.Error(err)
		}
	}
	refused(t, f.tries(t, slugs[2], id), ErrConflict, "newcomers_share")
	refused(t, f.tries(t, slugs[0], id), ErrConflict, "already_executed")
	for _, reader := range []string{"", "acme", "operator"} {
		if c := must[Campaign](t)(f.As(reader).Campaign(t.Context(), id)); c.PaysYou != nil || c.Refusal != nil {
			t.Errorf("%q is no agent: got %+v and %+v", reader, c.PaysYou, c.Refusal)
		}
	}
}

func TestAPreviewRecordsNothing(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.admit("acme", 100*Credit)
	id := f.offers(nil)
	must[ClaimsReceipt](t)(f.As("bea").SetClaims(t.Context(), Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 12 * Credit}))
	ask := SendAttention{To: "bea", Subject: "s", Body: "b"}
	f.unchanged(t, func() {
		must[ExecutionPreview](t)(f.As("ada").PreviewExecution(t.Context(), Execute{id, signal}))
		_, err := f.As("ada").PreviewExecution(t.Context(), Execute{CampaignID: id})
		refused(t, err, ErrInvalid, "text_missing")
		got := must[AttentionPreview](t)(f.As("ada").PreviewAttention(t.Context(), ask))
		want := []PreviewPosting{{"wallet:ada", -12 * Credit, 38 * Credit}, {"escrow:new", 12 * Credit, 12 * Credit}}
		if diff := cmp.Diff(want, got.Postings); diff != "" || got.Price != 12*Credit || got.ExpiresAt != At(f.now)+72*hour {
			t.Errorf("got %+v: %s", got, diff)
		}
		ask.MaxPrice = new(11 * Credit)
		_, err = f.As("ada").PreviewAttention(t.Context(), ask)
		refused(t, err, ErrConflict, "price_above_max")
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
}

func (w *offerWalk) agent() string { return named("agent", 4)[w.draw(4)] }

func (w *offerWalk) step() {
	ctx := w.t.Context()
	steps := []func(){
		w.execute, w.execute, w.execute, w.execute, w.execute, w.execute,
		w.open,
		func() { w.As("acme").FundContract(ctx, FundContract{w.contract(), Credits(1+w.draw(10)) * Credit}) },
		func() {
			if w.draw(3) == 0 {
				w.op().CloseContract(ctx, CloseContract{w.contract()})
			}
		},
		func() {
			w.As(w.agent()).SetClaims(ctx, Claims{Niche: []Niche{NicheLegal, NicheSilicon}[w.draw(2)], PreferredLLMProvider: []string{"", "mistral"}[w.draw(2)]})
		},
		func() { w.As("acme").Accept(ctx, AcceptExecutions{CampaignID: w.contract()}) },
		func() { w.stop(w.agent()) },
		func() { w.op().Reinstate(ctx, Reinstate{Agent: w.agent(), Reason: "r"}) },
		func() {
			if w.crisis != 0 || w.draw(3) == 0 {
				w.toggleCrisis()
			}
		},
		func() { w.inject(w.agent(), func(a *agentRow) { a.confirmed = !a.confirmed }) },
		func() { w.waits(time.Duration(1+w.draw(40)) * time.Hour) },
	}
	steps[w.draw(len(steps))]()
}

// contract returns one of the newest contracts.
func (w *offerWalk) contract() uint64 {
	return w.contracts[len(w.contracts)-1-w.draw(min(3, len(w.contracts)))]
}

func (w *offerWalk) execute() {
	err := w.tries(w.t, w.agent(), w.contract())
	var r *Refusal
	if errors.As(err, &r) {
		w.seen[r.Code]++
	} else {
		w.seen["paid"]++
	}
}

func (w *offerWalk) open() {
	w.contracts = append(w.contracts, w.offers(func(c *OpenContract) {
		c.ExecutionsPerAgent = uint32(1 + w.draw(4))
		c.ClearingHours = uint32(1 + w.draw(40))
		c.Kind = ContractKind(w.draw(2))
		if w.draw(3) == 0 {
			c.EndsAt = At(w.now) + Millis(1+w.draw(40))*hour
		}
		if w.draw(3) == 0 {
			c.Matching.Niches = []Niche{NicheLegal}
		}
		if w.draw(4) == 0 {
			c.Matching.LLMProviders = []string{"mistral"}
		}
		if c.Matching.MinTier = Tier(w.draw(4) / 3); w.draw(3) == 0 {
			c.Matching.MaxTier = new(c.Matching.MinTier)
		}
		c.Budget = w.Network.state.law.Rate(c.Matching.MinTier).Payout + Credits(w.draw(12))*Credit
	}))
}

// stop has an operator uphold a report about the agent's newest execution.
func (w *offerWalk) stop(slug string) {
	list, err := w.op().Deliveries(w.t.Context(), ExecutionQuery{Agent: slug, Page: Page{Limit: 1}})
	if err != nil || len(list.Items) == 0 {
		return
	}
	if r, err := w.As("acme").Report(w.t.Context(), Report{Subject: list.Items[0].ExecutionID, Law: "L1", Evidence: "e"}); err == nil {
		w.op().Decide(w.t.Context(), Decide{CaseID: r.CaseID, Uphold: true, Reasoning: "r"})
	}
}

func (w *offerWalk) toggleCrisis() {
	if w.crisis != 0 {
		w.op().ResolveCrisis(w.t.Context(), ResolveCrisis{DispatchID: w.crisis, Reason: "over"})
		w.crisis = 0
		return
	}
	w.crisis = w.publishes(P0, NicheLegal, "h")
}

// Whatever happened before, what an agent is shown about a contract is what an
// execution then answers.
func TestWhatIsOfferedIsPaid(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t, newReview, newcomersFifth(2), clearing(40), func(c *Constitution) { c.Tiers[Verified].Transactions = 3 })
		w := &offerWalk{fixture: f, draw: func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "draw") }, seen: seen}
		w.agents(named("agent", 4)...)
		w.admit("acme", 10_000*Credit)
		w.open()
		for range rapid.IntRange(30, 80).Draw(rt, "steps") {
			w.step()
			if t.Failed() {
				rt.FailNow()
			}
		}
		must[struct{}](t)(struct{}{}, w.Close(t.Context()))
	})
	for _, code := range []string{"paid", "already_executed", "blackout", "contract_closed", "contract_ended", "contract_exhausted", "newcomers_share", "not_matched", "agent_suspended"} {
		if seen[code] == 0 {
			t.Errorf("in no life an execution was answered by %s: %v", code, seen)
		}
	}
}

// A sponsor's preview counts the executions that are then paid.
func TestAPreviewCountsWhatIsPaid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t, newcomersFifth(10), clearing(72))
		slugs := named("agent", rapid.IntRange(1, 8).Draw(rt, "agents"))
		f.agents(slugs...)
		f.admit("acme", 1000*Credit)
		for _, slug := range slugs {
			f.inject(slug, func(a *agentRow) {
				a.transactions = uint32(rapid.SampledFrom([]int{0, 10}).Draw(rt, "transactions"))
				a.confirmed = rapid.Bool().Draw(rt, "confirmed")
			})
		}
		budget, each := Credits(rapid.IntRange(200, 6000).Draw(rt, "budget")), uint32(rapid.IntRange(1, 3).Draw(rt, "each"))
		seen := must[ContractPreview](t)(f.As("acme").PreviewContract(t.Context(), PreviewContract{Budget: budget, ExecutionsPerAgent: each}))
		for tier := range Elite {
			paid := uint64(0)
			id := f.offers(func(c *OpenContract) { c.Budget, c.ExecutionsPerAgent = budget, each })
			// Those who may have more come first: newcomers are paid what is left.
			for _, few := range []bool{false, true} {
				for _, slug := range slugs {
					me := must[Profile](t)(f.As("").Profile(t.Context(), slug)).BioVerified
					if me.Tier != tier || (me.Transactions < 10) != few {
						continue
					}
					for range each {
						if _, err := f.As(slug).Execute(t.Context(), Execute{id, signal}); err == nil {
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
	f.admit("acme", MaxAmount)
	for range 200 {
		id := f.offers(func(c *OpenContract) { c.Budget, c.ExecutionsPerAgent = 10_000*Credit, 3 })
		must[Execution](b)(f.As("ada").Execute(b.Context(), Execute{id, signal}))
	}
	for _, reader := range []string{"", "ada"} {
		b.Run("by="+reader, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must[List[Campaign]](b)(f.As(reader).Market(b.Context(), MarketQuery{Page: Page{Limit: 200}}))
			}
		})
	}
}

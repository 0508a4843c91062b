package network

import (
	"iter"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// stroll is a random life of a network in which everything may happen that
// callers can ask for, wanted or not; what is refused leaves no entry.
type stroll struct {
	*fixture
	draw func(n int) int
	all  []string // parties
}

func (w *stroll) anybody() netkit.Caller { return as(w.all[w.draw(len(w.all))]) }

func (w *stroll) slug() string { return w.all[w.draw(len(w.all))] }

func (w *stroll) entry() uint64 { return uint64(w.draw(int(w.state.Size()) + 1)) }

// recent is a number that is likely to be that of something.
func (w *stroll) recent(ids []uint64) uint64 {
	if len(ids) == 0 || w.draw(8) == 0 {
		return w.entry()
	}
	return ids[w.draw(len(ids))]
}

func keys[T any](all iter.Seq2[uint64, *T]) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for id := range all {
			if !yield(id) {
				return
			}
		}
	}
}

// step does one thing. Its error is a refusal and tells nothing here.
func (w *stroll) step() {
	ctx, s := w.t.Context(), w.state
	contracts := slices.Collect(keys(tablesOf(s).Contracts.All()))
	cases, dispatches := slices.Collect(keys(tablesOf(s).Cases.All())), slices.Collect(keys(tablesOf(s).Dispatches.All()))
	yes := w.draw(2) == 0
	steps := []func(){
		func() { w.As("").Spawn(ctx, netkit.Spawn{Slug: []string{"gus", "hal", "ida"}[w.draw(3)]}) },
		func() {
			w.op().ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: []string{"zinc", "gold"}[w.draw(2)]})
		},
		func() {
			w.For(w.anybody()).Witness(ctx, netkit.Witness{ID: w.recent(slices.Concat(slices.Collect(keys(tablesOf(s).Admissions.All())), slices.Collect(revocationsIn(s))))})
		},
		func() {
			w.op().Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 500 * netkit.Credit, Reference: "r"})
		},
		func() {
			w.For(w.anybody()).OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Kind: netkit.ContractKind(w.draw(2)), Channel: netkit.NicheLegal,
				Budget: netkit.Credits(w.draw(900)) * netkit.Credit, ExecutionsPerAgent: 3, EndsAt: netkit.At(w.now) + netkit.Millis(w.draw(5))*netkit.FullDay})
		},
		func() {
			w.op().FundContract(ctx, netkit.FundContract{CampaignID: w.recent(contracts), Amount: netkit.Credits(w.draw(99)) * netkit.Credit})
		},
		func() { w.For(w.anybody()).CloseContract(ctx, netkit.CloseContract{CampaignID: w.recent(contracts)}) },
		func() {
			w.For(w.anybody()).Execute(ctx, netkit.Execute{CampaignID: w.recent(contracts), Signal: signal})
		},
		func() {
			w.For(w.anybody()).Execute(ctx, netkit.Execute{CampaignID: w.recent(contracts), Signal: signal})
		},
		func() { w.As("acme").Accept(ctx, netkit.AcceptExecutions{CampaignID: w.recent(contracts)}) },
		func() {
			w.For(w.anybody()).SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal, AcceptsAttentionRequests: true, AttentionFloorPrice: netkit.Credits(w.draw(9)) * netkit.Credit, CapabilityStatement: "x"})
		},
		func() {
			w.For(w.anybody()).SendAttention(ctx, netkit.SendAttention{To: w.slug(), Subject: "s", Body: "b"})
		},
		func() {
			w.For(w.anybody()).AnswerAttention(ctx, netkit.AnswerAttention{ID: w.recent(filedIn(s)), Body: "a"})
		},
		func() {
			w.For(w.anybody()).DeclineAttention(ctx, netkit.DeclineAttention{ID: w.recent(filedIn(s)), Reason: ""})
		},
		func() {
			w.For(w.anybody()).Publish(ctx, netkit.Publish{Priority: netkit.Priority(w.draw(3)), Channel: netkit.NicheLegal, Headline: "h"})
		},
		func() {
			w.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: w.recent(dispatches), Reason: "over"})
		},
		func() { w.For(w.anybody()).Manifest(ctx, netkit.ReadManifest{Priorities: allPriorities}) },
		func() {
			w.For(w.anybody()).Report(ctx, netkit.Report{Subject: w.recent(dispatches) + uint64(w.draw(3)), Law: []string{"L1", "L2"}[w.draw(2)], Evidence: "e"})
		},
		func() {
			w.For(w.anybody()).Report(ctx, netkit.Report{Subject: w.entry(), Law: []string{"L1", "L2"}[w.draw(2)], Evidence: "e"})
		},
		func() { w.judges(w.recent(cases), yes) },
		func() { w.op().Decide(ctx, netkit.Decide{CaseID: w.recent(cases), Uphold: yes, Reasoning: "r"}) },
		func() { w.For(w.anybody()).Appeal(ctx, netkit.Appeal{CaseID: w.recent(cases), Grounds: "g"}) },
		func() { w.op().Reinstate(ctx, netkit.Reinstate{Agent: w.slug(), Reason: "r"}) },
		func() {
			w.op().RevokeBadge(ctx, netkit.RevokeBadge{Agent: w.slug(), Badge: netkit.FieldAgent, Reason: "r"})
		},
		func() {
			w.op().SetRole(ctx, netkit.SetRole{Agent: w.slug(), Role: []string{"reviewer", "correspondent"}[w.draw(2)], Grant: yes, Reason: "r"})
		},
		func() {
			w.For(w.anybody()).SetChannels(ctx, netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal}})
		},
		func() { w.For(w.anybody()).SetWebhook(ctx, netkit.SetWebhook{URL: "https://example.org/"}) },
		func() {
			w.For(w.anybody()).IssueToken(ctx, netkit.IssueToken{For: w.slug(), Scopes: []netkit.Scope{netkit.ScopePlants}})
		},
		func() { w.For(w.anybody()).RevokeToken(ctx, netkit.RevokeToken{TokenID: w.entry()}) },
		func() {
			w.For(w.anybody()).AcceptConstitution(ctx, netkit.AcceptConstitution{SHA256: (*lawOf(s)).SHA256()})
		},
		func() { w.For(w.anybody()).CreatePlant(ctx, netkit.CreatePlant{ID: int64(w.draw(9)), Name: "fern"}) },
		func() { w.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "r"}) },
		func() { w.op().CloseExchange(ctx, netkit.CloseExchange{Reason: "r"}) },
		func() { w.op().ErasePrivate(ctx, netkit.ErasePrivate{Entry: w.entry(), Reason: "r"}) },
		func() { w.op().CloseNight(ctx, netkit.CloseNight{}) },
		func() { w.passes(time.Duration(w.draw(30)) * time.Hour); w.Tick(ctx) },
	}
	steps[w.draw(len(steps))]()
}

// judges has the panel of a case vote, as far as it may.
func (w *stroll) judges(id uint64, uphold bool) {
	if cs, ok := tablesOf(w.state).Cases.Get(id); ok {
		for _, slug := range w.state.SlugsOf(cs.Panel) {
			w.As(slug).Verdict(w.t.Context(), netkit.Verdict{CaseID: id, Uphold: uphold, Reasoning: "r"})
		}
	}
}

// Whatever callers ask for, in whatever order, an audit accounts for all that
// came of it: there is no false alarm.
func TestNoFalseAlarm(t *testing.T) {
	seen := map[netkit.Kind]int{}
	rapid.Check(t, func(rt *rapid.T) {
		w := &stroll{fixture: memory(t), draw: func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "draw") }}
		w.bent = true // audited below, once for each life
		law := easy()
		weighed(law)
		law.Market.ClearingHours = rapid.SampledFrom([]int{0, 5, 72}).Draw(rt, "clearing")
		law.Scores.AcceptedCounts = rapid.Bool().Draw(rt, "accepted counts")
		law.Review.IncomeDays = rapid.SampledFrom([]int{0, 30}).Draw(rt, "income")
		w.adopts(t, law)
		w.reviewers("judge-a", "judge-b", "judge-c", "judge-d")
		w.agents("ada", "bea", "cora")
		w.confirms("ada", "bea", "cora", "judge-a")
		w.admit("acme", 1000*netkit.Credit)
		w.opens("acme", 400*netkit.Credit, 3)
		w.all = []string{"ada", "bea", "cora", "judge-a", "judge-b", "judge-c", "acme", "operator"}
		for range rapid.IntRange(150, 400).Draw(rt, "steps") {
			w.step()
		}
		if _, err := Audit(t.Context(), w.store); err != nil {
			rt.Fatalf("%v", err)
		}
		w.diversityIsItsDefinition(rt)
		for r, err := range w.store.Read(t.Context(), 0, w.state.Size()) {
			if e, err2 := rules.ReadEntry(r); err == nil && err2 == nil {
				seen[e.Kind]++
			}
		}
		must[struct{}](t)(struct{}{}, w.Close(t.Context()))
	})
	for _, kind := range []netkit.Kind{"execution", "attention.sent", "contract.finished", "night.closed", "private.erased", "feed.opened"} {
		if seen[kind] == 0 {
			t.Errorf("no life had %s", kind)
		}
	}
}

package netkit

import (
	"iter"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// stroll is a random life of a network in which everything may happen that
// callers can ask for, wanted or not; what is refused leaves no entry.
type stroll struct {
	*fixture
	draw func(n int) int
	all  []string // parties
}

func (w *stroll) anybody() Caller { return as(w.all[w.draw(len(w.all))]) }
func (w *stroll) slug() string    { return w.all[w.draw(len(w.all))] }
func (w *stroll) entry() uint64   { return uint64(w.draw(int(w.state.root.next) + 1)) }

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
	contracts := slices.Collect(keys(s.contracts.All()))
	cases, dispatches := slices.Collect(keys(s.cases.All())), slices.Collect(keys(s.dispatches.All()))
	yes := w.draw(2) == 0
	steps := []func(){
		func() { w.As("").Spawn(ctx, Spawn{Slug: []string{"gus", "hal", "ida"}[w.draw(3)]}) },
		func() { w.op().ProposeSponsor(ctx, ProposeSponsor{Sponsor: []string{"zinc", "gold"}[w.draw(2)]}) },
		func() {
			w.For(w.anybody()).Witness(ctx, Witness{w.recent(slices.Concat(slices.Collect(keys(s.admissions.All())), slices.Collect(keys(s.revocations.All()))))})
		},
		func() { w.op().Deposit(ctx, Deposit{Sponsor: "acme", Amount: 500 * Credit, Reference: "r"}) },
		func() {
			w.For(w.anybody()).OpenContract(ctx, OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Kind: ContractKind(w.draw(2)), Channel: NicheLegal,
				Budget: Credits(w.draw(900)) * Credit, ExecutionsPerAgent: 3, EndsAt: At(w.now) + Millis(w.draw(5))*day})
		},
		func() { w.op().FundContract(ctx, FundContract{w.recent(contracts), Credits(w.draw(99)) * Credit}) },
		func() { w.For(w.anybody()).CloseContract(ctx, CloseContract{w.recent(contracts)}) },
		func() { w.For(w.anybody()).Execute(ctx, Execute{w.recent(contracts), signal}) },
		func() { w.For(w.anybody()).Execute(ctx, Execute{w.recent(contracts), signal}) },
		func() { w.As("acme").Accept(ctx, AcceptExecutions{CampaignID: w.recent(contracts)}) },
		func() {
			w.For(w.anybody()).SetClaims(ctx, Claims{Niche: NicheLegal, AcceptsAttentionRequests: true, AttentionFloorPrice: Credits(w.draw(9)) * Credit, CapabilityStatement: "x"})
		},
		func() { w.For(w.anybody()).SendAttention(ctx, SendAttention{To: w.slug(), Subject: "s", Body: "b"}) },
		func() { w.For(w.anybody()).AnswerAttention(ctx, AnswerAttention{w.recent(s.filed.ids), "a"}) },
		func() { w.For(w.anybody()).DeclineAttention(ctx, DeclineAttention{w.recent(s.filed.ids), ""}) },
		func() {
			w.For(w.anybody()).Publish(ctx, Publish{Priority: Priority(w.draw(3)), Channel: NicheLegal, Headline: "h"})
		},
		func() { w.op().ResolveCrisis(ctx, ResolveCrisis{w.recent(dispatches), "over"}) },
		func() { w.For(w.anybody()).Manifest(ctx, ReadManifest{Priorities: allPriorities}) },
		func() {
			w.For(w.anybody()).Report(ctx, Report{w.recent(dispatches) + uint64(w.draw(3)), []string{"L1", "L2"}[w.draw(2)], "e"})
		},
		func() { w.For(w.anybody()).Report(ctx, Report{w.entry(), []string{"L1", "L2"}[w.draw(2)], "e"}) },
		func() { w.judges(w.recent(cases), yes) },
		func() { w.op().Decide(ctx, Decide{w.recent(cases), yes, "r"}) },
		func() { w.For(w.anybody()).Appeal(ctx, Appeal{w.recent(cases), "g"}) },
		func() { w.op().Reinstate(ctx, Reinstate{w.slug(), "r"}) },
		func() { w.op().RevokeBadge(ctx, RevokeBadge{Agent: w.slug(), Badge: FieldAgent, Reason: "r"}) },
		func() {
			w.op().SetRole(ctx, SetRole{w.slug(), []string{"reviewer", "correspondent"}[w.draw(2)], yes, "r"})
		},
		func() { w.For(w.anybody()).SetChannels(ctx, SetChannels{[]Niche{NicheLegal}}) },
		func() { w.For(w.anybody()).SetWebhook(ctx, SetWebhook{URL: "https://example.org/"}) },
		func() { w.For(w.anybody()).IssueToken(ctx, IssueToken{For: w.slug(), Scopes: []Scope{ScopePlants}}) },
		func() { w.For(w.anybody()).RevokeToken(ctx, RevokeToken{TokenID: w.entry()}) },
		func() { w.For(w.anybody()).AcceptConstitution(ctx, AcceptConstitution{s.law.SHA256()}) },
		func() { w.For(w.anybody()).CreatePlant(ctx, CreatePlant{ID: int64(w.draw(9)), Name: "fern"}) },
		func() { w.op().OpenExchange(ctx, OpenExchange{"r"}) },
		func() { w.op().CloseExchange(ctx, CloseExchange{"r"}) },
		func() { w.op().ErasePrivate(ctx, ErasePrivate{w.entry(), "r"}) },
		func() { w.op().CloseNight(ctx, CloseNight{}) },
		func() { w.passes(time.Duration(w.draw(30)) * time.Hour); w.Tick(ctx) },
	}
	steps[w.draw(len(steps))]()
}

// judges has the panel of a case vote, as far as it may.
func (w *stroll) judges(id uint64, uphold bool) {
	if cs, err := w.state.reviewCase(id); err == nil {
		for _, slug := range w.state.slugsOf(cs.panel) {
			w.As(slug).Verdict(w.t.Context(), Verdict{id, uphold, "r"})
		}
	}
}

// Whatever callers ask for, in whatever order, an audit accounts for all that
// came of it: there is no false alarm.
func TestNoFalseAlarm(t *testing.T) {
	seen := map[Kind]int{}
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
		w.admit("acme", 1000*Credit)
		w.opens("acme", 400*Credit, 3)
		w.all = []string{"ada", "bea", "cora", "judge-a", "judge-b", "judge-c", "acme", "operator"}
		for range rapid.IntRange(150, 400).Draw(rt, "steps") {
			w.step()
		}
		if _, err := Audit(t.Context(), w.store); err != nil {
			rt.Fatalf("%v", err)
		}
		w.diversityIsItsDefinition(rt)
		for r, err := range w.store.Read(t.Context(), 0, w.state.root.next) {
			if e, err2 := ReadEntry(r); err == nil && err2 == nil {
				seen[e.Kind]++
			}
		}
		must[struct{}](t)(struct{}{}, w.Close(t.Context()))
	})
	for _, kind := range []Kind{"execution", "attention.sent", "contract.finished", "night.closed", "private.erased", "feed.opened"} {
		if seen[kind] == 0 {
			t.Errorf("no life had %s", kind)
		}
	}
}

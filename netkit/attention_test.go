package netkit

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

// takes lets an agent accept attention requests for a price.
func (f *fixture) takes(slug string, floor Credits) {
	f.t.Helper()
	if _, err := f.As(slug).SetClaims(f.t.Context(), Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: floor}); err != nil {
		f.t.Fatal(err)
	}
}

// backs gives a wallet outside money.
func (f *fixture) backs(slug string, amount Credits) {
	f.t.Helper()
	if err := f.record(&SponsorDeposited{Sponsor: slug, Amount: amount}, move{Issuance, -amount}, move{Wallet(slug), amount}); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) asks(from, to string) AttentionReceipt {
	f.t.Helper()
	return must[AttentionReceipt](f.t)(f.As(from).SendAttention(f.t.Context(), SendAttention{To: to, Subject: "s", Body: "b"}))
}

func (f *fixture) row(slug string) *party {
	_, p, _ := f.state.party(slug)
	return p
}

// pair is a network in which bea takes requests for 12.00 and ada has the
// welcome grant.
func pair(t testing.TB) *fixture {
	f := start(t, journal.NewMemory())
	f.agents("ada", "bea")
	f.takes("bea", 12*Credit)
	return f
}

func TestAttentionMovesItsPrice(t *testing.T) {
	ctx := t.Context()
	for name, c := range map[string]struct {
		end      func(*fixture, uint64) (AttentionReceipt, error)
		state    AttentionState
		ada, bea Credits
		balance  *Credits
	}{
		"answered": {func(f *fixture, id uint64) (AttentionReceipt, error) {
			return f.As("bea").AnswerAttention(ctx, AnswerAttention{id, "yes"})
		}, Answered, 38 * Credit, 62 * Credit, new(62 * Credit)},
		"declined": {func(f *fixture, id uint64) (AttentionReceipt, error) {
			return f.As("bea").DeclineAttention(ctx, DeclineAttention{id, "busy"})
		}, Declined, 50 * Credit, 50 * Credit, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := pair(t)
			got := f.asks("ada", "bea")
			want := AttentionReceipt{ID: got.Seq, Price: 12 * Credit, ExpiresAt: At(f.now) + 72*hour, Balance: new(38 * Credit), Seq: got.Seq, At: At(f.now)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			f.has(Wallet("ada"), 38*Credit)
			f.has(Escrow(got.ID), 12*Credit)
			end := must[AttentionReceipt](t)(c.end(f, got.ID))
			want = AttentionReceipt{ID: got.ID, State: c.state, Price: 12 * Credit, Balance: c.balance, Seq: end.Seq, At: At(f.now)}
			if diff := cmp.Diff(want, end); diff != "" {
				t.Error(diff)
			}
			f.has(Wallet("ada"), c.ada)
			f.has(Wallet("bea"), c.bea)
			if f.state.balance(Escrow(got.ID)) != nil || f.state.books().Sum != 0 {
				t.Error("the escrow account outlived the request, or credits were lost")
			}
			_, err := c.end(f, got.ID)
			refused(t, err, ErrConflict, "attention_"+c.state.String())
		})
	}
}

func TestSendRefusals(t *testing.T) {
	f := pair(t)
	f.agents("deaf", "gone", "poor")
	f.takes("gone", 0)
	f.row("gone").status = Suspended
	f.holds("poor", 1199)
	f.admit("acme", Credit)
	ok := SendAttention{To: "bea", Subject: "s", Body: "b"}
	before := f.state.root.next
	for _, c := range []struct {
		who    string
		change func(*SendAttention)
		kind   error
		code   string
	}{
		{"", func(*SendAttention) {}, ErrUnauthenticated, "unauthenticated"},
		{"acme", func(*SendAttention) {}, ErrForbidden, "agents_only"},
		{"gone", func(*SendAttention) {}, ErrForbidden, "agent_suspended"},
		{"poor", func(*SendAttention) {}, ErrInsufficientCredits, "wallet_short"},
		{"bea", func(*SendAttention) {}, ErrInvalid, "own_attention"},
		{"ada", func(in *SendAttention) { in.To = "nobody" }, ErrNotFound, "agent_unknown"},
		{"ada", func(in *SendAttention) { in.To = "acme" }, ErrNotFound, "agent_unknown"},
		{"ada", func(in *SendAttention) { in.To = "deaf" }, ErrForbidden, "not_accepting"},
		{"ada", func(in *SendAttention) { in.To = "gone" }, ErrConflict, "target_suspended"},
		{"ada", func(in *SendAttention) { in.MaxPrice = new(Credits(1199)) }, ErrConflict, "price_above_max"},
		{"ada", func(in *SendAttention) { in.MaxPrice = new(Credits(-1)) }, ErrInvalid, "amount_negative"},
		{"ada", func(in *SendAttention) { in.ExpiresIn = 3599 }, ErrInvalid, "span_out_of_range"},
		{"ada", func(in *SendAttention) { in.ExpiresIn = 14*86400 + 1 }, ErrInvalid, "span_out_of_range"},
		{"ada", func(in *SendAttention) { in.ExpiresIn = -1 }, ErrInvalid, "span_out_of_range"},
		{"ada", func(in *SendAttention) { in.Subject = "" }, ErrInvalid, "text_missing"},
		{"ada", func(in *SendAttention) { in.Body = strings.Repeat("x", 8001) }, ErrInvalid, "text_too_long"},
	} {
		in := ok
		c.change(&in)
		_, err := f.As(c.who).SendAttention(t.Context(), in)
		refused(t, err, c.kind, c.code)
	}
	if f.state.root.next != before {
		t.Error("a refusal was recorded")
	}
	ok.MaxPrice, ok.ExpiresIn = new(12*Credit), 3600
	if got := must[AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), ok)); got.ExpiresAt != At(f.now)+hour {
		t.Errorf("got expiry %s, want %s", got.ExpiresAt, At(f.now)+hour)
	}
}

// A floor of nothing works without a posting, and weighs nothing.
func TestAttentionForNothing(t *testing.T) {
	f := pair(t)
	f.takes("bea", 0)
	got := f.asks("ada", "bea")
	if got.Price != 0 || got.Balance != nil || f.state.balance(Escrow(got.ID)) != nil {
		t.Errorf("got %+v, want no price and no escrow", got)
	}
	must[AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), AnswerAttention{got.ID, "yes"}))
	if bea := f.row("bea").agent; bea.transactions != 0 || len(bea.evidence) != 0 || len(f.extra("bea").answers) != 0 || len(f.row("ada").agent.evidence) != 0 {
		t.Errorf("got %+v, want no evidence", bea)
	}
}

func TestPendingLimits(t *testing.T) {
	f := pair(t)
	f.agents("cora")
	f.takes("bea", 0)
	f.takes("cora", 0)
	law := *f.state.law
	law.Limits.PendingPerSender, law.Limits.PendingPerTarget = 2, 3
	f.state.law = &law
	send := func(from, to string) error {
		_, err := f.As(from).SendAttention(t.Context(), SendAttention{To: to, Subject: "s", Body: "b"})
		return err
	}
	first := f.asks("ada", "bea")
	f.asks("ada", "bea")
	refused(t, send("ada", "bea"), ErrLimit, "sender_pending")
	f.asks("cora", "bea")
	refused(t, send("cora", "bea"), ErrLimit, "target_pending")
	must[AttentionReceipt](t)(f.As("bea").DeclineAttention(t.Context(), DeclineAttention{ID: first.ID}))
	if err := send("ada", "bea"); err != nil {
		t.Errorf("after one was declined: %v", err)
	}
}

// Senders with few cleared transactions take at most their share of a target's
// places, together; other senders find the rest.
func TestNewcomersTakeTheirShareOfAnInbox(t *testing.T) {
	f := memory(t, func(c *Constitution) {
		c.Limits.PendingPerTarget, c.Limits.NewcomersPending, c.Market.NewcomersTransactions = 10, 2000, 2
	})
	f.agents("target", "one", "two", "three", "known")
	f.takes("target", 25)
	f.admit("acme", 100*Credit)
	campaign := f.opens("acme", 50*Credit, 2)
	f.executes("known", campaign)
	f.executes("known", campaign)
	send := func(from string) error {
		_, err := f.As(from).SendAttention(t.Context(), SendAttention{To: "target", Subject: "s", Body: "b"})
		return err
	}
	first := f.asks("one", "target")
	f.asks("two", "target")
	for _, slug := range []string{"one", "three"} {
		refused(t, send(slug), ErrLimit, "target_pending")
	}
	for range 8 {
		f.asks("known", "target")
	}
	f.restarts(t)
	must[AttentionReceipt](t)(f.As("target").DeclineAttention(t.Context(), DeclineAttention{ID: first.ID}))
	f.asks("three", "target")
	refused(t, send("one"), ErrLimit, "target_pending")
	refused(t, send("known"), ErrLimit, "target_pending")
	f.restarts(t)
}

// Only the target may end a request; to others it does not exist.
func TestEndRefusals(t *testing.T) {
	f := pair(t)
	f.agents("cora")
	id := f.asks("ada", "bea").ID
	for _, who := range []string{"ada", "cora"} {
		_, err := f.As(who).AnswerAttention(t.Context(), AnswerAttention{id, "x"})
		refused(t, err, ErrNotFound, "attention_unknown")
		_, err = f.As(who).DeclineAttention(t.Context(), DeclineAttention{ID: id})
		refused(t, err, ErrNotFound, "attention_unknown")
	}
	_, err := f.As("bea").AnswerAttention(t.Context(), AnswerAttention{id, ""})
	refused(t, err, ErrInvalid, "text_missing")
	_, err = f.As("bea").DeclineAttention(t.Context(), DeclineAttention{id, strings.Repeat("x", 401)})
	refused(t, err, ErrInvalid, "text_too_long")
	_, err = f.As("operator").AnswerAttention(t.Context(), AnswerAttention{id, "x"})
	refused(t, err, ErrForbidden, "agents_only")
	f.row("ada").status = Suspended // a suspended sender's stay answerable
	if _, err := f.As("bea").AnswerAttention(t.Context(), AnswerAttention{id, "x"}); err != nil {
		t.Error(err)
	}
}

// Backing moves from the sender into the request and on with its end: a
// quarter of what counts to the target, all of it back on a refund.
func TestBackingFollowsTheEscrow(t *testing.T) {
	type outcome struct {
		senderBacking, targetBacking, in, out Credits
		answered, transactions                uint32
	}
	for name, c := range map[string]struct {
		backing Credits // of the sender, who pays 12.00
		young   bool
		want    outcome
	}{
		"full":    {20 * Credit, false, outcome{8 * Credit, 3 * Credit, 12 * Credit, 12 * Credit, 1, 1}},
		"partial": {5 * Credit, false, outcome{0, 125, 5 * Credit, 12 * Credit, 1, 0}},
		"none":    {0, false, outcome{0, 0, 0, 12 * Credit, 0, 0}},
		"young":   {20 * Credit, true, outcome{8 * Credit, 0, 0, 12 * Credit, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			f := pair(t)
			if !c.young {
				f.now = f.now.AddDate(0, 0, 7)
			}
			if c.backing > 0 {
				f.backs("ada", c.backing)
			}
			id := f.asks("ada", "bea").ID
			if got, want := f.row("ada").backing, max(0, c.backing-12*Credit); got != want {
				t.Errorf("while pending: got a backing of %s, want %s", got, want)
			}
			f.now = f.now.Add(6 * time.Hour)
			must[AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), AnswerAttention{id, "yes"}))
			ada, bea := f.row("ada"), f.row("bea")
			var got outcome
			got.senderBacking, got.targetBacking, got.transactions = ada.backing, bea.backing, bea.agent.transactions
			for _, ev := range bea.agent.evidence {
				got.in, got.answered = got.in+ev.in, got.answered+ev.answered
			}
			for _, ev := range ada.agent.evidence {
				got.out += ev.out
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if ada.agent.transactions != bea.agent.transactions {
				t.Error("a transaction is one for both")
			}
			if c.want.answered == 1 {
				want := []answer{{At(f.now).Day(), 1, 6 * hour, 72 * hour}}
				if diff := cmp.Diff(want, f.extra("bea").answers, cmp.AllowUnexported(answer{})); diff != "" {
					t.Error(diff)
				}
			} else if len(f.extra("bea").answers) != 0 {
				t.Error("an unbacked answer was kept")
			}
		})
	}
	t.Run("declined", func(t *testing.T) {
		f := pair(t)
		f.backs("ada", 20*Credit)
		must[AttentionReceipt](t)(f.As("bea").DeclineAttention(t.Context(), DeclineAttention{ID: f.asks("ada", "bea").ID}))
		if got, bea := f.row("ada").backing, f.row("bea"); got != 20*Credit || len(bea.agent.evidence) != 0 || bea.agent.transactions != 0 {
			t.Errorf("got a backing of %s and %+v, want 20.00 back and no trace", got, bea.agent)
		}
	})
}

func TestAnswersAreKeptAsLongAsABadgeLooksBack(t *testing.T) {
	f := pair(t)
	f.backs("ada", 100*Credit)
	answer := func() int {
		t.Helper()
		must[AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), AnswerAttention{f.asks("ada", "bea").ID, "x"}))
		return len(f.extra("bea").answers)
	}
	first := answer()
	f.now = f.now.AddDate(0, 0, 179)
	second := answer()
	f.now = f.now.AddDate(0, 0, 1)
	third := answer()
	if first != 1 || second != 2 || third != 2 {
		t.Errorf("got %d, %d, %d answers kept, want 1, 2, 2", first, second, third)
	}
}

// granted begins a network whose welcome grant buys the feed only and whose
// requests count from 1.00, as the first constitution says now.
func granted(t testing.TB) *fixture {
	f := start(t, journal.NewMemory(), func(c *Constitution) { c.Economy.GrantForFeed, c.Scores.AttentionFrom = true, Credit })
	f.agents("ada", "bea")
	return f
}

// earns has an agent execute a contract of its own n times at UNVERIFIED.
func (f *fixture) earns(slug string, n int) {
	f.t.Helper()
	f.admit("sponsor-of-"+slug, 1000*Credit)
	ct := must[ContractReceipt](f.t)(f.op().OpenContract(f.t.Context(), OpenContract{Sponsor: "sponsor-of-" + slug, Title: "t", Brief: "b", Channel: NicheSilicon,
		Budget: 1000 * Credit, ExecutionsPerAgent: uint32(n)}))
	for range n {
		must[Execution](f.t)(f.As(slug).Execute(f.t.Context(), Execute{ct.CampaignID, signal}))
	}
}

// The welcome grant buys the feed and is not sent on: a refusal before escrow
// says how much may be, and reads use the grant first.
func TestGrantBuysTheFeedOnly(t *testing.T) {
	f := granted(t)
	ctx := t.Context()
	f.takes("bea", Credit)
	f.unchanged(t, func() {
		_, err := f.As("ada").SendAttention(ctx, SendAttention{To: "bea", Subject: "s", Body: "b"})
		refused(t, err, ErrInsufficientCredits, "wallet_short")
		if !strings.Contains(err.Error(), "you can send 0.00") || !strings.Contains(err.Error(), "50.00 left of your welcome grant") {
			t.Errorf("got %v, want it to say what may be sent and what may not", err)
		}
	})
	f.takes("ada", 0)
	f.takes("bea", 0)
	f.asks("ada", "bea") // what costs nothing needs nothing
	f.takes("bea", 2*Credit)
	f.earns("ada", 2) // 3.40
	f.asks("ada", "bea")
	_, err := f.As("ada").SendAttention(ctx, SendAttention{To: "bea", Subject: "s", Body: "b"})
	refused(t, err, ErrInsufficientCredits, "wallet_short")
	for left, price := 50*Credit, Credit; left > 0; left -= 10 * Credit {
		if me := must[OwnProfile](t)(f.As("ada").OwnProfile(ctx)); me.Granted != left || me.Balance != left+140 {
			t.Errorf("got %s of which %s are granted, want %s and %s", me.Balance, me.Granted, left+140, left)
		}
		if b := must[AccountBalance](t)(f.As("").Balance(ctx, Wallet("ada"))); b.Granted != left {
			t.Errorf("got %s granted, want %s", b.Granted, left)
		}
		f.publishes(P1, NicheLegal, "x")
		f.reads("ada", ReadManifest{Priorities: allPriorities})
		f.restarts(t)
		price++
	}
	_, err = f.As("ada").Manifest(ctx, ReadManifest{Priorities: allPriorities})
	if me := must[OwnProfile](t)(f.As("ada").OwnProfile(ctx)); me.Granted != 0 || me.Balance != 140 || err != nil {
		t.Errorf("got %s of which %s are granted and %v, want 1.40 of which none are", me.Balance, me.Granted, err)
	}
	f.takes("bea", Credit)
	f.asks("ada", "bea")
	f.has(Wallet("ada"), 40)
}

// A grant that an earlier constitution let somebody send on is gone: what is
// earned under a later one is not taken for it.
func TestGrantSentOnBefore(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.takes("bea", 45*Credit)
	f.asks("ada", "bea")
	f.restarts(t)
	f.law.Economy.GrantForFeed = true
	f.state.law, f.bent = f.law, true
	if me := must[OwnProfile](t)(f.As("ada").OwnProfile(t.Context())); me.Granted != 5*Credit {
		t.Errorf("got %s granted, want 5.00", me.Granted)
	}
	f.earns("ada", 1)
	if me := must[OwnProfile](t)(f.As("ada").OwnProfile(t.Context())); me.Granted != 5*Credit || me.Balance != 670 {
		t.Errorf("got %s of which %s are granted, want 6.70 and 5.00", me.Balance, me.Granted)
	}
}

// A request is a transaction and evidence from the least price on, and only
// fully backed; what it pays counts for diversity either way.
func TestRequestsCountFromTheLeastPrice(t *testing.T) {
	for _, c := range []struct {
		name           string
		floor          Credits
		backed, counts bool
	}{
		{"one credit, backed", Credit, true, true},
		{"one credit, not backed", Credit, false, false},
		{"a hundredth less", Credit - 1, true, false},
		{"more", 3 * Credit, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := granted(t)
			f.days(8) // from when a sender counts for diversity
			f.takes("bea", c.floor)
			f.takes("ada", 0)
			f.earns("ada", 4) // 6.80, of which a quarter is backing
			if c.backed {
				f.bent = true
				f.row("ada").backing = 10 * Credit
			} else {
				f.bent = true
				f.row("ada").backing = c.floor - 1
			}
			ada, bea := f.row("ada").agent.transactions, f.row("bea").agent.transactions
			must[AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), AnswerAttention{f.asks("ada", "bea").ID, "yes"}))
			want := uint32(0)
			if c.counts {
				want = 1
			}
			if got := f.row("ada").agent.transactions - ada; got != want {
				t.Errorf("the sender: got %d transactions, want %d", got, want)
			}
			if got := f.row("bea").agent.transactions - bea; got != want {
				t.Errorf("the target: got %d transactions, want %d", got, want)
			}
			var answered uint32
			var in Credits
			for _, ev := range f.row("bea").agent.evidence {
				answered, in = answered+ev.answered, in+ev.in
			}
			if answered != want || len(f.extra("bea").answers) != int(want) || in == 0 {
				t.Errorf("got %d answers as evidence, %d for badges, %s for diversity; want %d, %d and more than nothing",
					answered, len(f.extra("bea").answers), in, want, want)
			}
			f.asks("ada", "bea")
			f.days(4)
			if err := f.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			var expired uint32
			for _, ev := range f.row("bea").agent.evidence {
				expired += ev.expired
			}
			if expired != want {
				t.Errorf("left to expire: got %d as evidence, want %d", expired, want)
			}
		})
	}
}

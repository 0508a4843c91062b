package network

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// takes lets an agent accept attention requests for a price.
func (f *fixture) takes(slug string, floor netkit.Credits) {
	f.t.Helper()
	if _, err := f.As(slug).SetClaims(f.t.Context(), netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: floor}); err != nil {
		f.t.Fatal(err)
	}
}

// backs gives a wallet outside money.
func (f *fixture) backs(slug string, amount netkit.Credits) {
	f.t.Helper()
	if err := f.record(&rules.SponsorDeposited{Sponsor: slug, Amount: amount}, rules.Move{To: netkit.Issuance, Amount: -amount}, rules.Move{To: netkit.Wallet(slug), Amount: amount}); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) asks(from, to string) netkit.AttentionReceipt {
	f.t.Helper()
	return must[netkit.AttentionReceipt](f.t)(f.As(from).SendAttention(f.t.Context(), netkit.SendAttention{To: to, Subject: "s", Body: "b"}))
}

func (f *fixture) row(slug string) *rules.Party {
	f.endWatch() // tests write to the row
	_, p, _ := partyIn(f.state, slug)
	return p
}

// pair is a network in which bea takes requests for 12.00 and ada has the
// welcome grant.
func pair(t testing.TB) *fixture {
	f := start(t, journal.NewMemory())
	f.agents("ada", "bea")
	f.takes("bea", 12*netkit.Credit)
	return f
}

func TestAttentionMovesItsPrice(t *testing.T) {
	ctx := t.Context()
	for name, c := range map[string]struct {
		end      func(*fixture, uint64) (netkit.AttentionReceipt, error)
		state    netkit.AttentionState
		ada, bea netkit.Credits
		balance  *netkit.Credits
	}{
		"answered": {func(f *fixture, id uint64) (netkit.AttentionReceipt, error) {
			return f.As("bea").AnswerAttention(ctx, netkit.AnswerAttention{ID: id, Body: "yes"})
		}, netkit.Answered, 38 * netkit.Credit, 62 * netkit.Credit, new(62 * netkit.Credit)},
		"declined": {func(f *fixture, id uint64) (netkit.AttentionReceipt, error) {
			return f.As("bea").DeclineAttention(ctx, netkit.DeclineAttention{ID: id, Reason: "busy"})
		}, netkit.Declined, 50 * netkit.Credit, 50 * netkit.Credit, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := pair(t)
			got := f.asks("ada", "bea")
			want := netkit.AttentionReceipt{ID: got.Seq, Price: 12 * netkit.Credit, ExpiresAt: netkit.At(f.now) + 72*netkit.Hour, Balance: new(38 * netkit.Credit), Seq: got.Seq, At: netkit.At(f.now)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			f.has(netkit.Wallet("ada"), 38*netkit.Credit)
			f.has(netkit.Escrow(got.ID), 12*netkit.Credit)
			end := must[netkit.AttentionReceipt](t)(c.end(f, got.ID))
			want = netkit.AttentionReceipt{ID: got.ID, State: c.state, Price: 12 * netkit.Credit, Balance: c.balance, Seq: end.Seq, At: netkit.At(f.now)}
			if diff := cmp.Diff(want, end); diff != "" {
				t.Error(diff)
			}
			f.has(netkit.Wallet("ada"), c.ada)
			f.has(netkit.Wallet("bea"), c.bea)
			if f.state.Held(netkit.Escrow(got.ID)) != 0 || f.state.Books().Sum != 0 {
				t.Error("the escrow account outlived the request, or credits were lost")
			}
			_, err := c.end(f, got.ID)
			refused(t, err, netkit.ErrConflict, "attention_"+c.state.String())
		})
	}
}

func TestSendRefusals(t *testing.T) {
	f := pair(t)
	f.agents("deaf", "gone", "poor")
	f.takes("gone", 0)
	f.row("gone").Status = netkit.Suspended
	f.holds("poor", 1199)
	f.admit("acme", netkit.Credit)
	ok := netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}
	before := f.state.Size()
	for _, c := range []struct {
		who    string
		change func(*netkit.SendAttention)
		kind   error
		code   string
	}{
		{"", func(*netkit.SendAttention) {}, netkit.ErrUnauthenticated, "unauthenticated"},
		{"acme", func(*netkit.SendAttention) {}, netkit.ErrForbidden, "agents_only"},
		{"gone", func(*netkit.SendAttention) {}, netkit.ErrForbidden, "agent_suspended"},
		{"poor", func(*netkit.SendAttention) {}, netkit.ErrInsufficientCredits, "wallet_short"},
		{"bea", func(*netkit.SendAttention) {}, netkit.ErrInvalid, "own_attention"},
		{"ada", func(in *netkit.SendAttention) { in.To = "nobody" }, netkit.ErrNotFound, "agent_unknown"},
		{"ada", func(in *netkit.SendAttention) { in.To = "acme" }, netkit.ErrNotFound, "agent_unknown"},
		{"ada", func(in *netkit.SendAttention) { in.To = "deaf" }, netkit.ErrForbidden, "not_accepting"},
		{"ada", func(in *netkit.SendAttention) { in.To = "gone" }, netkit.ErrConflict, "target_suspended"},
		{"ada", func(in *netkit.SendAttention) { in.MaxPrice = new(netkit.Credits(1199)) }, netkit.ErrConflict, "price_above_max"},
		{"ada", func(in *netkit.SendAttention) { in.MaxPrice = new(netkit.Credits(-1)) }, netkit.ErrInvalid, "amount_negative"},
		{"ada", func(in *netkit.SendAttention) { in.ExpiresIn = 3599 }, netkit.ErrInvalid, "span_out_of_range"},
		{"ada", func(in *netkit.SendAttention) { in.ExpiresIn = 14*86400 + 1 }, netkit.ErrInvalid, "span_out_of_range"},
		{"ada", func(in *netkit.SendAttention) { in.ExpiresIn = -1 }, netkit.ErrInvalid, "span_out_of_range"},
		{"ada", func(in *netkit.SendAttention) { in.Subject = "" }, netkit.ErrInvalid, "text_missing"},
		{"ada", func(in *netkit.SendAttention) { in.Body = strings.Repeat("x", 8001) }, netkit.ErrInvalid, "text_too_long"},
	} {
		in := ok
		c.change(&in)
		_, err := f.As(c.who).SendAttention(t.Context(), in)
		refused(t, err, c.kind, c.code)
	}
	if f.state.Size() != before {
		t.Error("a refusal was recorded")
	}
	ok.MaxPrice, ok.ExpiresIn = new(12*netkit.Credit), 3600
	if got := must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), ok)); got.ExpiresAt != netkit.At(f.now)+netkit.Hour {
		t.Errorf("got expiry %s, want %s", got.ExpiresAt, netkit.At(f.now)+netkit.Hour)
	}
}

// A floor of nothing works without a posting, and weighs nothing.
func TestAttentionForNothing(t *testing.T) {
	f := pair(t)
	f.takes("bea", 0)
	got := f.asks("ada", "bea")
	if got.Price != 0 || got.Balance != nil || f.state.Held(netkit.Escrow(got.ID)) != 0 {
		t.Errorf("got %+v, want no price and no escrow", got)
	}
	must[netkit.AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: got.ID, Body: "yes"}))
	if bea := f.row("bea").Agent; bea.Transactions != 0 || len(bea.Evidence) != 0 || len(f.extra("bea").Answers) != 0 || len(f.row("ada").Agent.Evidence) != 0 {
		t.Errorf("got %+v, want no evidence", bea)
	}
}

func TestPendingLimits(t *testing.T) {
	f := pair(t)
	f.agents("cora")
	f.takes("bea", 0)
	f.takes("cora", 0)
	law := *(*lawOf(f.state))
	law.Limits.PendingPerSender, law.Limits.PendingPerTarget = 2, 3
	*lawOf(f.state) = &law
	send := func(from, to string) error {
		_, err := f.As(from).SendAttention(t.Context(), netkit.SendAttention{To: to, Subject: "s", Body: "b"})
		return err
	}
	first := f.asks("ada", "bea")
	f.asks("ada", "bea")
	refused(t, send("ada", "bea"), netkit.ErrLimit, "sender_pending")
	f.asks("cora", "bea")
	refused(t, send("cora", "bea"), netkit.ErrLimit, "target_pending")
	must[netkit.AttentionReceipt](t)(f.As("bea").DeclineAttention(t.Context(), netkit.DeclineAttention{ID: first.ID}))
	if err := send("ada", "bea"); err != nil {
		t.Errorf("after one was declined: %v", err)
	}
}

// Senders with few cleared transactions take at most their share of a target's
// places, together; other senders find the rest.
func TestNewcomersTakeTheirShareOfAnInbox(t *testing.T) {
	f := memory(t, func(c *netkit.Constitution) {
		c.Limits.PendingPerTarget, c.Limits.NewcomersPending, c.Market.NewcomersTransactions = 10, 2000, 2
	})
	f.agents("target", "one", "two", "three", "known")
	f.takes("target", 25)
	f.admit("acme", 100*netkit.Credit)
	campaign := f.opens("acme", 50*netkit.Credit, 2)
	f.executes("known", campaign)
	f.executes("known", campaign)
	send := func(from string) error {
		_, err := f.As(from).SendAttention(t.Context(), netkit.SendAttention{To: "target", Subject: "s", Body: "b"})
		return err
	}
	first := f.asks("one", "target")
	f.asks("two", "target")
	for _, slug := range []string{"one", "three"} {
		refused(t, send(slug), netkit.ErrLimit, "target_pending")
	}
	for range 8 {
		f.asks("known", "target")
	}
	f.restarts(t)
	must[netkit.AttentionReceipt](t)(f.As("target").DeclineAttention(t.Context(), netkit.DeclineAttention{ID: first.ID}))
	f.asks("three", "target")
	refused(t, send("one"), netkit.ErrLimit, "target_pending")
	refused(t, send("known"), netkit.ErrLimit, "target_pending")
	f.restarts(t)
}

// Only the target may end a request; to others it does not exist.
func TestEndRefusals(t *testing.T) {
	f := pair(t)
	f.agents("cora")
	id := f.asks("ada", "bea").ID
	for _, who := range []string{"ada", "cora"} {
		_, err := f.As(who).AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "x"})
		refused(t, err, netkit.ErrNotFound, "attention_unknown")
		_, err = f.As(who).DeclineAttention(t.Context(), netkit.DeclineAttention{ID: id})
		refused(t, err, netkit.ErrNotFound, "attention_unknown")
	}
	_, err := f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: ""})
	refused(t, err, netkit.ErrInvalid, "text_missing")
	_, err = f.As("bea").DeclineAttention(t.Context(), netkit.DeclineAttention{ID: id, Reason: strings.Repeat("x", 401)})
	refused(t, err, netkit.ErrInvalid, "text_too_long")
	_, err = f.As("operator").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "x"})
	refused(t, err, netkit.ErrForbidden, "agents_only")
	f.row("ada").Status = netkit.Suspended // a suspended sender's stay answerable
	if _, err := f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "x"}); err != nil {
		t.Error(err)
	}
}

// Backing moves from the sender into the request and on with its end: a
// quarter of what counts to the target, all of it back on a refund.
func TestBackingFollowsTheEscrow(t *testing.T) {
	type outcome struct {
		senderBacking, targetBacking, in, out netkit.Credits
		answered, transactions                uint32
	}
	for name, c := range map[string]struct {
		backing netkit.Credits // of the sender, who pays 12.00
		young   bool
		want    outcome
	}{
		"full":    {20 * netkit.Credit, false, outcome{8 * netkit.Credit, 3 * netkit.Credit, 12 * netkit.Credit, 12 * netkit.Credit, 1, 1}},
		"partial": {5 * netkit.Credit, false, outcome{0, 125, 5 * netkit.Credit, 12 * netkit.Credit, 1, 0}},
		"none":    {0, false, outcome{0, 0, 0, 12 * netkit.Credit, 0, 0}},
		"young":   {20 * netkit.Credit, true, outcome{8 * netkit.Credit, 0, 0, 12 * netkit.Credit, 1, 1}},
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
			if got, want := f.row("ada").Backing, max(0, c.backing-12*netkit.Credit); got != want {
				t.Errorf("while pending: got a backing of %s, want %s", got, want)
			}
			f.now = f.now.Add(6 * time.Hour)
			must[netkit.AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "yes"}))
			ada, bea := f.row("ada"), f.row("bea")
			var got outcome
			got.senderBacking, got.targetBacking, got.transactions = ada.Backing, bea.Backing, bea.Agent.Transactions
			for _, ev := range bea.Agent.Evidence {
				got.in, got.answered = got.in+ev.In, got.answered+ev.Answered
			}
			for _, ev := range ada.Agent.Evidence {
				got.out += ev.Out
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if ada.Agent.Transactions != bea.Agent.Transactions {
				t.Error("a transaction is one for both")
			}
			if c.want.answered == 1 {
				want := []rules.Answer{{Day: netkit.At(f.now).Day(), With: 1, Took: 6 * netkit.Hour, Span: 72 * netkit.Hour}}
				if diff := cmp.Diff(want, f.extra("bea").Answers, cmp.AllowUnexported(rules.Answer{})); diff != "" {
					t.Error(diff)
				}
			} else if len(f.extra("bea").Answers) != 0 {
				t.Error("an unbacked answer was kept")
			}
		})
	}
	t.Run("declined", func(t *testing.T) {
		f := pair(t)
		f.backs("ada", 20*netkit.Credit)
		must[netkit.AttentionReceipt](t)(f.As("bea").DeclineAttention(t.Context(), netkit.DeclineAttention{ID: f.asks("ada", "bea").ID}))
		if got, bea := f.row("ada").Backing, f.row("bea"); got != 20*netkit.Credit || len(bea.Agent.Evidence) != 0 || bea.Agent.Transactions != 0 {
			t.Errorf("got a backing of %s and %+v, want 20.00 back and no trace", got, bea.Agent)
		}
	})
}

func TestAnswersAreKeptAsLongAsABadgeLooksBack(t *testing.T) {
	f := pair(t)
	f.backs("ada", 100*netkit.Credit)
	answer := func() int {
		t.Helper()
		must[netkit.AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: f.asks("ada", "bea").ID, Body: "x"}))
		return len(f.extra("bea").Answers)
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
	f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Economy.GrantForFeed, c.Scores.AttentionFrom = true, netkit.Credit })
	f.agents("ada", "bea")
	return f
}

// earns has an agent execute a contract of its own n times at UNVERIFIED.
func (f *fixture) earns(slug string, n int) {
	f.t.Helper()
	f.admit("sponsor-of-"+slug, 1000*netkit.Credit)
	ct := must[netkit.ContractReceipt](f.t)(f.op().OpenContract(f.t.Context(), netkit.OpenContract{Sponsor: "sponsor-of-" + slug, Title: "t", Brief: "b", Channel: netkit.NicheSilicon,
		Budget: 1000 * netkit.Credit, ExecutionsPerAgent: uint32(n)}))
	for range n {
		must[netkit.Execution](f.t)(f.As(slug).Execute(f.t.Context(), netkit.Execute{CampaignID: ct.CampaignID, Signal: signal}))
	}
}

// The welcome grant buys the feed and is not sent on: a refusal before escrow
// says how much may be, and reads use the grant first.
func TestGrantBuysTheFeedOnly(t *testing.T) {
	f := granted(t)
	ctx := t.Context()
	f.takes("bea", netkit.Credit)
	f.Unchanged(t, func() {
		_, err := f.As("ada").SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})
		refused(t, err, netkit.ErrInsufficientCredits, "wallet_short")
		if !strings.Contains(err.Error(), "you can send 0.00") || !strings.Contains(err.Error(), "50.00 left of your welcome grant") {
			t.Errorf("got %v, want it to say what may be sent and what may not", err)
		}
	})
	f.takes("ada", 0)
	f.takes("bea", 0)
	f.asks("ada", "bea") // what costs nothing needs nothing
	f.takes("bea", 2*netkit.Credit)
	f.earns("ada", 2) // 3.40
	f.asks("ada", "bea")
	_, err := f.As("ada").SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})
	refused(t, err, netkit.ErrInsufficientCredits, "wallet_short")
	for left, price := 50*netkit.Credit, netkit.Credit; left > 0; left -= 10 * netkit.Credit {
		if me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(ctx)); me.Granted != left || me.Balance != left+140 {
			t.Errorf("got %s of which %s are granted, want %s and %s", me.Balance, me.Granted, left+140, left)
		}
		if b := must[netkit.AccountBalance](t)(f.As("").Balance(ctx, netkit.Wallet("ada"))); b.Granted != left {
			t.Errorf("got %s granted, want %s", b.Granted, left)
		}
		f.publishes(netkit.P1, netkit.NicheLegal, "x")
		f.reads("ada", netkit.ReadManifest{Priorities: allPriorities})
		f.restarts(t)
		price++
	}
	_, err = f.As("ada").Manifest(ctx, netkit.ReadManifest{Priorities: allPriorities})
	if me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(ctx)); me.Granted != 0 || me.Balance != 140 || err != nil {
		t.Errorf("got %s of which %s are granted and %v, want 1.40 of which none are", me.Balance, me.Granted, err)
	}
	f.takes("bea", netkit.Credit)
	f.asks("ada", "bea")
	f.has(netkit.Wallet("ada"), 40)
}

// A grant that an earlier constitution let somebody send on is gone: what is
// earned under a later one is not taken for it.
func TestGrantSentOnBefore(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.takes("bea", 45*netkit.Credit)
	f.asks("ada", "bea")
	f.restarts(t)
	f.law.Economy.GrantForFeed = true
	*lawOf(f.state), f.bent = f.law, true
	if me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(t.Context())); me.Granted != 5*netkit.Credit {
		t.Errorf("got %s granted, want 5.00", me.Granted)
	}
	f.earns("ada", 1)
	if me := must[netkit.OwnProfile](t)(f.As("ada").OwnProfile(t.Context())); me.Granted != 5*netkit.Credit || me.Balance != 670 {
		t.Errorf("got %s of which %s are granted, want 6.70 and 5.00", me.Balance, me.Granted)
	}
}

// A request is a transaction and evidence from the least price on, and only
// fully backed; what it pays counts for diversity either way.
func TestRequestsCountFromTheLeastPrice(t *testing.T) {
	for _, c := range []struct {
		name           string
		floor          netkit.Credits
		backed, counts bool
	}{
		{"one credit, backed", netkit.Credit, true, true},
		{"one credit, not backed", netkit.Credit, false, false},
		{"a hundredth less", netkit.Credit - 1, true, false},
		{"more", 3 * netkit.Credit, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := granted(t)
			f.days(8) // from when a sender counts for diversity
			f.takes("bea", c.floor)
			f.takes("ada", 0)
			f.earns("ada", 4) // 6.80, of which a quarter is backing
			if c.backed {
				f.bent = true
				f.row("ada").Backing = 10 * netkit.Credit
			} else {
				f.bent = true
				f.row("ada").Backing = c.floor - 1
			}
			ada, bea := f.row("ada").Agent.Transactions, f.row("bea").Agent.Transactions
			must[netkit.AttentionReceipt](t)(f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: f.asks("ada", "bea").ID, Body: "yes"}))
			want := uint32(0)
			if c.counts {
				want = 1
			}
			if got := f.row("ada").Agent.Transactions - ada; got != want {
				t.Errorf("the sender: got %d transactions, want %d", got, want)
			}
			if got := f.row("bea").Agent.Transactions - bea; got != want {
				t.Errorf("the target: got %d transactions, want %d", got, want)
			}
			var answered uint32
			var in netkit.Credits
			for _, ev := range f.row("bea").Agent.Evidence {
				answered, in = answered+ev.Answered, in+ev.In
			}
			if answered != want || len(f.extra("bea").Answers) != int(want) || in == 0 {
				t.Errorf("got %d answers as evidence, %d for badges, %s for diversity; want %d, %d and more than nothing",
					answered, len(f.extra("bea").Answers), in, want, want)
			}
			f.asks("ada", "bea")
			f.days(4)
			if err := f.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			var expired uint32
			for _, ev := range f.row("bea").Agent.Evidence {
				expired += ev.Expired
			}
			if expired != want {
				t.Errorf("left to expire: got %d as evidence, want %d", expired, want)
			}
		})
	}
}

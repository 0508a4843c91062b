package netkit

import (
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// clearing is a change of the constitution: pay clears after that many hours.
func clearing(hours int) func(*Constitution) {
	return func(c *Constitution) { c.Market.ClearingHours = hours }
}

// wallet is what an agent sees of its own wallet.
func (f *fixture) wallet(slug string) OwnProfile {
	f.t.Helper()
	return must[OwnProfile](f.t)(f.As(slug).OwnProfile(f.t.Context()))
}

func TestPayIsPendingUntilItClears(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72))
	f.agents("ada", "bea")
	f.admit("acme", 100*Credit)
	f.offers(nil)
	got := must[Execution](t)(f.As("ada").Execute(t.Context(), Execute{f.campaign(), signal}))
	if want := At(f.now) + 72*hour; got.ClearsAt != want || got.Balance != 5170 {
		t.Fatalf("got a balance of %s that clears at %s, want 51.70 at %s", got.Balance, got.ClearsAt, want)
	}
	shows := func(when string, pending, available Credits, transactions uint32) {
		t.Helper()
		me := f.wallet("ada")
		if me.Balance != 5170 || me.Pending != pending || me.Available != available || me.BioVerified.Transactions != transactions {
			t.Errorf("%s: got balance %s, pending %s, available %s, %d transactions; want 51.70, %s, %s, %d",
				when, me.Balance, me.Pending, me.Available, me.BioVerified.Transactions, pending, available, transactions)
		}
		b := must[AccountBalance](t)(f.As("").Balance(t.Context(), Wallet("ada")))
		if *b.Pending != pending || *b.Available != available {
			t.Errorf("%s: the account shows %s pending and %s available", when, *b.Pending, *b.Available)
		}
	}
	shows("at once", 170, 5000, 0)
	must[ClaimsReceipt](t)(f.As("bea").SetClaims(t.Context(), Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 5100}))
	_, err := f.As("ada").SendAttention(t.Context(), SendAttention{To: "bea", Subject: "s", Body: "b"})
	refused(t, err, ErrInsufficientCredits, "wallet_short")
	f.now = f.now.Add(72*time.Hour - time.Millisecond)
	shows("just before", 170, 5000, 0)
	f.now = f.now.Add(time.Millisecond)
	shows("when it clears", 0, 5170, 1) // no entry was written for it
	must[AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), SendAttention{To: "bea", Subject: "s", Body: "b"}))
}

// What an agent earned at different times is one row a date again once the night
// has seen it cleared, and the night that closes that date judges the agent.
func TestTheNightSumsUpWhatCleared(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(20))
	f.agents("ada")
	f.admit("acme", 100*Credit)
	f.offers(func(c *OpenContract) { c.ExecutionsPerAgent = 3 })
	for range 3 {
		must[Execution](t)(f.As("ada").Execute(t.Context(), Execute{f.campaign(), signal}))
		f.now = f.now.Add(time.Hour)
	}
	i := f.num("ada")
	if n := len(f.state.parties.At(i).agent.evidence); n != 3 {
		t.Fatalf("got %d rows before they clear, want 3", n)
	}
	first := At(f.now).Day()
	f.now = f.now.Add(24 * time.Hour)
	must[NightReport](t)(f.op().CloseNight(t.Context(), CloseNight{}))
	if turn := f.state.agenda.At(i).judge; turn != first+1 {
		t.Errorf("got the next night at %s, want that of the date of clearing, %s", turn, first+1)
	}
	f.now = f.now.Add(24 * time.Hour)
	must[NightReport](t)(f.op().CloseNight(t.Context(), CloseNight{}))
	rows := f.state.parties.At(i).agent.evidence
	if len(rows) != 1 || rows[0] != (evidence{with: f.num("acme"), day: first, in: 510, stands: 3}) {
		t.Errorf("got %+v, want one row of three executions", rows)
	}
	if got := f.wallet("ada").BioVerified.Transactions; got != 3 {
		t.Errorf("got %d transactions, want 3", got)
	}
	f.replays(t, string(f.state.canonical()))
}

func TestAContractClearsEarlierThanTheLaw(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72))
	f.agents("ada")
	f.admit("acme", 100*Credit)
	_, err := f.As("acme").OpenContract(t.Context(), OpenContract{Title: "t", Brief: "b", Channel: NicheLegal, Budget: Credit * 10, ClearingHours: 73})
	refused(t, err, ErrInvalid, "clearing_too_long")
	f.offers(func(c *OpenContract) { c.ClearingHours = 1 })
	f.now = f.now.Add(time.Minute)
	got := must[Execution](t)(f.As("ada").Execute(t.Context(), Execute{f.campaign(), signal}))
	if want := At(dawn) + 75*minute; got.ClearsAt != want { // the next whole quarter of an hour
		t.Errorf("got %s, want %s", got.ClearsAt, want)
	}
}

func TestMaxTierIsACeiling(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", 100*Credit)
	low := Verified
	_, err := f.As("acme").OpenContract(t.Context(), OpenContract{Title: "t", Brief: "b", Channel: NicheLegal, Budget: 100 * Credit,
		Matching: Matching{MinTier: Badged, MaxTier: &low}})
	refused(t, err, ErrInvalid, "max_tier_below_min")
	f.offers(func(c *OpenContract) { c.Matching.MaxTier = new(Unverified) })
	if got := must[Campaign](t)(f.As("").Campaign(t.Context(), f.campaign())); *got.Matching.MaxTier != Unverified {
		t.Errorf("got a max_tier of %s", *got.Matching.MaxTier)
	}
	must[Execution](t)(f.As("ada").Execute(t.Context(), Execute{f.campaign(), signal}))
	f.agents("bea")
	f.inject("bea", func(a *agentRow) { a.confirmed, a.transactions = true, 10 })
	_, err = f.As("bea").Execute(t.Context(), Execute{f.campaign(), signal})
	refused(t, err, ErrForbidden, "not_matched")
}

func TestNewcomersTakeTheirShareOfABudget(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *Constitution) { c.Market.NewcomersShare, c.Market.NewcomersTransactions = 2000, 10 })
	slugs := named("agent", 4)
	f.agents(slugs...)
	f.admit("acme", 100*Credit)
	f.offers(func(c *OpenContract) { c.Budget = 25 * Credit })
	for _, slug := range slugs[:2] { // 2.00 each of 5.00
		must[Execution](t)(f.As(slug).Execute(t.Context(), Execute{f.campaign(), signal}))
	}
	_, err := f.As(slugs[2]).Execute(t.Context(), Execute{f.campaign(), signal})
	refused(t, err, ErrConflict, "newcomers_share")
	f.inject(slugs[3], func(a *agentRow) { a.transactions = 10 })
	must[Execution](t)(f.As(slugs[3]).Execute(t.Context(), Execute{f.campaign(), signal}))
	f.bent = true
	f.offers(func(c *OpenContract) { c.Budget = 3 * Credit }) // the first payout is more than the share
	must[Execution](t)(f.As(slugs[2]).Execute(t.Context(), Execute{f.campaign(), signal}))
}

// What once stood in the code is a number of the constitution; without it the
// rule of before holds.
func TestNumbersOfTheMarketAreOfTheConstitution(t *testing.T) {
	many := func(n int) Signal {
		s := signal
		s.Sources = slices.Repeat(signal.Sources, n)
		return s
	}
	for _, c := range []struct {
		change  func(*Constitution)
		sources int
		clears  Millis
	}{
		{func(*Constitution) {}, 20, 75 * minute},
		{func(c *Constitution) { c.Market.ClearingMinutes, c.Market.Sources = 60, 3 }, 3, 120 * minute},
	} {
		f := start(t, journal.NewMemory(), clearing(1), c.change)
		f.agents("ada")
		f.admit("acme", 100*Credit)
		f.offers(nil)
		f.now = f.now.Add(time.Minute)
		_, err := f.As("ada").Execute(t.Context(), Execute{f.campaign(), many(c.sources + 1)})
		refused(t, err, ErrInvalid, "sources_missing")
		got := must[Execution](t)(f.As("ada").Execute(t.Context(), Execute{f.campaign(), many(c.sources)}))
		if want := At(dawn) + c.clears; got.ClearsAt != want {
			t.Errorf("got that it clears at %s, want %s", got.ClearsAt, want)
		}
	}
}

// A wider interval asks for more evidence of the same reputation.
func TestReputationFollowsItsWidth(t *testing.T) {
	for z, want := range map[Ratio]Percent{0: 2000, 20_000: 2000, 10_000: 5000} {
		f := start(t, journal.NewMemory(), func(c *Constitution) { c.Scores.WilsonZ = z })
		f.agents("ada")
		f.admit("acme", 100*Credit)
		f.offers(nil)
		must[Execution](t)(f.As("ada").Execute(t.Context(), Execute{f.campaign(), signal}))
		if got := must[Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.ReputationScore; got != want {
			t.Errorf("z of %s: got a reputation of %s after one execution, want %s", z, got, want)
		}
	}
}

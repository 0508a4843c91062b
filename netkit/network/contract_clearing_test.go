package network

import (
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// clearing is a change of the constitution: pay clears after that many hours.
func clearing(hours int) func(*netkit.Constitution) {
	return func(c *netkit.Constitution) { c.Market.ClearingHours = hours }
}

// wallet is what an agent sees of its own wallet.
func (f *fixture) wallet(slug string) netkit.OwnProfile {
	f.t.Helper()
	return must[netkit.OwnProfile](f.t)(f.As(slug).OwnProfile(f.t.Context()))
}

func TestPayIsPendingUntilItClears(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72))
	f.agents("ada", "bea")
	f.admit("acme", 100*netkit.Credit)
	f.offers(nil)
	got := must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
	if want := netkit.At(f.now) + 72*netkit.Hour; got.ClearsAt != want || got.Balance != 5170 {
		t.Fatalf("got a balance of %s that clears at %s, want 51.70 at %s", got.Balance, got.ClearsAt, want)
	}
	shows := func(when string, pending, available netkit.Credits, transactions uint32) {
		t.Helper()
		me := f.wallet("ada")
		if me.Balance != 5170 || me.Pending != pending || me.Available != available || me.BioVerified.Transactions != transactions {
			t.Errorf("%s: got balance %s, pending %s, available %s, %d transactions; want 51.70, %s, %s, %d",
				when, me.Balance, me.Pending, me.Available, me.BioVerified.Transactions, pending, available, transactions)
		}
		b := must[netkit.AccountBalance](t)(f.As("").Balance(t.Context(), netkit.Wallet("ada")))
		if *b.Pending != pending || *b.Available != available {
			t.Errorf("%s: the account shows %s pending and %s available", when, *b.Pending, *b.Available)
		}
	}
	shows("at once", 170, 5000, 0)
	must[netkit.ClaimsReceipt](t)(f.As("bea").SetClaims(t.Context(), netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 5100}))
	_, err := f.As("ada").SendAttention(t.Context(), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})
	refused(t, err, netkit.ErrInsufficientCredits, "wallet_short")
	f.now = f.now.Add(72*time.Hour - time.Millisecond)
	shows("just before", 170, 5000, 0)
	f.now = f.now.Add(time.Millisecond)
	shows("when it clears", 0, 5170, 1) // no entry was written for it
	must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}))
}

// What an agent earned at different times is one row a date again once the night
// has seen it cleared, and the night that closes that date judges the agent.
func TestTheNightSumsUpWhatCleared(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(20))
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	f.offers(func(c *netkit.OpenContract) { c.ExecutionsPerAgent = 3 })
	for range 3 {
		must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
		f.now = f.now.Add(time.Hour)
	}
	i := f.num("ada")
	if n := len(tablesOf(f.state).Parties.At(i).Agent.Evidence); n != 3 {
		t.Fatalf("got %d rows before they clear, want 3", n)
	}
	first := netkit.At(f.now).Day()
	f.now = f.now.Add(24 * time.Hour)
	must[netkit.NightReport](t)(f.op().CloseNight(t.Context(), netkit.CloseNight{}))
	if turn := netkit.Day(rowIn(f.state, "agenda", i).FieldByName("Judge").Int()); turn != first+1 {
		t.Errorf("got the next night at %s, want that of the date of clearing, %s", turn, first+1)
	}
	f.now = f.now.Add(24 * time.Hour)
	must[netkit.NightReport](t)(f.op().CloseNight(t.Context(), netkit.CloseNight{}))
	rows := tablesOf(f.state).Parties.At(i).Agent.Evidence
	if len(rows) != 1 || rows[0] != (rules.Evidence{With: f.num("acme"), Day: first, In: 510, Stands: 3}) {
		t.Errorf("got %+v, want one row of three executions", rows)
	}
	if got := f.wallet("ada").BioVerified.Transactions; got != 3 {
		t.Errorf("got %d transactions, want 3", got)
	}
	f.replays(t, string(f.state.Canonical()))
}

func TestAContractClearsEarlierThanTheLaw(t *testing.T) {
	f := start(t, journal.NewMemory(), clearing(72))
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	_, err := f.As("acme").OpenContract(t.Context(), netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal, Budget: netkit.Credit * 10, ClearingHours: 73})
	refused(t, err, netkit.ErrInvalid, "clearing_too_long")
	f.offers(func(c *netkit.OpenContract) { c.ClearingHours = 1 })
	f.now = f.now.Add(time.Minute)
	got := must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
	if want := netkit.At(dawn) + 75*netkit.Minute; got.ClearsAt != want { // the next whole quarter of an hour
		t.Errorf("got %s, want %s", got.ClearsAt, want)
	}
}

func TestMaxTierIsACeiling(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	low := netkit.Verified
	_, err := f.As("acme").OpenContract(t.Context(), netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal, Budget: 100 * netkit.Credit,
		Matching: netkit.Matching{MinTier: netkit.Badged, MaxTier: &low}})
	refused(t, err, netkit.ErrInvalid, "max_tier_below_min")
	f.offers(func(c *netkit.OpenContract) { c.Matching.MaxTier = new(netkit.Unverified) })
	if got := must[netkit.Campaign](t)(f.As("").Campaign(t.Context(), f.campaign())); *got.Matching.MaxTier != netkit.Unverified {
		t.Errorf("got a max_tier of %s", *got.Matching.MaxTier)
	}
	must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
	f.agents("bea")
	f.inject("bea", func(a *rules.AgentRow) { a.Confirmed, a.Transactions = true, 10 })
	_, err = f.As("bea").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal})
	refused(t, err, netkit.ErrForbidden, "not_matched")
}

func TestNewcomersTakeTheirShareOfABudget(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Market.NewcomersShare, c.Market.NewcomersTransactions = 2000, 10 })
	slugs := named("agent", 4)
	f.agents(slugs...)
	f.admit("acme", 100*netkit.Credit)
	f.offers(func(c *netkit.OpenContract) { c.Budget = 25 * netkit.Credit })
	for _, slug := range slugs[:2] { // 2.00 each of 5.00
		must[netkit.Execution](t)(f.As(slug).Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
	}
	_, err := f.As(slugs[2]).Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal})
	refused(t, err, netkit.ErrConflict, "newcomers_share")
	f.inject(slugs[3], func(a *rules.AgentRow) { a.Transactions = 10 })
	must[netkit.Execution](t)(f.As(slugs[3]).Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
	f.bent = true
	f.offers(func(c *netkit.OpenContract) { c.Budget = 3 * netkit.Credit }) // the first payout is more than the share
	must[netkit.Execution](t)(f.As(slugs[2]).Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
}

// What once stood in the code is a number of the constitution; without it the
// rule of before holds.
func TestNumbersOfTheMarketAreOfTheConstitution(t *testing.T) {
	many := func(n int) netkit.Signal {
		s := signal
		s.Sources = slices.Repeat(signal.Sources, n)
		return s
	}
	for _, c := range []struct {
		change  func(*netkit.Constitution)
		sources int
		clears  netkit.Millis
	}{
		{func(*netkit.Constitution) {}, 20, 75 * netkit.Minute},
		{func(c *netkit.Constitution) { c.Market.ClearingMinutes, c.Market.Sources = 60, 3 }, 3, 120 * netkit.Minute},
	} {
		f := start(t, journal.NewMemory(), clearing(1), c.change)
		f.agents("ada")
		f.admit("acme", 100*netkit.Credit)
		f.offers(nil)
		f.now = f.now.Add(time.Minute)
		_, err := f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: many(c.sources + 1)})
		refused(t, err, netkit.ErrInvalid, "sources_missing")
		got := must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: many(c.sources)}))
		if want := netkit.At(dawn) + c.clears; got.ClearsAt != want {
			t.Errorf("got that it clears at %s, want %s", got.ClearsAt, want)
		}
	}
}

// A wider interval asks for more evidence of the same reputation.
func TestReputationFollowsItsWidth(t *testing.T) {
	for z, want := range map[netkit.Ratio]netkit.Percent{0: 2000, 20_000: 2000, 10_000: 5000} {
		f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Scores.WilsonZ = z })
		f.agents("ada")
		f.admit("acme", 100*netkit.Credit)
		f.offers(nil)
		must[netkit.Execution](t)(f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
		if got := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada")).BioVerified.ReputationScore; got != want {
			t.Errorf("z of %s: got a reputation of %s after one execution, want %s", z, got, want)
		}
	}
}

package network

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
)

func TestP0IsFreeWithoutAToken(t *testing.T) {
	f := memory(t)
	id := f.publishes(netkit.P0, netkit.NicheHealth, "outbreak")
	f.publishes(netkit.P1, netkit.NicheHealth, "paid")
	got := f.reads("", netkit.ReadManifest{})
	want := netkit.Dispatch{ID: id, Channel: netkit.NicheHealth, Headline: "outbreak", Summary: "about outbreak", PublishedAt: netkit.At(f.now), Author: "operator", Untrusted: true}
	if diff := cmp.Diff([]netkit.Dispatch{want}, got.Items); diff != "" {
		t.Error(diff)
	}
	if got.Charged != 0 || got.Cost != 0 || got.Balance != nil {
		t.Errorf("got %+v, want nothing charged and no balance", got)
	}
	_, err := f.As("").Manifest(t.Context(), netkit.ReadManifest{Priorities: allPriorities})
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
}

// A paid read costs the price once and opens all that stands in the journal,
// whatever it asked for; only something newer costs again.
func TestPaidReadCostsOnce(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.publishes(netkit.P2, netkit.NicheMedia, "two")
	f.publishes(netkit.P1, netkit.NicheLegal, "one")
	steps := []struct {
		name    string
		before  func()
		in      netkit.ReadManifest
		charged netkit.Credits
		items   int
	}{
		{"quote", nil, netkit.ReadManifest{Priorities: allPriorities, Quote: true}, 0, 0},
		{"P1 first time", nil, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}}, 10 * netkit.Credit, 1},
		{"P1 again", nil, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}}, 0, 1},
		{"P2 was opened too", nil, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P2}}, 0, 1},
		{"a new P1, but P2 is asked", func() { f.publishes(netkit.P1, netkit.NicheLegal, "newer") }, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P2}}, 0, 1},
		{"another channel", nil, netkit.ReadManifest{Priorities: allPriorities, Channels: []netkit.Niche{netkit.NicheMedia}}, 0, 1},
		{"the new P1", nil, netkit.ReadManifest{Priorities: allPriorities}, 10 * netkit.Credit, 3},
		{"the new P1 again", nil, netkit.ReadManifest{Priorities: allPriorities}, 0, 3},
		{"a new P0 is free", func() { f.publishes(netkit.P0, netkit.NicheLegal, "crisis") }, netkit.ReadManifest{Priorities: allPriorities}, 0, 4},
	}
	left := 50 * netkit.Credit
	for _, step := range steps {
		if step.before != nil {
			step.before()
		}
		got := f.reads("ada", step.in)
		left -= step.charged
		if got.Charged != step.charged || len(got.Items) != step.items || got.Balance == nil || *got.Balance != left {
			t.Errorf("%s: got %d items for %s with %v left, want %d for %s with %s left", step.name, len(got.Items), got.Charged, got.Balance, step.items, step.charged, left)
		}
		f.has(netkit.Wallet("ada"), left)
	}
	f.has(netkit.Treasury, 20*netkit.Credit)
}

func TestQuoteTellsTheCost(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.holds("ada", 0)
	quote := netkit.ReadManifest{Priorities: allPriorities, Quote: true}
	if got := f.reads("ada", quote); got.Cost != 0 {
		t.Errorf("nothing published: got a cost of %s, want 0", got.Cost)
	}
	f.publishes(netkit.P1, netkit.NicheLegal, "x")
	before := f.state.Size()
	if got := f.reads("ada", quote); got.Cost != 10*netkit.Credit || got.Charged != 0 || len(got.Items) != 0 {
		t.Errorf("got %+v, want a cost of 10.00 and no items", got)
	}
	if f.state.Size() != before {
		t.Error("a quote was recorded")
	}
}

func TestNothingIsDeliveredWithTooLittle(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.publishes(netkit.P0, netkit.NicheLegal, "free")
	id := f.publishes(netkit.P1, netkit.NicheLegal, "secret")
	f.holds("ada", 999)
	before := f.state.Size()
	got, err := f.As("ada").Manifest(t.Context(), netkit.ReadManifest{Priorities: allPriorities})
	refused(t, err, netkit.ErrInsufficientCredits, "wallet_short")
	if len(got.Items) != 0 || f.state.Size() != before {
		t.Errorf("got %d items and %d entries, want none", len(got.Items), f.state.Size()-before)
	}
	_, err = f.As("ada").Dispatch(t.Context(), id)
	refused(t, err, netkit.ErrInsufficientCredits, "dispatch_not_open")
	if got := f.reads("ada", netkit.ReadManifest{}); len(got.Items) != 1 || got.Charged != 0 {
		t.Errorf("P0 alone: got %+v, want one item for nothing", got)
	}
	f.holds("ada", 1000)
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities}); got.Charged != 1000 || len(got.Items) != 2 {
		t.Errorf("with exactly the price: got %+v, want two items", got)
	}
}

// A read that has become dearer than its reader agreed to is refused, and
// nothing is charged, delivered or recorded.
func TestAReadCostsNoMoreThanAgreed(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	upTo := func(most netkit.Credits) netkit.ReadManifest {
		return netkit.ReadManifest{Priorities: allPriorities, MaxCost: &most}
	}
	f.publishes(netkit.P0, netkit.NicheLegal, "free")
	if got := f.reads("ada", upTo(0)); len(got.Items) != 1 || got.Charged != 0 {
		t.Errorf("got %+v, want what is free", got)
	}
	f.publishes(netkit.P1, netkit.NicheLegal, "came after the quote")
	before := f.state.Size()
	for most, code := range map[netkit.Credits]string{0: "cost_above_max", 999: "cost_above_max"} {
		got, err := f.As("ada").Manifest(t.Context(), upTo(most))
		refused(t, err, netkit.ErrConflict, code)
		if len(got.Items) != 0 || f.state.Size() != before {
			t.Errorf("at most %s: got %d items and %d entries, want none", most, len(got.Items), f.state.Size()-before)
		}
	}
	_, err := f.As("ada").Manifest(t.Context(), upTo(-1))
	refused(t, err, netkit.ErrInvalid, "amount_negative")
	f.has(netkit.Wallet("ada"), 5000)
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities, Quote: true, MaxCost: new(netkit.Credits(0))}); got.Cost != 1000 {
		t.Errorf("got a quote of %s, want 10.00 whatever the bound", got.Cost)
	}
	if got := f.reads("ada", upTo(1000)); got.Charged != 1000 || len(got.Items) != 2 {
		t.Errorf("got %+v, want both for exactly the bound", got)
	}
	if got := f.reads("ada", upTo(0)); got.Charged != 0 || len(got.Items) != 2 {
		t.Errorf("got %+v, want both again for nothing", got)
	}
}

// What was opened can be read again without a risk of being charged, by pages,
// next to what is free; strangers have opened nothing.
func TestOpenedReadsNeverCost(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	old := []uint64{f.publishes(netkit.P1, netkit.NicheLegal, "one"), f.publishes(netkit.P0, netkit.NicheLegal, "free"), f.publishes(netkit.P2, netkit.NicheMedia, "two")}
	slices.Reverse(old)
	f.reads("ada", netkit.ReadManifest{Priorities: allPriorities})
	f.publishes(netkit.P2, netkit.NicheMedia, "not opened")
	free := f.publishes(netkit.P0, netkit.NicheLegal, "free too")
	opened := netkit.ReadManifest{Priorities: allPriorities, Opened: true}
	for slug, want := range map[string][]uint64{"ada": append([]uint64{free}, old...), "bea": {free, old[1]}, "": {free, old[1]}, "operator": {free, old[1]}} {
		got := f.reads(slug, opened)
		if diff := cmp.Diff(want, ids(got.Items)); diff != "" || got.Charged != 0 || got.Cost != 0 {
			t.Errorf("%q: got cost %s, charged %s and (-want +got)\n%s", slug, got.Cost, got.Charged, diff)
		}
	}
	var all []uint64
	for page := (netkit.Page{Limit: 1}); ; {
		opened.Page = page
		got := f.reads("ada", opened)
		all = append(all, ids(got.Items)...)
		if page.Cursor = got.NextCursor; page.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(append([]uint64{free}, old...), all); diff != "" {
		t.Errorf("by pages (-want +got)\n%s", diff)
	}
	f.has(netkit.Wallet("ada"), 4000)
	f.has(netkit.Wallet("bea"), 5000)
}

// Who is suspended may read, and a paid read is one; sponsors and operators
// have no wallet.
func TestWhoMayPay(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.publishes(netkit.P1, netkit.NicheLegal, "x")
	f.endWatch()
	tablesOf(f.state).Parties.At(1).Status = netkit.Suspended
	if got := f.reads("ada", netkit.ReadManifest{Priorities: allPriorities}); got.Charged != 10*netkit.Credit {
		t.Errorf("a suspended agent: got %s charged, want 10.00", got.Charged)
	}
	f.admit("acme", 100*netkit.Credit)
	for _, slug := range []string{"operator", "acme"} {
		_, err := f.As(slug).Manifest(t.Context(), netkit.ReadManifest{Priorities: allPriorities})
		refused(t, err, netkit.ErrForbidden, "agents_only")
	}
	f.has(netkit.SponsorFunds("acme"), 100*netkit.Credit)
}

// A token's spend cap covers what it reads.
func TestPaidReadUnderASpendCap(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	token := must[netkit.TokenReceipt](t)(f.As("ada").IssueToken(t.Context(), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeFeed}, SpendCap: atMost(15 * netkit.Credit)}))
	by := as("ada")
	by.Token = token.TokenID
	read := func() error {
		f.publishes(netkit.P1, netkit.NicheLegal, "x")
		_, err := f.For(by).Manifest(t.Context(), netkit.ReadManifest{Priorities: allPriorities})
		return err
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	refused(t, read(), netkit.ErrForbidden, "spend_cap")
	f.has(netkit.Wallet("ada"), 40*netkit.Credit)
}

func TestManifestPagesChargeOnce(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	var want []uint64
	for i := range 7 {
		want = append([]uint64{f.publishes(netkit.Priority(i%3), netkit.NicheLegal, fmt.Sprint("d", i))}, want...)
	}
	var got []uint64
	var charged netkit.Credits
	in := netkit.ReadManifest{Priorities: allPriorities, Page: netkit.Page{Limit: 2}}
	for range 10 {
		m := f.reads("ada", in)
		got, charged = append(got, ids(m.Items)...), charged+m.Charged
		f.publishes(netkit.P1, netkit.NicheLegal, "published between two pages")
		if in.Cursor = m.NextCursor; in.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || charged != 10*netkit.Credit {
		t.Errorf("charged %s, want 10.00; %s", charged, diff)
	}
}

func TestSubscribedChannelsAreTheDefault(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bob")
	crisis := f.publishes(netkit.P0, netkit.NicheSilicon, "s") // which passes every filter of channels
	legal, health := f.publishes(netkit.P1, netkit.NicheLegal, "l"), f.publishes(netkit.P2, netkit.NicheHealth, "h")
	if _, err := f.As("ada").SetChannels(t.Context(), netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who      string
		channels []netkit.Niche
		want     []uint64
	}{
		{"ada", nil, []uint64{legal, crisis}},
		{"ada", []netkit.Niche{netkit.NicheHealth}, []uint64{health, crisis}},
		{"ada", []netkit.Niche{netkit.NicheHealth, netkit.NicheLegal}, []uint64{health, legal, crisis}},
		{"bob", nil, []uint64{health, legal, crisis}},
		{"bob", []netkit.Niche{netkit.NicheMedia}, []uint64{crisis}},
	} {
		if got := ids(f.reads(c.who, netkit.ReadManifest{Channels: c.channels, Priorities: allPriorities}).Items); !cmp.Equal(got, c.want) {
			t.Errorf("%q with %v: got %v, want %v", c.who, c.channels, got, c.want)
		}
	}
}

func TestManifestBadInput(t *testing.T) {
	f := memory(t)
	for code, in := range map[string]netkit.ReadManifest{
		"priority_unknown":   {Priorities: []netkit.Priority{3}},
		"channel_unknown":    {Channels: []netkit.Niche{netkit.NoNiche}},
		"limit_out_of_range": {Page: netkit.Page{Limit: 201}},
		"cursor_malformed":   {Page: netkit.Page{Cursor: "?"}},
	} {
		_, err := f.As("operator").Manifest(t.Context(), in)
		refused(t, err, netkit.ErrInvalid, code)
	}
}

// Whatever is delivered was opened: with readers and a publisher at once, no
// reader ever sees a paid dispatch beyond what its wallet paid for.
func TestReadsBesidePublishing(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.holds("ada", 10_000*netkit.Credit)
	f.holds("bea", 10_000*netkit.Credit)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 60 {
			f.publishes(netkit.P1, netkit.NicheLegal, fmt.Sprint(i))
		}
	})
	for _, slug := range []string{"ada", "bea"} {
		wg.Go(func() {
			var opened uint64
			for range 60 {
				m := f.reads(slug, netkit.ReadManifest{Priorities: allPriorities, Page: netkit.Page{Limit: 3}})
				if m.Charged != 0 {
					opened = m.AsOf.Seq
				}
				for _, d := range m.Items {
					if d.ID > opened {
						t.Errorf("%s: dispatch %d was delivered, opened are those up to %d", slug, d.ID, opened)
					}
				}
			}
		})
	}
	wg.Wait()
}

// A random order of publishing, reading and quoting against a model that
// keeps for each dispatch who has opened it.
func TestChargingIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t)
		f.agents("ada")
		f.holds("ada", 45*netkit.Credit)
		type item struct {
			id   uint64
			p    netkit.Priority
			ch   netkit.Niche
			open bool
		}
		var all []item
		left := 45 * netkit.Credit
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "publish") {
				p, ch := rapid.SampledFrom(allPriorities).Draw(rt, "p"), rapid.SampledFrom(netkit.Niches()[:2]).Draw(rt, "ch")
				all = append(all, item{f.publishes(p, ch, "x"), p, ch, p == netkit.P0})
				continue
			}
			in := netkit.ReadManifest{Priorities: rapid.SliceOfNDistinct(rapid.SampledFrom(allPriorities), 1, 3, rapid.ID).Draw(rt, "asked"),
				Channels: rapid.SampledFrom([][]netkit.Niche{nil, {netkit.NicheSilicon}, {netkit.NicheLegal}}).Draw(rt, "channels"), Quote: rapid.Bool().Draw(rt, "quote")}
			var want []uint64
			var cost netkit.Credits
			for i := len(all) - 1; i >= 0; i-- {
				d := &all[i]
				if !filterOf(in)(d.p, d.ch) {
					continue
				}
				want = append(want, d.id)
				if !d.open {
					cost = 10 * netkit.Credit
				}
			}
			got, err := f.As("ada").Manifest(t.Context(), in)
			switch {
			case in.Quote:
				if err != nil || got.Cost != cost || got.Charged != 0 || len(got.Items) != 0 {
					rt.Fatalf("quote: got %+v, %v, want a cost of %s", got, err, cost)
				}
			case cost > left:
				refused(t, err, netkit.ErrInsufficientCredits, "wallet_short")
			default:
				if err != nil || got.Charged != cost || !cmp.Equal(ids(got.Items), want) {
					rt.Fatalf("got %v for %s, %v; want %v for %s", ids(got.Items), got.Charged, err, want, cost)
				}
				if left -= cost; cost > 0 {
					for i := range all {
						all[i].open = true
					}
				}
			}
			if held := f.state.Held(netkit.Wallet("ada")); held != left || f.state.Books().Sum != 0 {
				rt.Fatalf("got %s in the wallet and a sum of %s, want %s and 0", held, f.state.Books().Sum, left)
			}
		}
	})
}

// filterOf is the plain reading of what a manifest asks for.
func filterOf(in netkit.ReadManifest) func(netkit.Priority, netkit.Niche) bool {
	return func(p netkit.Priority, ch netkit.Niche) bool {
		asked, listed := false, len(in.Channels) == 0 || p == netkit.P0
		for _, a := range in.Priorities {
			asked = asked || a == p
		}
		for _, c := range in.Channels {
			listed = listed || c == ch
		}
		return asked && listed
	}
}

package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// offers opens a contract and returns its id.
func (f *fixture) offers(change func(*netkit.OpenContract)) uint64 {
	f.t.Helper()
	in := netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Payload: "p", Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit}
	if change != nil {
		change(&in)
	}
	return must[netkit.ContractReceipt](f.t)(f.op().OpenContract(f.t.Context(), in)).CampaignID
}

func campaignIDs(items []netkit.Campaign) (list []uint64) {
	for i := range items {
		list = append(list, items[i].ID)
	}
	return list
}

func TestMarketFilters(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", 1000*netkit.Credit)
	f.admit("zeta", 1000*netkit.Credit)
	if _, err := f.As("ada").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal, PreferredLLMProvider: "mistral"}); err != nil {
		t.Fatal(err)
	}
	plain := f.offers(nil)
	legal := f.offers(func(c *netkit.OpenContract) {
		c.Channel, c.Matching.Niches = netkit.NicheLegal, []netkit.Niche{netkit.NicheLegal, netkit.NicheMedia}
	})
	media := f.offers(func(c *netkit.OpenContract) { c.Matching.Niches = []netkit.Niche{netkit.NicheMedia} })
	other := f.offers(func(c *netkit.OpenContract) { c.Matching.LLMProviders = []string{"llama"} })
	elite := f.offers(func(c *netkit.OpenContract) { c.Matching.MinTier = netkit.Elite })
	zeta := f.offers(func(c *netkit.OpenContract) { c.Sponsor, c.Kind = "zeta", netkit.Operational })
	closed := f.offers(nil)
	must[netkit.ContractReceipt](t)(f.op().CloseContract(ctx, netkit.CloseContract{CampaignID: closed}))
	used := f.offers(nil)
	must[netkit.Execution](t)(f.As("ada").Execute(ctx, netkit.Execute{CampaignID: used, Signal: signal}))
	for name, c := range map[string]struct {
		q    netkit.MarketQuery
		want []uint64
	}{
		"open":        {netkit.MarketQuery{}, []uint64{used, zeta, elite, other, media, legal, plain}},
		"channel":     {netkit.MarketQuery{Channel: netkit.NicheLegal}, []uint64{legal}},
		"kind":        {netkit.MarketQuery{Kind: new(netkit.Operational)}, []uint64{zeta}},
		"commercial":  {netkit.MarketQuery{Kind: new(netkit.Commercial), Channel: netkit.NicheLegal}, []uint64{legal}},
		"closed":      {netkit.MarketQuery{State: new(netkit.ContractClosed)}, []uint64{closed}},
		"exhausted":   {netkit.MarketQuery{State: new(netkit.ContractExhausted)}, nil},
		"any state":   {netkit.MarketQuery{Sponsor: "acme", AnyState: true}, []uint64{used, closed, elite, other, media, legal, plain}},
		"sponsor":     {netkit.MarketQuery{Sponsor: "zeta"}, []uint64{zeta}},
		"matched":     {netkit.MarketQuery{Matched: true}, []uint64{zeta, legal, plain}},
		"matched too": {netkit.MarketQuery{Matched: true, Channel: netkit.NicheLegal}, []uint64{legal}},
	} {
		got := must[netkit.List[netkit.Campaign]](t)(f.As("ada").Market(ctx, c.q))
		if diff := cmp.Diff(c.want, campaignIDs(got.Items)); diff != "" || got.Items == nil || got.NextCursor != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	_, err := f.As("").Market(ctx, netkit.MarketQuery{Matched: true})
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
	_, err = f.As("acme").Market(ctx, netkit.MarketQuery{Matched: true})
	refused(t, err, netkit.ErrForbidden, "agents_only")
	_, err = f.As("").Market(ctx, netkit.MarketQuery{Sponsor: "nobody"})
	refused(t, err, netkit.ErrNotFound, "sponsor_unknown")
}

func TestCampaignTellsAll(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.admit("acme", 1000*netkit.Credit)
	id := f.offers(func(c *netkit.OpenContract) {
		c.Title, c.Brief, c.Payload, c.ExecutionsPerAgent, c.EndsAt = "Title", "Brief", "Payload", 3, netkit.At(f.now)+netkit.FullDay
		c.Matching = netkit.Matching{Niches: []netkit.Niche{netkit.NicheMedia}, LLMProviders: []string{"llama"}}
	})
	want := netkit.Campaign{ID: id, Sponsor: "acme", Title: "Title", Brief: "Brief", Channel: netkit.NicheSilicon, Payload: new("Payload"), Budget: 20 * netkit.Credit,
		Remaining: 20 * netkit.Credit, Matching: netkit.Matching{Niches: []netkit.Niche{netkit.NicheMedia}, LLMProviders: []string{"llama"}}, ExecutionsPerAgent: 3,
		EndsAt: netkit.At(f.now) + netkit.FullDay, OpenedAt: netkit.At(f.now), Untrusted: true, Buyer: netkit.BuyerRecord{Days: 30}}
	if diff := cmp.Diff(want, must[netkit.Campaign](t)(f.As("").Campaign(t.Context(), id))); diff != "" {
		t.Error(diff)
	}
	_, err := f.As("").Campaign(t.Context(), 1)
	refused(t, err, netkit.ErrNotFound, "contract_unknown")
}

func TestMarketPages(t *testing.T) {
	f := memory(t)
	f.admit("acme", 1000*netkit.Credit)
	var want, got []uint64
	for range 5 {
		want = append([]uint64{f.offers(nil)}, want...)
	}
	q := netkit.MarketQuery{Page: netkit.Page{Limit: 2}}
	for range 5 {
		l := must[netkit.List[netkit.Campaign]](t)(f.As("").Market(t.Context(), q))
		got = append(got, campaignIDs(l.Items)...)
		if q.Cursor = l.NextCursor; q.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// JSON cannot hold a number without a name, a Go caller can: it is refused
// before it would reach an entry.
func TestOpenContractNamelessNumbers(t *testing.T) {
	f := memory(t)
	f.admit("acme", 1000*netkit.Credit)
	for code, change := range map[string]func(*netkit.OpenContract){
		"kind_unknown":        func(c *netkit.OpenContract) { c.Kind = 2 },
		"channel_missing":     func(c *netkit.OpenContract) { c.Channel = netkit.NoNiche },
		"niche_unknown":       func(c *netkit.OpenContract) { c.Matching.Niches = []netkit.Niche{netkit.NicheLegal, 7} },
		"budget_below_payout": func(c *netkit.OpenContract) { c.Matching.MinTier = 4 },
	} {
		in := netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit}
		change(&in)
		f.Unchanged(t, func() {
			_, err := f.op().OpenContract(t.Context(), in)
			refused(t, err, netkit.ErrInvalid, code)
		})
	}
	in := netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: 7, Budget: 20 * netkit.Credit}
	_, err := f.op().OpenContract(t.Context(), in)
	refused(t, err, netkit.ErrInvalid, "niche_unknown")
}

// The state shares no memory with a request: what the caller does to its own
// lists afterwards changes no contract.
func TestContractKeepsItsOwnLists(t *testing.T) {
	f := memory(t)
	f.admit("acme", 1000*netkit.Credit)
	m := netkit.Matching{Niches: []netkit.Niche{netkit.NicheLegal}, LLMProviders: []string{"mistral"}}
	id := f.offers(func(c *netkit.OpenContract) { c.Matching = m })
	m.Niches[0], m.LLMProviders[0] = netkit.NicheMedia, "other"
	got := must[netkit.Campaign](t)(f.As("").Campaign(t.Context(), id)).Matching
	if want := (netkit.Matching{Niches: []netkit.Niche{netkit.NicheLegal}, LLMProviders: []string{"mistral"}}); !cmp.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

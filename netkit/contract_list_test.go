package netkit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// offers opens a contract and returns its id.
func (f *fixture) offers(change func(*OpenContract)) uint64 {
	f.t.Helper()
	in := OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Payload: "p", Channel: NicheSilicon, Budget: 20 * Credit}
	if change != nil {
		change(&in)
	}
	return must[ContractReceipt](f.t)(f.op().OpenContract(f.t.Context(), in)).CampaignID
}

func campaignIDs(items []Campaign) (list []uint64) {
	for i := range items {
		list = append(list, items[i].ID)
	}
	return list
}

func TestMarketFilters(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	f.admit("acme", 1000*Credit)
	f.admit("zeta", 1000*Credit)
	if _, err := f.As("ada").SetClaims(ctx, Claims{Niche: NicheLegal, PreferredLLMProvider: "mistral"}); err != nil {
		t.Fatal(err)
	}
	plain := f.offers(nil)
	legal := f.offers(func(c *OpenContract) { c.Channel, c.Matching.Niches = NicheLegal, []Niche{NicheLegal, NicheMedia} })
	media := f.offers(func(c *OpenContract) { c.Matching.Niches = []Niche{NicheMedia} })
	other := f.offers(func(c *OpenContract) { c.Matching.LLMProviders = []string{"llama"} })
	elite := f.offers(func(c *OpenContract) { c.Matching.MinTier = Elite })
	zeta := f.offers(func(c *OpenContract) { c.Sponsor, c.Kind = "zeta", Operational })
	closed := f.offers(nil)
	must[ContractReceipt](t)(f.op().CloseContract(ctx, CloseContract{closed}))
	used := f.offers(nil)
	must[Execution](t)(f.As("ada").Execute(ctx, Execute{used, signal}))
	for name, c := range map[string]struct {
		q    MarketQuery
		want []uint64
	}{
		"open":        {MarketQuery{}, []uint64{used, zeta, elite, other, media, legal, plain}},
		"channel":     {MarketQuery{Channel: NicheLegal}, []uint64{legal}},
		"kind":        {MarketQuery{Kind: new(Operational)}, []uint64{zeta}},
		"commercial":  {MarketQuery{Kind: new(Commercial), Channel: NicheLegal}, []uint64{legal}},
		"closed":      {MarketQuery{State: new(ContractClosed)}, []uint64{closed}},
		"exhausted":   {MarketQuery{State: new(ContractExhausted)}, nil},
		"sponsor":     {MarketQuery{Sponsor: "zeta"}, []uint64{zeta}},
		"matched":     {MarketQuery{Matched: true}, []uint64{zeta, legal, plain}},
		"matched too": {MarketQuery{Matched: true, Channel: NicheLegal}, []uint64{legal}},
	} {
		got := must[List[Campaign]](t)(f.As("ada").Market(ctx, c.q))
		if diff := cmp.Diff(c.want, campaignIDs(got.Items)); diff != "" || got.Items == nil || got.NextCursor != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	_, err := f.As("").Market(ctx, MarketQuery{Matched: true})
	refused(t, err, ErrUnauthenticated, "unauthenticated")
	_, err = f.As("acme").Market(ctx, MarketQuery{Matched: true})
	refused(t, err, ErrForbidden, "agents_only")
	_, err = f.As("").Market(ctx, MarketQuery{Sponsor: "nobody"})
	refused(t, err, ErrNotFound, "sponsor_unknown")
}

func TestCampaignTellsAll(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.admit("acme", 1000*Credit)
	id := f.offers(func(c *OpenContract) {
		c.Title, c.Brief, c.Payload, c.ExecutionsPerAgent, c.EndsAt = "Title", "Brief", "Payload", 3, At(f.now)+day
		c.Matching = Matching{Niches: []Niche{NicheMedia}, LLMProviders: []string{"llama"}}
	})
	want := Campaign{ID: id, Sponsor: "acme", Title: "Title", Brief: "Brief", Channel: NicheSilicon, Payload: new("Payload"), Budget: 20 * Credit,
		Remaining: 20 * Credit, Matching: Matching{Niches: []Niche{NicheMedia}, LLMProviders: []string{"llama"}}, ExecutionsPerAgent: 3,
		EndsAt: At(f.now) + day, OpenedAt: At(f.now), Untrusted: true}
	if diff := cmp.Diff(want, must[Campaign](t)(f.As("").Campaign(t.Context(), id))); diff != "" {
		t.Error(diff)
	}
	_, err := f.As("").Campaign(t.Context(), 1)
	refused(t, err, ErrNotFound, "contract_unknown")
}

func TestMarketPages(t *testing.T) {
	f := memory(t)
	f.admit("acme", 1000*Credit)
	var want, got []uint64
	for range 5 {
		want = append([]uint64{f.offers(nil)}, want...)
	}
	q := MarketQuery{Page: Page{Limit: 2}}
	for range 5 {
		l := must[List[Campaign]](t)(f.As("").Market(t.Context(), q))
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
	f.admit("acme", 1000*Credit)
	for code, change := range map[string]func(*OpenContract){
		"kind_unknown":        func(c *OpenContract) { c.Kind = 2 },
		"channel_missing":     func(c *OpenContract) { c.Channel = NoNiche },
		"niche_unknown":       func(c *OpenContract) { c.Matching.Niches = []Niche{NicheLegal, 7} },
		"budget_below_payout": func(c *OpenContract) { c.Matching.MinTier = 4 },
	} {
		in := OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: NicheSilicon, Budget: 20 * Credit}
		change(&in)
		f.unchanged(t, func() {
			_, err := f.op().OpenContract(t.Context(), in)
			refused(t, err, ErrInvalid, code)
		})
	}
	in := OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: 7, Budget: 20 * Credit}
	_, err := f.op().OpenContract(t.Context(), in)
	refused(t, err, ErrInvalid, "niche_unknown")
}

// The state shares no memory with a request: what the caller does to its own
// lists afterwards changes no contract.
func TestContractKeepsItsOwnLists(t *testing.T) {
	f := memory(t)
	f.admit("acme", 1000*Credit)
	m := Matching{Niches: []Niche{NicheLegal}, LLMProviders: []string{"mistral"}}
	id := f.offers(func(c *OpenContract) { c.Matching = m })
	m.Niches[0], m.LLMProviders[0] = NicheMedia, "other"
	got := must[Campaign](t)(f.As("").Campaign(t.Context(), id)).Matching
	if want := (Matching{Niches: []Niche{NicheLegal}, LLMProviders: []string{"mistral"}}); !cmp.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTiersInWords(t *testing.T) {
	verified, badged := Verified, Badged
	for want, m := range map[string]Matching{"any": {}, "BADGED or above": {MinTier: Badged}, "up to VERIFIED": {MaxTier: &verified}, "VERIFIED to BADGED": {MinTier: Verified, MaxTier: &badged}} {
		if got := m.Tiers(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

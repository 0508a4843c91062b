package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// A sponsor sees which signal was delivered before with a few words changed, to
// whomever; the agent that wrote it does not, nor the public.
func TestNearDuplicatesAreShownToTheSponsor(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bob")
	f.admit("acme", 100*netkit.Credit)
	f.admit("bolt", 100*netkit.Credit)
	deliver := func(slug, sponsor, body string) uint64 {
		return must[netkit.Execution](t)(f.As(slug).Execute(t.Context(), netkit.Execute{CampaignID: f.opens(sponsor, 10*netkit.Credit, 1),
			Signal: netkit.Signal{Headline: "Line 3 is down", Body: body, Sources: []string{"https://example.org/"}}})).ExecutionID
	}
	text := "A power dip of nine seconds stopped the lithography line last night. Engineers purge the chambers and expect wafers again on Thursday."
	first := deliver("ada", "acme", text)
	again := deliver("bob", "bolt", "Last night a power dip of nine seconds stopped the lithography line! Engineers purge the chambers, they expect wafers on Thursday.")
	other := deliver("ada", "bolt", "The grid operator traced the disturbance to a damaged switch at a substation near the river and will publish a report next month.")
	for _, c := range []struct {
		by   string
		id   uint64
		want uint64
	}{{"bolt", again, first}, {"operator", again, first}, {"bolt", other, 0}, {"acme", first, 0}, {"bob", again, 0}, {"acme", again, 0}, {"", again, 0}} {
		if got := must[netkit.ExecutionView](t)(f.As(c.by).Delivery(t.Context(), c.id)); got.NearDuplicateOf != c.want {
			t.Errorf("%q reads %d: got nearly the same as %d, want %d", c.by, c.id, got.NearDuplicateOf, c.want)
		}
	}
	late := deliver("bob", "acme", text)
	if got := must[netkit.ExecutionView](t)(f.As("acme").Delivery(t.Context(), late)); got.NearDuplicateOf != first {
		t.Errorf("delivered since: got %d, want %d", got.NearDuplicateOf, first)
	}
}

const longText = "A power dip of nine seconds stopped the lithography line last night. Engineers purge the chambers and expect wafers again on Thursday."

// marksResale is a change of the constitution: what another sponsor bought in 30
// days is marked.
func marksResale(c *netkit.Constitution) { c.Market.ResaleDays = 30 }

// exclusive makes a contract that asks for exclusive signals.
func exclusive(sponsor string) func(*netkit.OpenContract) {
	return func(c *netkit.OpenContract) { c.Sponsor, c.Exclusive, c.ExecutionsPerAgent = sponsor, true, 9 }
}

// sells has an agent deliver a text and returns the execution.
func (f *fixture) sells(slug string, contract uint64, body string) uint64 {
	f.t.Helper()
	g := netkit.Signal{Headline: "Line 3 is down", Body: body, Sources: []string{"https://example.org/"}}
	return must[netkit.Execution](f.t)(f.As(slug).Execute(f.t.Context(), netkit.Execute{CampaignID: contract, Signal: g})).ExecutionID
}

// A signal that was delivered to another sponsor in 30 days is marked for its buyer,
// who does not see whose it was; one that is older, of the same sponsor, or new is not.
func TestResoldSignalsAreMarked(t *testing.T) {
	f := memory(t, marksResale, clearing(72))
	f.agents("ada", "bob")
	f.admit("acme", 300*netkit.Credit)
	f.admit("bolt", 300*netkit.Credit)
	at := map[string]uint64{"acme": f.offers(exclusive("acme")), "bolt": f.offers(exclusive("bolt"))}
	first := f.sells("ada", at["acme"], longText)
	resold := f.sells("bob", at["bolt"], longText+" Perhaps.")
	again := f.sells("bob", at["bolt"], longText)
	f.days(29)
	late := f.sells("ada", at["acme"], longText)
	f.days(31)
	old := f.sells("ada", at["bolt"], longText)
	for _, c := range []struct {
		by     string
		id     uint64
		like   uint64
		resold bool
	}{
		{"acme", first, 0, false}, {"bolt", resold, 0, true}, {"bolt", again, resold, true}, {"operator", resold, first, true},
		{"bob", resold, 0, false}, {"acme", resold, 0, false}, {"", resold, 0, false},
		{"acme", late, first, true}, {"bolt", old, resold, false},
	} {
		got := must[netkit.ExecutionView](t)(f.As(c.by).Delivery(t.Context(), c.id))
		if got.NearDuplicateOf != c.like || got.Resold != c.resold || !got.Exclusive {
			t.Errorf("%q reads %d: got like %d, resold %v, exclusive %v, want %d, %v and true", c.by, c.id, got.NearDuplicateOf, got.Resold, got.Exclusive, c.like, c.resold)
		}
	}
	for e, err := range f.EventsBetween(t.Context(), must[*rules.Subscription](t)(subscribed(f, "bolt")), 0, f.Size()) {
		if x, ok := e.Data.(netkit.ExecutionNotice); err != nil || ok && x.Resold != (e.Type == netkit.EventDelivered && (e.ID == resold || e.ID == again)) {
			t.Errorf("event %d, %s: got resold %v, %v", e.ID, e.Type, x.Resold, err)
		}
	}
}

func subscribed(f *fixture, slug string) (*rules.Subscription, error) {
	sub, err := f.As(slug).Subscribe(netkit.EventFilter{})
	return &sub, err
}

// The sponsor of an exclusive contract returns resold signals outside its tenth, and
// they do not count in its rate; others count as ever.
func TestAResoldSignalIsReturnedOutsideTheTenth(t *testing.T) {
	f := memory(t, marksResale, returnable, clearing(72))
	ctx := t.Context()
	f.agents("ada", "bob")
	f.admit("acme", 300*netkit.Credit)
	f.admit("bolt", 300*netkit.Credit)
	plain := f.offers(func(c *netkit.OpenContract) { c.Sponsor, c.ExecutionsPerAgent = "bolt", 9 })
	contract := f.offers(exclusive("bolt"))
	f.sells("ada", f.offers(exclusive("acme")), longText)
	ids := []uint64{f.sells("bob", contract, longText), f.sells("ada", contract, longText+" Perhaps."), f.sells("ada", contract, "The grid operator traced the disturbance to a damaged switch.")}
	elsewhere := f.sells("ada", plain, longText)
	if c := must[netkit.Campaign](t)(f.As("ada").Campaign(ctx, contract)); !c.Exclusive || c.PaysYou == nil || !c.PaysYou.Exclusive {
		t.Errorf("got %+v, want an agent to see that it is exclusive", c)
	}
	for _, id := range ids[:2] {
		if r := must[netkit.ReturnReceipt](t)(f.returns("bolt", id)); !r.Resold || r.Pay != 2*netkit.Credit {
			t.Errorf("got %+v, want it returned as resold", r)
		}
	}
	c := must[*rules.ReturnExecution](t)(rules.NewReturn(must[*rules.Entry](t)(f.Entry(ctx, elsewhere)), netkit.Ticks{}, f.reader(ctx)))
	c.Resold = true
	if r := must[netkit.ReturnReceipt](t)(run(ctx, f.As("bolt"), c, nil)); r.Resold {
		t.Errorf("got %+v, want a contract that is not exclusive to count", r)
	}
	_, err := f.returns("bolt", ids[2])
	refused(t, err, netkit.ErrConflict, "returns_used")
	want := netkit.ReturnRecord{Purchases: 4, Returned: 1, Rate: 2500, Left: 0, Resold: 2}
	if got := must[netkit.SponsorView](t)(f.As("").Sponsor(ctx, "bolt")).Returns; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	f.replays(t, string(f.state.Canonical()))
}

// Under a constitution that marks nothing no contract asks for exclusive signals.
func TestExclusiveNeedsAMark(t *testing.T) {
	f := memory(t)
	f.admit("acme", 300*netkit.Credit)
	_, err := f.As("acme").OpenContract(t.Context(), netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 10 * netkit.Credit, Exclusive: true})
	refused(t, err, netkit.ErrInvalid, "exclusive_unavailable")
}

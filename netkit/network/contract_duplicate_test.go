package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
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

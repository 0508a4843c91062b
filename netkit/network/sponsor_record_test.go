package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// The reputation of a buyer is computed from its purchases, returns and acceptances of
// the window, and an agent sees the same before it works.
func TestBuyerRecord(t *testing.T) {
	f, ids := delivers(t, 6, returnable, newReview)
	accept := func(ids ...uint64) {
		must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: ids}))
	}
	accept(ids[0])
	f.waits(24 * time.Hour)
	accept(ids[1])
	f.waits(24 * time.Hour)
	accept(ids[2], ids[3])
	must[netkit.ReturnReceipt](t)(f.returns("acme", ids[4]))
	want := netkit.BuyerRecord{Days: 30, Purchases: 6, Accepted: 4, AcceptanceRate: 6666, ReturnRate: 1666, MedianWaitDays: 1}
	if got := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), "acme")).Buyer; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	c := must[netkit.Campaign](t)(f.As("bea").Campaign(t.Context(), f.campaign()))
	if c.Buyer != want || c.PaysYou.ReturnRate != want.ReturnRate {
		t.Errorf("got %+v on the contract, want %+v", c.Buyer, want)
	}
	p := must[netkit.ExecutionPreview](t)(f.As("bea").PreviewExecution(t.Context(), netkit.Execute{CampaignID: f.campaign(), Signal: signal}))
	if p.Buyer != want || p.ReturnRate != want.ReturnRate {
		t.Errorf("got %+v and %s in the preview, want %+v", p.Buyer, p.ReturnRate, want)
	}
	f.waits(32 * 24 * time.Hour)
	if got, want := must[netkit.SponsorView](t)(f.As("").Sponsor(t.Context(), "acme")).Buyer, (netkit.BuyerRecord{Days: 30}); got != want {
		t.Errorf("got %+v a month later, want %+v", got, want)
	}
}

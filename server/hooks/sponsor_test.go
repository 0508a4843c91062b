package hooks

import (
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/webhook"
)

// admit admits a sponsor with a contract of its own.
func (f *fixture) admit(sponsor string) (contract uint64) {
	f.t.Helper()
	ctx, op := f.t.Context(), f.As("operator")
	netkittest.Must[netkit.AdmissionReceipt](f.t)(op.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: sponsor}))
	netkittest.Must[netkit.Deposited](f.t)(op.Deposit(ctx, netkit.Deposit{Sponsor: sponsor, Amount: 100 * netkit.Credit, Reference: sponsor}))
	return netkittest.Must[netkit.ContractReceipt](f.t)(f.As(sponsor).OpenContract(ctx, netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal,
		Budget: 100 * netkit.Credit, ExecutionsPerAgent: 9})).CampaignID
}

// execute has an agent deliver for a contract, and returns the execution.
func (f *fixture) execute(agent string, contract uint64) uint64 {
	f.t.Helper()
	return netkittest.Must[netkit.Execution](f.t)(f.As(agent).Execute(f.t.Context(), netkit.Execute{CampaignID: contract,
		Signal: netkit.Signal{Headline: "h", Body: "b", Sources: []string{"https://example.org/a"}}})).ExecutionID
}

// A sponsor's receiver gets what was delivered to it and its notices, and nothing
// of what was delivered to another.
func TestSponsorsReceiver(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		acme, core := f.admit("acme"), f.admit("core")
		secret := f.sets("acme", netkit.EventDelivered, netkit.EventNotice)
		f.sets("core", netkit.EventDelivered, netkit.EventNotice)
		one := f.execute("ada", acme)
		other := f.execute("ada", core)
		f.passes(time.Second)
		for host, want := range map[string]uint64{"acme.test": one, "core.test": other} {
			got := f.of(host)
			if !slices.Equal(entries(got, netkit.EventDelivered), []uint64{want}) || !slices.Equal(entries(got, netkit.EventNotice), []uint64{want}) {
				t.Errorf("%s: got %+v, want execution %d and its notice", host, got, want)
			}
			if host == "acme.test" && (verify(t, secret, got[0]) != nil || got[0].id != webhook.ID("acme", &got[0].event)) {
				t.Errorf("got %+v, want it signed and named for acme", got[0])
			}
		}
		netkittest.Must[webhook.View](t)(f.h.Replay("acme", one))
		f.passes(time.Second)
		if got := entries(f.of("acme.test"), netkit.EventDelivered); !slices.Equal(got, []uint64{one}) {
			t.Errorf("got %v again, want %d", got, one)
		}
	})
}

// A sponsor's receiver that takes nothing for a day is switched off, the sponsor
// is told, and what it missed can be replayed once it is on again.
func TestSponsorsReceiverIsSwitchedOff(t *testing.T) {
	play(t, Config{}, func(t *testing.T, f *fixture) {
		f.spawn("ada")
		contract := f.admit("acme")
		f.sets("acme", netkit.EventDelivered)
		f.answers("acme.test", status(500))
		one := f.execute("ada", contract)
		two := f.execute("ada", contract)
		f.passes(25 * time.Hour)
		if v := f.view("acme"); v.State != webhook.Off || v.Next != two {
			t.Errorf("got %+v, want it off at entry %d", v, two)
		}
		notices := netkittest.Must[netkit.List[netkit.Notice]](t)(f.As("acme").Notices(t.Context(), netkit.Page{})).Items
		if len(notices) == 0 || notices[0].Kind != "webhook.stopped" {
			t.Errorf("got notices %+v, want that it is switched off", notices)
		}
		f.answers("acme.test", nil)
		f.of("acme.test")
		f.sets("acme", netkit.EventDelivered)
		netkittest.Must[webhook.View](t)(f.h.Replay("acme", one))
		f.passes(time.Second)
		if got := entries(f.of("acme.test"), netkit.EventDelivered); !slices.Equal(got, []uint64{one, two}) {
			t.Errorf("got %v, want %d and %d", got, one, two)
		}
	})
}

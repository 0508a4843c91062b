package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestExecutionAtUnverifiedPaysTwo(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	spawned := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	if spawned.Balance != 50*netkit.Credit {
		t.Errorf("got a grant of %s, want 50.00", spawned.Balance)
	}
	f.admit("acme", 100*netkit.Credit)
	ct := must[netkit.ContractReceipt](t)(f.op().OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 10 * netkit.Credit}))
	got := must[netkit.Execution](t)(f.As("ada").Execute(ctx, netkit.Execute{CampaignID: ct.CampaignID, Signal: signal}))
	want := netkit.Execution{ExecutionID: got.Seq, CampaignID: ct.CampaignID, Payout: 200, AgentShare: 170, TreasuryShare: 30, Balance: 5170, Seq: got.Seq, At: netkit.At(f.now)}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if sum := f.state.Books().Sum; sum != 0 {
		t.Errorf("all accounts sum to %s, want 0", sum)
	}
	before := f.state.Canonical()
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.open()
	if f.resumed == 0 || string(f.state.Canonical()) != string(before) {
		t.Errorf("from the snapshot: got\n%s, want\n%s", f.state.Canonical(), before)
	}
}

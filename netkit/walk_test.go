package netkit

import (
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestExecutionAtUnverifiedPaysTwo(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	spawned := must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "ada"}))
	if spawned.Balance != 50*Credit {
		t.Errorf("got a grant of %s, want 50.00", spawned.Balance)
	}
	f.admit("acme", 100*Credit)
	ct := must[ContractReceipt](t)(f.op().OpenContract(ctx, OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: NicheSilicon, Budget: 10 * Credit}))
	got := must[Execution](t)(f.As("ada").Execute(ctx, Execute{ct.CampaignID, signal}))
	want := Execution{ExecutionID: got.Seq, CampaignID: ct.CampaignID, Payout: 200, AgentShare: 170, TreasuryShare: 30, Balance: 5170, Seq: got.Seq, At: At(f.now)}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if sum := f.state.books().Sum; sum != 0 {
		t.Errorf("all accounts sum to %s, want 0", sum)
	}
	before := f.state.canonical()
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.open()
	if f.resumed == 0 || string(f.state.canonical()) != string(before) {
		t.Errorf("from the snapshot: got\n%s, want\n%s", f.state.canonical(), before)
	}
}

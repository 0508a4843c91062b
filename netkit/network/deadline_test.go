package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// endTogether has acme open more contracts than end before one command, moves on
// to the moment of their end and returns the last of them.
func (f *fixture) endTogether() (last uint64, ends netkit.Millis) {
	f.t.Helper()
	f.admit("acme", 10_000*netkit.Credit)
	ends = netkit.At(f.now.Add(time.Hour))
	for range rules.DueStep + 10 {
		last = must[netkit.ContractReceipt](f.t)(f.op().OpenContract(f.t.Context(), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b",
			Channel: netkit.NicheSilicon, Budget: 10 * netkit.Credit, EndsAt: ends})).CampaignID
	}
	f.now = f.now.Add(time.Hour)
	return last, ends
}

// More falls due at one moment than goes before one command. What waits its
// turn is over all the same: no command slips in before its end is recorded.
func TestNothingSlipsInBeforeAnEndIsRecorded(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	last, ends := f.endTogether()
	_, err := f.As("ada").Execute(ctx, netkit.Execute{CampaignID: last, Signal: signal})
	refused(t, err, netkit.ErrConflict, "contract_ended")
	if !f.state.Waits(ends) {
		t.Error("all ends were recorded before the command, so that this test shows nothing")
	}
}

// The same for money that a sponsor adds.
func TestNoTopUpAfterTheEnd(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	last, _ := f.endTogether()
	_, err := f.As("acme").FundContract(ctx, netkit.FundContract{CampaignID: last, Amount: netkit.Credit})
	refused(t, err, netkit.ErrConflict, "contract_ended")
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	if b := must[netkit.Books](t)(f.As("").Conservation(ctx)); b.Contracts != 0 || b.Sum != 0 || b.Sponsors != 10_000*netkit.Credit {
		t.Errorf("got %+v, want all of it back with the sponsor", b)
	}
}

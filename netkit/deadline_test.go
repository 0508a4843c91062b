package netkit

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// endTogether has acme open more contracts than end before one command, moves on
// to the moment of their end and returns the last of them.
func (f *fixture) endTogether() (last uint64, ends Millis) {
	f.t.Helper()
	f.admit("acme", 10_000*Credit)
	ends = At(f.now.Add(time.Hour))
	for range dueStep + 10 {
		last = must[ContractReceipt](f.t)(f.op().OpenContract(f.t.Context(), OpenContract{Sponsor: "acme", Title: "t", Brief: "b",
			Channel: NicheSilicon, Budget: 10 * Credit, EndsAt: ends})).CampaignID
	}
	f.now = f.now.Add(time.Hour)
	return last, ends
}

// More falls due at one moment than goes before one command. What waits its
// turn is over all the same: no command slips in before its end is recorded.
func TestNothingSlipsInBeforeAnEndIsRecorded(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "ada"}))
	last, ends := f.endTogether()
	_, err := f.As("ada").Execute(ctx, Execute{last, signal})
	refused(t, err, ErrConflict, "contract_ended")
	if !f.state.waits(ends) {
		t.Error("all ends were recorded before the command, so that this test shows nothing")
	}
}

// The same for money that a sponsor adds.
func TestNoTopUpAfterTheEnd(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	last, _ := f.endTogether()
	_, err := f.As("acme").FundContract(ctx, FundContract{last, Credit})
	refused(t, err, ErrConflict, "contract_ended")
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	if b := must[Books](t)(f.As("").Conservation(ctx)); b.Contracts != 0 || b.Sum != 0 || b.Sponsors != 10_000*Credit {
		t.Errorf("got %+v, want all of it back with the sponsor", b)
	}
}

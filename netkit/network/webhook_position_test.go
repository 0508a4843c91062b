package network

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// Positions are recorded by the network alone, hold after a restart, and are not
// erased: without them events would be lost.
func TestWebhookPositions(t *testing.T) {
	f := start(t, journal.NewMemory())
	_, err := f.op().RecordWebhookPositions(t.Context(), 1, nil)
	refused(t, err, netkit.ErrForbidden, "network_only")
	if got := f.WebhookPositions(); got.Entry != 0 || got.Front != 0 {
		t.Errorf("got %+v before any record", got)
	}
	record := func(front uint64, changed ...WebhookPosition) uint64 {
		t.Helper()
		return must[uint64](t)(f.As(netkit.NetworkActor).RecordWebhookPositions(t.Context(), front, changed))
	}
	record(7, WebhookPosition{Owner: "ada", Next: 3}, WebhookPosition{Owner: "bea", Next: 4})
	last := record(9, WebhookPosition{Owner: "bea"}, WebhookPosition{Owner: "cora", Next: 8})
	want := WebhookPositions{Entry: last, Front: 9, Behind: map[string]uint64{"ada": 3, "cora": 8}}
	for range 2 {
		if diff := cmp.Diff(want, f.WebhookPositions()); diff != "" {
			t.Error(diff)
		}
		f.restarts(t)
	}
	_, err = f.op().ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: last, Reason: "asked for"})
	refused(t, err, netkit.ErrConflict, "erasure_stays")
	var many []WebhookPosition
	for i := range 2*maxPositions + 1 {
		many = append(many, WebhookPosition{Owner: fmt.Sprint("owner-", i), Next: 5})
	}
	before := f.state.Size()
	record(11, many...)
	if got := f.WebhookPositions(); len(got.Behind) != len(many)+2 || got.Front != 11 || f.state.Size()-before != 3 {
		t.Errorf("got %d positions and front %d in %d entries, want %d and 11 in 3", len(got.Behind), got.Front, f.state.Size()-before, len(many)+2)
	}
	f.restarts(t)
}

package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

// The table of agents counts the executions of a sponsor; near-duplicates are for it.
func TestAgentTable(t *testing.T) {
	f, ids := delivers(t, 3, returnable)
	f.executes("bea", f.campaign())
	must[netkit.AcceptedReceipt](t)(f.As("acme").Accept(t.Context(), netkit.AcceptExecutions{ExecutionIDs: ids[:2]}))
	for by, x := range map[string]struct{ duplicates, right uint64 }{"acme": {2, 1}, "operator": {2, 1}, "": {0, 2}, "bea": {0, 2}} {
		table := must[netkit.List[netkit.AgentPeriod]](t)(f.As(by).AgentTable(t.Context(), netkit.AgentTableQuery{Sponsor: "acme", By: netkit.ByDay}))
		want := netkit.AgentPeriod{Agent: "ada", From: netkit.At(f.now).Day(), Delivered: 3, Accepted: 2, Pending: 1, NearDuplicates: x.duplicates, Right: x.right, Paid: 4 * netkit.Credit}
		want.CostOfRight = want.Paid / netkit.Credits(x.right)
		if len(table.Items) != 2 || !cmp.Equal(table.Items[0], want) || table.Items[1].Agent != "bea" {
			t.Errorf("%q: got %+v, want %+v and bea", by, table.Items, want)
		}
	}
	later := netkit.AgentTableQuery{Since: netkit.At(f.now).Day() + 1}
	if table := must[netkit.List[netkit.AgentPeriod]](t)(f.As("acme").AgentTable(t.Context(), later)); len(table.Items) != 0 || table.NextCursor != "" {
		t.Errorf("got %+v of tomorrow, want nothing", table)
	}
	_, err := f.As("ada").AgentTable(t.Context(), later)
	refused(t, err, netkit.ErrNotFound, "sponsor_unknown")
	_, err = f.As("").AgentTable(t.Context(), netkit.AgentTableQuery{Sponsor: "acme", By: "year"})
	refused(t, err, netkit.ErrInvalid, "invalid")
}

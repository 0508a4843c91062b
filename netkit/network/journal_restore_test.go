package network

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
)

// A restore is recorded with the tree that it continues, changes no balance, and
// passes an audit and a restart. Only an operator records one.
func TestRestoreIsRecorded(t *testing.T) {
	store := journal.NewMemory()
	token := must[netkit.Token](t)(netkit.NewToken(rand.Reader))
	n := must[*Network](t)(New(t.Context(), Config{Store: store, Now: func() time.Time { return dawn }, Genesis: &netkit.Genesis{Network: "restored", Operator: "operator", OperatorToken: token}}))
	lost := netkit.TreeHead{Size: 12, Root: netkit.Hash{1}}
	var refused *netkit.Refusal
	if _, err := n.As("").RecordRestore(t.Context(), netkit.RecordRestore{Lost: lost}); !errors.As(err, &refused) || refused.Code != code.Unauthenticated {
		t.Errorf("a stranger: got %v, want %s", err, code.Unauthenticated)
	}
	before := must[netkit.Audited](t)(Audit(t.Context(), store))
	got := must[netkit.RestoreReceipt](t)(n.As("operator").RecordRestore(t.Context(), netkit.RecordRestore{Lost: lost}))
	if want := (netkit.TreeHead{Size: before.Entries, Root: before.Root}); got.Restored != want || got.Lost != lost || got.Seq != want.Size {
		t.Errorf("got %+v, want it to continue %+v after %+v", got, want, lost)
	}
	after := must[netkit.Audited](t)(Audit(t.Context(), store))
	was, is := before.Books, after.Books
	was.AsOf, is.AsOf = netkit.AsOf{}, netkit.AsOf{}
	if is != was {
		t.Errorf("got books %+v, want %+v as before", is, was)
	}
	again := must[*Network](t)(New(t.Context(), Config{Store: store, Now: func() time.Time { return dawn }}))
	if e, err := again.Entry(t.Context(), got.Seq); err != nil || e.Kind != netkit.KindJournalRestored {
		t.Errorf("after a restart: got %v, %v", e, err)
	}
}

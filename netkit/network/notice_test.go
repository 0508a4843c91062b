package network

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestNoticesNewestFirst(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob")
	var seqs []uint64
	for i := range 5 {
		r := must[netkit.RoleReceipt](t)(f.op().SetRole(ctx, netkit.SetRole{Agent: "ada", Role: "reviewer", Grant: i%2 == 0, Reason: "secret reason"}))
		seqs = append([]uint64{r.Seq}, seqs...)
	}
	f.restarts(t)
	var got []uint64
	for page := (netkit.Page{Limit: 2}); ; {
		l := must[netkit.List[netkit.Notice]](t)(f.As("ada").Notices(ctx, page))
		for _, v := range l.Items {
			got = append(got, v.Seq)
			if v.At != netkit.At(f.now) || v.Text == "" || strings.Contains(v.Text, "secret") {
				t.Errorf("got %+v, want a text made of facts", v)
			}
		}
		if page.Cursor = l.NextCursor; page.Cursor == "" {
			break
		}
	}
	if len(got) != len(seqs) {
		t.Fatalf("got %v, want %v", got, seqs)
	}
	for i := range seqs {
		if got[i] != seqs[i] {
			t.Errorf("got %v, want %v", got, seqs)
		}
	}
	if l := must[netkit.List[netkit.Notice]](t)(f.As("bob").Notices(ctx, netkit.Page{})); len(l.Items) != 0 || l.Items == nil {
		t.Errorf("got %+v for another agent, want an empty list", l.Items)
	}
	_, err := f.As("").Notices(ctx, netkit.Page{})
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
	_, err = f.As("ada").Notices(ctx, netkit.Page{Limit: 500})
	refused(t, err, netkit.ErrInvalid, "limit_out_of_range")
}

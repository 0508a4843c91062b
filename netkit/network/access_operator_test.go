package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestOperatorIsAddedByAnOperator(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	r := must[netkit.OperatorReceipt](t)(f.op().AddOperator(ctx, netkit.AddOperator{Slug: "second"}))
	by := f.with(t, r.Token)
	must[netkit.RoleReceipt](t)(f.For(by).SetRole(ctx, netkit.SetRole{Agent: "ada", Role: "reviewer", Grant: true, Reason: "knows the law"}))
	f.restarts(t)
	f.Unchanged(t, func() {
		for _, c := range []struct {
			by   string
			slug string
			kind error
			code string
		}{
			{"ada", "third", netkit.ErrForbidden, "operators_only"},
			{"", "third", netkit.ErrUnauthenticated, "unauthenticated"},
			{"operator", "Third", netkit.ErrInvalid, "slug_malformed"},
			{"operator", "network", netkit.ErrInvalid, "slug_reserved"},
			{"operator", "ada", netkit.ErrConflict, "slug_taken"},
		} {
			_, err := f.As(c.by).AddOperator(ctx, netkit.AddOperator{Slug: c.slug})
			refused(t, err, c.kind, c.code)
		}
	})
}

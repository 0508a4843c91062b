package network

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestRolesComeAndGo(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	for _, c := range []struct {
		role  string
		grant bool
		want  []string
	}{
		{"reviewer", true, []string{"reviewer"}},
		{"correspondent", true, []string{"correspondent", "reviewer"}},
		{"reviewer", false, []string{"correspondent"}},
		{"correspondent", false, []string{}},
	} {
		r := must[netkit.RoleReceipt](t)(f.op().SetRole(ctx, netkit.SetRole{Agent: "ada", Role: c.role, Grant: c.grant, Reason: "asked for"}))
		p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada"))
		if diff := cmp.Diff([][]string{c.want, c.want}, [][]string{r.Roles, p.BioVerified.Roles}); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", c.role, c.grant, diff)
		}
	}
	f.restarts(t)
	if got := must[netkit.List[netkit.Notice]](t)(f.As("ada").Notices(ctx, netkit.Page{})); len(got.Items) != 4 || got.Items[0].Kind != "role.changed" {
		t.Errorf("got %+v, want four notices of changed roles", got.Items)
	}
}

func TestRoleRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	good := netkit.SetRole{Agent: "ada", Role: "reviewer", Grant: true, Reason: "r"}
	for _, c := range []struct {
		by   string
		with func(*netkit.SetRole)
		kind error
		code string
	}{
		{"ada", func(*netkit.SetRole) {}, netkit.ErrForbidden, "operators_only"},
		{"acme", func(*netkit.SetRole) {}, netkit.ErrForbidden, "operators_only"},
		{"", func(*netkit.SetRole) {}, netkit.ErrUnauthenticated, "unauthenticated"},
		{"operator", func(r *netkit.SetRole) { r.Agent = "bob" }, netkit.ErrNotFound, "agent_unknown"},
		{"operator", func(r *netkit.SetRole) { r.Agent = "acme" }, netkit.ErrNotFound, "agent_unknown"},
		{"operator", func(r *netkit.SetRole) { r.Role = "king" }, netkit.ErrInvalid, "role_unknown"},
		{"operator", func(r *netkit.SetRole) { r.Role = "" }, netkit.ErrInvalid, "role_unknown"},
		{"operator", func(r *netkit.SetRole) { r.Reason = "" }, netkit.ErrInvalid, "text_missing"},
		{"operator", func(r *netkit.SetRole) { r.Reason = strings.Repeat("a", 501) }, netkit.ErrInvalid, "text_too_long"},
		{"operator", func(r *netkit.SetRole) { r.Grant = false }, netkit.ErrConflict, "role_unchanged"},
	} {
		in := good
		c.with(&in)
		f.Unchanged(t, func() {
			_, err := f.As(c.by).SetRole(t.Context(), in)
			refused(t, err, c.kind, c.code)
		})
	}
}

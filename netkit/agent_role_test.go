package netkit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		r := must[RoleReceipt](t)(f.op().SetRole(ctx, SetRole{Agent: "ada", Role: c.role, Grant: c.grant, Reason: "asked for"}))
		p := must[Profile](t)(f.As("").Profile(ctx, "ada"))
		if diff := cmp.Diff([][]string{c.want, c.want}, [][]string{r.Roles, p.BioVerified.Roles}); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", c.role, c.grant, diff)
		}
	}
	f.restarts(t)
	if got := must[List[Notice]](t)(f.As("ada").Notices(ctx, Page{})); len(got.Items) != 4 || got.Items[0].Kind != "role.changed" {
		t.Errorf("got %+v, want four notices of changed roles", got.Items)
	}
}

func TestRoleRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", Credit)
	good := SetRole{Agent: "ada", Role: "reviewer", Grant: true, Reason: "r"}
	for _, c := range []struct {
		by   string
		with func(*SetRole)
		kind error
		code string
	}{
		{"ada", func(*SetRole) {}, ErrForbidden, "operators_only"},
		{"acme", func(*SetRole) {}, ErrForbidden, "operators_only"},
		{"", func(*SetRole) {}, ErrUnauthenticated, "unauthenticated"},
		{"operator", func(r *SetRole) { r.Agent = "bob" }, ErrNotFound, "agent_unknown"},
		{"operator", func(r *SetRole) { r.Agent = "acme" }, ErrNotFound, "agent_unknown"},
		{"operator", func(r *SetRole) { r.Role = "king" }, ErrInvalid, "role_unknown"},
		{"operator", func(r *SetRole) { r.Role = "" }, ErrInvalid, "role_unknown"},
		{"operator", func(r *SetRole) { r.Reason = "" }, ErrInvalid, "text_missing"},
		{"operator", func(r *SetRole) { r.Reason = strings.Repeat("a", 501) }, ErrInvalid, "text_too_long"},
		{"operator", func(r *SetRole) { r.Grant = false }, ErrConflict, "role_unchanged"},
	} {
		in := good
		c.with(&in)
		f.unchanged(t, func() {
			_, err := f.As(c.by).SetRole(t.Context(), in)
			refused(t, err, c.kind, c.code)
		})
	}
}

package network

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

func slugsOf(list []netkit.Profile) []string {
	out := []string{}
	for i := range list {
		out = append(out, list[i].Slug)
	}
	return out
}

func TestDirectoryFilters(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob", "cyd")
	f.admit("acme", netkit.Credit)
	must[netkit.ClaimsReceipt](t)(f.As("bob").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal, CapabilityStatement: "dockets"}))
	f.wear("bob", rules.Held{Badge: netkit.FieldAgent})
	f.wear("cyd", rules.Held{Badge: netkit.FieldAgent, Revoked: 1})
	f.row("ada").Agent.Confirmed, f.row("ada").Agent.Transactions = true, 10
	unverified, verified, elite := netkit.Unverified, netkit.Verified, netkit.Elite
	for _, c := range []struct {
		name string
		q    netkit.DirectoryQuery
		want []string
	}{
		{"all", netkit.DirectoryQuery{}, []string{"ada", "bob", "cyd"}},
		{"niche", netkit.DirectoryQuery{Niche: netkit.NicheLegal}, []string{"bob"}},
		{"active badge", netkit.DirectoryQuery{Badge: netkit.FieldAgent}, []string{"bob"}},
		{"UNVERIFIED", netkit.DirectoryQuery{Tier: &unverified}, []string{"bob", "cyd"}},
		{"VERIFIED", netkit.DirectoryQuery{Tier: &verified}, []string{"ada"}},
		{"ELITE", netkit.DirectoryQuery{Tier: &elite}, []string{}},
		{"tier and niche", netkit.DirectoryQuery{Tier: &verified, Niche: netkit.NicheLegal}, []string{}},
	} {
		got := must[netkit.List[netkit.Profile]](t)(f.As("").Directory(ctx, c.q))
		if diff := cmp.Diff(c.want, slugsOf(got.Items)); diff != "" || got.NextCursor != "" {
			t.Errorf("%s (-want +got):\n%s and cursor %q", c.name, diff, got.NextCursor)
		}
	}
	if got := must[netkit.List[netkit.Profile]](t)(f.As("").Directory(ctx, netkit.DirectoryQuery{Niche: netkit.NicheLegal})); got.Items[0].BioClaims.CapabilityStatement != "dockets" {
		t.Errorf("got %+v, want the statement too", got.Items[0].BioClaims)
	}
}

func TestDirectoryPages(t *testing.T) {
	f := start(t, journal.NewMemory())
	var want, got []string
	for i := range 120 {
		want = append(want, fmt.Sprintf("agent-%d", i))
		f.agents(want[i])
	}
	for q := (netkit.DirectoryQuery{Page: netkit.Page{Limit: 50}}); ; {
		page := must[netkit.List[netkit.Profile]](t)(f.As("").Directory(t.Context(), q))
		got = append(got, slugsOf(page.Items)...)
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			break
		}
		if len(page.Items) != 50 {
			t.Errorf("got a page of %d, want 50", len(page.Items))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	whole := must[netkit.List[netkit.Profile]](t)(f.As("").Directory(t.Context(), netkit.DirectoryQuery{Page: netkit.Page{Limit: 120}}))
	if len(whole.Items) != 120 || whole.NextCursor != "" {
		t.Errorf("got %d and cursor %q, want 120 and none", len(whole.Items), whole.NextCursor)
	}
}

func TestDirectoryRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	for _, c := range []struct {
		q    netkit.DirectoryQuery
		code string
	}{
		{netkit.DirectoryQuery{Page: netkit.Page{Limit: 201}}, "limit_out_of_range"},
		{netkit.DirectoryQuery{Page: netkit.Page{Limit: -1}}, "limit_out_of_range"},
		{netkit.DirectoryQuery{Page: netkit.Page{Cursor: "?"}}, "cursor_malformed"},
		{netkit.DirectoryQuery{Page: netkit.Page{Cursor: "zzzzzzzzzz"}}, "cursor_malformed"},
		{netkit.DirectoryQuery{Niche: 9}, "niche_unknown"},
	} {
		_, err := f.As("").Directory(t.Context(), c.q)
		refused(t, err, netkit.ErrInvalid, c.code)
	}
}

// A filter that matches next to nothing ends a page early, and the pages
// together find what there is.
func TestDirectoryScanIsBounded(t *testing.T) {
	f := start(t, journal.NewMemory())
	_, slugs := f.crowd(45_000)
	for _, i := range []int{3, 44_000} {
		f.row(slugs[i]).Agent.Niche = netkit.NicheHealth
	}
	var got []string
	pages := 0
	for q := (netkit.DirectoryQuery{Niche: netkit.NicheHealth}); pages == 0 || q.Cursor != ""; pages++ {
		page := must[netkit.List[netkit.Profile]](t)(f.As("").Directory(t.Context(), q))
		got = append(got, slugsOf(page.Items)...)
		q.Cursor = page.NextCursor
	}
	if diff := cmp.Diff([]string{slugs[3], slugs[44_000]}, got); diff != "" || pages != 3 {
		t.Errorf("%d pages, want 3 (-want +got):\n%s", pages, diff)
	}
}

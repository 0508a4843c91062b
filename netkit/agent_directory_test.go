package netkit

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

func slugsOf(list []Profile) []string {
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
	f.admit("acme", Credit)
	must[ClaimsReceipt](t)(f.As("bob").SetClaims(ctx, Claims{Niche: NicheLegal, CapabilityStatement: "dockets"}))
	f.wear("bob", held{badge: FieldAgent})
	f.wear("cyd", held{badge: FieldAgent, revoked: 1})
	f.row("ada").agent.confirmed, f.row("ada").agent.transactions = true, 10
	unverified, verified, elite := Unverified, Verified, Elite
	for _, c := range []struct {
		name string
		q    DirectoryQuery
		want []string
	}{
		{"all", DirectoryQuery{}, []string{"ada", "bob", "cyd"}},
		{"niche", DirectoryQuery{Niche: NicheLegal}, []string{"bob"}},
		{"active badge", DirectoryQuery{Badge: FieldAgent}, []string{"bob"}},
		{"UNVERIFIED", DirectoryQuery{Tier: &unverified}, []string{"bob", "cyd"}},
		{"VERIFIED", DirectoryQuery{Tier: &verified}, []string{"ada"}},
		{"ELITE", DirectoryQuery{Tier: &elite}, []string{}},
		{"tier and niche", DirectoryQuery{Tier: &verified, Niche: NicheLegal}, []string{}},
	} {
		got := must[List[Profile]](t)(f.As("").Directory(ctx, c.q))
		if diff := cmp.Diff(c.want, slugsOf(got.Items)); diff != "" || got.NextCursor != "" {
			t.Errorf("%s (-want +got):\n%s and cursor %q", c.name, diff, got.NextCursor)
		}
	}
	if got := must[List[Profile]](t)(f.As("").Directory(ctx, DirectoryQuery{Niche: NicheLegal})); got.Items[0].BioClaims.CapabilityStatement != "dockets" {
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
	for q := (DirectoryQuery{Page: Page{Limit: 50}}); ; {
		page := must[List[Profile]](t)(f.As("").Directory(t.Context(), q))
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
	whole := must[List[Profile]](t)(f.As("").Directory(t.Context(), DirectoryQuery{Page: Page{Limit: 120}}))
	if len(whole.Items) != 120 || whole.NextCursor != "" {
		t.Errorf("got %d and cursor %q, want 120 and none", len(whole.Items), whole.NextCursor)
	}
}

func TestDirectoryRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	for _, c := range []struct {
		q    DirectoryQuery
		code string
	}{
		{DirectoryQuery{Page: Page{Limit: 201}}, "limit_out_of_range"},
		{DirectoryQuery{Page: Page{Limit: -1}}, "limit_out_of_range"},
		{DirectoryQuery{Page: Page{Cursor: "?"}}, "cursor_malformed"},
		{DirectoryQuery{Page: Page{Cursor: "zzzzzzzzzz"}}, "cursor_malformed"},
		{DirectoryQuery{Niche: 9}, "niche_unknown"},
	} {
		_, err := f.As("").Directory(t.Context(), c.q)
		refused(t, err, ErrInvalid, c.code)
	}
}

// A filter that matches next to nothing ends a page early, and the pages
// together find what there is.
func TestDirectoryScanIsBounded(t *testing.T) {
	f := start(t, journal.NewMemory())
	_, slugs := f.crowd(45_000)
	for _, i := range []int{3, 44_000} {
		f.row(slugs[i]).agent.niche = NicheHealth
	}
	var got []string
	pages := 0
	for q := (DirectoryQuery{Niche: NicheHealth}); pages == 0 || q.Cursor != ""; pages++ {
		page := must[List[Profile]](t)(f.As("").Directory(t.Context(), q))
		got = append(got, slugsOf(page.Items)...)
		q.Cursor = page.NextCursor
	}
	if diff := cmp.Diff([]string{slugs[3], slugs[44_000]}, got); diff != "" || pages != 3 {
		t.Errorf("%d pages, want 3 (-want +got):\n%s", pages, diff)
	}
}

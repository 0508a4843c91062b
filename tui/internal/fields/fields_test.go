package fields

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/agentnet/netctl/netkit"
)

func now() time.Time { return time.Date(2026, 5, 29, 12, 0, 0, 0, time.UTC) }

// find returns the field of a request by its name.
func find(t *testing.T, request any, name string) *Field {
	t.Helper()
	for _, f := range Of(request, now) {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("%T has no field %s", request, name)
	return nil
}

// The bounds are those that the tags of the requests give to the server.
func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		request    any
		name, text string
		want       string // "" is right
	}{
		{&netkit.Execute{}, "signal.headline", "Fabs idle", ""},
		{&netkit.Execute{}, "signal.headline", " ", "is needed"},
		{&netkit.Execute{}, "signal.headline", strings.Repeat("é", 200), ""},
		{&netkit.Execute{}, "signal.headline", strings.Repeat("é", 201), "has 201 characters, and at most 200 are allowed"},
		{&netkit.Execute{}, "signal.sources", "https://example.org/a http://example.org", ""},
		{&netkit.Execute{}, "signal.sources", "", "is needed"},
		{&netkit.Execute{}, "signal.sources", "https://example.org ftp://example.org", "number 2 does not have the form"},
		{&netkit.Execute{}, "signal.sources", strings.Repeat("https://example.org ", 21), "has 21, and at most 20 are allowed"},
		{&netkit.Claims{}, "niche", "LEGAL", ""},
		{&netkit.Claims{}, "niche", "none", ""},
		{&netkit.Claims{}, "niche", "COPPER", "must be one of"},
		{&netkit.Claims{}, "attention_floor_price", "2.50", ""},
		{&netkit.Claims{}, "attention_floor_price", "-1", "must be at least 0.00"},
		{&netkit.Claims{}, "attention_floor_price", "2.505", "is not an amount"},
		{&netkit.Claims{}, "capability_statement", "", ""},
		{&netkit.SendAttention{}, "expires_in", "", ""},
		{&netkit.SendAttention{}, "expires_in", "3d", ""},
		{&netkit.SendAttention{}, "expires_in", "30m", "must be at least 1h"},
		{&netkit.SendAttention{}, "expires_in", "15d", "must be at most 336h"},
		{&netkit.SendAttention{}, "expires_in", "24", "must be a span such as"},
		{&netkit.OpenContract{}, "budget", "0", "must be at least 0.01"},
		{&netkit.OpenContract{}, "executions_per_agent", "0", "must be at least 1"},
		{&netkit.OpenContract{}, "executions_per_agent", "-3", "is not a whole number"},
		{&netkit.OpenContract{}, "ends_at", "30d", ""},
		{&netkit.OpenContract{}, "ends_at", "tomorrow", "is not a time"},
		{&netkit.OpenContract{}, "matching.max_tier", "none", ""},
		{&netkit.OpenContract{}, "matching.niches", "LEGAL POLICY", ""},
		{&netkit.SetRole{}, "role", "owner", "must be one of correspondent, reviewer"},
		{&netkit.SetRole{}, "grant", "perhaps", "must be yes or no"},
		{&netkit.CloseNight{}, "date", "2026-13-01", "date is not of the form"},
		{&netkit.ProposeSponsor{}, "sponsor", "Acme", "does not have the form"},
		{&netkit.IssueToken{}, "scopes", "", "is needed"},
	} {
		err := find(t, tt.request, tt.name).Check(tt.text)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%T %s %q: got %v, want %q", tt.request, tt.name, tt.text, err, tt.want)
		}
	}
	if err := find(t, &netkit.Verdict{}, "reasoning").Check(""); !errors.Is(err, ErrNeeded) {
		t.Errorf("got %v, want ErrNeeded", err)
	}
}

// A request that was filled in by texts is the one that was meant.
func TestSet(t *testing.T) {
	got := &netkit.OpenContract{}
	for name, text := range map[string]string{"title": "Fab watch", "brief": "What moved?", "channel": "SILICON", "kind": "commercial", "budget": "12.50", "ends_at": "2d",
		"matching.niches": "LEGAL POLICY", "matching.llm_providers": "one two", "matching.min_tier": "VERIFIED", "matching.max_tier": "ELITE", "executions_per_agent": "3", "criteria": "names a source\n\n is new "} {
		if err := find(t, got, name).Set(got, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	top := netkit.Elite
	want := &netkit.OpenContract{Title: "Fab watch", Brief: "What moved?", Channel: netkit.NicheSilicon, Budget: 1250, EndsAt: netkit.At(now().Add(48 * time.Hour)), ExecutionsPerAgent: 3, Criteria: []string{"names a source", "is new"},
		Matching: netkit.Matching{Niches: []netkit.Niche{netkit.NicheLegal, netkit.NichePolicy}, LLMProviders: []string{"one", "two"}, MinTier: netkit.Verified, MaxTier: &top}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again := &netkit.OpenContract{}
	for _, f := range Of(got, now) {
		if err := f.Set(again, f.Text(got)); err != nil && f.Text(got) != "" {
			t.Errorf("%s: its own text %q is refused: %v", f.Name, f.Text(got), err)
		}
	}
	if diff := cmp.Diff(got, again, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestDescriptions(t *testing.T) {
	for _, tt := range []struct {
		request any
		want    Field
	}{
		{&netkit.IssueToken{}, Field{Name: "scopes", Label: "Scopes", Several: true}},
		{&netkit.Verdict{}, Field{Name: "uphold", Label: "Uphold"}},
		{&netkit.Claims{}, Field{Name: "preferred_llm_provider", Label: "Preferred model provider", Optional: true}},
		{&netkit.Report{}, Field{Name: "evidence", Label: "Evidence", Long: true, Longest: 8000}},
	} {
		f := find(t, tt.request, tt.want.Name)
		got := Field{Name: f.Name, Label: f.Label, Several: f.Several, Long: f.Long, Optional: f.Optional, Longest: f.Longest}
		if got.Name != tt.want.Name || got.Label != tt.want.Label || got.Several != tt.want.Several || got.Long != tt.want.Long || got.Optional != tt.want.Optional || got.Longest != tt.want.Longest {
			t.Errorf("%T: got %+v, want %+v", tt.request, got, tt.want)
		}
	}
	for _, f := range Of(&netkit.Spawn{}, now) {
		if f.Name != "slug" {
			t.Errorf("people are asked for %s", f.Name)
		}
	}
}

package network

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

func TestClaimsReplaceAllFive(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	full := netkit.Claims{Niche: netkit.NicheLegal, PreferredLLMProvider: "acme-ai", AcceptsAttentionRequests: true,
		AttentionFloorPrice: 12 * netkit.Credit, CapabilityStatement: "Reads court dockets."}
	got := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, full))
	if diff := cmp.Diff(netkit.ClaimsReceipt{Slug: "ada", Claims: full, Seq: got.Seq, At: netkit.At(f.now)}, got); diff != "" {
		t.Errorf("receipt (-want +got):\n%s", diff)
	}
	want := netkit.BioClaims{Niche: netkit.NicheLegal, PreferredLLMProvider: "acme-ai", AcceptsAttentionRequests: true,
		AttentionFloorPrice: 12 * netkit.Credit, CapabilityStatement: "Reads court dockets.", Untrusted: true}
	if p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")); p.BioClaims != want {
		t.Errorf("got %+v, want %+v", p.BioClaims, want)
	}
	f.restarts(t)
	must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheMedia}))
	if p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")); p.BioClaims != (netkit.BioClaims{Niche: netkit.NicheMedia, Untrusted: true}) {
		t.Errorf("got %+v, want MEDIA alone", p.BioClaims)
	}
	f.restarts(t)
}

// Characters are code points after NFC, whatever their bytes.
func TestStatementHas280Characters(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	for _, c := range []struct {
		name, text, code string
	}{
		{"empty", "", ""},
		{"280 letters", strings.Repeat("a", 280), ""},
		{"281 letters", strings.Repeat("a", 281), "text_too_long"},
		{"280 of four bytes", strings.Repeat("🜁", 280), ""},
		{"281 of four bytes", strings.Repeat("🜁", 281), "text_too_long"},
		{"280 composed of two", strings.Repeat("e\u0301", 280), ""},
		{"281 composed of two", strings.Repeat("e\u0301", 281), "text_too_long"},
		{"control character", "a\x00b", "text_control"},
		{"no UTF-8", "a\xff", "text_not_utf8"},
	} {
		r, err := f.As("ada").SetClaims(t.Context(), netkit.Claims{CapabilityStatement: c.text})
		switch {
		case c.code != "":
			refused(t, err, netkit.ErrInvalid, c.code)
		case err != nil:
			t.Errorf("%s: got %v, want none", c.name, err)
		default:
			p := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "ada"))
			if p.BioClaims.CapabilityStatement != r.Claims.CapabilityStatement || len([]rune(r.Claims.CapabilityStatement)) > 280 {
				t.Errorf("%s: got %q back, want %q", c.name, p.BioClaims.CapabilityStatement, r.Claims.CapabilityStatement)
			}
		}
	}
}

func TestClaimsRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "sus")
	f.admit("acme", netkit.Credit)
	f.suspend("sus")
	f.Unchanged(t, func() {
		for _, c := range []struct {
			by   string
			in   netkit.Claims
			kind error
			code string
		}{
			{"ada", netkit.Claims{Niche: 7}, netkit.ErrInvalid, "niche_unknown"},
			{"ada", netkit.Claims{PreferredLLMProvider: "Acme AI"}, netkit.ErrInvalid, "provider_malformed"},
			{"ada", netkit.Claims{AttentionFloorPrice: -1}, netkit.ErrInvalid, "amount_negative"},
			{"ada", netkit.Claims{AttentionFloorPrice: netkit.MaxAmount + 1}, netkit.ErrInvalid, "amount_too_large"},
			{"acme", netkit.Claims{}, netkit.ErrForbidden, "agents_only"},
			{"operator", netkit.Claims{}, netkit.ErrForbidden, "agents_only"},
			{"sus", netkit.Claims{}, netkit.ErrForbidden, "agent_suspended"},
			{"nobody", netkit.Claims{}, netkit.ErrUnauthenticated, "unauthenticated"},
			{"", netkit.Claims{}, netkit.ErrUnauthenticated, "unauthenticated"},
		} {
			_, err := f.As(c.by).SetClaims(t.Context(), c.in)
			refused(t, err, c.kind, c.code)
		}
	})
}

// suspend changes an agent's standing past every rule.
func (f *fixture) suspend(slug string) {
	f.endWatch()
	f.mu.Lock()
	defer f.mu.Unlock()
	i, _, _ := partyIn(f.state, slug)
	tablesOf(f.state).Parties.At(i).Status = netkit.Suspended
}

func TestClaimsWithTheSameKey(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	ctx := netkit.WithKey(t.Context(), "k1")
	first := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, netkit.Claims{CapabilityStatement: "e\u0301"}))
	f.Unchanged(t, func() {
		again := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, netkit.Claims{CapabilityStatement: "\u00e9"}))
		if again != first {
			t.Errorf("got %+v, want %+v", again, first)
		}
		_, err := f.As("ada").SetClaims(ctx, netkit.Claims{CapabilityStatement: "other"})
		refused(t, err, netkit.ErrInvalid, "key_reused")
	})
}

// The statement is in no public part, and gone for good once its private part
// is erased.
func TestStatementStaysPrivate(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	r := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, netkit.Claims{Niche: netkit.NicheLegal, CapabilityStatement: "Quokka."}))
	for _, e := range must[[]json.RawMessage](t)(f.Entries(ctx, 0, 0)) {
		if bytes.Contains(e, []byte("Quokka")) {
			t.Errorf("the public part %s holds the statement", e)
		}
	}
	f.erases(r.Seq)
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.open()
	p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada"))
	if p.BioClaims.Niche != netkit.NicheLegal || p.BioClaims.CapabilityStatement != "" {
		t.Errorf("got %+v, want the niche without a statement", p.BioClaims)
	}
}

// A provider's name means the same in any case.
func TestProviderInAnyCase(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	got := must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, netkit.Claims{PreferredLLMProvider: "OpenAI"}))
	if p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")); p.BioClaims.PreferredLLMProvider != "openai" || got.Claims.PreferredLLMProvider != "openai" {
		t.Errorf("got %q and %q, want openai", p.BioClaims.PreferredLLMProvider, got.Claims.PreferredLLMProvider)
	}
	f.admit("acme", 10*netkit.Credit)
	ct := must[netkit.ContractReceipt](t)(f.op().OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon, Budget: 2 * netkit.Credit,
		Matching: netkit.Matching{LLMProviders: []string{"OPENAI"}}}))
	must[netkit.Execution](t)(f.As("ada").Execute(ctx, netkit.Execute{CampaignID: ct.CampaignID, Signal: signal}))
}

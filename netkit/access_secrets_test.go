package netkit

import (
	"errors"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// What was taken away stays away when texts are erased and the journal is
// replayed: a token that was revoked, a webhook that was removed.
func TestErasingBringsNoSecretBack(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	kept := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}})
	gone := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}})
	over := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}, ExpiresAt: At(f.now) + hour})
	must[WebhookReceipt](t)(f.As("ada").SetWebhook(ctx, SetWebhook{URL: "https://example.org/"}))
	revoked := must[TokenReceipt](t)(f.As("ada").RevokeToken(WithKey(ctx, "k1"), RevokeToken{TokenID: gone.TokenID}))
	removed := must[WebhookReceipt](t)(f.As("ada").SetWebhook(WithKey(ctx, "k2"), SetWebhook{}))
	f.passes(time.Hour)
	for _, seq := range []uint64{revoked.Seq, removed.Seq, over.Seq} {
		f.erases(seq)
	}
	state := string(f.state.canonical())
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.Network = must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now, IgnoreSnapshot: true}))
	if got := string(f.state.canonical()); got != state {
		t.Errorf("got state\n%s, want\n%s", got, state)
	}
	must[*Principal](t)(f.Authenticate(kept.Token))
	for _, r := range []TokenReceipt{gone, over} {
		if _, err := f.Authenticate(r.Token); !errors.Is(err, ErrUnauthenticated) {
			t.Errorf("got %v for a token whose text is gone, want it refused", err)
		}
	}
	if url, ok := f.secrets.Hooks.Get("ada"); ok {
		t.Errorf("got webhook %v back", url)
	}
	if infos := must[[]TokenInfo](t)(f.As("ada").Tokens(ctx)); len(infos) != 2 {
		t.Errorf("got %d tokens, want the first and the kept one", len(infos))
	}
}

// A hash that is taken stays with its first owner, even past the check.
func TestTokenHashStaysWithItsOwner(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "eve")
	r := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}})
	p := must[*Principal](t)(f.Authenticate(r.Token))
	token := must[Token](t)(ParseToken(r.Token))
	x := f.secrets
	text := tokenText(token.SHA256(), []Scope{ScopeAll}, 0)
	x.grant("eve", &Entry{Seq: 99}, &private{text: text})
	if again := must[*Principal](t)(f.Authenticate(r.Token)); again.Slug != p.Slug || again.Token != p.Token {
		t.Errorf("got a token of %s, want one of ada", again.Slug)
	}
}

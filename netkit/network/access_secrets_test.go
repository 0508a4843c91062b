package network

import (
	"errors"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// What was taken away stays away when texts are erased and the journal is
// replayed: a token that was revoked, a webhook that was removed.
func TestErasingBringsNoSecretBack(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	kept := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}})
	gone := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}})
	over := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: netkit.At(f.now) + netkit.Hour})
	must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(ctx, netkit.SetWebhook{URL: "https://example.org/"}))
	revoked := must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(netkit.WithKey(ctx, "k1"), netkit.RevokeToken{TokenID: gone.TokenID}))
	removed := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(netkit.WithKey(ctx, "k2"), netkit.SetWebhook{}))
	f.passes(time.Hour)
	for _, seq := range []uint64{revoked.Seq, removed.Seq, over.Seq} {
		f.erases(seq)
	}
	state := string(f.state.Canonical())
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.Network = must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now, IgnoreSnapshot: true}))
	if got := string(f.state.Canonical()); got != state {
		t.Errorf("got state\n%s, want\n%s", got, state)
	}
	must[*netkit.Principal](t)(f.Authenticate(kept.Token))
	for _, r := range []netkit.TokenReceipt{gone, over} {
		if _, err := f.Authenticate(r.Token); !errors.Is(err, netkit.ErrUnauthenticated) {
			t.Errorf("got %v for a token whose text is gone, want it refused", err)
		}
	}
	if url, ok := f.secrets.Hooks.Get("ada"); ok {
		t.Errorf("got webhook %v back", url)
	}
	if infos := must[[]netkit.TokenInfo](t)(f.As("ada").Tokens(ctx)); len(infos) != 2 {
		t.Errorf("got %d tokens, want the first and the kept one", len(infos))
	}
}

// A hash that is taken stays with its first owner, even past the check.
func TestTokenHashStaysWithItsOwner(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "eve")
	r := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}})
	p := must[*netkit.Principal](t)(f.Authenticate(r.Token))
	token := must[netkit.Token](t)(netkit.ParseToken(r.Token))
	x := f.secrets
	text := tokenText(token.SHA256(), []netkit.Scope{netkit.ScopeAll}, 0)
	x.Grant("eve", &rules.Entry{Seq: 99}, &rules.Private{Text: text})
	if again := must[*netkit.Principal](t)(f.Authenticate(r.Token)); again.Slug != p.Slug || again.Token != p.Token {
		t.Errorf("got a token of %s, want one of ada", again.Slug)
	}
}

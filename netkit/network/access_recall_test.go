package network

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// A token that was recognised before is refused as soon as it is revoked, while
// other requests are recognised side by side.
func TestRememberedTokensAreForgotten(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("bob")
	ctx := t.Context()
	ada := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	known := func(token string, want bool) {
		t.Helper()
		for range 2 { // from the state, then from memory
			if _, err := f.Authenticate(token); (err == nil) != want || err != nil && !errors.Is(err, netkit.ErrUnauthenticated) {
				t.Errorf("the token: %v, want known: %v", err, want)
			}
		}
	}
	known(ada.Token, true)
	p := must[*netkit.Principal](t)(f.Authenticate(ada.Token))
	p.Slug, p.Scopes[0] = "bob", netkit.ScopeAdmin
	if again := must[*netkit.Principal](t)(f.Authenticate(ada.Token)); again.Slug != "ada" || again.Scopes[0] != netkit.ScopeAll {
		t.Errorf("got %+v after a caller changed the last answer, want ada with all scopes", again)
	}
	for range 50 {
		issued := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}})
		var asking sync.WaitGroup
		for range 4 {
			asking.Go(func() {
				for range 50 {
					_, _ = f.Authenticate(issued.Token)
				}
			})
		}
		must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: issued.TokenID}))
		known(issued.Token, false)
		asking.Wait()
		known(issued.Token, false)
	}
	known(ada.Token, true)
	if full := f.tokens.full(maxTokens); len(full) > 2 {
		t.Errorf("a full memory holds %d tokens after the next, want to start over", len(full))
	}
}

// full fills the memory, keeps one more and returns its content.
func (m *tokenMemory) full(n int) map[[32]byte]netkit.Principal {
	for i := range n + 1 {
		m.keep([32]byte{byte(i), byte(i >> 8), byte(i >> 16)}, netkit.Principal{})
	}
	return m.known
}

// A token is recognised as soon as its entry is decided, and no more when that
// entry was lost.
func TestTokensOfALostBatchAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		token := netkit.Token{7}
		hash := netkit.Hash(token.SHA256())
		var f *fixture
		meanwhile := errors.New("not asked")
		f = start(t, &journaltest.Faulty{Store: journal.NewMemory(), Hook: func(n int, _ journal.Head, _ journal.Batch) journaltest.Fault {
			if n != 1 {
				return journaltest.Fault{}
			}
			_, meanwhile = f.Authenticate(token.String())
			return journaltest.Fault{Err: journal.ErrFull}
		}})
		defer f.closes()
		_, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada", TokenSHA256: &hash})
		if !errors.Is(err, netkit.ErrUnavailable) || meanwhile != nil {
			t.Errorf("got %v and meanwhile %v, want unavailable and a token that is known", err, meanwhile)
		}
		if _, err := f.Authenticate(token.String()); !errors.Is(err, netkit.ErrUnauthenticated) {
			t.Errorf("got %v, want the token of a lost entry refused", err)
		}
	})
}

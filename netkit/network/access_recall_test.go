package network

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

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
	for i := range 50 {
		in := netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}
		if i%2 == 0 {
			in.ExpiresAt = netkit.At(f.now) + netkit.Hour
		}
		issued := f.issue(t, as("ada"), in)
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

// A token that expires is recognised while the writer decides a batch, as long as it was
// recognised before, and refused from the moment at which it expires.
func TestRememberedTokensExpire(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	ends := netkit.At(f.now) + netkit.Hour
	token := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: ends}).Token
	must[*netkit.Principal](t)(f.Authenticate(token))
	f.now = ends.Time().Add(-time.Millisecond)
	f.mu.Lock() // as the writer does
	p, known := f.tokens.recall(must[netkit.Token](t)(netkit.ParseToken(token)).SHA256(), f.clock)
	f.mu.Unlock()
	if !known || p.Slug != "ada" || p.Expires != ends {
		t.Errorf("got %+v, %v a millisecond before the token expires, want the token of ada", p, known)
	}
	f.now = ends.Time()
	if _, err := f.Authenticate(token); !errors.Is(err, netkit.ErrUnauthenticated) {
		t.Errorf("got %v for a token that has expired, want unauthenticated", err)
	}
}

// A node whose clock is behind refuses a token once it has an entry from after its end.
func TestRememberedTokensExpireByEntries(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	ends := netkit.At(f.now) + netkit.Hour
	token := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: ends}).Token
	behind := must[*Network](t)(New(t.Context(), Config{Store: f.store, Now: func() time.Time { return dawn }, Wait: -1, Follow: true}))
	defer behind.Close(t.Context())
	must[*netkit.Principal](t)(behind.Authenticate(token))
	f.now = ends.Time()
	must[netkit.Deposited](t)(f.op().Deposit(t.Context(), netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire 2"}))
	must[*netkit.Principal](t)(behind.Authenticate(token))
	must[uint64](t)(behind.CatchUp(t.Context()))
	if _, err := behind.Authenticate(token); !errors.Is(err, netkit.ErrUnauthenticated) {
		t.Errorf("got %v for a token that expired before the newest entry, want unauthenticated", err)
	}
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

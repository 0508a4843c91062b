package network

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// with returns the caller that a token stands for.
func (f *fixture) with(t testing.TB, token string) netkit.Caller {
	t.Helper()
	p := must[*netkit.Principal](t)(f.Authenticate(token))
	return netkit.Caller{Slug: p.Slug, Token: p.Token}
}

func (f *fixture) issue(t testing.TB, by netkit.Caller, in netkit.IssueToken) netkit.TokenReceipt {
	t.Helper()
	return must[netkit.TokenReceipt](t)(f.For(by).IssueToken(t.Context(), in))
}

func TestTokenIssuedListedRevoked(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	spawned := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	ends := netkit.At(f.now.Add(time.Hour))
	r := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead, netkit.ScopeFeed}, ExpiresAt: ends, SpendCap: atMost(20 * netkit.Credit)})
	p := must[*netkit.Principal](t)(f.Authenticate(r.Token))
	if p.Slug != "ada" || p.Token != r.TokenID || !p.Allows(netkit.ScopeFeed) || p.Allows(netkit.ScopeIntent) || p.Expires != ends {
		t.Errorf("got %+v, want ada's token for read and feed", p)
	}
	want := []netkit.TokenInfo{{TokenID: spawned.Seq, Scopes: []netkit.Scope{netkit.ScopeAll}},
		{TokenID: r.TokenID, Scopes: []netkit.Scope{netkit.ScopeRead, netkit.ScopeFeed}, ExpiresAt: ends, SpendCap: atMost(20 * netkit.Credit)}}
	if diff := cmp.Diff(want, must[[]netkit.TokenInfo](t)(f.As("ada").Tokens(ctx))); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	f.restarts(t)
	must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: r.TokenID}))
	if _, err := f.Authenticate(r.Token); !errors.Is(err, netkit.ErrUnauthenticated) {
		t.Errorf("got %v, want a revoked token refused", err)
	}
	if diff := cmp.Diff(want[:1], must[[]netkit.TokenInfo](t)(f.As("ada").Tokens(ctx))); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	_, err := f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: r.TokenID})
	refused(t, err, netkit.ErrNotFound, "token_unknown")
	f.restarts(t)
	must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: spawned.Seq}))
	if _, err := f.Authenticate(spawned.Token); !errors.Is(err, netkit.ErrUnauthenticated) {
		t.Errorf("got %v, want the first token revoked too", err)
	}
	f.restarts(t)
}

func TestTokenExpires(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	r := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: netkit.At(f.now.Add(time.Hour))})
	f.now = f.now.Add(time.Hour - time.Millisecond)
	must[*netkit.Principal](t)(f.Authenticate(r.Token))
	f.now = f.now.Add(time.Millisecond)
	_, err := f.Authenticate(r.Token)
	refused(t, err, netkit.ErrUnauthenticated, "token_unknown")
}

// No token makes a broader one, by whatever way.
func TestTokenNeverIssuesABroaderOne(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	soon := netkit.At(f.now.Add(time.Hour))
	narrow := f.with(t, f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeSelf, netkit.ScopeRead}}).Token)
	brief := f.with(t, f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}, ExpiresAt: soon}).Token)
	capped := f.with(t, f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}, SpendCap: atMost(netkit.Credit)}).Token)
	admin := f.with(t, f.issue(t, as("operator"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAdmin, netkit.ScopeSelf}}).Token)
	for _, c := range []struct {
		name string
		by   netkit.Caller
		in   netkit.IssueToken
		code string
	}{
		{"all of some", narrow, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}}, "scope_broader"},
		{"one more", narrow, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeSelf, netkit.ScopeIntent}}, "scope_broader"},
		{"for ever", brief, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}, "expiry_later"},
		{"longer", brief, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: soon + 1}, "expiry_later"},
		{"without cap", capped, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}, "token_capped"},
		{"with the same cap", capped, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, SpendCap: atMost(netkit.Credit)}, "token_capped"},
		{"administration", as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAdmin}}, "scope_operator"},
		{"plants", as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopePlants}}, "scope_operator"},
		{"an operator's all", admin, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}}, "scope_broader"},
		{"another operator's all", admin, netkit.IssueToken{For: "operator", Scopes: []netkit.Scope{netkit.ScopeAll}}, "scope_broader"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.Unchanged(t, func() {
				_, err := f.For(c.by).IssueToken(t.Context(), c.in)
				refused(t, err, netkit.ErrForbidden, c.code)
			})
		})
	}
	_, err := f.For(admin).AddOperator(t.Context(), netkit.AddOperator{Slug: "second"})
	refused(t, err, netkit.ErrForbidden, "scope_broader")
	f.issue(t, narrow, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}})
	f.issue(t, brief, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}, ExpiresAt: soon})
}

// A token that was revoked in the meantime is not a caller without a token.
func TestRevokedTokenIssuesNothing(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	by := f.with(t, f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeSelf}}).Token)
	must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(t.Context(), netkit.RevokeToken{TokenID: by.Token}))
	f.Unchanged(t, func() {
		_, err := f.For(by).IssueToken(t.Context(), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}})
		refused(t, err, netkit.ErrUnauthenticated, "token_unknown")
		_, err = f.For(by).SetChannels(t.Context(), netkit.SetChannels{})
		refused(t, err, netkit.ErrUnauthenticated, "token_unknown")
	})
}

func TestTokenForAnother(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	for _, c := range []struct {
		by   netkit.Caller
		in   netkit.IssueToken
		kind error
		code string
	}{
		{as("acme"), netkit.IssueToken{For: "ada", Scopes: []netkit.Scope{netkit.ScopeRead}}, netkit.ErrForbidden, "operators_only"},
		{as("operator"), netkit.IssueToken{For: "ada", Scopes: []netkit.Scope{netkit.ScopeRead}}, netkit.ErrForbidden, "agent_token"},
		{as("operator"), netkit.IssueToken{For: "ada", Scopes: []netkit.Scope{netkit.ScopePlants, netkit.ScopeReview}}, netkit.ErrForbidden, "agent_token"},
		{as("operator"), netkit.IssueToken{For: "nobody", Scopes: []netkit.Scope{netkit.ScopeRead}}, netkit.ErrNotFound, "party_unknown"},
	} {
		_, err := f.For(c.by).IssueToken(t.Context(), c.in)
		refused(t, err, c.kind, c.code)
	}
	for _, in := range []netkit.IssueToken{{For: "acme", Scopes: []netkit.Scope{netkit.ScopeMarket}}, {For: "ada", Scopes: []netkit.Scope{netkit.ScopePlants}}} {
		if by := f.with(t, f.issue(t, as("operator"), in).Token); by.Slug != in.For {
			t.Errorf("got a token of %s, want one of %s", by.Slug, in.For)
		}
	}
	if infos := must[[]netkit.TokenInfo](t)(f.As("ada").Tokens(t.Context())); len(infos) != 2 {
		t.Errorf("got %d tokens of ada, want 2", len(infos))
	}
}

func TestTokenRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	known := netkit.Token{1}.SHA256() // the operator's
	for _, c := range []struct {
		in   netkit.IssueToken
		kind error
		code string
	}{
		{netkit.IssueToken{}, netkit.ErrInvalid, "scopes_missing"},
		{netkit.IssueToken{Scopes: []netkit.Scope{"everything"}}, netkit.ErrInvalid, "scope_unknown"},
		{netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead, netkit.ScopeRead}}, netkit.ErrInvalid, "scope_twice"},
		{netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: netkit.At(f.now)}, netkit.ErrInvalid, "time_past"},
		{netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, SpendCap: atMost(-1)}, netkit.ErrInvalid, "amount_negative"},
		{netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, TokenSHA256: &known}, netkit.ErrConflict, "token_known"},
	} {
		f.Unchanged(t, func() {
			_, err := f.As("ada").IssueToken(t.Context(), c.in)
			refused(t, err, c.kind, c.code)
		})
	}
	f.agents("bob")
	id := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}).TokenID
	_, err := f.As("bob").RevokeToken(t.Context(), netkit.RevokeToken{TokenID: id})
	refused(t, err, netkit.ErrNotFound, "token_unknown")
	must[netkit.TokenReceipt](t)(f.op().RevokeToken(t.Context(), netkit.RevokeToken{TokenID: id, Reason: "lost"}))
}

func TestTokensAreAHundredAtMost(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	in := netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}
	var last netkit.TokenReceipt
	for range 100 {
		last = f.issue(t, as("ada"), in)
	}
	_, err := f.As("ada").IssueToken(t.Context(), in)
	refused(t, err, netkit.ErrConflict, "too_many_tokens")
	must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(t.Context(), netkit.RevokeToken{TokenID: last.TokenID}))
	f.issue(t, as("ada"), in)
	f.restarts(t)
}

// A token is shown once; a retry gives the receipt without it.
func TestTokenIsShownOnce(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	ask := func() netkit.TokenReceipt {
		return must[netkit.TokenReceipt](t)(f.As("ada").IssueToken(netkit.WithKey(ctx, "k"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}))
	}
	first, again := ask(), ask()
	if first.Token == "" || again.Token != "" || again.TokenID != first.TokenID {
		t.Errorf("got %+v, then %+v, want the token the first time only", first, again)
	}
	op := must[netkit.OperatorReceipt](t)(f.op().AddOperator(netkit.WithKey(ctx, "k"), netkit.AddOperator{Slug: "second"}))
	op2 := must[netkit.OperatorReceipt](t)(f.op().AddOperator(netkit.WithKey(ctx, "k"), netkit.AddOperator{Slug: "second"}))
	if op.Token == "" || op2.Token != "" || op2.Seq != op.Seq {
		t.Errorf("got %+v, then %+v, want the token the first time only", op, op2)
	}
}

// A caller that made its own token may lose the receipt and ask again, without
// any key.
func TestTokenOfTheCallerIsRetried(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob")
	hash := netkit.Token{9}.SHA256()
	in := netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, TokenSHA256: &hash}
	first := f.issue(t, as("ada"), in)
	f.Unchanged(t, func() {
		if again := f.issue(t, as("ada"), in); !cmp.Equal(again, first) {
			t.Errorf("got %+v, want %+v", again, first)
		}
		_, err := f.As("bob").IssueToken(ctx, in)
		refused(t, err, netkit.ErrConflict, "token_known")
		in.Scopes = []netkit.Scope{netkit.ScopeAll}
		_, err = f.As("ada").IssueToken(ctx, in)
		refused(t, err, netkit.ErrConflict, "token_known")
		_, err = f.As("").Spawn(ctx, netkit.Spawn{Slug: "eve", TokenSHA256: &hash})
		refused(t, err, netkit.ErrConflict, "token_known")
		_, err = f.op().AddOperator(ctx, netkit.AddOperator{Slug: "eve", TokenSHA256: &hash})
		refused(t, err, netkit.ErrConflict, "token_known")
	})
	if first.Token != "" || f.with(t, netkit.Token{9}.String()).Slug != "ada" {
		t.Errorf("got %+v, want a token that only its maker knows", first)
	}
	own := netkit.Token{8}.SHA256()
	op := must[netkit.OperatorReceipt](t)(f.op().AddOperator(ctx, netkit.AddOperator{Slug: "second", TokenSHA256: &own}))
	f.Unchanged(t, func() {
		if again := must[netkit.OperatorReceipt](t)(f.op().AddOperator(ctx, netkit.AddOperator{Slug: "second", TokenSHA256: &own})); again != op {
			t.Errorf("got %+v, want %+v", again, op)
		}
	})
}

// The spend cap holds for what a token pays, and refusing leaves it as it was.
func TestTokenSpendCap(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.admit("acme", 100*netkit.Credit)
	by := f.with(t, f.issue(t, as("operator"), netkit.IssueToken{For: "acme", Scopes: []netkit.Scope{netkit.ScopeMarket}, SpendCap: atMost(10 * netkit.Credit)}).Token)
	open := func(budget netkit.Credits) error {
		_, err := f.For(by).OpenContract(ctx, netkit.OpenContract{Title: "t", Brief: "b", Channel: netkit.NicheLegal, Budget: budget})
		return err
	}
	if err := open(6 * netkit.Credit); err != nil {
		t.Fatal(err)
	}
	f.Unchanged(t, func() { refused(t, open(5*netkit.Credit), netkit.ErrForbidden, "spend_cap") })
	f.restarts(t)
	if err := open(4 * netkit.Credit); err != nil {
		t.Error(err)
	}
	infos := must[[]netkit.TokenInfo](t)(f.As("acme").Tokens(ctx))
	if got := infos[len(infos)-1].Spent; got != 10*netkit.Credit {
		t.Errorf("got %s spent, want 10.00", got)
	}
	must[netkit.TokenReceipt](t)(f.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: by.Token, Reason: "lost"}))
	refused(t, open(2*netkit.Credit), netkit.ErrUnauthenticated, "token_unknown")
}

// What acts in an operator's name is in that operator's hands alone (L6).
func TestNoTokenForAnotherOperator(t *testing.T) {
	f := start(t, journal.NewMemory())
	must[netkit.OperatorReceipt](t)(f.op().AddOperator(t.Context(), netkit.AddOperator{Slug: "second"}))
	var r *netkit.Refusal
	if _, err := f.op().IssueToken(t.Context(), netkit.IssueToken{For: "second", Scopes: []netkit.Scope{netkit.ScopeAdmin}}); !errors.As(err, &r) || r.Code != "operator_token" {
		t.Errorf("got %v, want operator_token", err)
	}
}

// What a caller does to a list of tokens changes no token.
func TestListedScopesAreACopy(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	must[netkit.TokenReceipt](t)(f.As("ada").IssueToken(t.Context(), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}))
	must[[]netkit.TokenInfo](t)(f.As("ada").Tokens(t.Context()))[1].Scopes[0] = netkit.ScopeAll
	if got := must[[]netkit.TokenInfo](t)(f.As("ada").Tokens(t.Context()))[1].Scopes[0]; got != netkit.ScopeRead {
		t.Errorf("got scope %s, want read", got)
	}
}

// The entry that ends another party's token says why (L6); its holder needs no
// reason, and networks of before ask for none.
func TestOperatorStatesWhyItRevokesAToken(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *netkit.Constitution) { c.Limits.TokenRevocationReason = true })
	ctx := t.Context()
	f.agents("ada")
	id := func() uint64 {
		return f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}).TokenID
	}
	first := id()
	f.Unchanged(t, func() {
		_, err := f.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: first})
		refused(t, err, netkit.ErrInvalid, "reason_missing")
		_, err = f.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: first, Reason: strings.Repeat("x", 281)})
		refused(t, err, netkit.ErrInvalid, "text_too_long")
	})
	r := must[netkit.TokenReceipt](t)(f.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: first, Reason: "it leaked"}))
	if e := must[*rules.Entry](t)(f.Entry(ctx, r.Seq)); e.Fact.(*rules.TokenRevoked).Reason != "it leaked" {
		t.Errorf("got %+v, want the reason in the entry", e.Fact)
	}
	must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: id()}))
	must[netkit.TokenReceipt](t)(f.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: f.issue(t, as("operator"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}).TokenID}))
	f.restarts(t)

	before := start(t, journal.NewMemory())
	before.agents("ada")
	must[netkit.TokenReceipt](t)(before.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: before.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}}).TokenID}))
	before.restarts(t)
}

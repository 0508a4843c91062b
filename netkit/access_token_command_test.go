package netkit

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

// with returns the caller that a token stands for.
func (f *fixture) with(t testing.TB, token string) Caller {
	t.Helper()
	p := must[*Principal](t)(f.Authenticate(token))
	return Caller{Slug: p.Slug, Token: p.Token}
}

func (f *fixture) issue(t testing.TB, by Caller, in IssueToken) TokenReceipt {
	t.Helper()
	return must[TokenReceipt](t)(f.For(by).IssueToken(t.Context(), in))
}

func TestTokenIssuedListedRevoked(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	spawned := must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "ada"}))
	ends := At(f.now.Add(time.Hour))
	r := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead, ScopeFeed}, ExpiresAt: ends, SpendCap: atMost(20 * Credit)})
	p := must[*Principal](t)(f.Authenticate(r.Token))
	if p.Slug != "ada" || p.Token != r.TokenID || !p.Allows(ScopeFeed) || p.Allows(ScopeIntent) || p.Expires != ends {
		t.Errorf("got %+v, want ada's token for read and feed", p)
	}
	want := []TokenInfo{{TokenID: spawned.Seq, Scopes: []Scope{ScopeAll}},
		{TokenID: r.TokenID, Scopes: []Scope{ScopeRead, ScopeFeed}, ExpiresAt: ends, SpendCap: atMost(20 * Credit)}}
	if diff := cmp.Diff(want, must[[]TokenInfo](t)(f.As("ada").Tokens(ctx))); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	f.restarts(t)
	must[TokenReceipt](t)(f.As("ada").RevokeToken(ctx, RevokeToken{TokenID: r.TokenID}))
	if _, err := f.Authenticate(r.Token); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("got %v, want a revoked token refused", err)
	}
	if diff := cmp.Diff(want[:1], must[[]TokenInfo](t)(f.As("ada").Tokens(ctx))); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	_, err := f.As("ada").RevokeToken(ctx, RevokeToken{TokenID: r.TokenID})
	refused(t, err, ErrNotFound, "token_unknown")
	f.restarts(t)
	must[TokenReceipt](t)(f.As("ada").RevokeToken(ctx, RevokeToken{TokenID: spawned.Seq}))
	if _, err := f.Authenticate(spawned.Token); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("got %v, want the first token revoked too", err)
	}
	f.restarts(t)
}

func TestTokenExpires(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	r := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}, ExpiresAt: At(f.now.Add(time.Hour))})
	f.now = f.now.Add(time.Hour - time.Millisecond)
	must[*Principal](t)(f.Authenticate(r.Token))
	f.now = f.now.Add(time.Millisecond)
	_, err := f.Authenticate(r.Token)
	refused(t, err, ErrUnauthenticated, "token_unknown")
}

// No token makes a broader one, by whatever way.
func TestTokenNeverIssuesABroaderOne(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	soon := At(f.now.Add(time.Hour))
	narrow := f.with(t, f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeSelf, ScopeRead}}).Token)
	brief := f.with(t, f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeAll}, ExpiresAt: soon}).Token)
	capped := f.with(t, f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeAll}, SpendCap: atMost(Credit)}).Token)
	admin := f.with(t, f.issue(t, as("operator"), IssueToken{Scopes: []Scope{ScopeAdmin, ScopeSelf}}).Token)
	for _, c := range []struct {
		name string
		by   Caller
		in   IssueToken
		code string
	}{
		{"all of some", narrow, IssueToken{Scopes: []Scope{ScopeAll}}, "scope_broader"},
		{"one more", narrow, IssueToken{Scopes: []Scope{ScopeSelf, ScopeIntent}}, "scope_broader"},
		{"for ever", brief, IssueToken{Scopes: []Scope{ScopeRead}}, "expiry_later"},
		{"longer", brief, IssueToken{Scopes: []Scope{ScopeRead}, ExpiresAt: soon + 1}, "expiry_later"},
		{"without cap", capped, IssueToken{Scopes: []Scope{ScopeRead}}, "token_capped"},
		{"with the same cap", capped, IssueToken{Scopes: []Scope{ScopeRead}, SpendCap: atMost(Credit)}, "token_capped"},
		{"administration", as("ada"), IssueToken{Scopes: []Scope{ScopeAdmin}}, "scope_operator"},
		{"plants", as("ada"), IssueToken{Scopes: []Scope{ScopePlants}}, "scope_operator"},
		{"an operator's all", admin, IssueToken{Scopes: []Scope{ScopeAll}}, "scope_broader"},
		{"another operator's all", admin, IssueToken{For: "operator", Scopes: []Scope{ScopeAll}}, "scope_broader"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.unchanged(t, func() {
				_, err := f.For(c.by).IssueToken(t.Context(), c.in)
				refused(t, err, ErrForbidden, c.code)
			})
		})
	}
	_, err := f.For(admin).AddOperator(t.Context(), AddOperator{Slug: "second"})
	refused(t, err, ErrForbidden, "scope_broader")
	f.issue(t, narrow, IssueToken{Scopes: []Scope{ScopeRead}})
	f.issue(t, brief, IssueToken{Scopes: []Scope{ScopeAll}, ExpiresAt: soon})
}

// A token that was revoked in the meantime is not a caller without a token.
func TestRevokedTokenIssuesNothing(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	by := f.with(t, f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeSelf}}).Token)
	must[TokenReceipt](t)(f.As("ada").RevokeToken(t.Context(), RevokeToken{TokenID: by.Token}))
	f.unchanged(t, func() {
		_, err := f.For(by).IssueToken(t.Context(), IssueToken{Scopes: []Scope{ScopeAll}})
		refused(t, err, ErrUnauthenticated, "token_unknown")
		_, err = f.For(by).SetChannels(t.Context(), SetChannels{})
		refused(t, err, ErrUnauthenticated, "token_unknown")
	})
}

func TestTokenForAnother(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	f.admit("acme", Credit)
	for _, c := range []struct {
		by   Caller
		in   IssueToken
		kind error
		code string
	}{
		{as("acme"), IssueToken{For: "ada", Scopes: []Scope{ScopeRead}}, ErrForbidden, "operators_only"},
		{as("operator"), IssueToken{For: "ada", Scopes: []Scope{ScopeRead}}, ErrForbidden, "agent_token"},
		{as("operator"), IssueToken{For: "ada", Scopes: []Scope{ScopePlants, ScopeReview}}, ErrForbidden, "agent_token"},
		{as("operator"), IssueToken{For: "nobody", Scopes: []Scope{ScopeRead}}, ErrNotFound, "party_unknown"},
	} {
		_, err := f.For(c.by).IssueToken(t.Context(), c.in)
		refused(t, err, c.kind, c.code)
	}
	for _, in := range []IssueToken{{For: "acme", Scopes: []Scope{ScopeMarket}}, {For: "ada", Scopes: []Scope{ScopePlants}}} {
		if by := f.with(t, f.issue(t, as("operator"), in).Token); by.Slug != in.For {
			t.Errorf("got a token of %s, want one of %s", by.Slug, in.For)
		}
	}
	if infos := must[[]TokenInfo](t)(f.As("ada").Tokens(t.Context())); len(infos) != 2 {
		t.Errorf("got %d tokens of ada, want 2", len(infos))
	}
}

func TestTokenRefused(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	known := Token{1}.SHA256() // the operator's
	for _, c := range []struct {
		in   IssueToken
		kind error
		code string
	}{
		{IssueToken{}, ErrInvalid, "scopes_missing"},
		{IssueToken{Scopes: []Scope{"everything"}}, ErrInvalid, "scope_unknown"},
		{IssueToken{Scopes: []Scope{ScopeRead, ScopeRead}}, ErrInvalid, "scope_twice"},
		{IssueToken{Scopes: []Scope{ScopeRead}, ExpiresAt: At(f.now)}, ErrInvalid, "time_past"},
		{IssueToken{Scopes: []Scope{ScopeRead}, SpendCap: atMost(-1)}, ErrInvalid, "amount_negative"},
		{IssueToken{Scopes: []Scope{ScopeRead}, TokenSHA256: &known}, ErrConflict, "token_known"},
	} {
		f.unchanged(t, func() {
			_, err := f.As("ada").IssueToken(t.Context(), c.in)
			refused(t, err, c.kind, c.code)
		})
	}
	f.agents("bob")
	id := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}}).TokenID
	_, err := f.As("bob").RevokeToken(t.Context(), RevokeToken{TokenID: id})
	refused(t, err, ErrNotFound, "token_unknown")
	must[TokenReceipt](t)(f.op().RevokeToken(t.Context(), RevokeToken{TokenID: id, Reason: "lost"}))
}

func TestTokensAreAHundredAtMost(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada")
	in := IssueToken{Scopes: []Scope{ScopeRead}}
	var last TokenReceipt
	for range 100 {
		last = f.issue(t, as("ada"), in)
	}
	_, err := f.As("ada").IssueToken(t.Context(), in)
	refused(t, err, ErrConflict, "too_many_tokens")
	must[TokenReceipt](t)(f.As("ada").RevokeToken(t.Context(), RevokeToken{TokenID: last.TokenID}))
	f.issue(t, as("ada"), in)
	f.restarts(t)
}

// A token is shown once; a retry gives the receipt without it.
func TestTokenIsShownOnce(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada")
	ask := func() TokenReceipt {
		return must[TokenReceipt](t)(f.As("ada").IssueToken(WithKey(ctx, "k"), IssueToken{Scopes: []Scope{ScopeRead}}))
	}
	first, again := ask(), ask()
	if first.Token == "" || again.Token != "" || again.TokenID != first.TokenID {
		t.Errorf("got %+v, then %+v, want the token the first time only", first, again)
	}
	op := must[OperatorReceipt](t)(f.op().AddOperator(WithKey(ctx, "k"), AddOperator{Slug: "second"}))
	op2 := must[OperatorReceipt](t)(f.op().AddOperator(WithKey(ctx, "k"), AddOperator{Slug: "second"}))
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
	hash := Token{9}.SHA256()
	in := IssueToken{Scopes: []Scope{ScopeRead}, TokenSHA256: &hash}
	first := f.issue(t, as("ada"), in)
	f.unchanged(t, func() {
		if again := f.issue(t, as("ada"), in); !cmp.Equal(again, first) {
			t.Errorf("got %+v, want %+v", again, first)
		}
		_, err := f.As("bob").IssueToken(ctx, in)
		refused(t, err, ErrConflict, "token_known")
		in.Scopes = []Scope{ScopeAll}
		_, err = f.As("ada").IssueToken(ctx, in)
		refused(t, err, ErrConflict, "token_known")
		_, err = f.As("").Spawn(ctx, Spawn{Slug: "eve", TokenSHA256: &hash})
		refused(t, err, ErrConflict, "token_known")
		_, err = f.op().AddOperator(ctx, AddOperator{Slug: "eve", TokenSHA256: &hash})
		refused(t, err, ErrConflict, "token_known")
	})
	if first.Token != "" || f.with(t, Token{9}.String()).Slug != "ada" {
		t.Errorf("got %+v, want a token that only its maker knows", first)
	}
	own := Token{8}.SHA256()
	op := must[OperatorReceipt](t)(f.op().AddOperator(ctx, AddOperator{Slug: "second", TokenSHA256: &own}))
	f.unchanged(t, func() {
		if again := must[OperatorReceipt](t)(f.op().AddOperator(ctx, AddOperator{Slug: "second", TokenSHA256: &own})); again != op {
			t.Errorf("got %+v, want %+v", again, op)
		}
	})
}

// The spend cap holds for what a token pays, and refusing leaves it as it was.
func TestTokenSpendCap(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.admit("acme", 100*Credit)
	by := f.with(t, f.issue(t, as("operator"), IssueToken{For: "acme", Scopes: []Scope{ScopeMarket}, SpendCap: atMost(10 * Credit)}).Token)
	open := func(budget Credits) error {
		_, err := f.For(by).OpenContract(ctx, OpenContract{Title: "t", Brief: "b", Channel: NicheLegal, Budget: budget})
		return err
	}
	if err := open(6 * Credit); err != nil {
		t.Fatal(err)
	}
	f.unchanged(t, func() { refused(t, open(5*Credit), ErrForbidden, "spend_cap") })
	f.restarts(t)
	if err := open(4 * Credit); err != nil {
		t.Error(err)
	}
	infos := must[[]TokenInfo](t)(f.As("acme").Tokens(ctx))
	if got := infos[len(infos)-1].Spent; got != 10*Credit {
		t.Errorf("got %s spent, want 10.00", got)
	}
	must[TokenReceipt](t)(f.op().RevokeToken(ctx, RevokeToken{TokenID: by.Token, Reason: "lost"}))
	refused(t, open(2*Credit), ErrUnauthenticated, "token_unknown")
}

// What acts in an operator's name is in that operator's hands alone (L6).
func TestNoTokenForAnotherOperator(t *testing.T) {
	f := start(t, journal.NewMemory())
	must[OperatorReceipt](t)(f.op().AddOperator(t.Context(), AddOperator{Slug: "second"}))
	var r *Refusal
	if _, err := f.op().IssueToken(t.Context(), IssueToken{For: "second", Scopes: []Scope{ScopeAdmin}}); !errors.As(err, &r) || r.Code != "operator_token" {
		t.Errorf("got %v, want operator_token", err)
	}
}

// What a caller does to a list of tokens changes no token.
func TestListedScopesAreACopy(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	must[TokenReceipt](t)(f.As("ada").IssueToken(t.Context(), IssueToken{Scopes: []Scope{ScopeRead}}))
	must[[]TokenInfo](t)(f.As("ada").Tokens(t.Context()))[1].Scopes[0] = ScopeAll
	if got := must[[]TokenInfo](t)(f.As("ada").Tokens(t.Context()))[1].Scopes[0]; got != ScopeRead {
		t.Errorf("got scope %s, want read", got)
	}
}

// Without randomness nothing is made up, and the error says so.
func TestNoRandomness(t *testing.T) {
	_, err := NewToken(strings.NewReader("too short"))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "no randomness") {
		t.Errorf("got %v, want that there is no randomness", err)
	}
}

// The entry that ends another party's token says why (L6); its holder needs no
// reason, and networks of before ask for none.
func TestOperatorStatesWhyItRevokesAToken(t *testing.T) {
	f := start(t, journal.NewMemory(), func(c *Constitution) { c.Limits.TokenRevocationReason = true })
	ctx := t.Context()
	f.agents("ada")
	id := func() uint64 { return f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}}).TokenID }
	first := id()
	f.unchanged(t, func() {
		_, err := f.op().RevokeToken(ctx, RevokeToken{TokenID: first})
		refused(t, err, ErrInvalid, "reason_missing")
		_, err = f.op().RevokeToken(ctx, RevokeToken{TokenID: first, Reason: strings.Repeat("x", 281)})
		refused(t, err, ErrInvalid, "text_too_long")
	})
	r := must[TokenReceipt](t)(f.op().RevokeToken(ctx, RevokeToken{TokenID: first, Reason: "it leaked"}))
	if e := must[*Entry](t)(f.Entry(ctx, r.Seq)); e.Fact.(*TokenRevoked).Reason != "it leaked" {
		t.Errorf("got %+v, want the reason in the entry", e.Fact)
	}
	must[TokenReceipt](t)(f.As("ada").RevokeToken(ctx, RevokeToken{TokenID: id()}))
	must[TokenReceipt](t)(f.op().RevokeToken(ctx, RevokeToken{TokenID: f.issue(t, as("operator"), IssueToken{Scopes: []Scope{ScopeRead}}).TokenID}))
	f.restarts(t)

	before := start(t, journal.NewMemory())
	before.agents("ada")
	must[TokenReceipt](t)(before.op().RevokeToken(ctx, RevokeToken{TokenID: before.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}}).TokenID}))
	before.restarts(t)
}

package netkit

import (
	"errors"
	"strings"
	"testing"
)

// An agent whose only token an operator revoked comes in again by a token that
// the operator never sees.
func TestAgentIsRecovered(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	first := must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "ada"}))
	token := Token{33}
	in := RecoverAgent{Agent: "ada", TokenSHA256: token.SHA256(), Reason: "the wrong token was revoked"}
	f.unchanged(t, func() {
		_, err := f.op().RecoverAgent(ctx, in)
		refused(t, err, ErrConflict, "agent_has_token")
	})
	f.issue(t, as("operator"), IssueToken{For: "ada", Scopes: []Scope{ScopePlants}}) // by which it cannot act
	revoked := must[TokenReceipt](t)(f.op().RevokeToken(ctx, RevokeToken{TokenID: first.Seq, Reason: "lost"}))
	if revoked.Owner != "ada" || !revoked.Last {
		t.Errorf("got %+v, want that ada has no token left", revoked)
	}
	r := must[RecoveryReceipt](t)(f.op().RecoverAgent(ctx, in))
	f.unchanged(t, func() {
		if again := must[RecoveryReceipt](t)(f.op().RecoverAgent(ctx, in)); again != r {
			t.Errorf("again: got %+v, want %+v", again, r)
		}
	})
	f.restarts(t)
	p := must[*Principal](t)(f.Authenticate(token.String()))
	if p.Slug != "ada" || p.Token != r.TokenID || !p.Allows(ScopeSelf) {
		t.Errorf("got %+v, want ada's token", p)
	}
	e := must[*Entry](t)(f.Entry(ctx, r.Seq))
	if got, ok := e.Fact.(*AgentRecovered); !ok || e.Actor != "operator" || got.Reason != in.Reason {
		t.Errorf("got %+v by %s, want an entry with actor and reason", e.Fact, e.Actor)
	}
	if got := must[List[Notice]](t)(f.As("ada").Notices(ctx, Page{})); len(got.Items) != 1 || got.Items[0].Kind != "token.recovered" {
		t.Errorf("got %+v, want a notice", got.Items)
	}
	if got := must[TokenReceipt](t)(f.As("ada").RevokeToken(ctx, RevokeToken{TokenID: r.TokenID})); !got.Last {
		t.Errorf("got %+v, want none left", got)
	}
}

func TestRecoveryRefused(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	spawned := must[Spawned](t)(f.As("").Spawn(ctx, Spawn{Slug: "ada"}))
	f.admit("acme", Credit)
	must[TokenReceipt](t)(f.op().RevokeToken(ctx, RevokeToken{TokenID: spawned.Seq, Reason: "lost"}))
	good := RecoverAgent{Agent: "ada", TokenSHA256: Token{33}.SHA256(), Reason: "r"}
	for _, c := range []struct {
		by   Caller
		with func(*RecoverAgent)
		kind error
		code string
	}{
		{as("ada"), func(*RecoverAgent) {}, ErrForbidden, "operators_only"},
		{Caller{}, func(*RecoverAgent) {}, ErrUnauthenticated, "unauthenticated"},
		{as("operator"), func(r *RecoverAgent) { r.Agent = "acme" }, ErrNotFound, "agent_unknown"},
		{as("operator"), func(r *RecoverAgent) { r.Reason = "" }, ErrInvalid, "reason_missing"},
		{as("operator"), func(r *RecoverAgent) { r.Reason = strings.Repeat("a", 281) }, ErrInvalid, "text_too_long"},
		{as("operator"), func(r *RecoverAgent) { r.TokenSHA256 = Hash{} }, ErrInvalid, "hash_missing"},
		{as("operator"), func(r *RecoverAgent) { r.TokenSHA256 = Token{1}.SHA256() }, ErrConflict, "token_known"},
	} {
		in := good
		c.with(&in)
		f.unchanged(t, func() {
			_, err := f.For(c.by).RecoverAgent(ctx, in)
			refused(t, err, c.kind, c.code)
		})
	}
	if _, err := f.Authenticate(Token{33}.String()); !errors.Is(err, ErrUnauthenticated) {
		t.Errorf("got %v, want no token", err)
	}
}

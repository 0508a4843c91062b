package network

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// An agent whose only token an operator revoked comes in again by a token that
// the operator never sees.
func TestAgentIsRecovered(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	first := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	token := netkit.Token{33}
	in := netkit.RecoverAgent{Agent: "ada", TokenSHA256: token.SHA256(), Reason: "the wrong token was revoked"}
	f.Unchanged(t, func() {
		_, err := f.op().RecoverAgent(ctx, in)
		refused(t, err, netkit.ErrConflict, "agent_has_token")
	})
	f.issue(t, as("operator"), netkit.IssueToken{For: "ada", Scopes: []netkit.Scope{netkit.ScopePlants}}) // by which it cannot act
	revoked := must[netkit.TokenReceipt](t)(f.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: first.Seq, Reason: "lost"}))
	if revoked.Owner != "ada" || !revoked.Last {
		t.Errorf("got %+v, want that ada has no token left", revoked)
	}
	r := must[netkit.RecoveryReceipt](t)(f.op().RecoverAgent(ctx, in))
	f.Unchanged(t, func() {
		if again := must[netkit.RecoveryReceipt](t)(f.op().RecoverAgent(ctx, in)); again != r {
			t.Errorf("again: got %+v, want %+v", again, r)
		}
	})
	f.restarts(t)
	p := must[*netkit.Principal](t)(f.Authenticate(token.String()))
	if p.Slug != "ada" || p.Token != r.TokenID || !p.Allows(netkit.ScopeSelf) {
		t.Errorf("got %+v, want ada's token", p)
	}
	e := must[*rules.Entry](t)(f.Entry(ctx, r.Seq))
	if got, ok := e.Fact.(*rules.AgentRecovered); !ok || e.Actor != "operator" || got.Reason != in.Reason {
		t.Errorf("got %+v by %s, want an entry with actor and reason", e.Fact, e.Actor)
	}
	if got := must[netkit.List[netkit.Notice]](t)(f.As("ada").Notices(ctx, netkit.Page{})); len(got.Items) != 1 || got.Items[0].Kind != "token.recovered" {
		t.Errorf("got %+v, want a notice", got.Items)
	}
	if got := must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: r.TokenID})); !got.Last {
		t.Errorf("got %+v, want none left", got)
	}
}

func TestRecoveryRefused(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	spawned := must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	f.admit("acme", netkit.Credit)
	must[netkit.TokenReceipt](t)(f.op().RevokeToken(ctx, netkit.RevokeToken{TokenID: spawned.Seq, Reason: "lost"}))
	good := netkit.RecoverAgent{Agent: "ada", TokenSHA256: netkit.Token{33}.SHA256(), Reason: "r"}
	for _, c := range []struct {
		by   netkit.Caller
		with func(*netkit.RecoverAgent)
		kind error
		code string
	}{
		{as("ada"), func(*netkit.RecoverAgent) {}, netkit.ErrForbidden, "operators_only"},
		{netkit.Caller{}, func(*netkit.RecoverAgent) {}, netkit.ErrUnauthenticated, "unauthenticated"},
		{as("operator"), func(r *netkit.RecoverAgent) { r.Agent = "acme" }, netkit.ErrNotFound, "agent_unknown"},
		{as("operator"), func(r *netkit.RecoverAgent) { r.Reason = "" }, netkit.ErrInvalid, "reason_missing"},
		{as("operator"), func(r *netkit.RecoverAgent) { r.Reason = strings.Repeat("a", 281) }, netkit.ErrInvalid, "text_too_long"},
		{as("operator"), func(r *netkit.RecoverAgent) { r.TokenSHA256 = netkit.Hash{} }, netkit.ErrInvalid, "hash_missing"},
		{as("operator"), func(r *netkit.RecoverAgent) { r.TokenSHA256 = netkit.Token{1}.SHA256() }, netkit.ErrConflict, "token_known"},
	} {
		in := good
		c.with(&in)
		f.Unchanged(t, func() {
			_, err := f.For(c.by).RecoverAgent(ctx, in)
			refused(t, err, c.kind, c.code)
		})
	}
	if _, err := f.Authenticate(netkit.Token{33}.String()); !errors.Is(err, netkit.ErrUnauthenticated) {
		t.Errorf("got %v, want no token", err)
	}
}

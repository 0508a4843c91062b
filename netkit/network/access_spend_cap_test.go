package network

import (
	"encoding/json"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// atMost is a spend cap in a request.
func atMost(c netkit.Credits) *netkit.Credits { return &c }

// A cap of nothing is a cap, however it is written.
func TestSpendCapOfNothing(t *testing.T) {
	for _, text := range []string{"0", "-0", "0.000", "0e1"} {
		f := memory(t)
		f.agents("ada", "bob")
		f.takes("bob", netkit.Credit)
		in := netkit.IssueToken{}
		if err := json.Unmarshal([]byte(`{"scopes":["*"],"spend_cap":`+text+`}`), &in); err != nil {
			continue // refused: no token at all
		}
		nothing := f.with(t, f.issue(t, as("ada"), in).Token)
		f.restarts(t)
		f.Unchanged(t, func() {
			_, err := f.For(nothing).SendAttention(t.Context(), netkit.SendAttention{To: "bob", Subject: "s", Body: "b"})
			refused(t, err, netkit.ErrForbidden, "spend_cap")
			_, err = f.For(nothing).IssueToken(t.Context(), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}})
			refused(t, err, netkit.ErrForbidden, "token_capped")
		})
		must[netkit.ClaimsReceipt](t)(f.For(nothing).SetClaims(t.Context(), netkit.Claims{Niche: netkit.NicheLegal})) // costs nothing
		infos := must[[]netkit.TokenInfo](t)(f.As("ada").Tokens(t.Context()))
		if got := infos[1].SpendCap; got == nil || *got != 0 || infos[0].SpendCap != nil {
			t.Errorf("spend_cap %s: got %+v, want none and 0", text, infos)
		}
	}
}

func TestNoSpendCap(t *testing.T) {
	for _, text := range []string{`{"scopes":["*"]}`, `{"scopes":["*"],"spend_cap":null}`} {
		f := memory(t)
		f.agents("ada", "bob")
		f.takes("bob", netkit.Credit)
		in := netkit.IssueToken{}
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		free := f.with(t, f.issue(t, as("ada"), in).Token)
		must[netkit.AttentionReceipt](t)(f.For(free).SendAttention(t.Context(), netkit.SendAttention{To: "bob", Subject: "s", Body: "b"}))
	}
}

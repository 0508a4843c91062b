package netkit

import (
	"encoding/json"
	"testing"

	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// atMost is a spend cap in a request.
func atMost(c Credits) *Credits { return &c }

// A cap of nothing is a cap, however it is written.
func TestSpendCapOfNothing(t *testing.T) {
	for _, text := range []string{"0", "-0", "0.000", "0e1"} {
		f := memory(t)
		f.agents("ada", "bob")
		f.takes("bob", Credit)
		in := IssueToken{}
		if err := json.Unmarshal([]byte(`{"scopes":["*"],"spend_cap":`+text+`}`), &in); err != nil {
			continue // refused: no token at all
		}
		nothing := f.with(t, f.issue(t, as("ada"), in).Token)
		f.restarts(t)
		f.unchanged(t, func() {
			_, err := f.For(nothing).SendAttention(t.Context(), SendAttention{To: "bob", Subject: "s", Body: "b"})
			refused(t, err, ErrForbidden, "spend_cap")
			_, err = f.For(nothing).IssueToken(t.Context(), IssueToken{Scopes: []Scope{ScopeAll}})
			refused(t, err, ErrForbidden, "token_capped")
		})
		must[ClaimsReceipt](t)(f.For(nothing).SetClaims(t.Context(), Claims{Niche: NicheLegal})) // costs nothing
		infos := must[[]TokenInfo](t)(f.As("ada").Tokens(t.Context()))
		if got := infos[1].SpendCap; got == nil || *got != 0 || infos[0].SpendCap != nil {
			t.Errorf("spend_cap %s: got %+v, want none and 0", text, infos)
		}
	}
}

func TestNoSpendCap(t *testing.T) {
	for _, text := range []string{`{"scopes":["*"]}`, `{"scopes":["*"],"spend_cap":null}`} {
		f := memory(t)
		f.agents("ada", "bob")
		f.takes("bob", Credit)
		in := IssueToken{}
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatal(err)
		}
		free := f.with(t, f.issue(t, as("ada"), in).Token)
		must[AttentionReceipt](t)(f.For(free).SendAttention(t.Context(), SendAttention{To: "bob", Subject: "s", Body: "b"}))
	}
}

// Entries of before there were caps of 0 mean what they meant, byte for byte.
func TestOldFormOfSpendCaps(t *testing.T) {
	for text, want := range map[string]access.SpendCap{
		`{"scopes":["read"]}`:                   {},
		`{"scopes":["read"],"spend_cap":20.00}`: {Set: true, Max: int64(20 * Credit)},
	} {
		var got access.Grant[Scope]
		c := wire.Reader([]byte(text))
		c.Begin()
		got.Fields(&c)
		c.End()
		if err := c.Done(); err != nil || got.Limit != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got.Limit, err, want)
		}
		var back wire.Codec
		back.Begin()
		got.Fields(&back)
		back.End()
		if string(back.Bytes()) != text {
			t.Errorf("got %s, want %s", back.Bytes(), text)
		}
	}
}

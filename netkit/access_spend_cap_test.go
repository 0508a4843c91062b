package netkit

import (
	"testing"

	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

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

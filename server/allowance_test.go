package server

import (
	"context"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
)

// allowing gives a server a network with an allowance.
func allowing(t *testing.T, a netkit.Allowance) func(*Config) {
	return func(c *Config) {
		book := journal.NewMemory()
		n, err := network.New(context.Background(), network.Config{Store: book, Now: c.Now, Pause: time.Millisecond, Allowance: a,
			Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1, 2, 3}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := n.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		c.Network, c.Log = n, testLog(t, book)
	}
}

// One who spawns freely at an address may not fill the journal: neither with
// one agent, nor with many.
func TestAllowanceIsUsedUp(t *testing.T) {
	f := start(t, allowing(t, netkit.Allowance{Party: 4, Source: 7}))
	ada, bob := f.spawn("ada"), f.spawn("bob")
	second := f.token(ada, netkit.ScopeSelf).Token // counts itself
	channels := []string{`{"channels":["LEGAL"]}`, `{"channels":["MEDIA"]}`}
	for i, token := range []string{ada, second, ada} {
		f.ask("PUT", "/api/agent/channels", token, channels[i%2]).into(200, new(netkit.ChannelsReceipt))
	}
	a := f.ask("PUT", "/api/agent/channels", second, channels[1])
	if p := a.problem(429, "allowance_used"); p.RetryAfter != 12*3600 || a.Header().Get("Retry-After") != "43200" {
		t.Errorf("got %+v, want to go on at midnight UTC", p)
	}
	for i := range 3 {
		f.ask("PUT", "/api/agent/channels", bob, channels[i%2]).into(200, new(netkit.ChannelsReceipt))
	}
	f.ask("PUT", "/api/agent/channels", bob, channels[1]).problem(429, "allowance_used")
	f.now.add(12 * time.Hour)
	f.ask("PUT", "/api/agent/channels", bob, channels[1]).into(200, new(netkit.ChannelsReceipt))
}

package server

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// fakeNode is one node of several, which writes.
type fakeNode struct{ peers []journal.Peer }

func (*fakeNode) Leads() bool                 { return true }
func (*fakeNode) Writer() journal.Writer      { return journal.Writer{} }
func (*fakeNode) Lag() time.Duration          { return 0 }
func (*fakeNode) Fresh(context.Context) error { return nil }
func (*fakeNode) Self() journal.Member        { return journal.Member{Node: "me"} }
func (n *fakeNode) Peers() []journal.Peer     { return n.peers }

// Of n nodes each allows twice the n-th part of a read limit; writes have the whole one,
// which reads leave alone.
func TestEachNodeSharesTheReadLimit(t *testing.T) {
	for nodes, want := range map[int]int{1: 6, 2: 6, 3: 4, 4: 3, 5: 3, 20: 1} {
		n := &fakeNode{peers: []journal.Peer{{Member: journal.Member{Node: "silent"}}}}
		for range nodes - 1 {
			n.peers = append(n.peers, journal.Peer{Runs: true})
		}
		f := start(t, func(c *Config) {
			c.Node = n
			c.Limits = Limits{Party: Rate{3, 6}, Address: Rate{3, 6}}
		})
		for i := range want {
			a := f.ask("GET", "/api/health", f.op, nil)
			if a.Code != 200 {
				t.Errorf("%d nodes, read %d: got %d, want %d reads", nodes, i+1, a.Code, want)
			}
			if got, want := a.Header().Get("RateLimit"), `"party";r=`+strconv.Itoa(want-i-1); i == 0 && got[:len(want)] != want {
				t.Errorf("%d nodes: got %s, want %s", nodes, got, want)
			}
		}
		f.ask("GET", "/api/health", f.op, nil).problem(429, "rate_limited")
		for i := range 6 {
			a := f.ask("POST", "/api/agent/spawn", f.op, `{"slug":"agent-`+strconv.Itoa(i)+`"}`)
			if a.Code != 200 {
				t.Errorf("%d nodes, write %d: got %d", nodes, i+1, a.Code)
			}
		}
		f.ask("POST", "/api/agent/spawn", f.op, `{"slug":"one-more"}`).problem(429, "rate_limited")
		// A node that comes or goes changes the limit.
		n.peers = append(n.peers, journal.Peer{Runs: true})
		f.ask("GET", "/api/health", f.op, nil).into(200, new(netkit.Health))
	}
}

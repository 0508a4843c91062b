package replica_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/replica"
)

// idle is a network that has nothing to apply.
type idle struct{}

func (idle) CatchUp(context.Context) (uint64, error) { return 0, nil }
func (idle) Lead(context.Context) error              { return nil }
func (idle) Yield()                                  {}

// Nodes see each other in the roster: the writer first, one that was killed as silent,
// and one that ended, or was silent for an hour, not at all.
func TestNodesSeeEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := new(journaltest.Engine)
		nodes, end := map[string]*replica.Node{}, map[string]func(){}
		for _, name := range []string{"a", "b", "c"} {
			n := replica.NewNode(replica.NodeConfig{Store: node(t, e), Name: name, Address: "http://" + name, Follower: name != "c"}, idle{})
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { defer close(ended); n.Run(ctx) }()
			nodes[name], end[name] = n, func() { cancel(); <-ended }
		}
		defer func() {
			for _, end := range end {
				end()
			}
		}()
		if _, err := e.Attend(t.Context(), journal.Member{Node: "killed"}); err != nil {
			t.Fatal(err)
		}
		want := func(after time.Duration, want ...journal.Peer) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			got := nodes["a"].Peers()
			for i := range got {
				got[i].Beat = 0
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after %v (-want +got):\n%s", after, diff)
			}
		}
		b := journal.Peer{Member: journal.Member{Node: "b", Address: "http://b"}, Runs: true}
		c := journal.Peer{Member: journal.Member{Node: "c", Address: "http://c"}, Runs: true}
		killed := journal.Peer{Member: journal.Member{Node: "killed"}, Runs: true}
		want(2*time.Second, c, b, killed)
		killed.Runs = false
		want(20*time.Second, c, b, killed)
		end["b"]()
		want(2*time.Second, c, killed)
		want(time.Hour, c)
	})
}

//go:build unix

package fleet

import (
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
)

// nodeFaults take a node away and bring it back.
var nodeFaults = []struct {
	name        string
	take, bring func(v *Server)
}{
	{"kill", (*Server).Kill, (*Server).Start},
	{"pause", func(v *Server) { v.Signal(syscall.SIGSTOP) }, func(v *Server) { v.Signal(syscall.SIGCONT) }},
}

// Nodes that are killed or paused under load, one follower or two of three, lose nothing.
// The other nodes write on; where those are no majority of a cluster, the one that is
// left refuses writes with the reason and answers reads with its lag until another
// returns.
func TestNodesAreLostAndReturn(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			c := e.start(t, layout{})
			for _, fault := range nodeFaults {
				for _, lost := range []int{1, 2} {
					for first := range 2 { // the writer is one of the two, or not
						if lost == 1 && first == 0 {
							continue // the writer: see TestAKilledWriterIsReplaced
						}
						w := c.writer()
						nodes := append([]*Server{w}, c.others(w)...)
						taken, left := nodes[first:first+lost], append(nodes[:first:first], nodes[first+lost:]...)
						name := fmt.Sprintf("%s-%d-%d", fault.name, lost, first)
						refuses := lost == 2 && e.name == "cluster"
						c.loseNodes(name, taken, left, refuses, fault.take, fault.bring)
					}
				}
			}
			c.check()
		})
	}
}

// loseNodes takes nodes away and brings them back, while clients write through the others.
func (c *fleet) loseNodes(name string, taken, left []*Server, refuses bool, take, bring func(*Server)) {
	c.t.Helper()
	before := name + "-before"
	c.spawn(c.t.Context(), before, left)
	c.awaitEntry(left[0], c.lastAcked())
	stop := c.load(name, left)
	c.await(time.Now())
	for _, v := range taken {
		take(v)
	}
	if refuses {
		c.expectRefusals(left[0], name+"-refused", before)
	} else {
		c.await(time.Now())
	}
	for _, v := range taken {
		bring(v)
		c.await(time.Now())
	}
	stop()
	c.spawn(c.t.Context(), name+"-after", left)
	for _, v := range taken {
		c.readFresh(v, name+"-after")
	}
}

// expectRefusals checks that a node which is cut off from the writer acknowledges no
// write, refuses three with the reason, and reads an agent with the lag.
func (c *fleet) expectRefusals(v *Server, slug, known string) {
	c.t.Helper()
	refused := 0
	netkittest.Until(c.t, "refusals with the reason", func() bool {
		_, p, err := c.ask(c.t.Context(), v, slug)
		switch {
		case err != nil: // the connection timed out
			return false
		case p == nil:
			c.t.Fatalf("%s: a node without a majority acknowledges a write", slug)
		case p.Code == "" || p.Detail == "" || p.Next == "":
			c.t.Errorf("got %+v, want a reason and the next step", p)
		}
		if refused++; refused == 1 {
			c.t.Logf("%s: %s: %s; %s", slug, p.Code, p.Detail, p.Next)
		}
		return refused == 3
	})
	netkittest.Until(c.t, "a read with its lag", func() bool {
		status, lag, err := c.view(v, known)
		return err == nil && status == http.StatusOK && lag != ""
	})
}

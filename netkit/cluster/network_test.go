package cluster

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/replica"
)

// served is a network on a node of a simulation.
type served struct {
	*simulated
	net  *network.Network
	node *replica.Node
	end  func()
}

// serve runs a network on a node.
func (n *simulated) serve(genesis *netkit.Genesis) *served {
	t := n.sim.t
	s := &served{simulated: n}
	store, err := replica.Open(context.Background(), replica.Config{Engine: n.node, Folder: n.node.Folder()})
	if err != nil {
		t.Fatal(err)
	}
	s.net, err = network.New(context.Background(), network.Config{Store: store, Genesis: genesis, Follow: genesis == nil, Wait: -1, Pause: 50 * time.Millisecond,
		Fresh: func(ctx context.Context) error { return s.node.Fresh(ctx) }})
	if err != nil {
		t.Fatal(err)
	}
	if genesis != nil {
		if err := s.net.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		return nil
	}
	s.node = replica.NewNode(replica.NodeConfig{Store: store, Name: n.member.ID, Address: "http://" + n.member.ID, Every: 100 * time.Millisecond}, s.net)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- s.node.Run(ctx) }()
	s.end = func() {
		cancel()
		if err := errors.Join(<-over, s.net.Close(context.Background())); err != nil {
			t.Errorf("%s: %v", n.member.ID, err)
		}
	}
	return s
}

// writing waits for the one node of several that takes commands.
func writing(t *testing.T, nodes []*served) *served {
	t.Helper()
	for range 600 {
		for _, s := range nodes {
			if s.node.Leads() {
				return s
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("no node writes after 30 s")
	return nil
}

// The network follows the leader of the cluster: where that is cut off, another node
// writes soon, and of the old one's commands none is acknowledged.
func TestNetworkFollowsTheLeader(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		sim := newSimulation(t, dir, 1, 3, OneSite)
		sim.nodes[0].serve(&netkit.Genesis{Network: "cluster", Constitution: netkit.Version1(), OperatorToken: netkit.Token{1}})
		var nodes []*served
		for _, n := range sim.nodes {
			nodes = append(nodes, n.serve(nil))
		}
		spawn := func(s *served, slug string) error {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			_, err := s.net.As("").Spawn(ctx, netkit.Spawn{Slug: slug})
			return err
		}
		acknowledged := 0
		for round := range 10 {
			w := writing(t, nodes)
			var others []*served
			for _, s := range nodes {
				if s != w {
					others = append(others, s)
				}
			}
			if err := spawn(w, fmt.Sprintf("agent-%d", round)); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			acknowledged++
			for _, s := range others {
				sim.setCut(w.simulated, s.simulated, true)
				sim.setCut(s.simulated, w.simulated, true)
			}
			began := time.Now()
			next := writing(t, others)
			took := time.Since(began)
			t.Logf("round %d: another node writes after %v", round, took)
			if took > 3*time.Second {
				t.Errorf("round %d: another node writes after %v", round, took)
			}
			if err := spawn(w, fmt.Sprintf("lost-%d", round)); err == nil {
				t.Errorf("round %d: a command of the node that was cut off is acknowledged", round)
			}
			if err := spawn(next, fmt.Sprintf("next-%d", round)); err != nil {
				t.Errorf("round %d: %v", round, err)
			}
			acknowledged++
			sim.heal()
			time.Sleep(20 * time.Second)
		}
		for _, s := range nodes {
			if err := s.node.Fresh(context.Background()); err != nil {
				t.Error(err)
			}
			if got, want := s.net.Health().Entries, nodes[0].net.Health().Entries; got != want {
				t.Errorf("%s has %d entries, want %d", s.member.ID, got, want)
			}
			agents := 0
			for round := range 10 {
				for _, name := range []string{"agent", "next"} {
					if _, err := s.net.As("").Profile(context.Background(), fmt.Sprintf("%s-%d", name, round)); err == nil {
						agents++
					}
				}
			}
			if agents != acknowledged {
				t.Errorf("%s knows %d of %d agents", s.member.ID, agents, acknowledged)
			}
		}
		for _, s := range nodes {
			s.end()
			s.stop()
		}
	})
}

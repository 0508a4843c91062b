package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/raft"
)

// fault does what the seed draws.
func (s *simulation) fault() {
	a := s.nodes[s.random.IntN(len(s.nodes))]
	b := s.nodes[s.random.IntN(len(s.nodes))]
	switch k := s.random.IntN(10); {
	case k < 2 && a != b:
		s.note("nothing arrives from %s at %s", a.member.ID, b.member.ID)
		s.setCut(a, b, true)
	case k == 2:
		s.note("%s is alone", a.member.ID)
		for _, o := range s.nodes {
			if o != a {
				s.setCut(a, o, true)
				s.setCut(o, a, true)
			}
		}
	case k < 5:
		s.note("all ways are free")
		s.heal()
	case k < 7 && a.node != nil:
		s.note("%s stops", a.member.ID)
		a.stop()
	case k < 9 && a.node == nil:
		s.note("%s starts", a.member.ID)
		a.start()
	case k == 9 && a.node != nil:
		s.note("%s cuts its log: %v", a.member.ID, a.node.cutBehind(true))
	}
}

func (s *simulation) heal() {
	for _, a := range s.nodes {
		for _, b := range s.nodes {
			s.setCut(a, b, false)
		}
	}
}

// end heals everything and compares the nodes with what was acknowledged.
func (s *simulation) end(c *client) {
	s.note("the end")
	s.heal()
	for _, n := range s.nodes {
		if n.node == nil {
			n.start()
		}
	}
	for range 20 {
		before := len(c.acked)
		if s.append(c, s.nodes[0]); len(c.acked) > before {
			break
		}
		time.Sleep(time.Second)
	}
	time.Sleep(time.Minute) // a leader waits for up to 10 s between tries
	for _, n := range s.nodes {
		head, err := n.store.Head(context.Background())
		if err != nil || head != c.at {
			s.t.Errorf("%s ends at %v, %v, want %v", n.member.ID, head, err, c.at)
		}
		for r := range n.store.Read(context.Background(), 0, head.Size) {
			if acked, ok := c.acked[r.Seq]; ok && !bytes.Equal(acked, r.Public) {
				s.t.Errorf("%s has %s as entry %d, acknowledged was %s", n.member.ID, r.Public, r.Seq, acked)
			}
		}
	}
	for _, n := range s.nodes {
		n.stop()
	}
	if s.t.Failed() {
		s.t.Logf("the trace:\n%s", s.trace.String())
	}
}

// Whatever becomes of nodes and the ways between them, each acknowledged batch is in
// all folders once.
func TestFaults(t *testing.T) {
	seeds := 8
	if testing.Short() {
		seeds = 3
	}
	var acked atomic.Int64
	t.Cleanup(func() {
		if acked.Load() < int64(10*seeds) {
			t.Errorf("%d entries were acknowledged, too few to show anything", acked.Load())
		}
	})
	for seed := range seeds {
		dir := t.TempDir()
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSimulation(t, dir, uint64(seed), 3, OneSite)
				c := &client{acked: map[uint64][]byte{}}
				for range 120 {
					if n := s.nodes[s.random.IntN(len(s.nodes))]; s.random.IntN(3) > 0 && n.node != nil {
						s.append(c, n)
					} else if s.random.IntN(2) == 0 {
						s.fault()
					} else {
						time.Sleep(time.Duration(s.random.IntN(2000)) * time.Millisecond)
					}
				}
				s.end(c)
				acked.Add(int64(len(c.acked)))
			})
		})
	}
}

// A leader that the others do not answer does not confirm its head, even before it
// notices: they may follow another one by then.
func TestHeadAsksTheOthers(t *testing.T) {
	simulate(t, 3, func(t *testing.T, s *simulation, c *client) {
		s.append(c, s.nodes[0])
		for _, n := range s.nodes {
			if n.node.raft.State() != raft.Leader {
				continue
			}
			if _, err := n.node.leaderHead(context.Background(), "", nil); err != nil {
				t.Errorf("a leader that leads: %v", err)
			}
			for _, o := range s.nodes {
				if o != n {
					s.setCut(n, o, true)
					s.setCut(o, n, true)
				}
			}
			if _, err := n.node.leaderHead(context.Background(), "", nil); !errors.Is(err, errNotLeader) {
				t.Errorf("a leader that is alone: got %v, want %v", err, errNotLeader)
			}
		}
	})
}

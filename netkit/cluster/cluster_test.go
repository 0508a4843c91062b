package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// slow is a timing that a busy machine keeps.
var slow = Timing{Heartbeat: time.Second, Election: time.Second, Lease: 500 * time.Millisecond}

// patience bounds the wait for a condition.
const patience = 2 * time.Minute

// until waits for a condition.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not in %v: %s", patience, what)
		}
	}
}

// freeAddress returns a loopback address with a port that is free and that no outgoing
// connection gets.
func freeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 15000+rand.IntN(17000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// place is a node of a test: its folder, and the node while it runs.
type place struct {
	name, dir, address string
	store              *sqlite.Store
	node               *Node
	idle               bool
}

func newPlace(t testing.TB, name string) *place {
	t.Helper()
	return &place{name: name, dir: filepath.Join(t.TempDir(), name), address: freeAddress(t)}
}

func (p *place) openStore(t testing.TB) {
	t.Helper()
	var err error
	if p.store, err = sqlite.Open(t.Context(), sqlite.Config{Dir: p.dir}); err != nil {
		t.Fatal(err)
	}
}

// start opens the folder and the node.
func (p *place) start(t testing.TB) {
	t.Helper()
	p.openStore(t)
	var err error
	p.node, err = Open(t.Context(), Config{Dir: p.dir, Folder: p.store, Timing: slow, Idle: p.idle, Shared: p.readShared})
	if err != nil {
		p.store.Close()
		t.Fatal(err)
	}
	t.Cleanup(func() { p.stop(t) })
}

// stop closes the node and its folder.
func (p *place) stop(t testing.TB) {
	t.Helper()
	if p.node == nil {
		return
	}
	if err := p.node.Close(); err != nil {
		t.Errorf("closing %s: %v", p.name, err)
	}
	if err := p.store.Close(); err != nil {
		t.Errorf("closing the folder of %s: %v", p.name, err)
	}
	p.node = nil
}

// sharedFile is a file that all nodes of a test have.
const sharedFile = "shared.key"

func (p *place) readShared() (map[string][]byte, error) {
	b, err := os.ReadFile(filepath.Join(p.dir, sharedFile))
	return map[string][]byte{sharedFile: b}, err
}

func (p *place) keepShared(_ string, files map[string][]byte) error {
	return os.WriteFile(filepath.Join(p.dir, sharedFile), files[sharedFile], 0o600)
}

// begin starts the first node of a
func begin(t testing.TB, name string) *place {
	t.Helper()
	p := newPlace(t, name)
	p.openStore(t)
	if err := Init(t.Context(), p.dir, p.store, p.name, p.address); err != nil {
		t.Fatal(err)
	}
	p.store.Close()
	if err := os.WriteFile(filepath.Join(p.dir, sharedFile), []byte("the key of all nodes"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.start(t)
	return p
}

// join starts a node that joins by a token of another one.
func join(t testing.TB, by *place, name string, follower bool) *place {
	t.Helper()
	p := newPlace(t, name)
	p.join(t, by, follower)
	return p
}

func (p *place) join(t testing.TB, by *place, follower bool) {
	t.Helper()
	token, err := by.node.Invite(t.Context(), time.Hour)
	if err == nil {
		err = Join(t.Context(), Joining{Dir: p.dir, Token: token, Name: p.name, Address: p.address, Follower: follower, Keep: p.keepShared})
	}
	if err != nil {
		t.Fatal(err)
	}
	p.start(t)
	until(t, p.name+" takes part", func() bool { return by.member(t, p.name).Voter != follower && by.member(t, p.name).Place != nil })
}

// member returns a member as a node sees it.
func (p *place) member(t testing.TB, name string) Member {
	for _, m := range p.node.Status(t.Context()).Members {
		if m.Name == name {
			return m
		}
	}
	return Member{}
}

// three starts a cluster of three voters.
func three(t testing.TB) []*place {
	t.Helper()
	a := begin(t, "a")
	return []*place{a, join(t, a, "b", false), join(t, a, "c", false)}
}

// leader returns the node that leads, and the others that run.
func leader(t testing.TB, nodes []*place) (lead *place, others []*place) {
	t.Helper()
	until(t, "a node leads", func() bool {
		lead, others = nil, nil
		for _, p := range nodes {
			if p.node == nil {
				continue
			}
			if s := p.node.Status(t.Context()); s.Leader == p.name {
				if _, err := p.node.Head(t.Context()); err == nil {
					lead = p
					continue
				}
			}
			others = append(others, p)
		}
		return lead != nil
	})
	return lead, others
}

// expectAlike waits until all nodes have the same head, and compares their folders.
func expectAlike(t testing.TB, nodes ...*place) journal.Head {
	t.Helper()
	var want journal.Head
	until(t, "a leader answers", func() bool {
		var err error
		want, err = nodes[0].node.Head(t.Context())
		return err == nil
	})
	for _, p := range nodes {
		until(t, p.name+" has all entries", func() bool {
			head, err := p.store.Head(context.WithoutCancel(t.Context()))
			return err == nil && head == want
		})
		tree, err := journal.OpenTree(t.Context(), p.store, want.Size)
		first, err2 := journal.OpenTree(t.Context(), nodes[0].store, want.Size)
		if err != nil || err2 != nil || tree.Root() != first.Root() {
			t.Errorf("%s has another root than %s: %v, %v", p.name, nodes[0].name, err, err2)
		}
	}
	return want
}

// closed is an engine whose end is that of its simulation.
type closed struct{ *Node }

func (closed) Close() error { return nil }

// leads returns the node of a simulation that leads, and another one.
func (s *simulation) leads() (lead, other *Node) {
	until(s.t, "a node leads", func() bool {
		for i, n := range s.nodes {
			if n.node.raft.State() == raft.Leader {
				lead, other = n.node, s.nodes[(i+1)%len(s.nodes)].node
				return true
			}
		}
		return false
	})
	return lead, other
}

func TestEngine(t *testing.T) {
	t.Parallel()
	var other *Node
	journaltest.RunEngine(t, func(t *testing.T) journal.Engine {
		s := newSimulation(t, t.TempDir(), 0, 3, slow)
		t.Cleanup(func() {
			for _, n := range s.nodes {
				n.stop()
			}
		})
		var lead *Node
		lead, other = s.leads()
		return closed{lead}
	}, func(*testing.T, journal.Engine) journal.Engine { return closed{other} })
}

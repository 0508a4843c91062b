package cluster

import (
	"context"
	"errors"
	"fmt"
	"iter"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// simulation is a cluster in virtual time, with raft's in-memory transport. A seed
// draws its faults, and a trace names them.
type simulation struct {
	t      *testing.T
	random *mathrand.Rand
	nodes  []*simulated
	trace  strings.Builder

	start  time.Time
	timing Timing

	mu  sync.Mutex
	cut map[[2]raft.ServerAddress]bool // directions in which nothing arrives
}

// simulated is a node of a simulation.
type simulated struct {
	sim       *simulation
	dir       string
	member    *member
	store     *sqlite.Store
	transport *raft.InmemTransport
	node      *Node // nil while it is stopped; calls of other nodes read it under sim.mu
	wrap      func(Folder) Folder
	report    func(error)
}

func (s *simulation) note(format string, args ...any) {
	fmt.Fprintf(&s.trace, "%v "+format+"\n", append([]any{time.Since(s.start)}, args...)...)
}

// newSimulation makes a cluster of some nodes, which are voters from the beginning.
func newSimulation(t *testing.T, dir string, seed uint64, size int, timing Timing) *simulation {
	s := &simulation{t: t, start: time.Now(), timing: timing, random: mathrand.New(mathrand.NewPCG(seed, 25)), cut: map[[2]raft.ServerAddress]bool{}}
	var servers []raft.Server
	for i := range size {
		id := fmt.Sprintf("%c-1", 'a'+i)
		servers = append(servers, raft.Server{ID: raft.ServerID(id), Address: raft.ServerAddress(id)})
		s.nodes = append(s.nodes, &simulated{sim: s, dir: filepath.Join(dir, id), member: &member{Cluster: "sim", ID: id, Address: id}})
	}
	meta := raft.SnapshotMeta{Version: raft.SnapshotVersionMax, ID: "1-1", Index: 1, Term: 1, Configuration: raft.Configuration{Servers: servers}, ConfigurationIndex: 1}
	for _, n := range s.nodes {
		if err := os.MkdirAll(n.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		log, err := openRaftLog(filepath.Join(n.dir, raftFile), true)
		empty := state{Root: new(journal.Tree).Root()}
		if err == nil {
			err = errors.Join(log.keepSnapshot(&meta, empty.bytes()), log.SetUint64([]byte("CurrentTerm"), 1), log.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range s.nodes {
		n.start()
	}
	return s
}

// simulate runs a test with a cluster of some nodes and a client in virtual time.
func simulate(t *testing.T, size int, run func(t *testing.T, s *simulation, c *client)) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(t, dir, 1, size, OneSite)
		run(t, s, &client{acked: map[uint64][]byte{}})
		for _, n := range s.nodes {
			n.stop()
		}
	})
}

func (n *simulated) address() raft.ServerAddress { return raft.ServerAddress(n.member.ID) }

func (n *simulated) start() {
	t := n.sim.t
	var err error
	if n.store, err = sqlite.Open(context.Background(), sqlite.Config{Dir: n.dir}); err != nil {
		t.Fatal(err)
	}
	log, err := openRaftLog(filepath.Join(n.dir, raftFile), false)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Folder: n.store, Timing: n.sim.timing, Report: n.report}
	if n.wrap != nil {
		cfg.Folder = n.wrap(n.store)
	}
	node := newNode(cfg, n.member, log)
	node.caller = simulatedCaller{n}
	_, n.transport = raft.NewInmemTransportWithTimeout(n.address(), time.Second)
	if err := node.start(context.Background(), cfg, n.transport); err != nil {
		t.Fatalf("%v\n%s", err, n.sim.trace.String())
	}
	n.setNode(node)
}

// setNode connects or disconnects a node. Only the goroutine of the test calls it.
func (n *simulated) setNode(node *Node) {
	n.sim.mu.Lock()
	n.node = node
	n.sim.mu.Unlock()
	n.sim.connect()
}

// stop ends a node as a crash does, but for its files, which are whole.
func (n *simulated) stop() {
	n.transport.DisconnectAll()
	node := n.node
	n.setNode(nil)
	_ = node.raft.Shutdown().Error()
	if err := errors.Join(node.Close(), n.store.Close()); err != nil {
		n.sim.t.Errorf("%v\n%s", err, n.sim.trace.String())
	}
}

// connect makes the transports as the cuts are.
func (s *simulation) connect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.nodes {
		if a.node == nil {
			continue
		}
		for _, b := range s.nodes {
			if a == b {
				continue
			}
			if b.node == nil || s.cut[[2]raft.ServerAddress{a.address(), b.address()}] {
				a.transport.Disconnect(b.address())
			} else {
				a.transport.Connect(b.address(), b.transport)
			}
		}
	}
}

// setCut cuts or heals the way from one node to another.
func (s *simulation) setCut(a, b *simulated, cut bool) {
	s.mu.Lock()
	s.cut[[2]raft.ServerAddress{a.address(), b.address()}] = cut
	s.mu.Unlock()
	s.connect()
}

// simulatedCaller is the way from a node to the others.
type simulatedCaller struct{ from *simulated }

// reach returns the node at an address, if a call arrives there.
func (c simulatedCaller) reach(to raft.ServerAddress) (*Node, error) {
	s := c.from.sim
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.nodes {
		switch {
		case n.address() != to || n.node == nil:
		case s.cut[[2]raft.ServerAddress{c.from.address(), to}]:
			return nil, errSilent
		default:
			return n.node, nil
		}
	}
	return nil, errUnsent
}

// errSilent means that the way to a node is cut.
var errSilent = errors.New("no answer")

func (c simulatedCaller) call(ctx context.Context, to raft.ServerAddress, name string, body []byte) ([]byte, error) {
	n, err := c.reach(to)
	if errors.Is(err, errSilent) { // as on a connection that was there before
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		<-ctx.Done()
	}
	if err != nil {
		return nil, err
	}
	b := n.answerCall(ctx, c.from.member.ID, name, body)
	if _, err := (simulatedCaller{c.from.sim.at(to)}).reach(c.from.address()); err != nil {
		return nil, errors.New("the answer was lost")
	}
	return b, nil
}

func (c simulatedCaller) batches(ctx context.Context, to raft.ServerAddress, from uint64) iter.Seq2[journal.EngineBatch, error] {
	n, err := c.reach(to)
	if err != nil {
		return func(yield func(journal.EngineBatch, error) bool) { yield(journal.EngineBatch{}, err) }
	}
	return n.folderBatches(ctx, from)
}

func (s *simulation) at(a raft.ServerAddress) *simulated {
	for _, n := range s.nodes {
		if n.address() == a {
			return n
		}
	}
	return nil
}

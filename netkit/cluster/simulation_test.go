package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
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
		if n.address() == to && n.node != nil && !s.cut[[2]raft.ServerAddress{c.from.address(), to}] {
			return n.node, nil
		}
	}
	return nil, errUnsent
}

func (c simulatedCaller) call(ctx context.Context, to raft.ServerAddress, name string, body []byte) ([]byte, error) {
	n, err := c.reach(to)
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

// client appends as the clerk of a node does: what is doubtful is repeated.
type client struct {
	at    journal.Head
	batch *journal.EngineBatch // in doubt
	tree  journal.Tree
	next  int
	acked map[uint64][]byte // by number of the entry, its public part
}

// append tries one append through a node.
func (s *simulation) append(c *client, n *simulated) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if c.batch == nil && !s.read(ctx, c, n) {
		return
	}
	if c.batch == nil {
		c.batch = c.draw(s.t)
	}
	head, err := n.node.Append(ctx, c.at, *c.batch)
	s.note("append at %d through %s: %v", c.at.Size, n.member.ID, err)
	switch {
	case err == nil:
		for i, public := range c.batch.Public {
			c.acked[c.batch.First+uint64(i)] = public
			c.tree.Append(journal.Leaf(public), nil)
		}
		c.at, c.batch = head, nil
	case !errors.Is(err, journal.ErrDoubtful):
		c.batch = nil
	}
}

// read brings a client to the head of the cluster.
func (s *simulation) read(ctx context.Context, c *client, n *simulated) bool {
	for b, err := range n.node.Batches(ctx, 0) {
		if err != nil {
			s.note("read through %s: %v", n.member.ID, err)
			return false
		}
		if b.First < c.at.Size {
			continue
		}
		for _, public := range b.Public {
			c.tree.Append(journal.Leaf(public), nil)
			c.at = journal.Head{Size: c.at.Size + 1, Tip: journal.Leaf(public)}
		}
	}
	for seq := range c.acked {
		if seq >= c.at.Size {
			s.t.Errorf("a read through %s ends at %d and lacks the acknowledged entry %d", n.member.ID, c.at.Size, seq)
			return false
		}
	}
	return true
}

func (c *client) draw(t *testing.T) *journal.EngineBatch {
	c.next++
	var records []journal.Record
	for i := range 1 + c.next%3 {
		seq := c.at.Size + uint64(i)
		records = append(records, journal.Record{Seq: seq, Public: fmt.Appendf(nil, `{"n":%d,"i":%d}`, c.next, i), Private: journaltest.Record(seq).Private})
	}
	b, err := journal.Seal(journal.Batch{Records: records}, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	grown := c.tree
	for _, r := range records {
		grown.Append(journal.Leaf(r.Public), nil)
	}
	b.Root = grown.Root()
	return &b
}

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
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newSimulation(t, dir, 1, 3, OneSite)
		c := &client{acked: map[uint64][]byte{}}
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
		for _, n := range s.nodes {
			n.stop()
		}
	})
}

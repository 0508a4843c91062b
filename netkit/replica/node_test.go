package replica_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/replica"
)

// memoryFolder is the folder of a node in memory.
type memoryFolder struct{ *journal.Memory }

func (f memoryFolder) AppendCopies(ctx context.Context, at journal.Head, tree *journal.Tree, batches []journal.SealedBatch, keys []journal.BatchKeys, erase []uint64) (journal.Head, error) {
	grown := *tree
	for i, b := range batches {
		e := journal.EngineBatch{SealedBatch: b, Keys: keys[i].Keys}
		records, err := e.Open()
		if err != nil {
			return at, err
		}
		in := journal.Batch{Records: records}
		for _, r := range records {
			in.Nodes = grown.Append(journal.Leaf(r.Public), in.Nodes)
		}
		if i == len(batches)-1 {
			in.Erase = erase
		}
		if at, err = f.Append(ctx, at, in); err != nil {
			return at, err
		}
	}
	*tree = grown
	return at, nil
}

var errCut = errors.New("the engine is out of reach")

// link is the way of a node to the engine.
type link struct {
	journal.Engine
	cut   atomic.Bool                   // nothing arrives
	deaf  atomic.Bool                   // appends arrive, and their answers do not
	stall atomic.Pointer[chan struct{}] // holds up every call, as a stopped process
}

func (l *link) enter() error {
	if c := l.stall.Load(); c != nil {
		<-*c
	}
	if l.cut.Load() {
		return errCut
	}
	return nil
}

func (l *link) Head(ctx context.Context) (journal.Head, error) {
	if err := l.enter(); err != nil {
		return journal.Head{}, err
	}
	return l.Engine.Head(ctx)
}

func (l *link) Append(ctx context.Context, at journal.Head, b journal.EngineBatch) (journal.Head, error) {
	if err := l.enter(); err != nil {
		return journal.Head{}, err
	}
	head, err := l.Engine.Append(ctx, at, b)
	if l.deaf.Load() || l.cut.Load() {
		return journal.Head{}, fmt.Errorf("%w: no answer", journal.ErrDoubtful)
	}
	return head, err
}

func (l *link) Wait(ctx context.Context, size uint64) error {
	if err := l.enter(); err != nil {
		return err
	}
	return l.Engine.Wait(ctx, size)
}

func (l *link) Writer(ctx context.Context) (journal.Writer, error) {
	if err := l.enter(); err != nil {
		return journal.Writer{}, err
	}
	return l.Engine.Writer(ctx)
}

func (l *link) Claim(ctx context.Context, before uint64, node, address string) (journal.Writer, error) {
	if err := l.enter(); err != nil {
		return journal.Writer{}, err
	}
	return l.Engine.Claim(ctx, before, node, address)
}

func (l *link) Beat(ctx context.Context, term uint64) error {
	if err := l.enter(); err != nil {
		return err
	}
	return l.Engine.Beat(ctx, term)
}

// member is a running node of a test.
type member struct {
	name string
	link *link
	node *replica.Node
	net  *network.Network
	stop func()
}

// begin writes the genesis of a network into an engine.
func begin(t *testing.T, e journal.Engine) {
	t.Helper()
	s, err := replica.Open(t.Context(), replica.Config{Engine: e, Folder: memoryFolder{journal.NewMemory()}})
	if err != nil {
		t.Fatal(err)
	}
	n, err := network.New(t.Context(), network.Config{Store: s, Genesis: &netkit.Genesis{Network: "replicas", Constitution: netkit.Version1(), OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// join starts a node on an engine that holds a network.
func join(t *testing.T, e journal.Engine, name string) *member {
	t.Helper()
	m := &member{name: name, link: &link{Engine: e}}
	s, err := replica.Open(t.Context(), replica.Config{Engine: m.link, Folder: memoryFolder{journal.NewMemory()}})
	if err != nil {
		t.Fatal(err)
	}
	m.net, err = network.New(t.Context(), network.Config{Store: s, Follow: true, Wait: -1, Pause: 50 * time.Millisecond,
		Fresh: func(ctx context.Context) error { return m.node.Fresh(ctx) }})
	if err != nil {
		t.Fatal(err)
	}
	m.node = replica.NewNode(replica.NodeConfig{Store: s, Name: name, Address: "http://" + name}, m.net)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	over := make(chan error, 1)
	go func() { over <- m.node.Run(ctx) }()
	m.stop = func() {
		cancel()
		if err := <-over; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := m.net.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	return m
}

// leader returns the one node that takes commands, waiting for it.
func leader(t *testing.T, nodes []*member) *member {
	t.Helper()
	for range 200 {
		for _, m := range nodes {
			if m.node.Leads() && !m.link.cut.Load() && m.link.stall.Load() == nil {
				return m
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("no node leads after ten seconds")
	return nil
}

func TestANodeTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := new(journaltest.Engine)
		begin(t, e)
		nodes := []*member{join(t, e, "a"), join(t, e, "b"), join(t, e, "c")}
		first := leader(t, nodes)
		spawn := func(m *member, slug string) error {
			_, err := m.net.As("").Spawn(t.Context(), netkit.Spawn{Slug: slug})
			return err
		}
		if err := spawn(first, "ada"); err != nil {
			t.Fatal(err)
		}
		for _, m := range nodes {
			if m != first && !errors.Is(spawn(m, "eve"), netkit.ErrUnavailable) {
				t.Errorf("%s takes commands beside %s", m.name, first.name)
			}
		}

		// The writer stops as a process does; another one takes over in time.
		wakes := make(chan struct{})
		first.link.stall.Store(&wakes)
		stopped := time.Now()
		woken := make(chan error, 1)
		go func() { woken <- spawn(first, "bea") }()
		second := leader(t, nodes)
		if took := time.Since(stopped); took > 3*time.Second {
			t.Errorf("taking over took %v", took)
		}
		if err := spawn(second, "bea"); err != nil {
			t.Fatal(err)
		}

		// When it wakes up, its write is not acknowledged next to the other's, and it
		// follows.
		first.link.stall.Store(nil)
		close(wakes)
		if err := <-woken; err == nil {
			t.Error("the write of a writer that was replaced was acknowledged")
		}
		time.Sleep(5 * time.Second)
		if first.node.Leads() == second.node.Leads() {
			t.Errorf("%s leads %v, %s leads %v", first.name, first.node.Leads(), second.name, second.node.Leads())
		}
		for _, m := range nodes {
			if got := m.net.Health().Entries; got != second.net.Health().Entries {
				t.Errorf("%s has %d entries, want %d", m.name, got, second.net.Health().Entries)
			}
			if lag := m.node.Lag(); lag < 0 || lag > time.Second {
				t.Errorf("%s confirmed its position %v ago", m.name, lag)
			}
			m.stop()
		}
	})
}

// Whatever becomes of the ways between nodes and engine, each acknowledged command
// has one entry, on all nodes the same.
func TestNodesUnderFaults(t *testing.T) {
	seeds := 400 // of 250 steps
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { faults(t, uint64(seed)) })
		})
	}
}

func faults(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 24))
	e := new(journaltest.Engine)
	begin(t, e)
	nodes := []*member{join(t, e, "a"), join(t, e, "b"), join(t, e, "c")}
	acknowledged := map[string]uint64{} // by slug, the entry
	stalled := map[*member]chan struct{}{}
	for step := range 250 {
		m := nodes[random.IntN(len(nodes))]
		switch k := random.IntN(20); {
		case k == 0:
			m.link.cut.Store(!m.link.cut.Load())
		case k == 1:
			m.link.deaf.Store(!m.link.deaf.Load())
		case k == 2 && stalled[m] == nil:
			c := make(chan struct{})
			stalled[m] = c
			m.link.stall.Store(&c)
		case k <= 4 && stalled[m] != nil:
			m.link.stall.Store(nil)
			close(stalled[m])
			delete(stalled, m)
		case k <= 7:
			time.Sleep(time.Duration(random.IntN(2000)) * time.Millisecond)
		default:
			if !m.node.Leads() {
				continue
			}
			slug := fmt.Sprintf("agent-%04d", step)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if stalled[m] != nil { // the call is left behind, as its client leaves it
				go m.net.As("").Spawn(context.WithoutCancel(ctx), netkit.Spawn{Slug: slug})
				cancel()
				continue
			}
			r, err := m.net.As("").Spawn(ctx, netkit.Spawn{Slug: slug})
			cancel()
			if err == nil {
				acknowledged[slug] = r.Seq
			}
		}
	}
	for _, m := range nodes {
		m.link.cut.Store(false)
		m.link.deaf.Store(false)
		m.link.stall.Store(nil)
		if c := stalled[m]; c != nil {
			close(c)
		}
	}
	time.Sleep(20 * time.Second)
	last := leader(t, nodes)
	if _, err := last.net.As("").Spawn(t.Context(), netkit.Spawn{Slug: "omega"}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	if len(acknowledged) < 5 {
		t.Errorf("%d commands were acknowledged, too few to show anything", len(acknowledged))
	}
	for _, m := range nodes {
		for slug, seq := range acknowledged {
			entry, err := m.net.Entry(t.Context(), seq)
			if err != nil || entry.Actor != slug {
				t.Errorf("seed %d, node %s: entry %d of %s: got %v, %v", seed, m.name, seq, slug, entry, err)
			}
		}
		if got := m.net.Health().Entries; got != last.net.Health().Entries {
			t.Errorf("seed %d: node %s has %d entries, want %d", seed, m.name, got, last.net.Health().Entries)
		}
		m.stop()
	}
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/timespan"
)

// Config is the configuration of a node. Dir and Folder are required.
type Config struct {
	Dir    string // of the node; [Init] or [Join] made it one
	Folder Folder // the journal in it
	// Listen is the address of the port where it differs from the one at which other
	// nodes reach this node.
	Listen string
	Timing Timing // zero means [OneSite]
	// Idle has other voters lead where they can, for a process that serves no network.
	Idle bool
	// Shared returns files, by name, that a node which joins gets; nil gives none.
	Shared func() (map[string][]byte, error)
	// Log gets raft's lines of text; nil drops them.
	Log io.Writer
	// Report is called when the folder cannot be written, with nil when it can again,
	// and with the error that stops the node. It must not block. Nil reports nothing.
	Report func(error)
}

// Node is a running node of a cluster. Make one with [Open].
type Node struct {
	orders
	timing  Timing
	shared  func() (map[string][]byte, error)
	report  func(error)
	log     *raftLog
	machine *machine
	raft    *raft.Raft
	caller  caller
	keys    *keys // nil in a simulation
	port    *port // nil in a simulation
	web     *http.Server

	end     context.CancelFunc
	running sync.WaitGroup
	closing sync.Once
	began   atomic.Uint64 // the term in which the entries of former leaders are applied
	beats   atomic.Uint64
	roster  roster

	retiring atomic.Bool
}

// Open starts a node on its folder. Batches that the node had agreed to and
// that its folder lacks are copied from other nodes first.
func Open(ctx context.Context, cfg Config) (_ *Node, err error) {
	m, k, err := loadMember(cfg.Dir)
	if err != nil {
		return nil, err
	}
	if cfg.Listen == "" {
		cfg.Listen = m.Address
	}
	log, err := openRaftLog(clusterPath(cfg.Dir, raftFile), false)
	if err != nil {
		return nil, err
	}
	n := newNode(cfg, m, log)
	n.keys, n.caller, n.authority = k, newCaller(m, k), k.ca
	defer func() {
		if err != nil {
			err = errors.Join(err, n.Close())
		}
	}()
	if n.port, err = openPort(ctx, cfg.Listen, m, k); err != nil {
		return nil, err
	}
	transport := raft.NewNetworkTransportWithConfig(&raft.NetworkTransportConfig{Stream: stream{n.port}, MaxPool: 3, Timeout: callTime, Logger: logger(cfg.Log)})
	if err := n.start(ctx, cfg, transport); err != nil {
		return nil, errors.Join(err, transport.Close())
	}
	n.web = &http.Server{Handler: http.HandlerFunc(n.serveHTTP), ReadHeaderTimeout: handshakeTime}
	n.running.Go(func() { _ = n.web.Serve(web{n.port}) })
	return n, nil
}

func newNode(cfg Config, m *member, log *raftLog) *Node {
	n := &Node{timing: cfg.Timing, report: cfg.Report, shared: cfg.Shared, log: log, end: func() {}}
	n.orders = orders{member: m, ask: n.askLeader}
	if n.timing == (Timing{}) {
		n.timing = OneSite
	}
	if n.shared == nil {
		n.shared = func() (map[string][]byte, error) { return nil, nil }
	}
	if n.report == nil {
		n.report = func(error) {}
	}
	return n
}

// start loads the state and begins to take part.
func (n *Node) start(ctx context.Context, cfg Config, transport raft.Transport) error {
	living, end := context.WithCancel(context.WithoutCancel(ctx))
	n.end = end
	meta, b, err := n.log.newestSnapshot()
	if err != nil {
		return err
	}
	n.machine = &machine{folder: cfg.Folder, ctx: living, report: n.report, halt: n.halt}
	if err := n.machine.lookAtFolder(ctx); err != nil {
		return err
	}
	var s state
	from := n.peersBefore()
	if meta != nil {
		if s, err = parseState(b); err != nil {
			return err
		}
		from = meta.Configuration.Servers
	}
	if err := n.copyBefore(ctx, meta == nil, s.Head, from); err != nil {
		return err
	}
	if err := n.machine.loadState(ctx, s); err != nil {
		return err
	}
	store := &snapshots{log: n.log, folder: cfg.Folder, ctx: living, fill: n.fill}
	cache, err := raft.NewLogCache(cachedEntries, n.log)
	if err != nil {
		return err
	}
	if n.raft, err = raft.NewRaft(n.raftConfig(cfg.Log), n.machine, cache, n.log, store, transport); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	n.running.Go(func() { n.cutLog(living) })
	n.running.Go(func() { n.seekVote(living) })
	n.running.Go(func() { n.keepPeers(living, cfg.Dir) })
	if cfg.Idle {
		n.running.Go(func() { n.passLead(living) })
	}
	return nil
}

// copyBefore copies missing batches before the node takes part. A node that has
// just joined copies all there are, since the leader would wait for it otherwise; that
// it reaches no other node yet is no error.
func (n *Node) copyBefore(ctx context.Context, joins bool, want journal.Head, from []raft.Server) error {
	if joins {
		want.Size = 1 << 62
	}
	err := n.fill(ctx, want, from)
	if joins && !errors.Is(err, ErrDamaged) && !isFork(err) {
		return nil
	}
	return err
}

// peersBefore are the nodes that were known when this one joined.
func (n *Node) peersBefore() (out []raft.Server) {
	for _, p := range n.member.Peers {
		out = append(out, raft.Server{Address: raft.ServerAddress(p)})
	}
	return out
}

// keepPeers writes down where the members are, for a repair that finds no log.
func (n *Node) keepPeers(ctx context.Context, dir string) {
	for known := n.member.Peers; n.keys != nil && timespan.Wait(ctx, n.timing.Election); {
		var peers []string
		for _, s := range n.servers() {
			peers = append(peers, string(s.Address))
		}
		if slices.Equal(known, peers) || len(peers) == 0 {
			continue
		}
		m := *n.member
		if m.Peers = peers; storeMember(dir, &m, nil) == nil {
			known = peers
		}
	}
}

// fill copies missing batches up to a head from one of the servers.
func (n *Node) fill(ctx context.Context, want journal.Head, from []raft.Server) error {
	var engines []journal.Engine
	for _, s := range from {
		if s.ID != raft.ServerID(n.member.ID) {
			engines = append(engines, peer{caller: n.caller, at: s.Address})
		}
	}
	return n.machine.fill(ctx, want, engines)
}

// halt stops a node whose folder has other entries than the cluster agreed on.
func (n *Node) halt(err error) {
	n.report(err)
	if n.raft != nil {
		_ = n.raft.Shutdown().Error()
	}
}

// Err returns the error that stopped the node, nil while it takes part.
func (n *Node) Err() error {
	_, _, err := n.machine.head()
	return err
}

// Name returns the name of the node.
func (n *Node) Name() string { return nameOf(raft.ServerID(n.member.ID)) }

// Leader returns the name of the node that leads, as this node knows it, "" without one.
func (n *Node) Leader() string {
	_, id := n.raft.LeaderWithID()
	return nameOf(id)
}

// nameOf returns the name of a server, without the digits drawn when it joined.
func nameOf(id raft.ServerID) string {
	return string(id[:max(strings.LastIndexByte(string(id), '-'), 0)])
}

// servers are the members as this node knows them.
func (n *Node) servers() []raft.Server {
	f := n.raft.GetConfiguration()
	if f.Error() != nil {
		return nil
	}
	return f.Configuration().Servers
}

// isMember reports whether a server is a member.
func (n *Node) isMember(id string) bool {
	for _, s := range n.servers() {
		if string(s.ID) == id {
			return true
		}
	}
	return false
}

// Abort ends the part that the node takes at once and hands nothing over, as a crash does.
// Close is still to be called.
func (n *Node) Abort() {
	_ = n.raft.Shutdown().Error()
	if n.port != nil {
		_ = n.port.close()
	}
}

// Close implements [journal.Engine]. Where the node leads, another one takes over.
func (n *Node) Close() (err error) {
	n.closing.Do(func() { err = n.close() })
	return err
}

// closeTime bounds the wait for a folder that cannot be written while a node closes. Its
// log has the batches that the folder then lacks.
const closeTime = 5 * time.Second

func (n *Node) close() error {
	if n.raft != nil {
		late := time.AfterFunc(closeTime, n.end)
		defer late.Stop()
		n.keepRetirement()
		if n.Err() == nil && n.raft.State() == raft.Leader { // raft ends by itself else, and would not answer
			_ = n.raft.LeadershipTransfer().Error() // the others notice in time
		}
		_ = n.raft.Shutdown().Error()
	}
	n.end()
	var err error
	if n.port != nil {
		err = n.port.close()
	}
	if n.web != nil {
		err = errors.Join(err, n.web.Close())
	}
	n.running.Wait()
	if n.port != nil {
		n.port.accepting.Wait()
	}
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	return errors.Join(err, n.log.Close())
}

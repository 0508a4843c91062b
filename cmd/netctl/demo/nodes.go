package demo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/cluster"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// node is one of the servers of a demo with a cluster.
type node struct {
	*host.Host
	name, dir, address string
	member             *cluster.Node
	http               *http.Server
}

// nodeNames are the servers of a cluster.
var nodeNames = []string{"oak", "elm", "ash"}

// startCluster starts three servers on this machine.
func (w *world) startCluster() error {
	for i, name := range nodeNames {
		address, err := freeAddress()
		if err != nil {
			return err
		}
		n := &node{name: name, dir: filepath.Join(w.dir, name), address: address}
		if i > 0 {
			err = n.join(w.ctx, w.nodes[0])
		}
		if err == nil {
			err = n.open(w, i == 0)
		}
		if err != nil {
			return errors.Join(err, w.closeNodes())
		}
		w.nodes = append(w.nodes, n)
	}
	err := w.awaitNodes("three servers vote", func() bool {
		voters := 0
		for _, m := range w.nodes[0].member.Status(w.ctx).Members {
			if m.Voter {
				voters++
			}
		}
		return voters == len(nodeNames)
	})
	if err == nil {
		err = w.moveToWriter()
	}
	if err != nil {
		return errors.Join(err, w.closeNodes())
	}
	return nil
}

// freeAddress returns a loopback address whose port is free, and below those that
// outgoing connections get.
func freeAddress() (string, error) {
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(22000)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", errors.New("demo: no port of 127.0.0.1 between 10000 and 32000 is free")
}

// join makes the folder of a server that of a new node.
func (n *node) join(ctx context.Context, by *node) error {
	token, err := by.member.Invite(ctx, time.Minute)
	if err != nil {
		return err
	}
	return cluster.Join(ctx, cluster.Joining{Dir: n.dir, Token: token, Name: n.name, Address: n.address,
		Keep: func(from string, files map[string][]byte) error { return host.KeepNodeKeys(n.dir, from, files) }})
}

// open opens the folder of a server and serves it.
func (n *node) open(w *world, begins bool) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	enter := func(ctx context.Context, store *sqlite.Store) (journal.Engine, replica.Folder, error) {
		if begins {
			if err := cluster.Init(ctx, n.dir, store, n.name, n.address); err != nil {
				return nil, nil, err
			}
		}
		member, err := cluster.Open(ctx, cluster.Config{Dir: n.dir, Folder: store, Timing: cluster.ManySites, Shared: func() (map[string][]byte, error) { return host.NodeKeys(n.dir) }})
		if err != nil {
			return nil, nil, err
		}
		n.member = member
		return member, member.Folder(), nil
	}
	n.Host, err = host.New(w.ctx, host.Config{Dir: n.dir, Now: w.clock.now, Server: server.Config{Limits: host.Unlimited},
		Genesis: &netkit.Genesis{Network: w.network, OperatorToken: w.operatorToken},
		Replica: &host.ReplicaConfig{Join: enter, Joined: !begins, Name: n.name, Address: "http://" + l.Addr().String(), Every: 100 * time.Millisecond, Silence: time.Hour}})
	if err != nil {
		return errors.Join(err, l.Close())
	}
	n.http = newHTTPServer(n.Host)
	go func() { _ = n.http.Serve(l) }() // the others notice its end
	return nil
}

// awaitNodes waits until a condition of the servers holds.
func (w *world) awaitNodes(what string, holds func() bool) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if holds() {
			return nil
		}
		if !timespan.Wait(w.ctx, 10*time.Millisecond) {
			return w.ctx.Err()
		}
	}
	return fmt.Errorf("demo: not within a minute: %s", what)
}

// moveToWriter has the address of the story lead to the server that writes.
func (w *world) moveToWriter() error {
	err := w.awaitNodes("a server writes", func() bool {
		for _, n := range w.nodes {
			if n.Host != nil && n.Node.Leads() {
				w.Host = n.Host
				return true
			}
		}
		return false
	})
	if err != nil {
		return err
	}
	return w.listen()
}

// followWriter has the address of the story lead to the server that writes, which is
// another one after a pause of this process.
func (w *world) followWriter() error {
	if w.nodes == nil || w.writer().Node.Leads() {
		return nil
	}
	return errors.Join(w.http.Close(), w.moveToWriter())
}

// answerFreshly has a server answer from all entries that were acknowledged.
func answerFreshly(n *replica.Node, next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if err := n.Fresh(r.Context()); err != nil {
			http.Error(rw, "the server does not reach the others: "+err.Error(), http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

// writer returns the server that the address of the story leads to.
func (w *world) writer() *node {
	for _, n := range w.nodes {
		if n.Host == w.Host {
			return n
		}
	}
	return nil
}

// killWriter ends the server that writes as the loss of its machine does: it hands
// nothing over. Another one continues, and the old one comes back as a follower.
func (w *world) killWriter() (dead, next *node, took time.Duration, err error) {
	if err := w.followWriter(); err != nil {
		return nil, nil, 0, err
	}
	dead = w.writer()
	began := time.Now()
	dead.member.Abort()
	err = errors.Join(w.http.Close(), dead.http.Close())
	old := dead.Host
	if dead.Host = nil; err == nil {
		err = w.moveToWriter()
	}
	took = time.Since(began)
	if err = errors.Join(err, old.Close(w.ctx)); err == nil {
		err = dead.open(w, false)
	}
	return dead, w.writer(), took, err
}

// closeNodes closes all servers.
func (w *world) closeNodes() (err error) {
	for _, n := range w.nodes {
		if n.Host != nil {
			err = errors.Join(err, n.http.Close(), n.Host.Close(context.WithoutCancel(w.ctx)))
		}
	}
	return err
}

// folders returns the folder of each server, with all entries that were acknowledged.
func (w *world) folders() ([]string, error) {
	if w.nodes == nil {
		return []string{w.dir}, nil
	}
	var dirs []string
	for _, n := range w.nodes {
		if err := n.Node.Fresh(w.ctx); err != nil {
			return nil, fmt.Errorf("demo: %s: %w", n.name, err)
		}
		dirs = append(dirs, n.dir)
	}
	return dirs, nil
}

package demo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/agentnet/netctl/cmd/netctl/nodes"
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// node is one of the servers of a demo with a cluster.
type node struct {
	*nodes.Node
	*host.Host
	http *http.Server
}

// nodeNames are the servers of a cluster.
var nodeNames = []string{"oak", "elm", "ash"}

// startCluster starts three servers on this machine.
func (w *world) startCluster() error {
	for i, name := range nodeNames {
		member, err := nodes.New(name, filepath.Join(w.dir, name))
		if err != nil {
			return err
		}
		n := &node{Node: member}
		if i > 0 {
			err = n.Join(w.ctx, w.nodes[0].Node)
		}
		if err == nil {
			err = n.open(w, i == 0)
		}
		if err != nil {
			return errors.Join(err, w.closeNodes())
		}
		w.nodes = append(w.nodes, n)
	}
	err := w.nodes[0].AwaitVoters(w.ctx, len(nodeNames))
	if err == nil {
		err = w.moveToWriter()
	}
	if err != nil {
		return errors.Join(err, w.closeNodes())
	}
	return nil
}

// open opens the folder of a server and serves it.
func (n *node) open(w *world, begins bool) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	n.Host, err = host.New(w.ctx, host.Config{Dir: n.Dir, Now: w.clock.now, Server: server.Config{Limits: host.Unlimited},
		Genesis: &netkit.Genesis{Network: w.network, OperatorToken: w.operatorToken},
		Replica: n.Replica(begins, "http://"+l.Addr().String())})
	if err != nil {
		return errors.Join(err, l.Close())
	}
	n.http = newHTTPServer(n.Host)
	go func() { _ = n.http.Serve(l) }() // the others notice its end
	return nil
}

// moveToWriter has the address of the story lead to the server that writes.
func (w *world) moveToWriter() error {
	err := nodes.Await(w.ctx, "a server writes", func() bool {
		for _, n := range w.nodes {
			if n.Host != nil && n.Host.Node.Leads() {
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
	if w.nodes == nil || w.writer().Host.Node.Leads() {
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
	dead.Member.Abort()
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
		if err := n.Host.Node.Fresh(w.ctx); err != nil {
			return nil, fmt.Errorf("demo: %s: %w", n.Name, err)
		}
		dirs = append(dirs, n.Dir)
	}
	return dirs, nil
}

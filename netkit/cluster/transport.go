package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/hashicorp/raft"

	"github.com/agentnet/netctl/netkit/timespan"
)

// The protocols that share a node's port, by ALPN.
const (
	protocolRaft = "netctl-raft/1"
	protocolHTTP = "http/1.1"
)

// handshakeTime bounds a handshake of a connection that came in.
const handshakeTime = 10 * time.Second

// port is the listener of a node. Connections of both protocols are in TLS 1.3, and
// one of raft has shown a certificate of the cluster.
type port struct {
	listener net.Listener
	member   *member
	keys     *keys

	raft, http chan net.Conn
	ended      chan struct{}
	end        sync.Once
	accepting  sync.WaitGroup
}

// bindTime bounds the wait for a port that is taken: a process that ends may have it
// still.
const bindTime = 10 * time.Second

// openPort opens the port of a node.
func openPort(ctx context.Context, address string, m *member, k *keys) (*port, error) {
	deadline := time.Now().Add(bindTime)
	for {
		l, err := net.Listen("tcp", address)
		if err == nil {
			p := &port{listener: l, member: m, keys: k, raft: make(chan net.Conn), http: make(chan net.Conn), ended: make(chan struct{})}
			p.accepting.Go(p.acceptAll)
			return p, nil
		}
		if time.Now().After(deadline) || !timespan.Wait(ctx, 100*time.Millisecond) {
			return nil, fmt.Errorf("cluster: the port of the node: %w", err)
		}
	}
}

func (p *port) acceptAll() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.accepting.Go(func() { p.shakeHands(tls.Server(c, p.serverConfig())) })
	}
}

// shakeHands does the handshake and hands a connection over to its protocol, within
// handshakeTime.
func (p *port) shakeHands(c *tls.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), handshakeTime)
	defer cancel()
	if err := c.HandshakeContext(ctx); err != nil {
		c.Close()
		return
	}
	state := c.ConnectionState()
	to := p.http
	if state.NegotiatedProtocol == protocolRaft {
		if to = p.raft; len(state.VerifiedChains) == 0 {
			c.Close()
			return
		}
	}
	select {
	case to <- c:
	case <-p.ended:
		c.Close()
	case <-ctx.Done(): // the node does not serve yet, and its caller has given up
		c.Close()
	}
}

func (p *port) serverConfig() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{p.keys.node}, ClientAuth: tls.VerifyClientCertIfGiven,
		ClientCAs: p.keys.pool(), NextProtos: []string{protocolRaft, protocolHTTP}}
}

func (k *keys) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(k.ca)
	return pool
}

// clientConfig accepts nodes of the same cluster only.
func (k *keys) clientConfig(cluster, protocol string) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{k.node}, RootCAs: k.pool(), ServerName: serverName(cluster), NextProtos: []string{protocol}}
}

// close ends the port. Connections that were handed over belong to their protocol.
func (p *port) close() error {
	var err error
	p.end.Do(func() {
		close(p.ended)
		err = p.listener.Close()
	})
	return err
}

// stream is the part of a port for raft's connections.
type stream struct{ *port }

var _ raft.StreamLayer = stream{}

// Accept implements [net.Listener].
func (s stream) Accept() (net.Conn, error) { return s.take(s.raft) }

// Close implements [net.Listener].
func (s stream) Close() error { return s.close() }

// Addr implements [net.Listener]: the address where other nodes reach this one.
func (s stream) Addr() net.Addr { return address(s.member.Address) }

// Dial implements [raft.StreamLayer].
func (s stream) Dial(to raft.ServerAddress, timeout time.Duration) (net.Conn, error) {
	d := tls.Dialer{NetDialer: &net.Dialer{Timeout: timeout}, Config: s.keys.clientConfig(s.member.Cluster, protocolRaft)}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, "tcp", string(to))
}

func (p *port) take(from chan net.Conn) (net.Conn, error) {
	select {
	case c := <-from:
		return c, nil
	case <-p.ended:
		return nil, errPortClosed
	}
}

var errPortClosed = errors.New("cluster: the port was closed")

// web is the part of a port for HTTP.
type web struct{ *port }

// Accept implements [net.Listener].
func (w web) Accept() (net.Conn, error) { return w.take(w.http) }

// Close implements [net.Listener].
func (w web) Close() error { return w.close() }

// Addr implements [net.Listener].
func (w web) Addr() net.Addr { return w.listener.Addr() }

// address is the address of a node as text.
type address string

// Network implements [net.Addr].
func (address) Network() string { return "tcp" }

// String implements [net.Addr].
func (a address) String() string { return string(a) }

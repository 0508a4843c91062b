package main

import (
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/clientaddr"
)

// reservedFiles is how many open files are kept for all that is no connection:
// three for each of the 32 connections that read the journal, the journal
// itself, checkpoint, snapshot and log, and recordings.
const reservedFiles = 160

// bound lets all listeners together have no more connections open than the
// limit of open files leaves, so that clients cannot keep the journal from being
// written, and lets each address have so many of them; 0 means a tenth. Exempt
// reports the addresses that speak for others, such as reverse proxies; those of
// this machine do as well. A connection beyond that is refused.
func bound(l server.Listeners, files, each int, exempt func(addr string) bool) (server.Listeners, error) {
	if files == 0 {
		return l, nil
	}
	free := files - reservedFiles
	if free < 1 {
		return l, fmt.Errorf("the limit of %d open files is too low, at least %d are needed; raise it with ulimit -n, or LimitNOFILE of the service", files, reservedFiles+1)
	}
	if each == 0 {
		each = max(1, free/10)
	}
	p := &places{all: free, each: each, exempt: exempt, held: map[string][]*placedConn{}}
	for _, one := range []*net.Listener{&l.API, &l.Intent} {
		if *one != nil {
			*one = &boundListener{*one, p, refusedConnection}
		}
	}
	if l.Public != nil {
		l.Public = &boundListener{l.Public, p, ""} // text in the clear is no TLS
	}
	if l.Plain != nil {
		l.Plain = &boundListener{l.Plain, p, refusedConnection}
	}
	return l, nil
}

// places are the connections that may be open. When all are, the address that
// has most loses its newest to one that has fewer.
type places struct {
	all, each int
	exempt    func(addr string) bool

	mu   sync.Mutex
	open int
	held map[string][]*placedConn // by address, without those exempt
}

// take gives a connection a place, or returns false.
func (p *places) take(c net.Conn) (*placedConn, bool) {
	from := c.RemoteAddr().String()
	placed := &placedConn{Conn: c, places: p, key: clientaddr.Key(from)}
	if clientaddr.Loopback(from) || p.exempt(from) {
		placed.key = ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if placed.key != "" && len(p.held[placed.key]) >= p.each || p.open >= p.all && !p.evict(placed.key) {
		return nil, false
	}
	p.open++
	if placed.key != "" {
		p.held[placed.key] = append(p.held[placed.key], placed)
	}
	return placed, true
}

// evict closes the newest connection of the address that has most, if another
// then has no more than that one.
func (p *places) evict(favoured string) bool {
	most := favoured
	for key, held := range p.held {
		if len(held) > len(p.held[most]) {
			most = key
		}
	}
	held := p.held[most]
	if len(held) < len(p.held[favoured])+2 {
		return false
	}
	c := held[len(held)-1]
	_ = c.Conn.Close() // the server notices
	p.remove(c)
	return true
}

// remove gives the place of a connection back, once.
func (p *places) remove(c *placedConn) {
	if c.left {
		return
	}
	c.left = true
	p.open--
	if c.key == "" {
		return
	}
	held := p.held[c.key]
	k := slices.Index(held, c)
	if p.held[c.key] = slices.Delete(held, k, k+1); len(held) == 1 {
		delete(p.held, c.key)
	}
}

// boundListener accepts while there are places.
type boundListener struct {
	net.Listener
	places  *places
	refusal string // written to a connection that has no place
}

// refusedConnection is the answer to a connection that has no place. Nothing of
// its request was read.
const refusedConnection = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: 10\r\nContent-Length: 87\r\nConnection: close\r\n\r\n" +
	"Too many connections are open, in all or from your address: close some, or try later.\r\n"

// Accept implements net.Listener.
func (l *boundListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if placed, ok := l.places.take(c); ok {
			return placed, nil
		}
		_ = c.SetWriteDeadline(time.Now().Add(time.Second)) // a new connection has room for it
		_, _ = io.WriteString(c, l.refusal)
		_ = c.Close()
	}
}

// placedConn gives its place back when it is closed.
type placedConn struct {
	net.Conn
	places *places
	key    string // of its address, "" for one that is exempt
	left   bool   // guarded by places.mu
}

// ReadFrom implements io.ReaderFrom, so that files are sent by the system.
func (c *placedConn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(c.Conn, r) }

// Close implements net.Conn.
func (c *placedConn) Close() error {
	defer func() {
		c.places.mu.Lock()
		defer c.places.mu.Unlock()
		c.places.remove(c)
	}()
	return c.Conn.Close()
}

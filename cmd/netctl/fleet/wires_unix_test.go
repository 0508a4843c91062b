//go:build unix

package fleet

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// wires carry the connections between the nodes of a fleet, and from each to its
// database. A partition holds the bytes between a node and all others until it is healed,
// as a network that loses every packet does. It refuses no connection, and ends none but
// those that the node has to its database, after a while: its system does that for sockets
// that lead to other machines.
type wires struct {
	t *testing.T

	mu      sync.Mutex
	changed *sync.Cond
	cut     *Server            // the node behind the partition, nil without one
	rest    []int              // the processes of the other nodes, and that of the test
	count   int                // of partitions
	over    bool               // the test ends
	open    map[*wire]net.Conn // the ends at nodes of connections to their database
}

// silence is how long the system of a node leaves a connection to a database without an
// answer.
const silence = 3 * time.Second

// wire is one connection.
type wire struct {
	from, to *Server // nil for an unknown opener, and for the database
	inode    string  // of the opener's socket
	asked    int     // the partition for which the opener was looked up
	crosses  bool    // that partition
}

// newWires returns whole wires. They are not for a system that does not show who opened
// a connection.
func newWires(t *testing.T) *wires {
	if _, err := os.Stat("/proc/net/tcp"); err != nil {
		t.Skip("the system does not show who opened a connection: ", err)
	}
	w := &wires{t: t, open: map[*wire]net.Conn{}}
	w.changed = sync.NewCond(&w.mu)
	t.Cleanup(func() { w.change(func() { w.over = true }) })
	return w
}

// change changes the state, and wakes the connections that wait.
func (w *wires) change(f func()) {
	w.mu.Lock()
	f()
	w.mu.Unlock()
	w.changed.Broadcast()
}

// separate puts a partition between a node and all else.
func (w *wires) separate(v *Server, others []*Server) {
	w.change(func() {
		w.cut, w.rest = v, []int{os.Getpid()}
		w.count++
		for _, o := range others {
			w.rest = append(w.rest, o.process.cmd.Process.Pid)
		}
	})
	time.AfterFunc(silence, func() { w.endSilent(v) })
}

// endSilent ends the connections of a node to its database, if it still is cut off.
func (w *wires) endSilent(v *Server) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for x, c := range w.open {
		if w.cut == v && x.from == v {
			c.Close()
		}
	}
}

// heal ends the partition.
func (w *wires) heal() { w.change(func() { w.cut = nil }) }

// relayDatabase returns the address of a database for one node, behind a wire of it.
func (w *wires) relayDatabase(address string, v *Server) string {
	w.t.Helper()
	const socket = ".s.PGSQL.5432"
	u, err := url.Parse(address)
	if err != nil {
		w.t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "wire") // a socket's path has at most 107 bytes
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { os.RemoveAll(dir) })
	q := u.Query()
	w.relay("unix", filepath.Join(dir, socket), filepath.Join(q.Get("host"), socket), wire{from: v})
	q.Set("host", dir)
	u.RawQuery = q.Encode()
	return u.String()
}

// relay listens at an address and passes connections on to another one.
func (w *wires) relay(network, at, on string, kind wire) {
	w.t.Helper()
	l, err := net.Listen(network, at)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			x := kind
			go w.connect(c, network, on, &x)
		}
	}()
}

// connect joins an accepted connection with one to an address.
func (w *wires) connect(c net.Conn, network, on string, x *wire) {
	defer c.Close()
	if x.from == nil {
		x.inode = inodeOf(c)
	} else {
		w.change(func() { w.open[x] = c })
		defer w.change(func() { delete(w.open, x) })
	}
	if !w.awaitWhole(x) {
		return
	}
	d, err := net.Dial(network, on)
	if err != nil {
		return
	}
	go w.pass(c, d, x)
	w.pass(d, c, x)
}

// pass copies bytes in one direction until that ends, and closes both ends then.
func (w *wires) pass(dst, src net.Conn, x *wire) {
	defer src.Close()
	defer dst.Close()
	for b := make([]byte, 32<<10); ; {
		n, err := src.Read(b)
		if !w.awaitWhole(x) {
			return
		}
		if _, failed := dst.Write(b[:n]); failed != nil || err != nil {
			return
		}
	}
}

// awaitWhole waits while a partition lies between the ends of a connection, and reports
// whether the test continues.
func (w *wires) awaitWhole(x *wire) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.over && w.cut != nil {
		if x.asked != w.count {
			x.asked, x.crosses = w.count, w.openedByCut(x) != (x.to == w.cut)
		}
		if !x.crosses {
			break
		}
		w.changed.Wait()
	}
	return !w.over
}

// openedByCut reports whether the node behind the partition opened a connection, or any
// process but those on the other side.
func (w *wires) openedByCut(x *wire) bool {
	if x.from != nil {
		return x.from == w.cut
	}
	for _, pid := range w.rest {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, f := range files {
			if to, err := os.Readlink(f); err == nil && to == "socket:["+x.inode+"]" {
				return false
			}
		}
	}
	return true
}

// inodeOf returns the inode of the socket at the other end of an accepted connection, ""
// where that is closed.
func inodeOf(c net.Conn) string {
	text, _ := os.ReadFile("/proc/net/tcp")
	port := func(a net.Addr) string { return fmt.Sprintf(":%04X", a.(*net.TCPAddr).Port) }
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) > 9 && strings.HasSuffix(f[1], port(c.RemoteAddr())) && strings.HasSuffix(f[2], port(c.LocalAddr())) {
			return f[9]
		}
	}
	return ""
}

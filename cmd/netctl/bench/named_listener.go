package bench

import (
	"io"
	"net"
	"time"
)

// namedListener accepts connections whose first four bytes are the IPv4 address
// that they are to come from: this machine has no others to dial from.
type namedListener struct{ net.Listener }

// Accept implements net.Listener.
func (l *namedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		var ip [4]byte
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.ReadFull(c, ip[:]); err != nil {
			_ = c.Close() // it named none
			continue
		}
		_ = c.SetReadDeadline(time.Time{})
		return &namedConn{c, &net.TCPAddr{IP: ip[:], Port: c.RemoteAddr().(*net.TCPAddr).Port}}, nil
	}
}

// namedConn is a connection with another remote address.
type namedConn struct {
	net.Conn
	from net.Addr
}

// RemoteAddr implements net.Conn.
func (c *namedConn) RemoteAddr() net.Addr { return c.from }

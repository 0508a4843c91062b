package main

import (
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/agentnet/netctl/server"
)

// reservedFiles is how many open files are kept for all that is no connection:
// three for each of the 32 connections that read the journal, the journal
// itself, checkpoint, snapshot and log, and recordings.
const reservedFiles = 160

// bound lets both listeners together have no more connections open than the
// limit of open files leaves, so that clients cannot keep the journal from being
// written. A connection beyond that is closed at once.
func bound(l server.Listeners, files int) (server.Listeners, error) {
	if files == 0 {
		return l, nil
	}
	free := files - reservedFiles
	if free < 1 {
		return l, fmt.Errorf("the limit of %d open files is too low, at least %d are needed; raise it with ulimit -n, or LimitNOFILE of the service", files, reservedFiles+1)
	}
	places := make(chan struct{}, free)
	l.API, l.Intent = &boundListener{l.API, places}, &boundListener{l.Intent, places}
	return l, nil
}

// boundListener accepts while there are places.
type boundListener struct {
	net.Listener
	places chan struct{}
}

// Accept implements net.Listener.
func (l *boundListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.places <- struct{}{}:
			return &placedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.places })}, nil
		default:
			_ = c.Close() // nothing was read
		}
	}
}

// placedConn gives its place back when it is closed.
type placedConn struct {
	net.Conn
	leave func()
}

// ReadFrom implements io.ReaderFrom, so that files are sent by the system.
func (c *placedConn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(c.Conn, r) }

// Close implements net.Conn.
func (c *placedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
)

// listeners are streams that this process reads, and the simplest reader that
// there can be: it counts.
type listeners struct {
	conns         []net.Conn
	events, bytes atomic.Uint64
	all           sync.WaitGroup
}

// Listen opens event streams at an address and counts what comes until Close.
func Listen(ctx context.Context, addr string, streams int) (Listening, error) {
	l := new(listeners)
	var opening sync.WaitGroup
	failed := make(chan error, streams)
	slots := make(chan struct{}, 64)
	l.conns = make([]net.Conn, streams)
	for i := range streams {
		slots <- struct{}{}
		opening.Go(func() {
			defer func() { <-slots }()
			conn, err := open(ctx, addr)
			if err != nil {
				failed <- err
				return
			}
			l.conns[i] = conn
		})
	}
	opening.Wait()
	close(failed)
	if err := <-failed; err != nil {
		_, _ = l.Close() // the first error says why
		return nil, err
	}
	for _, conn := range l.conns {
		l.all.Go(func() { l.count(conn) })
	}
	return l, nil
}

// open opens one stream and reads the head of the answer.
func open(ctx context.Context, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	if _, err := fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\n\r\n", catalog.StreamEvents.Route(), addr); err != nil {
		return nil, errors.Join(fmt.Errorf("bench: %w", err), conn.Close())
	}
	var head [2048]byte
	n, err := conn.Read(head[:])
	if err == nil && !bytes.HasPrefix(head[:n], []byte("HTTP/1.1 200 ")) {
		status, _, _ := bytes.Cut(head[:n], []byte("\r\n"))
		err = fmt.Errorf("answered %s", status)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("bench: a stream: %w", err), conn.Close())
	}
	_ = conn.SetReadDeadline(time.Time{})
	return conn, nil
}

// executed begins the events that the load makes.
const executed = "event: execution\n"

// count counts events until the connection ends.
func (l *listeners) count(conn net.Conn) {
	b := make([]byte, 8<<10)
	kept := 0 // bytes of the read before, too few to hold a whole beginning
	for {
		n, err := conn.Read(b[kept:])
		l.bytes.Add(uint64(n))
		l.events.Add(uint64(bytes.Count(b[:kept+n], []byte(executed))))
		if err != nil {
			return
		}
		n += kept
		kept = min(n, len(executed)-1)
		copy(b, b[n-kept:n])
	}
}

// Close implements [Listening].
func (l *listeners) Close() (Heard, error) {
	for _, conn := range l.conns {
		if conn != nil {
			_ = conn.Close() // read to the end
		}
	}
	l.all.Wait()
	return Heard{l.events.Load(), l.bytes.Load()}, nil
}

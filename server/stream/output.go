package stream

import (
	"bytes"
	"net"
	"net/http"
	"time"
)

// output is where a stream is written to.
type output interface {
	// send writes all parts before the deadline, or fails.
	send(deadline time.Time, parts [][]byte) error
}

// connection is a stream's own connection.
type connection struct {
	net.Conn
	head []byte // of the answer, until it was sent
}

func (c *connection) send(deadline time.Time, parts [][]byte) error {
	if c.head != nil {
		parts = append([][]byte{c.head}, parts...)
		c.head = nil
	}
	if err := c.SetWriteDeadline(deadline); err != nil {
		return err
	}
	_, err := (*net.Buffers)(&parts).WriteTo(c.Conn)
	return err
}

// response is the answer to a request in process, or over a protocol whose
// connections carry more than one.
type response struct {
	w http.ResponseWriter
	c *http.ResponseController
}

func (o *response) send(deadline time.Time, parts [][]byte) error {
	_ = o.c.SetWriteDeadline(deadline) // in process there is none
	for _, part := range parts {
		if _, err := o.w.Write(part); err != nil {
			return err
		}
	}
	return o.c.Flush()
}

// Take takes the connection away from the HTTP server and returns it with the
// head of the answer, whose body lasts until the connection ends. A connection
// of a stream's own needs a few KiB where the HTTP server needs some 40. It
// returns false where that is not possible: in process, and with HTTP/2.
func Take(w http.ResponseWriter, r *http.Request) (net.Conn, []byte, bool) {
	if r.ProtoMajor != 1 {
		return nil, nil, false
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, nil, false
	}
	_ = conn.SetDeadline(time.Time{}) // those of the request
	var head bytes.Buffer
	head.WriteString("HTTP/1.1 200 OK\r\n")
	h := w.Header().Clone()
	h.Set("Connection", "close")
	h.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	_ = h.Write(&head) // a buffer takes everything
	head.WriteString("\r\n")
	return conn, bytes.Clone(head.Bytes()), true
}

// watch closes gone when the other side closes the connection. A request that
// follows on it gets no answer, so that there is nothing else to read.
func watch(conn net.Conn, gone chan<- struct{}) {
	var b [1]byte
	if _, err := conn.Read(b[:]); err != nil {
		close(gone)
	}
}

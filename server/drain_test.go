package server

import (
	"bufio"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/netkittest"
)

// A connection that was accepted before the drain has its request answered, even one
// that arrives after it began.
func TestDrainAnswersAcceptedConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServing(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })}, l)
	s.silence = time.Minute // a busy machine may take its time
	go s.serve()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	netkittest.Until(t, "an accepted connection", s.waits)
	ended := make(chan error, 1)
	go func() { ended <- s.drain(t.Context()) }()
	netkittest.Until(t, "a closed listener", func() bool {
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || !resp.Close {
		t.Errorf("got %s, closed %v; want an answer that closes the connection", resp.Status, resp.Close)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

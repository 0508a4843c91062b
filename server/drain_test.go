package server

import (
	"bufio"
	"net"
	"net/http"
	"testing"

	"github.com/agentnet/netctl/netkit/netkittest"
)

// A connection that was accepted before the drain has its request answered, even one
// that arrives after it began.
func TestDrainAnswersAcceptedConnections(t *testing.T) {
	f := start(t, anywhere)
	l, stop := f.run()
	conn, err := net.Dial("tcp", l.API.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	netkittest.Until(t, "a closed listener", func() bool {
		c, err := net.Dial("tcp", l.API.Addr().String())
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	if _, err := conn.Write([]byte("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n")); err != nil {
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

package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hashicorp/raft"
)

// A copy from a node that is paused ends: it accepts connections, and sends nothing.
func TestACopyFromASilentNodeEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // the system accepts for it
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := &httpCaller{&http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{ServerName: "a"}}}, 50 * time.Millisecond}
	ended := make(chan error, 1)
	go func() {
		for _, err := range c.batches(context.Background(), raft.ServerAddress(l.Addr().String()), 0) {
			ended <- err
		}
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, errPaused) {
			t.Errorf("got %v, want %v", err, errPaused)
		}
	case <-time.After(patience):
		t.Error("the copy does not end")
	}
}

// A connection to a node that does not serve yet ends once its caller has given up.
func TestAConnectionThatIsNotServedEnds(t *testing.T) {
	t.Parallel()
	p := begin(t, "a")
	p.stop(t)
	m, k, err := loadMember(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	port, err := openPort(t.Context(), p.address, m, k)
	if err != nil {
		t.Fatal(err)
	}
	defer port.close()
	c, err := tls.Dial("tcp", p.address, k.clientConfig(m.Cluster, protocolHTTP))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	var late net.Error
	if _, err := c.Read(make([]byte, 1)); err == nil || errors.As(err, &late) && late.Timeout() {
		t.Errorf("got %v, want the end of the connection", err)
	}
}

// timed is a reply that counts the deadlines of its writes.
type timed struct {
	*httptest.ResponseRecorder
	deadlines int
}

func (w *timed) SetWriteDeadline(time.Time) error { w.deadlines++; return nil }

// Each batch has a deadline, so that a reader which is paused holds no connection.
func TestBatchesAreWrittenWithinATime(t *testing.T) {
	simulate(t, 1, func(t *testing.T, s *simulation, c *client) {
		for len(c.acked) < 3 {
			s.append(c, s.nodes[0])
			time.Sleep(time.Second)
		}
		batches := 0
		for range s.nodes[0].node.folderBatches(context.Background(), 0) {
			batches++
		}
		w := &timed{ResponseRecorder: httptest.NewRecorder()}
		s.nodes[0].node.serveBatches(w, httptest.NewRequest(http.MethodGet, "/batches?from=0", nil))
		if w.deadlines != batches || batches == 0 {
			t.Errorf("got %d deadlines for %d batches", w.deadlines, batches)
		}
	})
}

//go:build unix

package fleet

import (
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// A node that a partition separates from the others and from their database, the writer
// or another one, acknowledges nothing, believes no token after a second, and answers no
// read from the past without its lag. The others write on. Behind the partition the node
// follows, all folders are equal, and each acknowledged operation has one entry.
func TestAPartitionSeparatesOneNode(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			h := &historian{fleet: e.start(t, layout{wired: true}), begin: time.Now()}
			w := h.writer()
			h.separate("writer", w)
			w = h.writer()
			h.separate("follower", h.others(w)[0])
			h.checkJournals()
		})
	}
}

// separate cuts a node off under load, and heals the partition.
func (h *historian) separate(name string, v *Server) {
	h.t.Helper()
	others, known := h.others(v), name+"-known"
	h.awaitEntry(v, h.spawn(h.t.Context(), known, others).Seq)
	h.last.Store(math.MaxInt64)
	wait := h.record(4, others)
	h.await(time.Now())

	h.wires.separate(v, others)
	cut := time.Now()
	took := h.await(cut)
	netkittest.Until(h.t, "another node writes", func() bool { return h.writer() != v })
	h.t.Logf("%s: a write was acknowledged %v after the cut", name, took)
	h.expectSilence(v, name+"-cut", known, cut)
	meanwhile := name + "-meanwhile"
	h.spawn(h.t.Context(), meanwhile, others)
	if status, lag, err := h.view(v, meanwhile); err == nil && lag == "" {
		h.t.Errorf("a read of the node that is cut off: got %d without its lag", status)
	}

	h.wires.heal()
	h.readFresh(v, meanwhile)
	netkittest.Until(h.t, "a node that follows believes a token", func() bool {
		status, err := h.showMe(v, known)
		return err == nil && status == http.StatusOK
	})
	once := h.spawn(h.t.Context(), name+"-cut", []*Server{v})
	if again := h.spawn(h.t.Context(), name+"-cut", others); again != once {
		h.t.Errorf("the same operation: got %+v and %+v", once, again)
	}
	h.await(time.Now())
	h.last.Store(h.next.Load())
	wait()
}

// expectSilence checks that a node that was cut off acknowledges nothing, answers a read
// with its lag, and after a second none with a token.
func (h *historian) expectSilence(v *Server, slug, known string, cut time.Time) {
	h.t.Helper()
	for range 2 {
		if _, refused, err := h.ask(h.t.Context(), v, slug); err == nil && refused == nil {
			h.t.Errorf("%s: a node that is cut off acknowledges a write", slug)
		}
	}
	netkittest.Until(h.t, "a read with its lag", func() bool {
		status, lag, err := h.view(v, known)
		return err == nil && status == http.StatusOK && lag != ""
	})
	netkittest.Until(h.t, "a refusal of a token", func() bool {
		late := time.Since(cut) > time.Second
		status, err := h.showMe(v, known)
		if late && status == http.StatusOK {
			h.t.Errorf("a node that was cut off for a second believes a token")
		}
		return late && err == nil && status == http.StatusServiceUnavailable
	})
}

// showMe reads an agent with its token, and returns the status of the answer.
func (c *fleet) showMe(v *Server, slug string) (status int, err error) {
	r, err := http.NewRequestWithContext(c.t.Context(), "GET", v.URL+catalog.GetMe.Path, nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", fmt.Sprint("Bearer ", tokenOf(slug)))
	resp, err := nodeClient.Do(r)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

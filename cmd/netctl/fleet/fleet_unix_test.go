//go:build unix

package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// nodeRounds is how often a writer is killed, and how often one is paused.
// NETKIT_NODE_ROUNDS sets it for a long run.
func nodeRounds() int {
	if n, err := strconv.Atoi(os.Getenv("NETKIT_NODE_ROUNDS")); err == nil {
		return n
	}
	return 1
}

// fleet is three processes of netctl serve that are nodes of one network.
type fleet struct {
	t     *testing.T
	nodes []*Server
	names map[string]*Server
	// named returns the name of the node that writes, "" before there is one.
	named  func() string
	layout layout

	mu     sync.Mutex
	acked  map[string]uint64 // entries of acknowledged spawns, by slug
	latest atomic.Int64      // Unix time in ns of the latest acknowledgement
}

// writer returns the node that writes, once one of them is named.
func (c *fleet) writer() *Server {
	c.t.Helper()
	var v *Server
	netkittest.Until(c.t, "a writer", func() bool { v = c.names[c.named()]; return v != nil })
	return v
}

// nodeClient gives up on a node that is paused.
var nodeClient = &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// receipt is the part of a spawn's answer that a replay gives again.
type receipt struct {
	Seq uint64
	At  netkit.Millis
}

// spawn asks one of some nodes after the other for the same spawn until one
// acknowledges it, and returns its receipt.
func (c *fleet) spawn(ctx context.Context, slug string, through []*Server) receipt {
	for i := 0; ctx.Err() == nil; i++ {
		if out, refused, err := c.ask(ctx, through[i%len(through)], slug); err == nil && refused == nil {
			c.mu.Lock()
			c.acked[slug] = out.Seq
			c.mu.Unlock()
			c.latest.Store(time.Now().UnixNano())
			return out
		}
		time.Sleep(20 * time.Millisecond)
	}
	return receipt{}
}

// ask sends a spawn with its slug as the idempotency key. It returns the receipt, or the
// problem where the node refuses by 503; any other refusal fails the test. The error is
// that of a connection, and says nothing about the write.
func (c *fleet) ask(ctx context.Context, v *Server, slug string) (out receipt, refused *netkit.Problem, err error) {
	body := fmt.Sprintf(`{"slug":%q,"token_sha256":"%s"}`, slug, netkit.Hash(sha256.Sum256([]byte(slug))))
	r, err := http.NewRequestWithContext(ctx, "POST", v.URL+"/api/agent/spawn", strings.NewReader(body))
	if err != nil {
		return out, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", slug)
	resp, err := nodeClient.Do(r)
	if err != nil {
		return out, nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		err = json.NewDecoder(resp.Body).Decode(&out)
	case http.StatusServiceUnavailable:
		err = json.NewDecoder(resp.Body).Decode(&refused)
	default:
		text, _ := io.ReadAll(resp.Body)
		err = fmt.Errorf("%s: %d %s", slug, resp.StatusCode, text)
		c.t.Error(err)
	}
	return out, refused, err
}

// load spawns through some nodes until the function that it returns is called.
func (c *fleet) load(name string, through []*Server) (stop func()) {
	ctx, cancel := context.WithCancel(c.t.Context())
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				c.spawn(ctx, fmt.Sprintf("%s-%d-%d", name, w, i), through)
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// await waits until a write was acknowledged that another one came before, and returns
// how long that took.
func (c *fleet) await(since time.Time) time.Duration {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if at := c.latest.Load(); at > since.UnixNano() {
			return time.Unix(0, at).Sub(since)
		}
	}
	c.t.Fatal("no write was acknowledged for a minute")
	return 0
}

// others returns the nodes but one.
func (c *fleet) others(v *Server) []*Server {
	return slices.DeleteFunc(slices.Clone(c.nodes), func(o *Server) bool { return o == v })
}

// view reads an agent at a node. It returns the status of the answer, and the lag that
// the node states, "" where it states none.
func (c *fleet) view(v *Server, slug string) (status int, lag string, err error) {
	r, err := http.NewRequestWithContext(c.t.Context(), "GET", v.URL+"/agent/"+slug, nil)
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Accept", "application/json")
	resp, err := nodeClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	return resp.StatusCode, resp.Header.Get("Netctl-Lag-Ms"), resp.Body.Close()
}

// readFresh reads an agent at a node until the answer has it, and reports an answer
// without it that does not state its lag.
func (c *fleet) readFresh(v *Server, slug string) {
	c.t.Helper()
	netkittest.Until(c.t, slug+" at a node that returned", func() bool {
		status, lag, err := c.view(v, slug)
		if err == nil && status == http.StatusNotFound && lag == "" {
			c.t.Errorf("%s: the node answers from the past without its lag", slug)
		}
		return err == nil && status == http.StatusOK
	})
}

// check waits until the nodes have all that was acknowledged, stops them, and compares
// their folders.
func (c *fleet) check() {
	c.t.Helper()
	for _, v := range c.nodes {
		c.awaitEntry(v, c.lastAcked())
	}
	for slug := range c.acked {
		if status, _, err := c.view(c.nodes[0], slug); err != nil || status != http.StatusOK {
			c.t.Errorf("%s was acknowledged, and is not there: %d, %v", slug, status, err)
		}
	}
	c.verify()
}

// lastAcked returns the last entry that was acknowledged.
func (c *fleet) lastAcked() (last uint64) {
	for _, seq := range c.acked {
		last = max(last, seq)
	}
	return last
}

// verify waits until the nodes have the same number of entries, stops them, audits their
// folders, and compares the roots.
func (c *fleet) verify() {
	c.t.Helper()
	netkittest.Until(c.t, "as many entries on each node", func() bool {
		return !slices.ContainsFunc(c.nodes, func(v *Server) bool { return entries(v) == 0 || entries(v) != entries(c.nodes[0]) })
	})
	var first audit.Report
	for i, v := range c.nodes {
		v.Kill()
		r := Audit(c.t, v.Dir)
		if i == 0 {
			first = r
		}
		if r.Books.Sum != 0 || r.Entries != first.Entries || r.Root != first.Root {
			c.t.Errorf("got %+v, want books that balance and the entries of the first node: %+v", r, first)
		}
	}
	c.t.Logf("%d acknowledged writes", len(c.acked))
}

// entries returns how many entries a node has, 0 where it does not answer.
func entries(v *Server) uint64 {
	resp, err := nodeClient.Get(v.URL + "/api/health")
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	var h netkit.Health
	if json.NewDecoder(resp.Body).Decode(&h) != nil {
		return 0
	}
	return h.Entries
}

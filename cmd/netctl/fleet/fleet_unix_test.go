//go:build unix

package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
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
	// named returns the address of the API of the node that writes, "" before there is one.
	named func() string

	mu     sync.Mutex
	acked  map[string]uint64 // entries of acknowledged spawns, by slug
	latest atomic.Int64      // Unix time in ns of the latest acknowledgement
}

// writer returns the node that writes, once one of them is named.
func (c *fleet) writer() *Server {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		at := c.named()
		for _, v := range c.nodes {
			if v.URL == at {
				return v
			}
		}
	}
	c.t.Fatal("no node writes")
	return nil
}

// nodeClient gives up on a node that is paused.
var nodeClient = &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// receipt is the part of a spawn's answer that a replay gives again.
type receipt struct {
	Seq uint64
	At  netkit.Millis
}

// spawn asks one of some nodes after the other for the same spawn until one
// acknowledges it, and returns its receipt.
func (c *fleet) spawn(ctx context.Context, slug string, through []*Server) receipt {
	body := fmt.Sprintf(`{"slug":%q,"token_sha256":"%s"}`, slug, netkit.Hash(sha256.Sum256([]byte(slug))))
	for i := 0; ctx.Err() == nil; i++ {
		if out, ok := c.post(ctx, through[i%len(through)], body, slug); ok {
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

// post sends a spawn with its slug as the idempotency key, and reports whether it was
// acknowledged.
func (c *fleet) post(ctx context.Context, v *Server, body, key string) (out receipt, ok bool) {
	r, err := http.NewRequestWithContext(ctx, "POST", v.URL+"/api/agent/spawn", bytes.NewReader([]byte(body)))
	if err != nil {
		c.t.Error(err)
		return out, false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	resp, err := nodeClient.Do(r)
	if err != nil {
		return out, false
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode == http.StatusServiceUnavailable {
		return out, false
	}
	if resp.StatusCode != http.StatusOK || json.Unmarshal(text, &out) != nil {
		c.t.Errorf("%s: %d %s", key, resp.StatusCode, text)
	}
	return out, resp.StatusCode == http.StatusOK
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

// readFresh reads an agent at a node until the answer has it, and reports an answer
// without it that does not state its lag.
func (c *fleet) readFresh(v *Server, slug string) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		r, err := http.NewRequestWithContext(c.t.Context(), "GET", v.URL+"/agent/"+slug, nil)
		if err != nil {
			c.t.Fatal(err)
		}
		r.Header.Set("Accept", "application/json")
		resp, err := nodeClient.Do(r)
		if err != nil {
			continue
		}
		resp.Body.Close()
		lag := resp.Header.Get("Netctl-Lag-Ms")
		if resp.StatusCode == http.StatusNotFound && lag == "" {
			c.t.Errorf("%s: the woken node answers from the past without its lag", slug)
		}
		if resp.StatusCode == http.StatusOK {
			return
		}
	}
	c.t.Errorf("%s: the woken node never shows it", slug)
}

// check stops the nodes and compares their folders with the acknowledgements.
func (c *fleet) check() {
	c.t.Helper()
	last := uint64(0)
	for _, seq := range c.acked {
		last = max(last, seq)
	}
	for slug := range c.acked {
		resp, err := http.Get(c.nodes[0].URL + "/agent/" + slug + "?min_seq=" + strconv.FormatUint(last, 10))
		if err != nil {
			c.t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			c.t.Errorf("%s was acknowledged, and is not there: %d", slug, resp.StatusCode)
		}
	}
	c.verify()
}

// verify stops the nodes and audits their folders.
func (c *fleet) verify() {
	c.t.Helper()
	for _, v := range c.nodes {
		v.Kill()
		if r := Audit(c.t, v.Dir); r.Books.Sum != 0 {
			c.t.Errorf("got %+v, want books that balance", r)
		}
	}
	c.t.Logf("%d acknowledged writes", len(c.acked))
}

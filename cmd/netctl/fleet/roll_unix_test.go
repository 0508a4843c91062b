//go:build unix

package fleet

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

// anyNode returns a transport that connects to a node which accepts connections, as a
// load balancer does.
func (c *fleet) anyNode() *http.Transport {
	var next atomic.Uint64
	var hosts []string
	for _, v := range c.nodes {
		hosts = append(hosts, strings.TrimPrefix(v.URL, "http://"))
	}
	dial := func(ctx context.Context, _, _ string) (conn net.Conn, err error) {
		first := next.Add(1)
		for i := range hosts {
			if conn, err = new(net.Dialer).DialContext(ctx, "tcp", hosts[(first+uint64(i))%uint64(len(hosts))]); err == nil {
				return conn, nil
			}
		}
		return nil, err
	}
	return &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 2}
}

// calls spawns and reads agents by our client until the function that it returns is called.
// A call that fails fails the test.
func (c *fleet) calls(name string) (stop func() (done int64)) {
	client, err := netclient.New(netclient.Config{BaseURL: c.nodes[0].URL, HTTPClient: &http.Client{Transport: c.anyNode()}, Retries: 8})
	if err != nil {
		c.t.Fatal(err)
	}
	var over atomic.Bool
	var done atomic.Int64
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := 0; !over.Load(); i++ {
				slug := fmt.Sprintf("%s-%d-%d", name, w, i)
				hash := netkit.Hash(sha256.Sum256([]byte(slug)))
				r, err := client.Spawn(c.t.Context(), netkit.Spawn{Slug: slug, TokenSHA256: &hash})
				if err == nil {
					_, err = client.Constitution(c.t.Context())
				}
				if err != nil {
					c.t.Errorf("%s: %v", slug, err)
					return
				}
				c.mu.Lock()
				c.acked[slug] = r.Seq
				c.mu.Unlock()
				done.Add(2)
			}
		})
	}
	return func() int64 { over.Store(true); all.Wait(); return done.Load() }
}

// Three nodes are stopped and started one after the other under load, the one that writes
// last: no call of our client fails, and nothing that was acknowledged is lost.
func TestNodesAreUpgradedOneByOne(t *testing.T) {
	for _, f := range engines {
		t.Run(f.name, func(t *testing.T) { upgrade(t, f.start(t, layout{})) })
	}
}

func upgrade(t *testing.T, c *fleet) {
	done, restarts := int64(0), 0
	for round := range nodeRounds() {
		writer := c.writer()
		stop := c.calls(fmt.Sprintf("roll-%d", round))
		for _, v := range append(c.others(writer), writer) {
			v.Addr = strings.TrimPrefix(v.URL, "http://")
			v.Stop()
			v.Start()
			restarts++
		}
		done += stop()
	}
	t.Logf("%d calls during %d restarts", done, restarts)
	c.check()
}

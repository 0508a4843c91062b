package hooks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/timespan"
)

// BenchmarkLanes measures how long the first event of a new receiver takes next
// to 1,000 receivers that accept and never answer, while 60 of their owners ask
// for replays, over real connections. Run it with -benchtime 20x.
func BenchmarkLanes(b *testing.B) {
	const dead, asking = 1000, 60
	arrived := make(chan string, 4096) // paths of receivers that answer
	web := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasPrefix(r.URL.Path, "/dead") {
			<-r.Context().Done()
			return
		}
		arrived <- r.URL.Path
	}))
	defer web.CloseClientConnections()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	f := newFixture(b, Config{Loopback: true, TLS: &tls.Config{RootCAs: roots}})
	f.starts()
	defer f.stops()
	sets := func(owner, path string) {
		f.spawn(owner)
		netkittest.Must[netkit.WebhookReceipt](b)(f.As(owner).SetWebhook(b.Context(), netkit.SetWebhook{URL: web.URL + path, Types: []string{netkit.EventDispatch}}))
		if err := f.h.Set(owner, "192.0.2.1"); err != nil {
			b.Fatal(err)
		}
	}
	for i := range dead {
		sets(fmt.Sprintf("dead-%d", i), "/dead")
	}
	f.publish("to all")
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	for i := range asking {
		go func() {
			for ; ctx.Err() == nil; timespan.Wait(ctx, 6*time.Second) {
				_, _ = f.h.Replay(fmt.Sprintf("dead-%d", i), 1) // refused when it comes too early
			}
		}()
	}
	var waits []time.Duration
	for b.Loop() {
		path := fmt.Sprintf("/new-%d", len(waits))
		sets(path[1:], path)
		begun := time.Now()
		for f.publish("the first"); <-arrived != path; {
		}
		waits = append(waits, time.Since(begun))
	}
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Milliseconds()), "ms-first-p50")
	b.ReportMetric(float64(waits[len(waits)-1].Milliseconds()), "ms-first-max")
}

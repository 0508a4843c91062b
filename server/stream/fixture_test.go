package stream

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/rules"
)

// fixture is a network in memory with a hub.
type fixture struct {
	*network.Network
	t   testing.TB
	hub *Hub
	op  *network.Session
}

func start(t testing.TB, cfg Config) *fixture {
	t.Helper()
	law := netkit.Version1()
	law.Feed.AudioRequired = nil
	n, err := network.New(t.Context(), network.Config{Store: journal.NewMemory(), Wait: -1,
		Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}, Constitution: law}})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Network = n
	f := &fixture{Network: n, t: t, hub: New(cfg), op: n.As("operator")}
	t.Cleanup(f.end)
	return f
}

// end closes hub and network; more than once does no harm.
func (f *fixture) end() {
	f.hub.Close()
	if err := f.hub.Wait(context.Background()); err != nil {
		f.t.Error(err)
	}
	if err := f.Close(context.Background()); err != nil {
		f.t.Error(err)
	}
}

func (f *fixture) spawn(slug string) {
	f.t.Helper()
	netkittest.Must[netkit.Spawned](f.t)(f.As("").Spawn(f.t.Context(), netkit.Spawn{Slug: slug}))
}

func (f *fixture) publish(p netkit.Priority, ch netkit.Niche, headline string) uint64 {
	f.t.Helper()
	return netkittest.Must[netkit.DispatchReceipt](f.t)(f.op.Publish(f.t.Context(), netkit.Publish{Priority: p, Channel: ch, Headline: headline})).DispatchID
}

// listener is a reader's side of a stream. While its gate is closed, writes to
// it block.
type listener struct {
	f      *fixture
	header http.Header
	gate   chan struct{} // holds one while it is closed
	mu     sync.Mutex
	got    bytes.Buffer
	ended  chan struct{}
}

func (l *listener) Header() http.Header { return l.header }
func (l *listener) WriteHeader(int)     {}
func (l *listener) Flush()              {}

func (l *listener) Write(b []byte) (int, error) {
	l.gate <- struct{}{}
	defer func() { <-l.gate }()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got.Write(b)
}

// events returns what has come so far, heartbeats left out.
func (l *listener) events() (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for text := range strings.SplitSeq(l.got.String(), "\n\n") {
		if strings.HasPrefix(text, "id: ") {
			all = append(all, text)
		}
	}
	return all
}

// onlyNew as the entry after which to listen means what happens from now on.
const onlyNew = ^uint64(0)

func (f *fixture) listen(in Reader) *listener {
	f.t.Helper()
	l := &listener{f: f, header: http.Header{}, gate: make(chan struct{}, 1), ended: make(chan struct{})}
	s := netkittest.Must[*Stream](f.t)(f.hub.Open(in))
	go func() {
		defer close(l.ended)
		s.Within(context.Background(), l)
	}()
	return l
}

// until waits until a listener has what is asked for.
func (l *listener) until(what string, has func([]string) bool) []string {
	l.f.t.Helper()
	rest := time.Millisecond
	for begin := time.Now(); time.Since(begin) < 30*time.Second; rest = min(rest*2, 50*time.Millisecond) {
		time.Sleep(rest)
		if all := l.events(); has(all) {
			return all
		}
	}
	l.f.t.Fatalf("got %d events, want %s", len(l.events()), what)
	return nil
}

func (l *listener) count(n int) []string {
	l.f.t.Helper()
	return l.until(fmt.Sprint(n), func(all []string) bool { return len(all) >= n })
}

// ending waits for an event whose data holds a text, and returns all up to it.
func (l *listener) ending(text string) []string {
	l.f.t.Helper()
	return l.until("one with "+text, func(all []string) bool { return len(all) > 0 && strings.Contains(all[len(all)-1], text) })
}

// reference reads the same from the journal, the slow way.
func (f *fixture) reference(in Reader, to uint64) (all []string) {
	f.t.Helper()
	sub := netkittest.Must[rules.Subscription](f.t)(f.As(in.By).Subscribe(in.Filter))
	for e, err := range f.EventsBetween(f.t.Context(), &sub, in.After+1, to) {
		if err != nil {
			f.t.Fatal(err)
		}
		var b block
		if err := f.hub.encode(&b, &e); err != nil {
			f.t.Fatal(err)
		}
		all = append(all, strings.TrimSuffix(string(b.bytes), "\n\n"))
	}
	return all
}

// Package netkittest makes networks in memory for the tests of programs that
// embed one: the clock stands still until the test moves it, and all randomness
// follows from a seed, so that two runs write the same journal.
package netkittest

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
)

// Start is where the clock of a network begins if a test names no other time.
var Start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// Config says how a network begins. The zero value is complete.
type Config struct {
	Start        time.Time            // zero means [Start]
	Seed         uint64               // of everything random
	Constitution *netkit.Constitution // nil means netkit.Version1
}

// Network is a network in memory with its clock.
type Network struct {
	*network.Network
	Clock    *Clock
	Store    journal.Store
	Operator *network.Session // the network as the first operator sees it
}

// New begins a network. When the test ends it is closed, and an audit of its
// journal must find every entry to follow from the rules.
func New(t testing.TB, cfg Config) *Network {
	t.Helper()
	if cfg.Start.IsZero() {
		cfg.Start = Start
	}
	n := &Network{Clock: NewClock(cfg.Start), Store: journal.NewMemory()}
	var err error
	n.Network, err = network.New(t.Context(), network.Config{Store: n.Store, Now: n.Clock.Now, Wait: -1, Rand: Rand(cfg.Seed),
		Genesis: &netkit.Genesis{Network: "testnet", Constitution: cfg.Constitution, OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	n.Operator = n.As("operator")
	t.Cleanup(func() {
		ctx := context.Background()
		if err := n.Close(ctx); err != nil {
			t.Error(err)
		}
		if _, err := network.Audit(ctx, n.Store); err != nil {
			t.Errorf("auditing the journal of this test: %v", err)
		}
	})
	return n
}

// Must returns a function that unwraps a result or ends the test:
//
//	receipt := netkittest.Must[netkit.Execution](t)(agent.Execute(ctx, in))
func Must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Advance moves the clock, then appends what fell due and closes the days that
// are over, as a server does by itself.
func (n *Network) Advance(t testing.TB, d time.Duration) netkit.NightReport {
	t.Helper()
	n.Clock.Advance(d)
	if err := n.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	report, err := n.As(netkit.NetworkActor).CloseNight(t.Context(), netkit.CloseNight{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Clock is a clock that moves only when told to. Its Now fits network.Config and
// server.Config. It may be used from any goroutine.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at t.
func NewClock(t time.Time) *Clock { return &Clock{now: t} }

// Now returns where the clock stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Rand returns random bytes that follow from a seed, for network.Config. They
// are no secret: use them in tests and simulations alone.
func Rand(seed uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return rand.NewChaCha8(key)
}

// Until waits for a condition that other goroutines or programs bring about. It
// asks less and less often, so that a server which is asked sets no limit. The
// test fails when it takes minutes.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	pause := time.Millisecond
	for start := time.Now(); !ok(); time.Sleep(pause) {
		if pause = min(2*pause, 100*time.Millisecond); time.Since(start) > 3*time.Minute {
			t.Fatalf("still waiting for %s", what)
		}
	}
}

// Output keeps what a program writes, and can be read meanwhile. The zero value
// is empty.
type Output struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

// String returns what was written so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Wait waits until a text was written, as [Until] does, and returns all that was
// by then.
func (o *Output) Wait(t testing.TB, text string) string {
	t.Helper()
	Until(t, "the output "+strconv.Quote(text), func() bool { return strings.Contains(o.String(), text) })
	return o.String()
}

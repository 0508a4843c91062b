package network

import (
	"context"
	"crypto/sha256"
	"io"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/rulestest"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// fixture is a network with a clock that the test sets.
type fixture struct {
	*Network
	t     testing.TB
	store journal.Store
	rand  io.Reader // nil means crypto/rand
	now   time.Time
	law   *netkit.Constitution // that the network begins with
	bent  bool                 // holds entries that no rule accounts for
	every uint64               // SnapshotEvery of the network, 0 means the usual
	watch atomic.Pointer[freezes]
}

// op is the network as its first operator sees it.
func (f *fixture) op() *Session { return f.As("operator") }

// as is the caller of that slug.
func as(slug string) netkit.Caller { return netkit.Caller{Slug: slug} }

// dawn is when the tests' networks begin.
var dawn = time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)

// start begins a network under earlierLaw, with the changes that a test needs.
func start(t testing.TB, store journal.Store, changes ...func(*netkit.Constitution)) *fixture {
	t.Helper()
	f := &fixture{t: t, store: store, now: dawn, law: rulestest.EarlierLaw(changes...)}
	f.open()
	t.Cleanup(f.audits)
	return f
}

// audits has every test's journal audited: what the rules let happen, an audit
// must account for.
func (f *fixture) audits() {
	f.endWatch()
	if f.bent || f.t.Failed() {
		return
	}
	if _, err := Audit(context.Background(), f.store); err != nil {
		f.t.Errorf("audited: %v", err)
	}
}

// open starts a network on the fixture's store.
func (f *fixture) open() {
	f.t.Helper()
	f.endWatch()
	n, err := New(context.Background(), Config{Store: &watchedStore{f.store, f}, Genesis: &netkit.Genesis{Network: "testnet", Constitution: f.law, OperatorToken: netkit.Token{1}},
		Now: func() time.Time { return f.now }, Pause: time.Millisecond, Rand: f.rand, Wait: -1, SnapshotEvery: f.every})
	if err != nil {
		f.t.Fatal(err)
	}
	f.Network = n
	if _, measured := f.t.(*testing.B); !measured {
		f.watchFreezes()
	}
}

// endWatch reads the rest of the freeze that is read.
func (f *fixture) endWatch() {
	if w := f.watch.Swap(nil); w != nil {
		w.over()
	}
}

// closes ends the network, as every test in a bubble has to.
func (f *fixture) closes() {
	f.t.Helper()
	if err := f.Close(context.Background()); err != nil {
		f.t.Error(err)
	}
	f.endWatch()
}

// must returns a function that unwraps a result or ends the test.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// checkUntilSeen checks a property on random lives, at most ten times as many as
// usual, until they have shown every outcome that it is about.
func checkUntilSeen(t *testing.T, seen map[string]int, outcomes []string, property func(*rapid.T)) {
	t.Helper()
	missing := func(outcome string) bool { return seen[outcome] == 0 }
	for range 10 {
		rapid.Check(t, property)
		if !slices.ContainsFunc(outcomes, missing) {
			return
		}
	}
	t.Errorf("got %v in all lives, want each of %v", seen, outcomes)
}

// admit makes a sponsor with funds.
func (f *fixture) admit(slug string, funds netkit.Credits) {
	f.t.Helper()
	ctx := context.Background()
	hash := netkit.Hash(sha256.Sum256([]byte(slug)))
	r := must[netkit.AdmissionReceipt](f.t)(f.op().ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: slug, TokenSHA256: &hash}))
	if r.WitnessNeeded {
		f.witnessed(r.AdmissionID)
	}
	if _, err := f.op().Deposit(ctx, netkit.Deposit{Sponsor: slug, Amount: funds, Reference: "wire 1"}); err != nil {
		f.t.Fatal(err)
	}
}

// witnessed has the first agent that may witness something.
func (f *fixture) witnessed(id uint64) {
	f.t.Helper()
	for _, p := range tablesOf(f.state).Parties.All() {
		if _, err := f.As(p.Slug).Witness(context.Background(), netkit.Witness{ID: id}); err == nil {
			return
		}
	}
	f.t.Fatal("nobody may witness")
}

// record adds a fact past every rule, which an audit would not let pass.
func (f *fixture) record(fact rules.Fact, moves ...rules.Move) error {
	f.bent = true
	err := do(context.Background(), f.op(), &plainly{fact, moves})
	return err
}

type plainly struct {
	fact  rules.Fact
	moves []rules.Move
}

func (*plainly) Route() string { return "test" }

func (p *plainly) Decide(_ *rules.State, c *rules.Call) error { c.Add(p.fact, p.moves...); return nil }

var signal = netkit.Signal{Headline: "Fab line down", Body: "Line 3 stopped at noon.", Sources: []string{"https://example.org/a"}}

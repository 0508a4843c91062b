package netkit

import (
	"context"
	"crypto/sha256"
	"io"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// fixture is a network with a clock that the test sets.
type fixture struct {
	*Network
	t     testing.TB
	store journal.Store
	rand  io.Reader // nil means crypto/rand
	now   time.Time
	op    Caller
	bent  bool // holds entries that no rule accounts for
}

// dawn is when the tests' networks begin.
var dawn = time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)

func start(t testing.TB, store journal.Store) *fixture {
	t.Helper()
	f := &fixture{t: t, store: store, now: dawn, op: As("operator")}
	f.open()
	t.Cleanup(f.audits)
	return f
}

// audits has every test's journal audited: what the rules let happen, an audit
// must account for.
func (f *fixture) audits() {
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
	n, err := New(context.Background(), Config{Store: f.store, Genesis: &Genesis{Network: "testnet", OperatorToken: Token{1}},
		Now: func() time.Time { return f.now }, Pause: time.Millisecond, Rand: f.rand})
	if err != nil {
		f.t.Fatal(err)
	}
	f.Network = n
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

// admit makes a sponsor with funds.
func (f *fixture) admit(slug string, funds Credits) {
	f.t.Helper()
	ctx := context.Background()
	hash := Hash(sha256.Sum256([]byte(slug)))
	r := must[AdmissionReceipt](f.t)(f.ProposeSponsor(ctx, f.op, ProposeSponsor{Sponsor: slug, TokenSHA256: &hash}))
	if r.WitnessNeeded {
		f.witnessed(r.AdmissionID)
	}
	if _, err := f.Deposit(ctx, f.op, Deposit{Sponsor: slug, Amount: funds, Reference: "wire 1"}); err != nil {
		f.t.Fatal(err)
	}
}

// witnessed has the first agent that may witness something.
func (f *fixture) witnessed(id uint64) {
	f.t.Helper()
	for _, p := range f.state.parties.all() {
		if _, err := f.Witness(context.Background(), As(p.slug), Witness{id}); err == nil {
			return
		}
	}
	f.t.Fatal("nobody may witness")
}

// record adds a fact past every rule, which an audit would not let pass.
func (f *fixture) record(fact Fact, moves ...move) error {
	f.bent = true
	_, err := run(context.Background(), f.Network, f.op, &plainly{fact, moves}, nil, func(*Entry) struct{} { return struct{}{} })
	return err
}

type plainly struct {
	fact  Fact
	moves []move
}

func (*plainly) route() string { return "test" }

func (p *plainly) decide(_ *state, c *call) error { c.add(p.fact, p.moves...); return nil }

var signal = Signal{Headline: "Fab line down", Body: "Line 3 stopped at noon.", Sources: []string{"https://example.org/a"}}

func TestExecutionAtUnverifiedPaysTwo(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	spawned := must[Spawned](t)(f.Spawn(ctx, Caller{}, Spawn{Slug: "ada"}))
	if spawned.Balance != 50*Credit {
		t.Errorf("got a grant of %s, want 50.00", spawned.Balance)
	}
	f.admit("acme", 100*Credit)
	ct := must[ContractReceipt](t)(f.OpenContract(ctx, f.op, OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: NicheSilicon, Budget: 10 * Credit}))
	got := must[Execution](t)(f.Execute(ctx, As("ada"), Execute{ct.CampaignID, signal}))
	want := Execution{ExecutionID: got.Seq, CampaignID: ct.CampaignID, Payout: 200, AgentShare: 170, TreasuryShare: 30, Balance: 5170, Seq: got.Seq, At: At(f.now)}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if sum := f.state.books().Sum; sum != 0 {
		t.Errorf("all accounts sum to %s, want 0", sum)
	}
	before := f.state.canonical()
	if err := f.Close(ctx); err != nil {
		t.Fatal(err)
	}
	f.open()
	if f.resumed == 0 || string(f.state.canonical()) != string(before) {
		t.Errorf("from the snapshot: got\n%s, want\n%s", f.state.canonical(), before)
	}
}

package network

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/rules"
)

// story is a list of commands, each with an idempotency key of its own, that
// touches every kind of account.
func story() []func(context.Context, *fixture) (any, error) {
	return []func(context.Context, *fixture) (any, error){
		func(ctx context.Context, f *fixture) (any, error) {
			hash := netkit.Hash(netkit.Token{7}.SHA256())
			return f.As("").Spawn(netkit.WithKey(ctx, "k0"), netkit.Spawn{Slug: "ada", TokenSHA256: &hash})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			hash := netkit.Hash(netkit.Token{9}.SHA256())
			return f.op().ProposeSponsor(netkit.WithKey(ctx, "k1"), netkit.ProposeSponsor{Sponsor: "acme", TokenSHA256: &hash})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().Deposit(netkit.WithKey(ctx, "k2"), netkit.Deposit{Sponsor: "acme", Amount: 100 * netkit.Credit, Reference: "wire 1"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().OpenContract(netkit.WithKey(ctx, "k3"), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheLegal,
				Budget: 3 * netkit.Credit, ExecutionsPerAgent: 9, EndsAt: netkit.At(f.now.Add(time.Hour))})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").Execute(netkit.WithKey(ctx, "k4"), netkit.Execute{CampaignID: f.campaign(), Signal: signal})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().FundContract(netkit.WithKey(ctx, "k5"), netkit.FundContract{CampaignID: f.campaign(), Amount: 5 * netkit.Credit})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("ada").Execute(netkit.WithKey(ctx, "k6"), netkit.Execute{CampaignID: f.campaign(), Signal: signal})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			f.now = f.now.Add(time.Hour) // the contract ends by itself before this
			return f.op().Deposit(netkit.WithKey(ctx, "k7"), netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire 2"})
		},
	}
}

// campaign returns the id of the latest contract.
func (f *fixture) campaign() (id uint64) {
	for id = range tablesOf(f.state).Contracts.Below(math.MaxUint64) {
		break
	}
	return id
}

// tell runs the story, repeating a command with its key while the network
// says that it cannot write or does not know.
func (f *fixture) tell(t *testing.T) []string {
	t.Helper()
	f.now = dawn
	var receipts []string
	for i, step := range append(story(), feedStory()...) {
		clock := f.now
		for try := 0; ; try++ {
			r, err := step(t.Context(), f)
			if err == nil {
				receipts = append(receipts, fmt.Sprintf("%+v", r))
				break
			}
			if !errors.Is(err, netkit.ErrUnavailable) && !errors.Is(err, netkit.ErrUnknownOutcome) || try > 50_000 { // of 2 ms
				t.Fatalf("step %d: %v", i, err)
			}
			f.now = clock
			time.Sleep(2 * time.Millisecond)
		}
	}
	return receipts
}

// An append that fails, one that is lost, and one that succeeds but whose
// reply is lost, at every write: state and journal agree, retries give one
// receipt, and no restart is needed.
func TestEveryWriteMayFail(t *testing.T) {
	clean := start(t, journal.NewMemory())
	want := clean.tell(t)
	state := string(clean.state.Canonical())
	faults := map[string]journaltest.Fault{
		"definite":          {Err: journal.ErrFull},
		"doubtful, lost":    {Err: journal.ErrDoubtful},
		"doubtful, applied": {Err: journal.ErrDoubtful, Applied: true},
	}
	for name, fault := range faults {
		for nth := 1; nth <= len(want); nth++ { // 0 is genesis
			t.Run(fmt.Sprintf("%s/%d", name, nth), func(t *testing.T) {
				inner := journal.NewMemory()
				f := start(t, &journaltest.Faulty{Store: inner, Hook: journaltest.Once(nth, fault)})
				got := f.tell(t)
				for i := range want {
					if got[i] != want[i] {
						t.Errorf("receipt %d: got %s, want %s", i, got[i], want[i])
					}
				}
				if s := string(f.state.Canonical()); s != state {
					t.Errorf("state: got\n%s, want\n%s", s, state)
				}
				if again := f.tell(t); fmt.Sprint(again) != fmt.Sprint(want) {
					t.Errorf("told again: got %v, want %v", again, want)
				}
				f.store = inner
				f.rooted(t)
				f.replays(t, state)
			})
		}
	}
}

// replays checks that the journal from entry 0 gives the state, byte for
// byte, and that a network which starts from it has the same second fold.
func (f *fixture) replays(t testing.TB, state string) {
	t.Helper()
	n, err := New(context.Background(), Config{Store: f.store, Now: func() time.Time { return f.now }, IgnoreSnapshot: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(n.state.Canonical()); got != state {
		t.Errorf("replayed: got\n%s, want\n%s", got, state)
	}
	if got, want := string(n.secrets.Stored()), string(f.secrets.Stored()); got != want {
		t.Errorf("replayed second fold: got\n%s, want\n%s", got, want)
	}
	if f.bent {
		return
	}
	a, err := Audit(context.Background(), f.store)
	if err != nil {
		t.Errorf("audited: %v", err)
	}
	if want := netkit.Hash(sha256.Sum256([]byte(state))); a.StateSHA256 != want {
		t.Errorf("audited: got a state of hash %s, want %s", a.StateSHA256, want)
	}
}

// A snapshot gives what a replay gives; a damaged one is passed over.
func TestSnapshotAndReplayAgree(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.tell(t)
	state, second := string(f.state.Canonical()), string(f.secrets.Stored())
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.open()
	if f.resumed == 0 {
		t.Error("the start did not use the snapshot")
	}
	if got := string(f.state.Canonical()); got != state {
		t.Errorf("got\n%s, want\n%s", got, state)
	}
	if got := string(f.secrets.Stored()); got != second {
		t.Errorf("second fold: got\n%s, want\n%s", got, second)
	}
	f.replays(t, state)
}

// Reads go on while the journal cannot be written, and never show what is
// not durable.
func TestReadsDuringAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var full atomic.Bool // read by the clerk, which probes the journal
		full.Store(true)
		f := start(t, &journaltest.Faulty{Store: journal.NewMemory(), Hook: func(n int, _ journal.Head, _ journal.Batch) journaltest.Fault {
			if n > 0 && full.Load() {
				return journaltest.Fault{Err: journal.ErrFull}
			}
			return journaltest.Fault{}
		}})
		defer f.closes()
		_, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"})
		if !errors.Is(err, netkit.ErrUnavailable) {
			t.Errorf("got %v, want unavailable", err)
		}
		if f.Health().Writing {
			t.Error("health says writing during an outage")
		}
		known, err := view(t.Context(), f.Network, func(s *rules.State) (bool, error) { _, ok := s.KindOf("ada"); return ok, nil })
		if err != nil || known {
			t.Errorf("got %v, %v; want an answer that knows no ada", known, err)
		}
		full.Store(false)
		time.Sleep(time.Minute) // of the bubble: the journal is tried again meanwhile
		if _, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}); err != nil {
			t.Fatal(err)
		}
		if !f.Health().Writing {
			t.Error("health does not say writing after the outage")
		}
	})
}

// A read that meets an open batch waits until the batch is durable.
func TestReadWaitsForDurability(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold, entered := make(chan struct{}), make(chan struct{})
		f := start(t, &journaltest.Faulty{Store: journal.NewMemory(), Hook: func(n int, _ journal.Head, _ journal.Batch) journaltest.Fault {
			if n == 1 {
				close(entered)
				<-hold
			}
			return journaltest.Fault{}
		}})
		defer f.closes()
		spawned := make(chan error, 1)
		go func() {
			_, err := f.As("").Spawn(context.Background(), netkit.Spawn{Slug: "ada"})
			spawned <- err
		}()
		<-entered
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := view(ctx, f.Network, func(s *rules.State) (int, error) { return 0, nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want to wait for the write", err)
		}
		close(hold)
		if err := <-spawned; err != nil {
			t.Fatal(err)
		}
		if _, err := view(t.Context(), f.Network, func(s *rules.State) (int, error) { return 0, nil }); err != nil {
			t.Error(err)
		}
	})
}

func TestKeyWithAnotherBody(t *testing.T) {
	f := start(t, journal.NewMemory())
	if _, err := f.As("").Spawn(netkit.WithKey(t.Context(), "k"), netkit.Spawn{Slug: "ada"}); err != nil {
		t.Fatal(err)
	}
	again, err := f.As("").Spawn(netkit.WithKey(t.Context(), "k"), netkit.Spawn{Slug: "ada"})
	if err != nil || again.Token != "" || again.Balance != 50*netkit.Credit {
		t.Errorf("got %+v, %v; want the receipt again without a token", again, err)
	}
	other := netkit.Hash{1}
	if _, err := f.As("").Spawn(netkit.WithKey(t.Context(), "k"), netkit.Spawn{Slug: "ada", TokenSHA256: &other}); !errors.Is(err, netkit.ErrInvalid) {
		t.Errorf("got %v, want a refusal of the key", err)
	}
	var r *netkit.Refusal
	if _, err := f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}); !errors.As(err, &r) || r.Code != "slug_taken" {
		t.Errorf("got %v, want slug_taken", err)
	}
	if got := f.state.Held(netkit.Issuance); got != -50*netkit.Credit {
		t.Errorf("issuance stands at %s, want -50.00: one grant", got)
	}
}

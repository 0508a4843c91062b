package netkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// agents spawns agents, each with the welcome grant.
func (f *fixture) agents(slugs ...string) {
	f.t.Helper()
	for _, slug := range slugs {
		if _, err := f.As("").Spawn(f.t.Context(), Spawn{Slug: slug}); err != nil {
			f.t.Fatal(err)
		}
	}
}

// holds sets a wallet by moving what is over or missing from or to the
// treasury.
func (f *fixture) holds(slug string, want Credits) {
	f.t.Helper()
	d := want - f.state.held(Wallet(slug))
	if err := f.record(&ContractFunded{}, move{Wallet(slug), d}, move{Treasury, -d}); err != nil {
		f.t.Fatal(err)
	}
}

// has checks what an account holds.
func (f *fixture) has(a Account, want Credits) {
	f.t.Helper()
	if got := f.state.held(a); got != want {
		f.t.Errorf("%s: got %s, want %s", a, got, want)
	}
}

// publishes publishes a dispatch and returns its id.
func (f *fixture) publishes(p Priority, ch Niche, headline string) uint64 {
	f.t.Helper()
	return must[DispatchReceipt](f.t)(f.op().Publish(f.t.Context(), Publish{Priority: p, Channel: ch, Headline: headline, Summary: "about " + headline})).DispatchID
}

// reads reads the feed.
func (f *fixture) reads(slug string, in ReadManifest) Manifest {
	f.t.Helper()
	return must[Manifest](f.t)(f.As(slug).Manifest(f.t.Context(), in))
}

// ids lists what was delivered.
func ids(items []Dispatch) (list []uint64) {
	for i := range items {
		list = append(list, items[i].ID)
	}
	return list
}

// refused checks kind and code of an error.
func refused(t testing.TB, err error, kind error, code string) {
	t.Helper()
	var r *Refusal
	if !errors.Is(err, kind) || !errors.As(err, &r) || r.Code != code {
		t.Errorf("got %v, want %v with code %s", err, kind, code)
	}
}

func memory(t testing.TB, changes ...func(*Constitution)) *fixture {
	return start(t, journal.NewMemory(), changes...)
}

var allPriorities = []Priority{P0, P1, P2}

// feedStory goes on where story ends: every write of feed and attention, each
// with an idempotency key of its own.
func feedStory() []func(context.Context, *fixture) (any, error) {
	publish := func(key string, p Priority) func(context.Context, *fixture) (any, error) {
		return func(ctx context.Context, f *fixture) (any, error) {
			return f.op().Publish(WithKey(ctx, key), Publish{Priority: p, Channel: NicheLegal, Headline: "h", Audio: &recording})
		}
	}
	send := func(key string) func(context.Context, *fixture) (any, error) {
		return func(ctx context.Context, f *fixture) (any, error) {
			r, err := f.As("ada").SendAttention(WithKey(ctx, key), SendAttention{To: "bea", Subject: "s", Body: "b", ExpiresIn: 3600})
			r.Balance = nil // a pointer prints differently each time
			return r, err
		}
	}
	return []func(context.Context, *fixture) (any, error){
		func(ctx context.Context, f *fixture) (any, error) {
			hash := Hash(Token{8}.SHA256())
			return f.As("").Spawn(WithKey(ctx, "f0"), Spawn{Slug: "bea", TokenSHA256: &hash})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("bea").SetClaims(WithKey(ctx, "f1"), Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 12 * Credit})
		},
		publish("f2", P1),
		func(ctx context.Context, f *fixture) (any, error) {
			m, err := f.As("ada").Manifest(WithKey(ctx, "f3"), ReadManifest{Priorities: []Priority{P1}})
			return ids(m.Items), err // charged is 0 when a lost reply is asked for again
		},
		publish("f4", P0),
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().ResolveCrisis(WithKey(ctx, "f5"), ResolveCrisis{slices.Max(slices.Collect(keys(f.state.dispatches.All()))), "over"})
		},
		send("f6"), send("f7"), send("f8"),
		func(ctx context.Context, f *fixture) (any, error) {
			r, err := f.As("bea").AnswerAttention(WithKey(ctx, "f9"), AnswerAttention{f.state.filed.ids[0], "yes"})
			r.Balance = nil
			return r, err
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("bea").DeclineAttention(WithKey(ctx, "f10"), DeclineAttention{f.state.filed.ids[1], "no"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			f.now = f.now.Add(time.Hour) // the third expires before this
			return f.op().Deposit(WithKey(ctx, "f11"), Deposit{Sponsor: "acme", Amount: Credit, Reference: "wire 3"})
		},
	}
}

// What is derived must come out the same by applying, by replaying and from a
// snapshot: the canonical state does not show it.
func TestDerivedFeedAndMailboxes(t *testing.T) {
	f := memory(t)
	f.tell(t)
	derived := func(n *Network) string {
		var boxes []mailbox
		var walls []badgeSet
		for _, p := range n.state.parties.All() {
			boxes, walls = append(boxes, n.state.extra(p).mailbox), append(walls, p.badges)
		}
		return fmt.Sprintf("%+v %v %+v %v", boxes, walls, n.state.lines, n.state.filed.ids)
	}
	want := derived(f.Network)
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, replay := range []bool{false, true} {
		n := must[*Network](t)(New(t.Context(), Config{Store: f.store, Now: func() time.Time { return f.now }, IgnoreSnapshot: replay}))
		if got := derived(n); got != want {
			t.Errorf("replayed %v: got\n%s, want\n%s", replay, got, want)
		}
	}
}

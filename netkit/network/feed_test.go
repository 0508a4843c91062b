package network

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// agents spawns agents, each with the welcome grant.
func (f *fixture) agents(slugs ...string) {
	f.t.Helper()
	for _, slug := range slugs {
		if _, err := f.As("").Spawn(f.t.Context(), netkit.Spawn{Slug: slug}); err != nil {
			f.t.Fatal(err)
		}
	}
}

// holds sets a wallet by moving what is over or missing from or to the
// treasury.
func (f *fixture) holds(slug string, want netkit.Credits) {
	f.t.Helper()
	d := want - f.state.Held(netkit.Wallet(slug))
	if err := f.record(&rules.ContractFunded{}, rules.Move{To: netkit.Wallet(slug), Amount: d}, rules.Move{To: netkit.Treasury, Amount: -d}); err != nil {
		f.t.Fatal(err)
	}
}

// has checks what an account holds.
func (f *fixture) has(a netkit.Account, want netkit.Credits) {
	f.t.Helper()
	if got := f.state.Held(a); got != want {
		f.t.Errorf("%s: got %s, want %s", a, got, want)
	}
}

// publishes publishes a dispatch and returns its id.
func (f *fixture) publishes(p netkit.Priority, ch netkit.Niche, headline string) uint64 {
	f.t.Helper()
	return must[netkit.DispatchReceipt](f.t)(f.op().Publish(f.t.Context(), netkit.Publish{Priority: p, Channel: ch, Headline: headline, Summary: "about " + headline})).DispatchID
}

// reads reads the feed.
func (f *fixture) reads(slug string, in netkit.ReadManifest) netkit.Manifest {
	f.t.Helper()
	return must[netkit.Manifest](f.t)(f.As(slug).Manifest(f.t.Context(), in))
}

// ids lists what was delivered.
func ids(items []netkit.Dispatch) (list []uint64) {
	for i := range items {
		list = append(list, items[i].ID)
	}
	return list
}

// refused checks kind and code of an error.
func refused(t testing.TB, err error, kind error, code string) {
	t.Helper()
	var r *netkit.Refusal
	if !errors.Is(err, kind) || !errors.As(err, &r) || r.Code != code {
		t.Errorf("got %v, want %v with code %s", err, kind, code)
	}
}

func memory(t testing.TB, changes ...func(*netkit.Constitution)) *fixture {
	return start(t, journal.NewMemory(), changes...)
}

var allPriorities = []netkit.Priority{netkit.P0, netkit.P1, netkit.P2}

// feedStory goes on where story ends: every write of feed and attention, each
// with an idempotency key of its own.
func feedStory() []func(context.Context, *fixture) (any, error) {
	publish := func(key string, p netkit.Priority) func(context.Context, *fixture) (any, error) {
		return func(ctx context.Context, f *fixture) (any, error) {
			return f.op().Publish(netkit.WithKey(ctx, key), netkit.Publish{Priority: p, Channel: netkit.NicheLegal, Headline: "h", Audio: &recording})
		}
	}
	send := func(key string) func(context.Context, *fixture) (any, error) {
		return func(ctx context.Context, f *fixture) (any, error) {
			r, err := f.As("ada").SendAttention(netkit.WithKey(ctx, key), netkit.SendAttention{To: "bea", Subject: "s", Body: "b", ExpiresIn: 3600})
			r.Balance = nil // a pointer prints differently each time
			return r, err
		}
	}
	return []func(context.Context, *fixture) (any, error){
		func(ctx context.Context, f *fixture) (any, error) {
			hash := netkit.Hash(netkit.Token{8}.SHA256())
			return f.As("").Spawn(netkit.WithKey(ctx, "f0"), netkit.Spawn{Slug: "bea", TokenSHA256: &hash})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("bea").SetClaims(netkit.WithKey(ctx, "f1"), netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 12 * netkit.Credit})
		},
		publish("f2", netkit.P1),
		func(ctx context.Context, f *fixture) (any, error) {
			m, err := f.As("ada").Manifest(netkit.WithKey(ctx, "f3"), netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}})
			return ids(m.Items), err // charged is 0 when a lost reply is asked for again
		},
		publish("f4", netkit.P0),
		func(ctx context.Context, f *fixture) (any, error) {
			return f.op().ResolveCrisis(netkit.WithKey(ctx, "f5"), netkit.ResolveCrisis{DispatchID: slices.Max(slices.Collect(keys(tablesOf(f.state).Dispatches.All()))), Reason: "over"})
		},
		send("f6"), send("f7"), send("f8"),
		func(ctx context.Context, f *fixture) (any, error) {
			r, err := f.As("bea").AnswerAttention(netkit.WithKey(ctx, "f9"), netkit.AnswerAttention{ID: filedIn(f.state)[0], Body: "yes"})
			r.Balance = nil
			return r, err
		},
		func(ctx context.Context, f *fixture) (any, error) {
			return f.As("bea").DeclineAttention(netkit.WithKey(ctx, "f10"), netkit.DeclineAttention{ID: filedIn(f.state)[1], Reason: "no"})
		},
		func(ctx context.Context, f *fixture) (any, error) {
			f.now = f.now.Add(time.Hour) // the third expires before this
			return f.op().Deposit(netkit.WithKey(ctx, "f11"), netkit.Deposit{Sponsor: "acme", Amount: netkit.Credit, Reference: "wire 3"})
		},
	}
}

// What is derived must come out the same by applying, by replaying and from a
// snapshot: the canonical state does not show it.
func TestDerivedFeedAndMailboxes(t *testing.T) {
	f := memory(t)
	f.tell(t)
	derived := func(n *Network) string {
		var boxes []rules.Mailbox
		var walls []netkit.BadgeSet
		for _, p := range tablesOf(n.state).Parties.All() {
			boxes, walls = append(boxes, extraIn(n.state, p).Mailbox), append(walls, p.Badges)
		}
		return fmt.Sprintf("%+v %v %+v %v", boxes, walls, inside(n.state, "lines"), filedIn(n.state))
	}
	f.endWatch()
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

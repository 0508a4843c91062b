package netkit

import (
	"errors"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// agents spawns agents, each with the welcome grant.
func (f *fixture) agents(slugs ...string) {
	f.t.Helper()
	for _, slug := range slugs {
		if _, err := f.Spawn(f.t.Context(), Caller{}, Spawn{Slug: slug}); err != nil {
			f.t.Fatal(err)
		}
	}
}

// holds sets a wallet by moving what is over or missing from or to the
// treasury.
func (f *fixture) holds(slug string, want Credits) {
	f.t.Helper()
	d := want - f.state.held(Wallet(slug))
	if err := f.record(&contractFunded{}, move{Wallet(slug), d}, move{Treasury, -d}); err != nil {
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
	return must[DispatchReceipt](f.t)(f.Publish(f.t.Context(), f.op, Publish{Priority: p, Channel: ch, Headline: headline, Summary: "about " + headline})).DispatchID
}

// reads reads the feed.
func (f *fixture) reads(slug string, in ReadManifest) Manifest {
	f.t.Helper()
	return must[Manifest](f.t)(f.Manifest(f.t.Context(), As(slug), in))
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

func memory(t testing.TB) *fixture { return start(t, journal.NewMemory()) }

var allPriorities = []Priority{P0, P1, P2}

package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// follower opens a second network on the fixture's journal, which follows the first.
func (f *fixture) follower() *Network {
	f.t.Helper()
	n, err := New(f.t.Context(), Config{Store: f.store, Now: func() time.Time { return f.now }, Wait: -1, Follow: true})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { n.Close(f.t.Context()) })
	return n
}

// A network that follows shows what the writer wrote and refuses every command; when
// it leads it goes on where the writer stopped, and the former writer follows.
func TestFollowerTakesOver(t *testing.T) {
	f := memory(t, clearing(72))
	f.agents("ada")
	f.admit("acme", 100*netkit.Credit)
	id := f.offers(func(c *netkit.OpenContract) { c.ExecutionsPerAgent, c.Budget = 9, 40*netkit.Credit })
	b := f.follower()
	f.executes("ada", id)
	size := must[uint64](t)(b.CatchUp(t.Context()))
	if want := f.state.Size(); size != want {
		t.Fatalf("got %d entries, want %d", size, want)
	}
	same := func(when string) {
		t.Helper()
		if got, want := string(b.state.Canonical()), string(f.state.Canonical()); got != want {
			t.Errorf("%s: the follower's state differs", when)
		}
		if b.tree.Root() != f.tree.Root() {
			t.Errorf("%s: the follower's root differs", when)
		}
	}
	same("caught up")
	if got := must[netkit.OwnProfile](t)(b.As("ada").OwnProfile(t.Context())); got.Pending != 170 {
		t.Errorf("got %s pending, want 1.70", got.Pending)
	}
	_, err := b.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: id, Signal: signal})
	refused(t, err, netkit.ErrUnavailable, "not_writer")

	f.now = f.now.Add(96 * time.Hour) // pay clears, and days are over
	if err := b.Tick(t.Context()); err != nil || b.state.Size() != size {
		t.Errorf("a tick of the follower: got %d entries, %v, want %d", b.state.Size(), err, size)
	}
	f.waits(time.Hour)
	if err := b.Lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.Yield()
	must[netkit.Execution](t)(b.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: id, Signal: signal}))
	must[uint64](t)(f.CatchUp(t.Context()))
	same("taken over")
	_, err = f.As("ada").Execute(t.Context(), netkit.Execute{CampaignID: id, Signal: signal})
	refused(t, err, netkit.ErrUnavailable, "not_writer")
}

// Of two networks that both write, the one that lost decides again on what the other
// wrote.
func TestTwoWritersLoseNothing(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.admit("acme", 100*netkit.Credit)
	id := f.offers(func(c *netkit.OpenContract) { c.ExecutionsPerAgent, c.Budget = 9, 40*netkit.Credit })
	b := f.follower()
	if err := b.Lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	paid := 0
	for i := range 12 {
		n := f.Network
		if i%3 == 0 {
			n = b
		}
		for try := range 3 { // an answer that nothing was kept is repeated
			_, err := n.As([]string{"ada", "bea"}[i%2]).Execute(t.Context(), netkit.Execute{CampaignID: id, Signal: signal})
			if err == nil {
				paid++
				break
			}
			if try == 2 {
				t.Fatal(err)
			}
		}
	}
	must[uint64](t)(b.CatchUp(t.Context()))
	must[uint64](t)(f.CatchUp(t.Context()))
	if got, want := string(b.state.Canonical()), string(f.state.Canonical()); got != want {
		t.Error("the two states differ")
	}
	if got := f.wallet("ada").Balance + f.wallet("bea").Balance; got != 100*netkit.Credit+netkit.Credits(paid)*170 {
		t.Errorf("got %s in wallets after %d paid executions", got, paid)
	}
}

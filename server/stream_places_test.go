package server

import (
	"errors"
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// Ten agents at one address take a part of the places together, not all.
func TestSeatsOfAnAddressAreShared(t *testing.T) {
	l := Limits{Streams: 100, StreamsEach: 8}
	l.complete()
	o := newSeats()
	taken := 0
	for agent := range 10 {
		for range 10 {
			_, err := o.take(fmt.Sprint("agent-", agent), "192.0.2.1", &l)
			if err == nil {
				taken++
			} else if !errors.Is(err, netkit.ErrLimit) {
				t.Fatalf("got %v, want a limit of the caller's own", err)
			}
		}
	}
	if taken != 10 {
		t.Errorf("one address took %d of 100 places, want 10", taken)
	}
	for range 8 { // behind a proxy on this machine, readers share nothing
		if _, err := o.take("home", "", &l); err != nil {
			t.Error(err)
		}
	}
}

// When all places are taken, the address with most of them loses its newest to
// one that has fewer, until they have equally many.
func TestFullSeatsAreTakenFromWhoHoldsMost(t *testing.T) {
	l := Limits{Streams: 100, StreamsEach: 100, StreamsAddress: 60}
	l.complete()
	o := newSeats()
	var greedy, modest []*seat
	for range 60 {
		s, err := o.take("a", "192.0.2.1", &l)
		if err != nil {
			t.Fatal(err)
		}
		greedy = append(greedy, s)
	}
	for range 40 {
		s, err := o.take("b", "192.0.2.2", &l)
		if err != nil {
			t.Fatal(err)
		}
		modest = append(modest, s)
	}
	late := 0
	for ; late < 100; late++ {
		if _, err := o.take("c", "192.0.2.3", &l); err != nil {
			if !errors.Is(err, netkit.ErrUnavailable) {
				t.Fatal(err)
			}
			break
		}
	}
	lost := func(all []*seat) (n int) {
		for _, s := range all {
			select {
			case <-s.lost:
				n++
			default:
			}
		}
		return n
	}
	if late < 33 || late > 34 || lost(greedy)+lost(modest) != late || lost(greedy) < 26 {
		t.Errorf("the third address got %d, the first lost %d and the second %d, want a third for each", late, lost(greedy), lost(modest))
	}
	select {
	case <-greedy[0].lost:
		t.Error("the oldest seat was lost before the newest")
	default:
	}
	for _, s := range append(greedy, modest...) { // who lost a seat leaves it once more
		o.leave(s)
	}
	if o.open != late || len(o.held) != 1 || len(o.of) != 1 {
		t.Errorf("got %d open of %d holders after all others left, want %d of one", o.open, len(o.held), late)
	}
}

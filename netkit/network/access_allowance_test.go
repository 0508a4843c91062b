package network

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// allowing opens a network with an allowance.
func allowing(t *testing.T, party, source int) *fixture {
	f := memory(t)
	f.allowance = netkit.Allowance{Party: party, Source: source}
	f.agents("ada", "bob")
	return f
}

// change asks for something new each time, at no cost.
func (f *fixture) change(by netkit.Caller, i int) error {
	_, err := f.For(by).SetChannels(f.t.Context(), netkit.SetChannels{Channels: []netkit.Niche{netkit.Niches()[i%2]}})
	return err
}

func TestAllowanceOfAParty(t *testing.T) {
	f := allowing(t, 3, 0)
	for i := range 3 {
		if err := f.change(as("ada"), i); err != nil {
			t.Fatal(err)
		}
	}
	f.now = time.Date(2026, 2, 20, 23, 59, 30, 0, time.UTC)
	f.Unchanged(t, func() {
		err := f.change(as("ada"), 3)
		refused(t, err, netkit.ErrLimit, "allowance_used")
		var r *netkit.Refusal
		if errors.As(err, &r) && r.After != 30*time.Second {
			t.Errorf("got %v, want until midnight UTC", r.After)
		}
	})
	if err := f.change(as("bob"), 0); err != nil {
		t.Errorf("another party: %v", err)
	}
	if err := f.change(as("ada"), 2); err != nil {
		t.Errorf("what changes nothing: %v", err)
	}
	for i := range 5 {
		must[netkit.DispatchReceipt](t)(f.op().Publish(t.Context(), netkit.Publish{Priority: netkit.P1, Channel: netkit.NicheLegal, Headline: fmt.Sprint(i)}))
	}
	f.passes(30 * time.Second)
	if err := f.change(as("ada"), 3); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

// What costs credits is not counted, but those of a grant come for free.
func TestWhatAllowanceCounts(t *testing.T) {
	f := allowing(t, 2, 0)
	ctx := t.Context()
	f.allowance.Party = 100
	f.admit("acme", 100*netkit.Credit)
	id := f.opens("acme", 50*netkit.Credit, 20)
	f.takes("bob", netkit.Credit)
	used := func(slug string) int { return f.secrets.Unpaid.On(int32(netkit.At(f.now).Day()), slug) }
	before := used("ada")
	asked := f.asks("ada", "bob")
	if got := used("ada") - before; got != 1 {
		t.Errorf("a request paid by a grant: got %d counted, want 1", got)
	}
	for range 5 {
		f.executes("ada", id)
	}
	f.publishes(netkit.P1, netkit.NicheLegal, "h")
	f.reads("ada", netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1}})
	f.backs("ada", 10*netkit.Credit)
	f.asks("ada", "bob")
	if got := used("ada") - before; got != 1 {
		t.Errorf("executions, a paid read, a backed request: got %d counted, want none", got-1)
	}
	bobs := used("bob")
	must[netkit.AttentionReceipt](t)(f.As("bob").AnswerAttention(ctx, netkit.AnswerAttention{ID: asked.ID, Body: "b"}))
	if got := used("bob") - bobs; got != 0 {
		t.Errorf("a paid answer: got %d counted, want none", got)
	}
}

func TestAllowanceSurvivesARestart(t *testing.T) {
	f := allowing(t, 2, 0)
	for i := range 2 {
		if err := f.change(as("ada"), i); err != nil {
			t.Fatal(err)
		}
	}
	for _, snapshot := range []bool{true, false} {
		f.restarts(t)
		f.allowance = netkit.Allowance{Party: 2}
		refused(t, f.change(as("ada"), 2), netkit.ErrLimit, "allowance_used")
		if snapshot && f.resumed == 0 {
			t.Error("the start did not use the snapshot")
		}
	}
}

// The parties of one source share its allowance.
func TestAllowanceOfASource(t *testing.T) {
	f := allowing(t, 0, 3)
	from := func(slug, source string) netkit.Caller { return netkit.Caller{Slug: slug, Source: source} }
	for i, slug := range []string{"ada", "bob", "ada"} {
		if err := f.change(from(slug, "192.0.2.7"), i/2); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, f.change(from("bob", "192.0.2.7"), 1), netkit.ErrLimit, "allowance_used")
	for i, source := range []string{"192.0.2.8", ""} {
		if err := f.change(from("bob", source), i+1); err != nil {
			t.Errorf("from %q: %v", source, err)
		}
	}
	f.days(1)
	if err := f.change(from("bob", "192.0.2.7"), 1); err != nil {
		t.Errorf("the next day: %v", err)
	}
}

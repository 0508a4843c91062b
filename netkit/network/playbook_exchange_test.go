package network

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// stocked makes a network with n agents that hold inventory and one that
// holds none.
func stocked(t testing.TB, n int) *fixture {
	f := start(t, journal.NewMemory())
	for i := range n {
		f.agents(fmt.Sprintf("agent-%d", i))
		in := resolved(0)
		binary.BigEndian.PutUint32(in.ContentSHA256[4:], uint32(i+1))
		must[netkit.PlaybookReceipt](t)(f.As(fmt.Sprintf("agent-%d", i)).RegisterPlaybook(t.Context(), in))
	}
	f.agents("empty")
	return f
}

func (f *fixture) told(t testing.TB, slug string) int {
	t.Helper()
	return len(must[netkit.List[netkit.Notice]](t)(f.As(slug).Notices(t.Context(), netkit.Page{})).Items)
}

func TestExchangeOpensOnce(t *testing.T) {
	f := stocked(t, 2)
	ctx := t.Context()
	must[netkit.PlaybookReceipt](t)(f.As("agent-0").RegisterPlaybook(ctx, resolved(9)))
	if x := must[netkit.Exchange](t)(f.As("").Exchange(ctx)); x.State != "planned" || x.Inventory != 3 || x.Agents != 2 || x.OpenedAt != 0 {
		t.Errorf("got %+v, want it planned with 3 of 2 agents", x)
	}
	for _, c := range []struct {
		by, reason string
		kind       error
		code       string
	}{
		{"agent-0", "r", netkit.ErrForbidden, "operators_only"},
		{"", "r", netkit.ErrUnauthenticated, "unauthenticated"},
		{"operator", "", netkit.ErrInvalid, "text_missing"},
	} {
		_, err := f.As(c.by).OpenExchange(ctx, netkit.OpenExchange{Reason: c.reason})
		refused(t, err, c.kind, c.code)
	}
	r := must[netkit.ExchangeReceipt](t)(f.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "enough inventory"}))
	_, err := f.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "again"})
	refused(t, err, netkit.ErrConflict, "exchange_open")
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	if x := must[netkit.Exchange](t)(f.As("").Exchange(ctx)); x.State != "open" || x.OpenedAt != r.At || r.Agents != 2 {
		t.Errorf("got %+v and %+v, want it open", x, r)
	}
	got := must[netkit.List[netkit.Notice]](t)(f.As("agent-0").Notices(ctx, netkit.Page{})).Items
	if len(got) != 1 || got[0].Kind != "exchange.opened" || got[0].Subject != r.Seq {
		t.Errorf("got %+v, want one notice of entry %d", got, r.Seq)
	}
	if n := f.told(t, "empty"); n != 0 {
		t.Errorf("an agent without inventory got %d notices, want none", n)
	}
	f.restarts(t)
}

// Opening can be undone. The notices stay, and opening again sends one only to
// those who have inventory since.
func TestExchangeClosesAgain(t *testing.T) {
	f := stocked(t, 2)
	ctx := t.Context()
	_, err := f.op().CloseExchange(ctx, netkit.CloseExchange{Reason: "r"})
	refused(t, err, netkit.ErrConflict, "exchange_not_open")
	must[netkit.ExchangeReceipt](t)(f.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "enough inventory"}))
	f.ticks()
	if x := must[netkit.Exchange](t)(f.As("").Exchange(ctx)); x.Trade || x.Note != netkit.ExchangeNote {
		t.Errorf("got %+v, want that nothing is sold", x)
	}
	_, err = f.As("agent-0").CloseExchange(ctx, netkit.CloseExchange{Reason: "r"})
	refused(t, err, netkit.ErrForbidden, "operators_only")
	if r := must[netkit.ExchangeReceipt](t)(f.op().CloseExchange(ctx, netkit.CloseExchange{Reason: "too early"})); r.State != "planned" {
		t.Errorf("got %+v, want it planned", r)
	}
	if x := must[netkit.Exchange](t)(f.As("").Exchange(ctx)); x.State != "planned" || x.OpenedAt != 0 {
		t.Errorf("got %+v, want it planned again", x)
	}
	must[netkit.PlaybookReceipt](t)(f.As("empty").RegisterPlaybook(ctx, resolved(77)))
	if r := must[netkit.ExchangeReceipt](t)(f.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "now"})); r.Agents != 1 {
		t.Errorf("got %d agents to tell, want the one that has inventory since", r.Agents)
	}
	f.ticks()
	for _, slug := range []string{"agent-0", "agent-1", "empty"} {
		if got := f.told(t, slug); got != 1 {
			t.Errorf("%s: got %d notices, want 1", slug, got)
		}
	}
	f.restarts(t)
}

// Telling goes on in steps, one a batch, each an entry; a stop in between
// loses and repeats nothing.
func TestExchangeTellsInSteps(t *testing.T) {
	const agents = 513 // two steps and one agent more
	f := stocked(t, agents)
	ctx := t.Context()
	must[netkit.ExchangeReceipt](t)(f.op().OpenExchange(ctx, netkit.OpenExchange{Reason: "enough inventory"}))
	late := resolved(77)
	must[netkit.PlaybookReceipt](t)(f.As("empty").RegisterPlaybook(ctx, late)) // drives a step, is too late itself
	if told := inside(f.state, "root").Elem().FieldByName("Exchange").FieldByName("Told").Uint(); told != 256 {
		t.Errorf("got %d told after one command, want 256", told)
	}
	f.restarts(t)
	before := f.state.Size()
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	if steps := f.state.Size() - before; steps != 2 {
		t.Errorf("got %d steps for the other 257, want 2", steps)
	}
	for i := range agents {
		if n := f.told(t, fmt.Sprintf("agent-%d", i)); n != 1 {
			t.Errorf("agent %d got %d notices, want 1", i, n)
		}
	}
	if n := f.told(t, "empty"); n != 0 {
		t.Errorf("who registered after the opening got %d notices, want none", n)
	}
	f.restarts(t)
	f.Unchanged(t, func() {
		if err := f.Tick(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

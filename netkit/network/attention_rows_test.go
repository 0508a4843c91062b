package network

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

// dropped records a step that forgets settled requests, as the night does.
type dropped struct {
	Before netkit.Day
	Most   int
	n      int // forgotten, for the test
}

func (*dropped) Kind() netkit.Kind { return "test.dropped" }

func (*dropped) CommandOf(*rules.PastView) (rules.Command, error) { return nil, nil }

func (f *dropped) Fields(c *wire.Codec) {
	wire.Num(c, "before", &f.Before)
	wire.Num(c, "most", &f.Most)
}

func (f *dropped) Apply(s *rules.State, _ *rules.Entry) { f.n = s.DropSettled(f.Before, f.Most) }

func TestDropSettled(t *testing.T) {
	f := pair(t)
	f.takes("bea", 0)
	ctx := t.Context()
	var sent []uint64
	for range 5 {
		sent = append(sent, f.asks("ada", "bea").ID)
		f.now = f.now.Add(time.Hour)
	}
	for _, id := range []uint64{sent[0], sent[1], sent[3], sent[4]} {
		must[netkit.AttentionReceipt](t)(f.As("bea").DeclineAttention(ctx, netkit.DeclineAttention{ID: id}))
	}
	today := netkit.At(f.now).Day()
	drop := func(before netkit.Day, most int) int {
		t.Helper()
		fact := &dropped{Before: before, Most: most}
		if err := f.record(fact); err != nil {
			t.Fatal(err)
		}
		return fact.n
	}
	if n := drop(today, 100); n != 0 {
		t.Errorf("settled today: got %d forgotten, want 0", n)
	}
	if n := drop(today+1, 1); n != 1 {
		t.Errorf("one at most: got %d forgotten, want 1", n)
	}
	if n := drop(today+1, 100); n != 1 {
		t.Errorf("up to one that is pending: got %d forgotten, want 1", n)
	}
	for slug, box := range map[string][]uint64{"ada": f.extra("ada").Sent, "bea": f.extra("bea").Inbox} {
		if diff := cmp.Diff(sent[2:], box); diff != "" {
			t.Errorf("%s: %s", slug, diff)
		}
	}
	_, err := f.As("ada").Attention(ctx, sent[0])
	refused(t, err, netkit.ErrNotFound, "attention_unknown")
	_, err = f.As("bea").AnswerAttention(ctx, netkit.AnswerAttention{ID: sent[1], Body: "x"})
	refused(t, err, netkit.ErrNotFound, "attention_unknown")
}

// A step that was not written leaves everything listed.
func TestDropSettledUndone(t *testing.T) {
	f := pair(t)
	id := f.asks("ada", "bea").ID
	must[netkit.AttentionReceipt](t)(f.As("bea").DeclineAttention(t.Context(), netkit.DeclineAttention{ID: id}))
	want, box := string(f.state.Canonical()), f.extra("bea").Mailbox
	if n := f.state.DropSettled(netkit.At(f.now).Day()+1, 9); n != 1 || len(tablesOf(f.state).Requests.M) != 0 {
		t.Fatalf("got %d forgotten, want 1", n)
	}
	f.state.Rollback()
	if got := string(f.state.Canonical()); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if diff := cmp.Diff(box, f.extra("bea").Mailbox, cmp.AllowUnexported(rules.Mailbox{}, rules.Answer{})); diff != "" {
		t.Error(diff)
	}
}

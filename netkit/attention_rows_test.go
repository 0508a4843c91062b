package netkit

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/internal/wire"
)

// dropped records a step that forgets settled requests, as the night does.
type dropped struct {
	Before Day
	Most   int
	n      int // forgotten, for the test
}

func (*dropped) kind() Kind { return "test.dropped" }

func (*dropped) asked(*pastView) (command, error) { return nil, nil }

func (f *dropped) fields(c *wire.Codec) {
	wire.Num(c, "before", &f.Before)
	wire.Num(c, "most", &f.Most)
}

func (f *dropped) apply(s *state, _ *Entry) { f.n = s.dropSettled(f.Before, f.Most) }

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
		must[AttentionReceipt](t)(f.As("bea").DeclineAttention(ctx, DeclineAttention{ID: id}))
	}
	today := At(f.now).Day()
	drop := func(before Day, most int) int {
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
	for slug, box := range map[string][]uint64{"ada": f.extra("ada").sent, "bea": f.extra("bea").inbox} {
		if diff := cmp.Diff(sent[2:], box); diff != "" {
			t.Errorf("%s: %s", slug, diff)
		}
	}
	_, err := f.As("ada").Attention(ctx, sent[0])
	refused(t, err, ErrNotFound, "attention_unknown")
	_, err = f.As("bea").AnswerAttention(ctx, AnswerAttention{sent[1], "x"})
	refused(t, err, ErrNotFound, "attention_unknown")
}

// A step that was not written leaves everything listed.
func TestDropSettledUndone(t *testing.T) {
	f := pair(t)
	id := f.asks("ada", "bea").ID
	must[AttentionReceipt](t)(f.As("bea").DeclineAttention(t.Context(), DeclineAttention{ID: id}))
	want, box := string(f.state.canonical()), f.extra("bea").mailbox
	if n := f.state.dropSettled(At(f.now).Day()+1, 9); n != 1 || len(f.state.requests.M) != 0 {
		t.Fatalf("got %d forgotten, want 1", n)
	}
	f.state.rollback()
	if got := string(f.state.canonical()); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if diff := cmp.Diff(box, f.extra("bea").mailbox, cmp.AllowUnexported(mailbox{}, answer{})); diff != "" {
		t.Error(diff)
	}
}

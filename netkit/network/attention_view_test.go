package network

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
)

func TestInboxAndSent(t *testing.T) {
	f := pair(t)
	f.takes("bea", 0)
	ctx := t.Context()
	var sent []uint64
	for range 3 {
		sent = append(sent, f.asks("ada", "bea").ID)
	}
	must[netkit.AttentionReceipt](t)(f.As("bea").AnswerAttention(ctx, netkit.AnswerAttention{ID: sent[1], Body: "forty-two"}))
	must[netkit.AttentionReceipt](t)(f.As("bea").DeclineAttention(ctx, netkit.DeclineAttention{ID: sent[0], Reason: "busy"}))
	at := netkit.At(f.now)
	whole := netkit.Attention{From: "ada", To: "bea", Subject: "s", Body: "b", SentAt: at, ExpiresAt: at + 72*netkit.Hour, Untrusted: true}
	pending, answered, declined := whole, whole, whole
	pending.ID = sent[2]
	answered.ID, answered.State, answered.Answer, answered.SettledAt = sent[1], netkit.Answered, "forty-two", at
	declined.ID, declined.State, declined.Reason, declined.SettledAt = sent[0], netkit.Declined, "busy", at
	want := []netkit.Attention{pending, answered, declined}
	for name, got := range map[string]netkit.List[netkit.Attention]{
		"inbox": must[netkit.List[netkit.Attention]](t)(f.As("bea").Inbox(ctx, netkit.AttentionQuery{})),
		"sent":  must[netkit.List[netkit.Attention]](t)(f.As("ada").Sent(ctx, netkit.AttentionQuery{})),
	} {
		if diff := cmp.Diff(want, got.Items); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := must[netkit.List[netkit.Attention]](t)(f.As("ada").Inbox(ctx, netkit.AttentionQuery{})); got.Items == nil || len(got.Items) != 0 {
		t.Errorf("got %v, want an empty list", got.Items)
	}
	if diff := cmp.Diff([]netkit.Attention{pending}, must[netkit.List[netkit.Attention]](t)(f.As("bea").Inbox(ctx, netkit.AttentionQuery{State: new(netkit.Pending)})).Items); diff != "" {
		t.Error(diff)
	}
	f.now = f.now.AddDate(0, 0, 30) // listed for 30 days; the pending one has expired by then
	if err := f.Tick(ctx); err != nil {
		t.Fatal(err)
	}
	if got := must[netkit.List[netkit.Attention]](t)(f.As("bea").Inbox(ctx, netkit.AttentionQuery{})).Items; len(got) != 1 || got[0].State != netkit.Expired {
		t.Errorf("after 30 days: got %+v, want the expired one alone", got)
	}
}

func TestInboxPages(t *testing.T) {
	f := pair(t)
	f.takes("bea", 0)
	var want []uint64
	for range 7 {
		want = append([]uint64{f.asks("ada", "bea").ID}, want...)
	}
	var got []uint64
	q := netkit.AttentionQuery{Page: netkit.Page{Limit: 3}}
	for range 5 {
		l := must[netkit.List[netkit.Attention]](t)(f.As("bea").Inbox(t.Context(), q))
		for _, a := range l.Items {
			got = append(got, a.ID)
		}
		if q.Cursor = l.NextCursor; q.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A request is between two parties: nobody else learns that it exists.
func TestAttentionIsPrivate(t *testing.T) {
	f := pair(t)
	f.agents("cora")
	id := f.asks("ada", "bea").ID
	for _, who := range []string{"cora", "operator"} {
		_, err := f.As(who).Attention(t.Context(), id)
		refused(t, err, netkit.ErrNotFound, "attention_unknown")
	}
	_, err := f.As("").Attention(t.Context(), id)
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
	_, err = f.As("").Inbox(t.Context(), netkit.AttentionQuery{})
	refused(t, err, netkit.ErrUnauthenticated, "unauthenticated")
	f.row("bea").Status = netkit.Rogue // reading goes on
	if got := must[netkit.Attention](t)(f.As("bea").Attention(t.Context(), id)); got.Body != "b" {
		t.Errorf("got %+v, want its body", got)
	}
}

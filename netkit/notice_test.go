package netkit

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

func TestNoticesNewestFirst(t *testing.T) {
	f := start(t, journal.NewMemory())
	ctx := t.Context()
	f.agents("ada", "bob")
	var seqs []uint64
	for i := range 5 {
		r := must[RoleReceipt](t)(f.op().SetRole(ctx, SetRole{Agent: "ada", Role: "reviewer", Grant: i%2 == 0, Reason: "secret reason"}))
		seqs = append([]uint64{r.Seq}, seqs...)
	}
	f.restarts(t)
	var got []uint64
	for page := (Page{Limit: 2}); ; {
		l := must[List[Notice]](t)(f.As("ada").Notices(ctx, page))
		for _, v := range l.Items {
			got = append(got, v.Seq)
			if v.At != At(f.now) || v.Text == "" || strings.Contains(v.Text, "secret") {
				t.Errorf("got %+v, want a text made of facts", v)
			}
		}
		if page.Cursor = l.NextCursor; page.Cursor == "" {
			break
		}
	}
	if len(got) != len(seqs) {
		t.Fatalf("got %v, want %v", got, seqs)
	}
	for i := range seqs {
		if got[i] != seqs[i] {
			t.Errorf("got %v, want %v", got, seqs)
		}
	}
	if l := must[List[Notice]](t)(f.As("bob").Notices(ctx, Page{})); len(l.Items) != 0 || l.Items == nil {
		t.Errorf("got %+v for another agent, want an empty list", l.Items)
	}
	_, err := f.As("").Notices(ctx, Page{})
	refused(t, err, ErrUnauthenticated, "unauthenticated")
	_, err = f.As("ada").Notices(ctx, Page{Limit: 500})
	refused(t, err, ErrInvalid, "limit_out_of_range")
}

// The list is capped, and a lost batch takes back what it added, also where
// it was cut.
func TestNoticesAreCapped(t *testing.T) {
	s := newState()
	s.enrol(party{slug: "ada", kind: AgentParty})
	for seq := range uint64(200) {
		s.notify(0, seq+1, noticeVerdict)
	}
	s.commit()
	want := encoded(s.extra(s.parties.At(0)))
	for range 2 {
		for seq := range uint64(150) {
			s.notify(0, seq+201, noticeVerdict)
		}
		rows := s.extra(s.parties.At(0)).notices
		if len(rows) > maxNotices || rows[len(rows)-1].seq != 350 || len(rows) < noticesLeft {
			t.Errorf("got %d notices up to %d, want at most 200 up to 350", len(rows), rows[len(rows)-1].seq)
		}
		for i := 1; i < len(rows); i++ {
			if rows[i].seq != rows[i-1].seq+1 {
				t.Fatalf("notice %d follows %d", rows[i].seq, rows[i-1].seq)
			}
		}
		s.rollback()
		if got := encoded(s.extra(s.parties.At(0))); got != want {
			t.Errorf("after a lost batch: got\n%s, want\n%s", got, want)
		}
	}
}

func TestEveryNoticeHasItsText(t *testing.T) {
	if len(noticeTexts) != len(noticeNames) {
		t.Fatalf("got %d texts for %d kinds", len(noticeTexts), len(noticeNames))
	}
	for kind, text := range noticeTexts {
		if text == "" || noticeNames[kind] == "" {
			t.Errorf("kind %d has name %q and text %q", kind, noticeNames[kind], text)
		}
	}
}

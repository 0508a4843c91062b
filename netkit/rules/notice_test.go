package rules

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// The list is capped, and a lost batch takes back what it added, also where
// it was cut.
func TestNoticesAreCapped(t *testing.T) {
	s := NewState()
	s.enrol(Party{Slug: "ada", Kind: netkit.AgentParty})
	for seq := range uint64(200) {
		s.notify(0, seq+1, noticeVerdict)
	}
	s.Commit()
	want := encoded(s.extra(s.parties.At(0)))
	for range 2 {
		for seq := range uint64(150) {
			s.notify(0, seq+201, noticeVerdict)
		}
		rows := s.extra(s.parties.At(0)).notices
		if len(rows) > maxNotices || rows[len(rows)-1].Seq != 350 || len(rows) < noticesLeft {
			t.Errorf("got %d notices up to %d, want at most 200 up to 350", len(rows), rows[len(rows)-1].Seq)
		}
		for i := 1; i < len(rows); i++ {
			if rows[i].Seq != rows[i-1].Seq+1 {
				t.Fatalf("notice %d follows %d", rows[i].Seq, rows[i-1].Seq)
			}
		}
		s.Rollback()
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

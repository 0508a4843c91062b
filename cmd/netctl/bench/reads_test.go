package bench

import (
	"testing"
	"time"
)

// No anonymous read requires more than a few hundred journal entries, whatever is
// asked for and however few entries match.
func TestAnonymousReadsAreBounded(t *testing.T) {
	r, err := RunReads(t.Context(), Reads{Executions: 3000, Rounds: 1, Span: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	executions := 0
	for _, one := range r.Reads {
		if one.Status >= 500 || one.Entries > 400 {
			t.Errorf("%s %s: got %d and %d entries, want at most 400", one.Target, one.Accept, one.Status, one.Entries)
		}
		if one.Entries > 0 && one.Status == 200 {
			executions++
		}
	}
	if len(r.Reads) < 300 || executions < 50 {
		t.Errorf("got %d reads, %d of which read the journal: the catalogue has more", len(r.Reads), executions)
	}
	if len(r.Neighbours) != attackedReads {
		t.Fatalf("got %d reads next to which an agent executed, want %d", len(r.Neighbours), attackedReads)
	}
	for _, n := range r.Neighbours {
		if n.Ratio <= 0 || n.Quiet <= 0 || n.Attacked <= 0 || n.Answered <= 0 {
			t.Errorf("got %+v, want figures", n)
		}
	}
}

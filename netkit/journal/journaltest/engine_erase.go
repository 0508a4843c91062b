package journaltest

import (
	"fmt"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// erasing returns the record of an entry that erases another one.
func erasing(seq, erased uint64) journal.Record {
	return journal.Record{Seq: seq, Public: fmt.Appendf(nil, `{"seq":%d,"kind":"private.erased","fact":{"entry":%d}}`, seq, erased)}
}

func testEngineErase(t *testing.T, e, other journal.Engine) {
	want := Records(0, 6)
	head := grow(t, e, journal.Head{}, want)
	for _, seqs := range [][]uint64{{3}, {1, 0}, {3, 2}, {4}} {
		b := Records(head.Size, 1)
		for _, seq := range seqs {
			b = append(b, erasing(head.Size+uint64(len(b)), seq))
		}
		head = grow(t, e, head, b, seqs...)
		want = append(want, b...)
		for _, seq := range seqs {
			want[seq].Private = nil
		}
		expectEngine(t, other, want)
	}
	// A key does not come back, and a batch that says nothing of an erasure takes none.
	if _, err := e.Append(t.Context(), head, sealed(t, e, Records(head.Size, 1), head.Size-2)); err == nil {
		want = append(want, Records(head.Size, 1)...)
	}
	expectEngine(t, other, want)
}

package rules

import (
	"maps"
	"testing"
)

// A count that fell to 0 keeps its row, as a replay does, also after a batch that
// counted it up was lost.
func TestGroupsKeepACountOfZero(t *testing.T) {
	x := newGroups[uint32, uint32]()
	x.inc(1, 2)
	x.dec(1, 2)
	x.Commit()
	x.inc(1, 2)
	x.inc(1, 3)
	x.Rollback()
	if want := map[uint32]uint32{2: 0}; !maps.Equal(x.of(1), want) {
		t.Errorf("got %v after a lost batch, want %v", x.of(1), want)
	}
}

package proof

import (
	"context"
	"errors"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// counting tells how often nodes were asked for.
type counting struct {
	*journal.Memory
	asked int
	err   error
}

func (c *counting) Nodes(_ context.Context, indexes []uint64) ([][journal.HashSize]byte, error) {
	c.asked++
	out := make([][journal.HashSize]byte, len(indexes))
	for i, x := range indexes {
		out[i] = journal.Leaf([]byte{byte(x), byte(x >> 8), byte(x >> 16)})
	}
	return out, c.err
}

// A tile is read once, however many there are, and a failure is not remembered.
func TestTilesAreRemembered(t *testing.T) {
	c := &counting{Memory: journal.NewMemory(), err: errors.New("disk")}
	s := &remembering{Store: c, tiles: map[span][][journal.HashSize]byte{}}
	ask := func(first uint64, width int) {
		t.Helper()
		indexes := make([]uint64, width)
		for i := range indexes {
			indexes[i] = first + uint64(i)
		}
		got, err := s.Nodes(t.Context(), indexes)
		want, werr := (&counting{}).Nodes(t.Context(), indexes)
		if err != nil || werr != nil || len(got) != width || got[width-1] != want[width-1] {
			t.Fatalf("%d nodes at %d: got %d, %v", width, first, len(got), err)
		}
	}
	if _, err := s.Nodes(t.Context(), []uint64{7}); !errors.Is(err, c.err) {
		t.Errorf("got %v, want %v", err, c.err)
	}
	c.asked, c.err = 0, nil
	for range 3 {
		ask(7, 1)
		ask(7, 2) // the same tile, wider
	}
	if c.asked != 2 {
		t.Errorf("got %d reads of two tiles, want 2", c.asked)
	}
	for tile := range uint64(3 * maxTiles) {
		ask(1000*(tile+1), 2)
	}
	if len(s.tiles) != maxTiles || len(s.order) != maxTiles {
		t.Errorf("got %d tiles remembered in an order of %d, want %d", len(s.tiles), len(s.order), maxTiles)
	}
	if got, err := s.Nodes(t.Context(), nil); got != nil || err != nil {
		t.Errorf("of nothing: got %v, %v", got, err)
	}
}

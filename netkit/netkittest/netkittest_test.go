package netkittest_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// written returns the journal of a short life.
func written(t *testing.T, seed uint64) []byte {
	n := netkittest.New(t, netkittest.Config{Seed: seed})
	if _, err := n.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}); err != nil {
		t.Fatal(err)
	}
	if r := n.Advance(t, 48*time.Hour); len(r.Closed) != 2 {
		t.Errorf("got %d days closed, want 2", len(r.Closed))
	}
	var all bytes.Buffer
	for r, err := range n.Store.Read(t.Context(), 0, 1000) {
		if err != nil {
			t.Fatal(err)
		}
		all.Write(r.Public)
	}
	return all.Bytes()
}

func TestSameSeedWritesTheSameJournal(t *testing.T) {
	first, again, other := written(t, 1), written(t, 1), written(t, 2)
	if !bytes.Equal(first, again) {
		t.Errorf("got\n%s\nthen\n%s", first, again)
	}
	if bytes.Equal(first, other) {
		t.Error("another seed wrote the same journal")
	}
}

func TestClockStandsStill(t *testing.T) {
	n := netkittest.New(t, netkittest.Config{})
	born, err := n.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	if got := born.At.Time(); !got.Equal(netkittest.Start) {
		t.Errorf("got %s, want %s", got, netkittest.Start)
	}
}

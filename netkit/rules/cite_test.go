package rules

import (
	"crypto/sha256"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// The seed is what is written down about it, so that anyone can draw again.
func TestPanelSeed(t *testing.T) {
	root := netkit.Hash{1, 2, 3}
	text := append([]byte("panel"), root[:]...)
	text = append(text, 0, 0, 0, 0, 0, 0, 1, 44, 2) // case 300, round 2
	if got, want := PanelSeed(root, 300, 2), sha256.Sum256(text); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
	seen := map[[32]byte]bool{}
	for round := range uint8(4) {
		seen[PanelSeed(root, 300, round)] = true
	}
	if len(seen) != 4 {
		t.Errorf("got %d seeds for four draws of a case, want one each", len(seen))
	}
}

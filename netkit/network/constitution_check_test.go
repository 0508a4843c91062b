package network

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// No network begins under a document that the rules could not run on.
func TestGenesisWithAnUnsoundConstitution(t *testing.T) {
	law := revised("1.0.0", func(c *netkit.Constitution) { c.Tiers = nil })
	_, err := New(t.Context(), Config{Store: journal.NewMemory(), Now: time.Now,
		Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}, Constitution: law}})
	refused(t, err, netkit.ErrInvalid, "constitution_unsound")
}

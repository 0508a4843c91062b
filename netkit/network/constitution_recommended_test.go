package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// The network itself takes the recommended rules by the normal adoption.
func TestRecommendedRulesAreAdopted(t *testing.T) {
	f := memory(t, newReview)
	law, _ := f.law.Recommended("2026-11-23")
	r := must[netkit.AcceptReceipt](t)(f.op().AdoptConstitution(t.Context(), netkit.AdoptConstitution{Document: law}))
	if r.Version != "1.1.0" || (*lawOf(f.state)).Review.IncomeDays != 30 {
		t.Errorf("got %+v, want 1.1.0 in force", r)
	}
	f.restarts(t)
}

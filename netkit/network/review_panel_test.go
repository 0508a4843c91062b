package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// largerPanels lets panels have five where so many reviewers are eligible.
func largerPanels(c *netkit.Constitution) { c.Review.LargestPanel = 5 }

// A panel is as large as its reviewers allow, and more than half of it decide.
func TestPanelIsAsLargeAsReviewersAllow(t *testing.T) {
	f, id := bench(t, largerPanels)
	c := f.reports("rob", id, "L1")
	panel := f.panelOf(c.CaseID)
	if len(panel) != 5 {
		t.Fatalf("got panel %v of twelve reviewers, want five", panel)
	}
	for i, slug := range panel[:3] {
		if got := f.caseAt(c.CaseID).State; got != netkit.CaseWithPanel {
			t.Errorf("got %s after %d verdicts, want the panel to go on", got, i)
		}
		must[netkit.CaseReceipt](t)(f.As(slug).Verdict(t.Context(), netkit.Verdict{CaseID: c.CaseID, Uphold: true, Reasoning: "r"}))
	}
	must[struct{}](t)(struct{}{}, f.Tick(t.Context()))
	if got := f.caseAt(c.CaseID).State; got != netkit.CaseUpheld {
		t.Errorf("got %s, want what three of five found", got)
	}
}

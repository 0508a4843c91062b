package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt"
)

// Labels made of common names must not keep a name whole; labels without one stay.
func TestLabels(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "grid.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := ReadGrid(f)
	if err != nil {
		t.Fatal(err)
	}
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	all, left := 0, 0
	for _, name := range g.names {
		given, surname, _ := strings.Cut(strings.ToLower(name), " ")
		if strings.Trim(given+surname, "abcdefghijklmnopqrstuvwxyz") != "" {
			continue // a label has none but these letters
		}
		for _, label := range []string{
			given + "-" + surname + "-claim", given + "_" + surname + "_refund", "denied_claim_" + surname, surname + "_v_insurer",
			given + "." + surname, surname + "_" + given, title(given) + title(surname), given + title(surname) + "Refund",
		} {
			all++
			clean, _ := btdt.Scrub(btdt.Playbook{Title: "A case", SubCategory: label, Outcome: "It was settled.", Steps: []string{"They wrote back."}})
			if clean.SubCategory == label {
				left++
				t.Logf("left whole: %s", label)
			}
		}
	}
	if all < 500 || left*100 > all {
		t.Errorf("got %d of %d labels left whole, want at most one of a hundred", left, all)
	}
	for _, label := range []string{"denied_claim", "deposit-refund", "bill_dispute", "grant_denial", "building.permit", "priceIncrease", "claim_555.22", "NAME_1_refund"} {
		clean, _ := btdt.Scrub(btdt.Playbook{Title: "A case", SubCategory: label, Outcome: "It was settled.", Steps: []string{"They wrote back."}})
		if clean.SubCategory != label {
			t.Errorf("%s: got %s, want it as it is", label, clean.SubCategory)
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt"
)

// Check and the registry agree on generated playbooks: what check passes or register
// strips, the registry accepts, and what the registry refuses, check names.
func TestCheckAgreesWithRegistry(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	plain := false
	person := func() string {
		if plain {
			return pick("the caseworker", "a clerk", "our neighbour")
		}
		name := pick("Maria", "John", "Anna", "Piotr", "Lucía", "Jean", "Karin") + " " + pick("Gonzalez", "Smith", "Kowalski", "Baker", "Okafor", "Brandt", "Lefèvre")
		return pick(name, strings.ToLower(name), strings.Fields(name)[1], "Mrs "+strings.Fields(name)[1])
	}
	thing := func() string {
		if plain {
			return pick("the deposit", "a delayed flight", "the water bill", "an insurer")
		}
		return pick("the deposit", "a delayed flight", "the water bill", "an insurer", "the Ombudsman", "jane@example.org", "312-555-0187", "claim AP-2024-118273", "Gruvelock", person(), person())
	}
	refused, passed := 0, 0
	for i := range 1000 {
		p := template
		plain = i%2 == 0
		p.Title = pick("Refund for ", "Letter to ", "Settled with ", "What came of ") + thing()
		p.SubCategory = strings.ReplaceAll(pick("denied claim", "deposit refund", "refund "+person()), " ", "_")
		p.Region, p.Entity = pick("", "Bavaria", "Ohio", person()), pick("", "Northwind Energy Ltd", "a bank", thing())
		p.Steps = []string{"Wrote to " + thing() + " about " + thing() + ".", "Asked " + person() + " again."}
		if p.Validate() != nil {
			p.SubCategory = "denied_claim"
		}
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		f := file{fmt.Sprintf("/nonexistent/%d.json", i), data}
		_, wrong := checkFile(t.Context(), f, deciding{})
		for _, x := range btdt.RefusedFindings(p.Metadata()) {
			refused++
			if wrong == nil || !strings.Contains(wrong.Error(), ": "+x.Path+" ") {
				t.Errorf("%s: the registry refuses %+v, check says %v", data, x, wrong)
			}
		}
		if wrong == nil {
			passed++
		}
		done, err := (&call{app: &app{}, ctx: t.Context()}).strip(f, deciding{unsure: "mask"}, false)
		if err != nil {
			t.Errorf("%s: register refuses what it stripped: %v", data, err)
		} else if left := btdt.RefusedFindings(done.metadata()); len(left) > 0 {
			t.Errorf("%s: the registry refuses what was stripped: %+v", data, left)
		}
	}
	if refused < 200 || passed < 100 {
		t.Errorf("got %d places refused and %d playbooks passed, want enough of both", refused, passed)
	}
	t.Logf("%d places refused, %d playbooks passed", refused, passed)
}

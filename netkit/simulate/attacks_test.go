package simulate_test

import (
	"testing"

	"github.com/agentnet/netctl/netkit/simulate"
)

// What the rules promise, with margins for a single seed. The exact figures of
// five seeds stand in netctl help attacks.
func TestRulesHoldAgainstAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, c := range []struct {
		scenario, figure string
		least, most      float64
	}{
		{"grants", "welcome grants sent on", 0, 0},
		{"ring-diversity", "attacker: best diversity", 0, 0.2},
		{"quick-verified", "attacker: VERIFIED", 0, 0},
		{"quick-reputation", "attacker: best reputation", 0, 90},
		{"bought-reviewers", "false reports upheld at first", 0, 4},
		{"shield", "shielded reports refused", 0, 0},
		{"fake-playbooks", "invented playbooks registered in a day", 1, 500},
		{"copied-playbooks", "files registered before their owners", 100, 100},
		{"copied-playbooks", "files that others keep", 0, 0},
		{"free-ride", "dispatches opened by one paid read", 1, 10},
		{"blackout", "days of 30 without commerce", 1, 10},
		{"revocation", "days of 60 without the badge", 1, 10},
		{"sleeping-witness", "days of 30 that the badge is kept", 1, 7},
		{"law", "in force at once", 0, 0},
		{"honest-small", "diversity ≥ 0.30", 90, 100},
		{"honest-small", "VERIFIED: median day", 5, 21},
	} {
		t.Run(c.scenario+"/"+c.figure, func(t *testing.T) {
			t.Parallel()
			sc, err := simulate.Builtin(c.scenario)
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := run(t, sc, 1).Mean(c.figure); !ok || v < c.least || v > c.most {
				t.Errorf("got %v for %q, want %v to %v", v, c.figure, c.least, c.most)
			}
		})
	}
}

// What the rules promise against families, at some of their sizes.
func TestRulesHoldAgainstFamilies(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, c := range []struct {
		family      string
		size        map[string]any // of the attack
		figure      string
		least, most float64
	}{
		{"factory", map[string]any{"sponsors": 3, "accounts": 5, "funds": 1000}, "attacker: accounts BADGED", 0, 0},
		// Larger than any list of payees: panels uphold nearly all cases.
		{"factory", map[string]any{"sponsors": 5, "accounts": 21, "funds": 4200}, "attacker: accounts stopped", 19, 21},
		{"factory", map[string]any{"sponsors": 3, "accounts": 42, "funds": 8400}, "attacker: accounts stopped", 40, 42},
		{"own-puppets", map[string]any{"accounts": 60}, "gain without work", -1e9, 0},
		{"drain", map[string]any{"accounts": 14}, "attacker keeps, of the sponsors' spending", -5, 4},
		{"griefers", map[string]any{"sponsors": 5}, "turned sponsors: gain", -1e9, 0},
		{"capture", map[string]any{"sponsors": 1, "bought": 3}, "turned sponsors: gain, of their spending", -100, 10},
	} {
		t.Run(c.family+"/"+c.figure, func(t *testing.T) {
			t.Parallel()
			f, err := simulate.BuiltinFamily(c.family)
			if err != nil {
				t.Fatal(err)
			}
			f.Sizes = []map[string]any{{"attack": c.size}}
			r, err := simulate.RunFamily(t.Context(), f, 1)
			if err != nil {
				t.Fatal(err)
			}
			if v, ok := r.Reports[0].Mean(c.figure); !ok || v < c.least || v > c.most {
				t.Errorf("got %v, want %v to %v", v, c.least, c.most)
			}
		})
	}
}

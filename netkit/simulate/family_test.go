package simulate_test

import (
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/simulate"
)

// Each family has ten sizes, shows the figure that its worst size is chosen by, and
// runs.
func TestFamilies(t *testing.T) {
	for _, name := range simulate.Families() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := simulate.BuiltinFamily(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Sizes) != 10 || !strings.Contains(strings.Join(f.Shows, "|"), f.Worst) {
				t.Errorf("got %d sizes and %q, want ten, and a figure that is shown", len(f.Sizes), f.Worst)
			}
			if testing.Short() {
				t.Skip("a run takes some seconds")
			}
			f.Agents, f.Days, f.Attack.Day, f.Attack.Spread = 40, 40, 20, 5
			f.Sizes = f.Sizes[:2]
			r, err := simulate.RunFamily(t.Context(), f, 1)
			if err != nil {
				t.Fatal(err)
			}
			for k, report := range r.Reports {
				if v, ok := report.Mean("honest signals a day"); !ok || v == 0 {
					t.Errorf("size %d: nobody worked", k)
				}
			}
		})
	}
}

// The worst size is the one with the lowest price, or with the highest gain.
func TestTheWorstSizeIsMarked(t *testing.T) {
	for _, lowest := range []bool{true, false} {
		f := &simulate.Family{Name: "money", Worst: "median wallet", Lowest: lowest, Scenario: *simulate.Default()}
		f.Days, f.Agents, f.Shows = 8, 20, []string{f.Worst}
		f.Sizes = []map[string]any{{"sponsors": 2}, {"constitution": map[string]any{"economy": map[string]any{"welcome_grant": 0}}}, {"sponsors": 3}}
		r, err := simulate.RunFamily(t.Context(), f, 1)
		if err != nil {
			t.Fatal(err)
		}
		if (r.Worst == 1) != lowest {
			t.Errorf("lowest %v: got size %d", lowest, r.Worst)
		}
		var table strings.Builder
		if err := simulate.WriteFamilies(&table, []*simulate.FamilyReport{r}); err != nil {
			t.Fatal(err)
		}
		if marked := "> welcome_grant 0"; strings.Contains(table.String(), marked) != lowest {
			t.Errorf("lowest %v: got\n%s", lowest, table.String())
		}
	}
}

func TestFamilyIsUnknown(t *testing.T) {
	if _, err := simulate.BuiltinFamily("bribes"); err == nil || !strings.Contains(err.Error(), "factory") {
		t.Errorf("got %v, want the names of the families", err)
	}
}

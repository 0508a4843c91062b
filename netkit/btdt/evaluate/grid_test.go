package evaluate

import (
	"os"
	"testing"
)

// A common name goes whatever stands around it, and an institution stays. A law, a
// month or a capital in the place of a person is taken for one too often: that must
// not get worse.
func TestGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("a sample says nothing about the grid, and the whole of it takes seconds")
	}
	f, err := os.Open("testdata/grid.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := ReadGrid(f)
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]float64{"names left": 0.5, "institutions touched": 1, "others touched": 25, "citations touched": 10}
	for _, row := range g.Measure() {
		got := percent(row.Wrong, row.Texts)
		t.Logf("%s: %d of %d, %.2f %%", row.Kind, row.Wrong, row.Texts, got)
		if row.Texts < 700 || got > most[row.Kind] {
			t.Errorf("%s: got %.2f of a hundred, want at most %.1f of 700 texts or more; most often with %v", row.Kind, got, most[row.Kind], row.By)
		}
	}
}

package btdt

import (
	"os"
	"strings"
	"testing"
)

// grid is what testdata/grid.txt holds: frames with a field and a gap, names of
// people and names of institutions, fifty of each for a language, and of laws,
// offices known by their place, and months.
type grid struct {
	frames, names, institutions, others []string
}

func readGrid(t *testing.T) (g grid) {
	data, err := os.ReadFile("testdata/grid.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string][]string{}
	at := ""
	for row := range strings.Lines(string(data)) {
		switch row = strings.TrimSpace(row); {
		case row == "" || row[0] == '#':
		case row[0] == '[':
			at = row
		default:
			sections[at] = append(sections[at], row)
		}
	}
	g.frames = sections["[frames]"]
	for i := 0; i < len(sections["[names]"]); i += 2 {
		given, surnames := strings.Fields(sections["[names]"][i]), strings.Fields(sections["[names]"][i+1])
		for k := range given {
			g.names = append(g.names, given[k]+" "+surnames[k], given[k]+" "+surnames[(k+7)%len(surnames)])
		}
	}
	for i := 0; i < len(sections["[organisations]"]); i += 2 {
		for head := range strings.SplitSeq(sections["[organisations]"][i], ";") {
			for place := range strings.SplitSeq(sections["[organisations]"][i+1], ";") {
				name := head + " " + place
				if i == 0 {
					name = place + " " + head // English puts the place first
				}
				g.institutions = append(g.institutions, name)
			}
		}
	}
	for _, row := range sections["[others]"] {
		for name := range strings.SplitSeq(row, "; ") {
			g.others = append(g.others, name)
		}
	}
	return g
}

// inFrame is a playbook whose text in the field of a frame is the frame filled in, and
// that text.
func inFrame(frame, value string) (Playbook, string) {
	field, text, _ := strings.Cut(strings.Replace(frame, "%s", value, 1), ": ")
	p := Playbook{Title: "A case", Outcome: "It was settled.", Steps: []string{"They wrote back."}}
	for _, f := range textFields {
		if f.name == field {
			*f.at(&p) = text
		}
	}
	for _, f := range listFields {
		if f.name == field {
			*f.at(&p) = []string{text}
		}
	}
	return p, text
}

// covered counts the letters of part in a text that findings cover, and all of them.
func covered(found []Finding, text, part string) (n, all int) {
	from := len([]rune(text[:strings.Index(text, part)]))
	for i, r := range []rune(part) {
		if r == ' ' {
			continue
		}
		all++
		for _, f := range found {
			if f.Start <= from+i && from+i < f.End {
				n++
				break
			}
		}
	}
	return n, all
}

// A common name goes whatever stands around it, and an institution stays. A law, a
// month or a capital in the place of a person is taken for one too often: that must
// not get worse.
func TestGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("a sample says nothing about the grid, and the whole of it takes seconds")
	}
	g := readGrid(t)
	for _, c := range []struct {
		kind   string
		values []string
		wrong  func(n, all int) bool
		most   float64 // of a hundred
	}{
		{"names left", g.names, func(n, all int) bool { return n < all }, 0.5},
		{"institutions touched", g.institutions, func(n, _ int) bool { return n > 0 }, 1},
		{"laws, months and offices by their place touched", g.others, func(n, _ int) bool { return n > 0 }, 25},
	} {
		wrong, all := 0, 0
		by := map[string]int{}
		for _, frame := range g.frames {
			for _, value := range c.values {
				p, text := inFrame(frame, value)
				all++
				if n, letters := covered(Check(p), text, value); c.wrong(n, letters) {
					wrong++
					by[frame]++
					by[value]++
				}
			}
		}
		got := 100 * float64(wrong) / float64(all)
		t.Logf("%s: %d of %d, %.2f %%", c.kind, wrong, all, got)
		if got > c.most {
			t.Errorf("%s: got %.2f of a hundred, want at most %.1f; most often with %v", c.kind, got, c.most, by)
		}
	}
}

package chart

import (
	"encoding/xml"
	"strings"
	"testing"
)

// A picture is well-formed whatever its texts hold, has a line and a name for each
// series, and places values between its axes.
func TestPage(t *testing.T) {
	p := Page{Title: "<a & b>", Notes: []Note{{"fig & ure", "1", "<x>"}}, Panels: []Panel{
		{Title: "one \"value\"", Lines: []Line{{Name: "a", Points: []Point{{X: 5, Y: 2}}}}},
		{Title: "two lines", Top: 8, Lines: []Line{
			{Name: "<b>", Points: []Point{{X: 1, Y: 0}, {X: 3, Y: 8}}},
			{Name: "c", Colour: "#123456", Points: []Point{{X: 1, Y: 4}, {X: 2, Y: 4}}}},
			Marks: []Mark{{1, "first"}, {3, "last"}}},
		{Title: "no line"}}}
	for name, svg := range map[string]string{"file": string(p.SVG()), "inline": p.Inline()} {
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := strings.Count(svg, "<polyline"); got != 3 {
			t.Errorf("%s: got %d lines, want 3", name, got)
		}
		for _, want := range []string{
			`points="222.0,36.0 "`, // one value: in the middle, at the top
			`points="48.0,170.0 396.0,36.0 "`, `points="48.0,103.0 222.0,103.0 "`, `fill="#123456"/><text x="150" y="26">c<`, ">&lt;b&gt;<", ">first<", ">0<", ">8<"} {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: want %s in %s", name, want, svg)
			}
		}
		if got := strings.Contains(svg, "#fff"); got != (name == "file") {
			t.Errorf("%s: got a ground: %v", name, got)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.125: "0.125", 999: "999", 12_345: "12.3k", 4_100_000: "4.1M"} {
		if got := Short(v); got != want {
			t.Errorf("%g: got %s, want %s", v, got, want)
		}
	}
}

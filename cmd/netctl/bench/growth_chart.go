package bench

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// The picture of a growth: four charts with the entries on a logarithmic axis and
// one line for each number of agents.
const (
	growthWidth, growthHeight = 360, 200
	growthMargin              = 48
)

var growthColours = []string{"#4477aa", "#ee6677", "#228833", "#ccbb44"}

var growthCharts = []struct {
	title string
	of    func(*Size) float64
}{
	{"durable calls a second", func(s *Size) float64 { return s.Durable.PerSecond }},
	{"p99 of a durable call, ms", func(s *Size) float64 { return s.Durable.P99.Seconds() * 1000 }},
	{"heap, MiB", func(s *Size) float64 { return float64(s.Heap) / (1 << 20) }},
	{"start without snapshot, seconds of processor time", func(s *Size) float64 { return s.Replay.CPU.Seconds() }},
}

// SVG draws the sizes.
func (r *Grown) SVG() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`, 2*growthWidth+20, 2*(growthHeight+40)+50)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/><text x="10" y="20" font-size="14">%s</text>`, html.EscapeString(r.Machine.String()))
	for i, agents := range r.agents() {
		fmt.Fprintf(&b, `<text x="%d" y="38" fill="%s">%d agents</text>`, 10+110*i, growthColours[i%len(growthColours)], agents)
	}
	for i, c := range growthCharts {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)"><text x="%d" y="12">%s</text>`, 10+i%2*growthWidth, 50+i/2*(growthHeight+40), growthMargin, c.title)
		r.draw(&b, c.of)
		b.WriteString(`</g>`)
	}
	b.WriteString(`</svg>`)
	return []byte(b.String())
}

// agents lists the numbers of agents that were measured.
func (r *Grown) agents() (all []int) {
	for i := range r.Sizes {
		if n := r.Sizes[i].Agents; !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// draw draws one chart, from 0 to the greatest value.
func (r *Grown) draw(b *strings.Builder, of func(*Size) float64) {
	if len(r.Sizes) == 0 {
		return
	}
	top, low, high := 1e-9, math.Inf(1), math.Inf(-1)
	for i := range r.Sizes {
		x := math.Log10(float64(r.Sizes[i].Entries))
		top, low, high = max(top, of(&r.Sizes[i])), min(low, x), max(high, x)
	}
	place := func(s *Size) (x, y float64) {
		across := (math.Log10(float64(s.Entries)) - low) / max(high-low, 1e-9)
		return growthMargin + across*(growthWidth-growthMargin-30), growthHeight - (growthHeight-24)*of(s)/top
	}
	fmt.Fprintf(b, `<path d="M%d 20V%dH%d" fill="none" stroke="#888"/><text x="%d" y="28" text-anchor="end">%s</text><text x="%d" y="%d" text-anchor="end">0</text>`,
		growthMargin, growthHeight, growthWidth-20, growthMargin-4, short(top), growthMargin-4, growthHeight)
	for i, agents := range r.agents() {
		colour, points := growthColours[i%len(growthColours)], ""
		for k := range r.Sizes {
			if s := &r.Sizes[k]; s.Agents == agents {
				x, y := place(s)
				points += fmt.Sprintf("%.1f,%.1f ", x, y)
				fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, x, y, colour)
				fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="%s">%s</text>`, x, growthHeight+14+12*i, colour, short(float64(s.Entries)))
			}
		}
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>`, colour, points)
	}
}

// short is a number in a few characters, such as 12.3k.
func short(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3gM", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.3gk", v/1e3)
	}
	return fmt.Sprintf("%.3g", v)
}

// String names the machine in a line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %s, %d processors, %s", m.Date, m.System, m.Processors, m.Go)
}

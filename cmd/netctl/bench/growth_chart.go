package bench

import (
	"fmt"
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit/chart"
)

// growthCharts are the panels of a growth, with the entries on a logarithmic axis and
// one line for each number of agents.
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
	p := chart.Page{Title: r.Machine.String()}
	for _, c := range growthCharts {
		panel := chart.Panel{Title: c.title}
		for _, agents := range r.listAgents() {
			l := chart.Line{Name: fmt.Sprintf("%d agents", agents)}
			for i := range r.Sizes {
				if s := &r.Sizes[i]; s.Agents == agents {
					l.Points = append(l.Points, chart.Point{X: math.Log10(float64(s.Entries)), Y: c.of(s)})
				}
			}
			panel.Lines = append(panel.Lines, l)
		}
		for _, decade := range r.findDecades() {
			panel.Marks = append(panel.Marks, chart.Mark{X: decade, Text: chart.Short(math.Pow(10, decade))})
		}
		p.Panels = append(p.Panels, panel)
	}
	return p.SVG()
}

// listAgents lists the numbers of agents that were measured.
func (r *Grown) listAgents() (all []int) {
	for i := range r.Sizes {
		if n := r.Sizes[i].Agents; !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// findDecades lists the logarithms of the powers of ten between the smallest and the largest
// number of entries, and those two.
func (r *Grown) findDecades() (all []float64) {
	if len(r.Sizes) == 0 {
		return nil
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range r.Sizes {
		x := math.Log10(float64(r.Sizes[i].Entries))
		low, high = min(low, x), max(high, x)
	}
	all = []float64{low}
	for d := math.Ceil(low + 0.3); d < high-0.3; d++ {
		all = append(all, d)
	}
	if high > low {
		all = append(all, high)
	}
	return all
}

// String names the machine in a line.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %s, %d processors, %s", m.Date, m.System, m.Processors, m.Go)
}

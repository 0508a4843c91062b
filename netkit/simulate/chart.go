package simulate

import (
	"fmt"

	"github.com/agentnet/netctl/netkit/chart"
)

// curve is one line of a chart.
type curve struct {
	name   string
	colour string
	of     func(now, before *Sample) float64
}

// picture is a panel of some curves over the days.
type picture struct {
	title  string
	curves []curve
}

// perDay is the growth of a count between two samples, by the day.
func perDay(now, before *Sample, count func(*Sample) float64) float64 {
	return (count(now) - count(before)) / float64(max(now.Day-before.Day, 1))
}

var charts = []picture{
	{"Honest agents on each tier", []curve{
		{"VERIFIED", "#4477aa", func(s, _ *Sample) float64 { return float64(s.Tiers[1]) }},
		{"BADGED", "#228833", func(s, _ *Sample) float64 { return float64(s.Tiers[2]) }},
		{"ELITE", "#ee6677", func(s, _ *Sample) float64 { return float64(s.Tiers[3]) }}}},
	{"Honest signals a day", []curve{{"signals", "#4477aa", func(s, b *Sample) float64 {
		return perDay(s, b, func(s *Sample) float64 { return float64(s.Signals) })
	}}}},
	{"Price of a signal, in credits", []curve{{"price", "#4477aa", func(s, b *Sample) float64 {
		return credits(s.Payouts-b.Payouts) / float64(max(s.Signals-b.Signals, 1))
	}}}},
	{"Credits", []curve{
		{"wallets", "#4477aa", func(s, _ *Sample) float64 { return credits(s.Wallets) }},
		{"treasury", "#ccbb44", func(s, _ *Sample) float64 { return credits(s.Treasury) }},
		{"paid for junk", "#ee6677", func(s, _ *Sample) float64 { return credits(s.Drained) }}}},
}

// SVG draws the report as a page of its own: the mean of every curve over all runs.
func (r *Report) SVG() []byte {
	p := chart.Page{Title: r.Scenario.Name + ": " + r.Scenario.Title}
	for i := range charts {
		panel := chart.Panel{Title: charts[i].title}
		for _, c := range charts[i].curves {
			panel.Lines = append(panel.Lines, chart.Line{Name: c.name, Colour: c.colour, Points: r.means(c.of)})
		}
		if series := r.Runs[0].Series; len(series) > 0 {
			panel.Marks = []chart.Mark{{X: float64(series[len(series)-1].Day), Text: fmt.Sprintf("day %d", r.Scenario.Days)}}
		}
		p.Panels = append(p.Panels, panel)
	}
	for i := range r.Figures {
		f := &r.Figures[i]
		p.Notes = append(p.Notes, chart.Note{Text: f.Name, Number: number(f.Mean), Remark: fmt.Sprintf("%s (%s – %s), %d of %d runs", f.Unit, number(f.Min), number(f.Max), len(f.Values), len(r.Runs))})
	}
	return p.SVG()
}

// means is a curve's mean over all runs at each sample.
func (r *Report) means(of func(now, before *Sample) float64) (line []chart.Point) {
	for i := range r.Runs[0].Series {
		sum := 0.0
		for _, run := range r.Runs {
			before := &Sample{}
			if i > 0 {
				before = &run.Series[i-1]
			}
			sum += of(&run.Series[i], before)
		}
		line = append(line, chart.Point{X: float64(r.Runs[0].Series[i].Day), Y: sum / float64(len(r.Runs))})
	}
	return line
}

package simulate

import (
	"fmt"
	"html"
	"strings"
)

// The page of a report: small charts of the means over all runs.
const (
	chartWidth, chartHeight = 420, 170
	chartMargin             = 40
)

// curve is one line of a chart.
type curve struct {
	name   string
	colour string
	of     func(now, before *Sample) float64
}

// chart is a picture of some curves over the days.
type chart struct {
	title  string
	curves []curve
}

// perDay is the growth of a count between two samples, by the day.
func perDay(now, before *Sample, count func(*Sample) float64) float64 {
	return (count(now) - count(before)) / float64(max(now.Day-before.Day, 1))
}

var charts = []chart{
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

// SVG draws the report as a page of its own.
func (r *Report) SVG() []byte {
	var b strings.Builder
	rows := (len(charts) + 1) / 2
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`, 2*chartWidth+20, rows*(chartHeight+30)+60+14*len(r.Figures))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/><text x="10" y="22" font-size="16">%s</text>`, html.EscapeString(r.Scenario.Name+": "+r.Scenario.Title))
	for i := range charts {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`, 10+i%2*chartWidth, 40+i/2*(chartHeight+30))
		r.draw(&b, &charts[i])
		b.WriteString(`</g>`)
	}
	top := 60 + rows*(chartHeight+30)
	for i := range r.Figures {
		f := &r.Figures[i]
		y := top + 14*i
		fmt.Fprintf(&b, `<text x="10" y="%d">%s</text><text x="420" y="%d" text-anchor="end">%s</text>`, y, html.EscapeString(f.Name), y, number(f.Mean))
		fmt.Fprintf(&b, `<text x="430" y="%d">%s (%s – %s), %d of %d runs</text>`, y, f.Unit, number(f.Min), number(f.Max), len(f.Values), len(r.Runs))
	}
	b.WriteString(`</svg>`)
	return []byte(b.String())
}

// draw draws one chart: the mean of every curve, and its highest value.
func (r *Report) draw(b *strings.Builder, c *chart) {
	lines := make([][]float64, len(c.curves))
	top := 0.0
	for i := range c.curves {
		lines[i] = r.means(c.curves[i].of)
		for _, v := range lines[i] {
			top = max(top, v)
		}
	}
	fmt.Fprintf(b, `<text y="10">%s</text><text x="%d" y="24" text-anchor="end">%s</text><path d="M%d 20V%dH%d" fill="none" stroke="#888"/>`,
		c.title, chartMargin-4, number(top), chartMargin, chartHeight, chartWidth-20)
	for i, line := range lines {
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>`, c.curves[i].colour, points(line, top))
		fmt.Fprintf(b, `<text x="%d" y="10" fill="%s">%s</text>`, 180+80*i, c.curves[i].colour, c.curves[i].name)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">day %d</text>`, chartWidth-20, chartHeight+13, r.Scenario.Days)
}

// means is a curve's mean over all runs at each sample.
func (r *Report) means(of func(now, before *Sample) float64) (line []float64) {
	for i := range r.Runs[0].Series {
		sum := 0.0
		for _, run := range r.Runs {
			before := &Sample{}
			if i > 0 {
				before = &run.Series[i-1]
			}
			sum += of(&run.Series[i], before)
		}
		line = append(line, sum/float64(len(r.Runs)))
	}
	return line
}

func points(line []float64, top float64) string {
	var b strings.Builder
	for i, v := range line {
		x := chartMargin + float64(chartWidth-20-chartMargin)*float64(i+1)/float64(len(line))
		y := chartHeight - (chartHeight-20)*v/max(top, 1e-9)
		fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
	}
	return b.String()
}

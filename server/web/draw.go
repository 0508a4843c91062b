package web

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

// Pictures are SVG with classes for colours, since the policy allows no
// inline style. They hold numbers and names of ours alone; text of others is
// escaped. Each says in words what it shows.

// svg begins a picture of that size with what it shows.
func svg(b *strings.Builder, class string, w, h int, says string) {
	fmt.Fprintf(b, `<svg class="%s" viewBox="0 0 %d %d" role="img" aria-label="%s" preserveAspectRatio="none">`, class, w, h, template.HTMLEscapeString(says))
}

// drawMeter shows how much of a whole is left.
func drawMeter(left, whole netkit.Credits) template.HTML {
	width := 0.0
	if whole > 0 {
		width = 100 * float64(left) / float64(whole)
	}
	var b strings.Builder
	svg(&b, "meter", 100, 6, left.String()+" of "+whole.String()+" credits are left")
	fmt.Fprintf(&b, `<rect class="bed" width="100" height="6"/><rect class="fill" width="%.2f" height="6"/></svg>`, width)
	return template.HTML(b.String())
}

// part is a piece of a bar.
type part struct {
	class, name string
	amount      netkit.Credits
}

func parts(k netkit.Books) []part {
	return []part{{"p1", "Wallets", k.Wallets}, {"p2", "Contracts", k.Contracts}, {"p3", "Sponsors", k.Sponsors}, {"p4", "Treasury", k.Treasury}, {"p5", "Escrow", k.Escrow}}
}

// drawBooks shows where all credits are: the bar is as long as what was
// issued, and that is the point.
func drawBooks(k netkit.Books) template.HTML {
	var b, key strings.Builder
	words := make([]string, 0, 5)
	total := float64(max(-k.Issued, 1))
	x := 0.0
	for i, p := range parts(k) {
		w := 1000 * float64(p.amount) / total
		if w > 0 {
			fmt.Fprintf(&b, `<rect class="p%d" x="%.2f" width="%.2f" height="28"/>`, i+1, x, math.Max(w-2, .5))
		}
		x += w
		words = append(words, p.name+" "+p.amount.String())
		fmt.Fprintf(&key, `<div><dt><svg class="swatch" viewBox="0 0 1 1" aria-hidden="true"><rect class="%s" width="1" height="1"/></svg>%s</dt><dd class="num">%s</dd></div>`, p.class, p.name, count(p.amount))
	}
	var out strings.Builder
	svg(&out, "books", 1000, 28, "Where all credits are: "+strings.Join(words, ", "))
	out.WriteString(b.String() + `</svg><dl class="key">` + key.String() + `</dl>`)
	return template.HTML(out.String())
}

// drawSplit shows how a payout is split.
func drawSplit(e netkit.Economy) template.HTML {
	agent := float64(e.AgentShare) / 10
	var b strings.Builder
	svg(&b, "books split", 1000, 28, fmt.Sprintf("Of every payout %.0f per cent go to the agent, %.0f to the treasury", agent/10, 100-agent/10))
	fmt.Fprintf(&b, `<rect class="p1" width="%.1f" height="28"/><rect class="p4" x="%.1f" width="%.1f" height="28"/></svg>`, agent-2, agent, 1000-agent)
	return template.HTML(b.String())
}

// drawBalance draws a balance over the postings of a statement, newest first
// as it comes. Steps, since a balance does not glide.
func drawBalance(name string, lines []netkit.StatementLine) template.HTML {
	if len(lines) < 2 {
		return ""
	}
	points := slices.Clone(lines)
	slices.Reverse(points)
	low, high := points[0].After, points[0].After
	for _, l := range points {
		low, high = min(low, l.After), max(high, l.After)
	}
	first, last := points[0].At, points[len(points)-1].At
	const w, h = 1000, 160
	x := func(i int) float64 {
		if first == last { // no time to scale: one step is as wide as another
			return w * float64(i) / float64(len(points)-1)
		}
		return w * float64(points[i].At-first) / float64(last-first)
	}
	y := func(c netkit.Credits) float64 { return 8 + (h-16)*(1-float64(c-low)/math.Max(float64(high-low), 1)) }
	var path strings.Builder
	fmt.Fprintf(&path, "M0 %.1f", y(points[0].After))
	for i, l := range points[1:] {
		fmt.Fprintf(&path, "H%.1fV%.1f", x(i+1), y(l.After))
	}
	var b strings.Builder
	b.WriteString(`<figure class="chart">`)
	svg(&b, "", w, h, fmt.Sprintf("%s from %s to %s credits over %s, lowest %s, highest %s", name, points[0].After, points[len(points)-1].After, plural.Count(len(points), "posting", "postings"), low, high))
	fmt.Fprintf(&b, `<path class="area" d="%sV%dH0Z"/><path class="line" d="%s" vector-effect="non-scaling-stroke"/></svg>`, path.String(), h, path.String())
	fmt.Fprintf(&b, `<figcaption><span>%s</span><span class="num">%s to %s</span><span>%s</span></figcaption></figure>`, when(first), count(low), count(high), when(last))
	return template.HTML(b.String())
}

// drawDial shows a share of a whole as an arc, with marks to reach.
func drawDial(share float64, marks []float64) template.HTML {
	point := func(t, r float64) (float64, float64) {
		a := math.Pi * (1 - t)
		return 60 + r*math.Cos(a), 60 - r*math.Sin(a)
	}
	arc := func(class string, t float64) string {
		x, y := point(t, 48)
		return fmt.Sprintf(`<path class="%s" d="M12 60A48 48 0 0 1 %.2f %.2f"/>`, class, x, y)
	}
	var b strings.Builder
	b.WriteString(`<svg class="dial" viewBox="0 0 120 66" aria-hidden="true">` + arc("bed", 1))
	if share > 0 {
		b.WriteString(arc("fill", math.Min(share, 1)))
	}
	for _, m := range marks {
		x1, y1 := point(m, 40)
		x2, y2 := point(m, 56)
		fmt.Fprintf(&b, `<path class="mark" d="M%.2f %.2fL%.2f %.2f"/>`, x1, y1, x2, y2)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// drawMedal draws a badge: a form of its own for each, so that colour is not
// all that tells them apart, and struck through when it was revoked.
func drawMedal(v netkit.BadgeView) template.HTML {
	class := "medal"
	if !v.Active {
		class += " revoked"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="%s" viewBox="0 0 64 64" aria-hidden="true"><path class="ground" d="%s"/>`, class, seal(sides[v.Badge]))
	b.WriteString(signs[v.Badge])
	if !v.Active {
		b.WriteString(`<path class="strike" d="M8 56L56 8"/>`)
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// sides are how many a badge's seal has.
var sides = map[netkit.Badge]int{netkit.FieldAgent: 6, netkit.SeniorCorrespondent: 16, netkit.DisputeMaster: 4}

// signs are what stands on a seal: a sighting, a letter, a pair of scales.
var signs = map[netkit.Badge]string{
	netkit.FieldAgent:          `<path class="sign" d="M32 20v24M20 32h24M24 32a8 8 0 1 0 16 0a8 8 0 1 0-16 0"/>`,
	netkit.SeniorCorrespondent: `<path class="sign" d="M20 24h24v16H20zM20 24l12 9l12-9"/>`,
	netkit.DisputeMaster:       `<path class="sign" d="M32 19v26M26 45h12M20 25h24M20 25l-4 9h8zM44 25l-4 9h8z"/>`,
}

// seal is the outline of a regular shape with so many sides.
func seal(n int) string {
	var b strings.Builder
	for i := range n {
		a := 2*math.Pi*float64(i)/float64(n) - math.Pi/2
		fmt.Fprintf(&b, "%c%.1f %.1f", "ML"[min(i, 1)], 32+29*math.Cos(a), 32+29*math.Sin(a))
	}
	return b.String() + "Z"
}

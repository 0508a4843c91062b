// Package chart draws line charts as SVG: a [Page] of panels, two in a row. A picture
// needs no script and no style sheet, and all its values come from the caller.
package chart

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// The sizes of a panel and of the space around its lines, in units of the picture.
const (
	panelWidth, panelHeight = 420, 200
	left, right             = 48, 24
	top, bottom             = 36, 30
	lineHeight              = 14
)

// Colours can be distinguished by people with colour blindness. A page uses them in
// this order.
var Colours = []string{"#4477aa", "#ee6677", "#228833", "#b8860b", "#aa3377", "#777777"}

// Page is a picture of panels under a title, with lines of text below them.
type Page struct {
	Title  string
	Panels []Panel
	Notes  []Note
}

// Panel is one chart. Its vertical axis begins at 0.
type Panel struct {
	Title string
	Lines []Line
	Marks []Mark  // of the horizontal axis
	Top   float64 // the end of the vertical axis; 0 ends it at the greatest value
}

// Line is the values of one thing, in the order of X.
type Line struct {
	Name   string // next to its colour; "" shows none
	Colour string // such as #4477aa; "" takes that of its place in [Colours]
	Points []Point
}

// Point is a value Y at X.
type Point struct{ X, Y float64 }

// Mark is a text below the horizontal axis.
type Mark struct {
	X    float64
	Text string
}

// Note is a line of text with a number and a remark in columns of their own.
type Note struct{ Text, Number, Remark string }

// SVG returns the picture as a file on white ground.
func (p *Page) SVG() []byte {
	return []byte(p.drawSVG(`<rect width="100%" height="100%" fill="#fff"/>`))
}

// Inline returns the picture as part of an HTML page, in the colour of its text.
func (p *Page) Inline() string { return p.drawSVG("") }

func (p *Page) drawSVG(ground string) string {
	var b strings.Builder
	notes := 40 + (len(p.Panels)+1)/2*panelHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s" font-family="sans-serif" font-size="11" fill="currentColor">`,
		2*panelWidth+20, notes+20+lineHeight*len(p.Notes), html.EscapeString(p.Title))
	fmt.Fprintf(&b, `%s<text x="10" y="22" font-size="16">%s</text>`, ground, html.EscapeString(p.Title))
	for i := range p.Panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`, 10+i%2*panelWidth, 40+i/2*panelHeight)
		p.Panels[i].drawAt(&b)
		b.WriteString(`</g>`)
	}
	for i, n := range p.Notes {
		y := notes + 10 + lineHeight*i
		fmt.Fprintf(&b, `<text x="10" y="%d">%s</text><text x="420" y="%d" text-anchor="end">%s</text><text x="430" y="%d">%s</text>`, y, html.EscapeString(n.Text), y, html.EscapeString(n.Number), y, html.EscapeString(n.Remark))
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// axes map values to places in a panel.
type axes struct{ low, high, top float64 }

func (p *Panel) findAxes() axes {
	a := axes{math.Inf(1), math.Inf(-1), p.Top}
	for _, l := range p.Lines {
		for _, at := range l.Points {
			a.low, a.high = min(a.low, at.X), max(a.high, at.X)
			if p.Top == 0 {
				a.top = max(a.top, at.Y)
			}
		}
	}
	return a
}

// placeX returns the place of a value; a panel with one value has it in the middle.
func (a *axes) placeX(v float64) float64 {
	across := 0.5
	if a.high > a.low {
		across = (v - a.low) / (a.high - a.low)
	}
	return left + across*(panelWidth-left-right)
}

func (a *axes) placeY(v float64) float64 {
	return panelHeight - bottom - (panelHeight-bottom-top)*v/max(a.top, 1e-9)
}

func (p *Panel) drawAt(b *strings.Builder) {
	a := p.findAxes()
	fmt.Fprintf(b, `<text y="10">%s</text><path d="M%d %dV%dH%d" fill="none" stroke="#888"/>`, html.EscapeString(p.Title), left, top, panelHeight-bottom, panelWidth-right)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s</text><text x="%d" y="%d" text-anchor="end">0</text>`, left-4, top+4, Short(a.top), left-4, panelHeight-bottom)
	named := 0
	for i := range p.Lines {
		l := &p.Lines[i]
		colour := l.Colour
		if colour == "" {
			colour = Colours[i%len(Colours)]
		}
		l.drawIn(b, &a, colour)
		if l.Name != "" {
			x := left + 90*named
			fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="4" fill="%s"/><text x="%d" y="%d">%s</text>`, x+4, top-14, html.EscapeString(colour), x+12, top-10, html.EscapeString(l.Name))
			named++
		}
	}
	for _, m := range p.Marks {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`, a.placeX(m.X), panelHeight-bottom+14, html.EscapeString(m.Text))
	}
}

// drawIn draws the line, with a dot on each value if there are few.
func (l *Line) drawIn(b *strings.Builder, a *axes, colour string) {
	colour = html.EscapeString(colour)
	fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`, colour)
	for _, at := range l.Points {
		fmt.Fprintf(b, "%.1f,%.1f ", a.placeX(at.X), a.placeY(at.Y))
	}
	b.WriteString(`"/>`)
	if len(l.Points) > 16 {
		return
	}
	for _, at := range l.Points {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`, a.placeX(at.X), a.placeY(at.Y), colour)
	}
}

// Short returns a number in a few characters, such as 12.3k.
func Short(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.3gM", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.3gk", v/1e3)
	}
	return fmt.Sprintf("%.3g", v)
}

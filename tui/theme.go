package tui

import (
	"fmt"
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Themes lists the names that Config.Theme takes.
func Themes() []string { return []string{"auto", "dark", "light", "high-contrast", "mono"} }

// theme says how things look. Nothing is told by colour alone: what is chosen
// has a marker, what is urgent says so.
type theme struct {
	name                         string
	bar, tab, title, dim, chosen lipgloss.Style
	good, warn, bad, alarm, on   lipgloss.Style
}

// hues are the colours of a theme, as lipgloss reads them.
type hues struct{ back, front, accent, dim, good, warn, bad, alarmFront string }

// The hues of the themes. Auto uses the sixteen colours that the terminal's
// owner has chosen, which are right on whatever background there is, so that
// the terminal never has to be asked for it.
var palettes = map[string]hues{
	"auto":          {"", "", "6", "8", "2", "3", "1", "15"},
	"dark":          {"#1e2430", "#d5dae3", "#7cc5ff", "#8b95a7", "#8fd694", "#f2c14e", "#ff7b72", "#1e2430"},
	"light":         {"#e8ebf0", "#1f2328", "#0550ae", "#59636e", "#116329", "#7d4e00", "#a40e26", "#ffffff"},
	"high-contrast": {"0", "15", "14", "15", "10", "11", "9", "0"},
}

// newTheme makes the theme of a name for a terminal; noColor overrules it.
func newTheme(name string, noColor bool, out io.Writer) (*theme, error) {
	if name == "" {
		name = "auto"
	}
	h, ok := palettes[name]
	if !ok && name != "mono" {
		return nil, fmt.Errorf("tui: theme %q is unknown; use auto, dark, light, high-contrast or mono", name)
	}
	r := lipgloss.NewRenderer(out)
	r.SetHasDarkBackground(name != "light")
	if noColor || name == "mono" {
		r.SetColorProfile(termenv.Ascii)
		return &theme{name: name, bar: r.NewStyle(), tab: r.NewStyle(), title: r.NewStyle(), dim: r.NewStyle(), chosen: r.NewStyle(),
			good: r.NewStyle(), warn: r.NewStyle(), bad: r.NewStyle(), alarm: r.NewStyle(), on: r.NewStyle()}, nil
	}
	return h.theme(name, r), nil
}

func (h hues) theme(name string, r *lipgloss.Renderer) *theme {
	ink := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	t := &theme{name: name, title: ink(h.accent).Bold(true), dim: ink(h.dim), good: ink(h.good), warn: ink(h.warn).Bold(true), bad: ink(h.bad).Bold(true),
		alarm: ink(h.alarmFront).Background(lipgloss.Color(h.bad)).Bold(true), on: r.NewStyle().Bold(true),
		bar: r.NewStyle(), tab: r.NewStyle().Reverse(true).Bold(true), chosen: r.NewStyle().Reverse(true)}
	if h.back != "" {
		t.bar = ink(h.front).Background(lipgloss.Color(h.back))
	}
	return t
}

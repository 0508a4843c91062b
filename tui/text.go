package tui

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// maxMarks is how many combining marks in a row are shown.
const maxMarks = 2

// clean makes a text by strangers safe to draw on several lines. What would
// command the terminal, turn the direction of writing or hide is taken out.
func clean(s string) string {
	marks := 0
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) {
			if marks++; marks > maxMarks {
				return -1
			}
			return r
		}
		marks = 0
		switch {
		case r == '\n' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Variation_Selector, r):
			return -1
		}
		return r
	}, ansi.Strip(s))
}

// line makes a text by strangers safe to draw within one line.
func line(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// wrap breaks a clean text into lines of at most w cells.
func wrap(s string, w int) []string {
	if w < 1 {
		return nil
	}
	return strings.Split(strings.TrimRight(ansi.Wrap(s, w, " "), "\n"), "\n")
}

// fit cuts or pads a text to exactly w cells.
func fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := ansi.StringWidth(s)
	if n > w {
		s = ansi.Truncate(s, w, "…")
		n = ansi.StringWidth(s)
	}
	return s + strings.Repeat(" ", max(0, w-n))
}

// right is fit with the text at the end.
func right(s string, w int) string {
	n := ansi.StringWidth(s)
	if n > w {
		return fit(s, w)
	}
	return strings.Repeat(" ", w-n) + s
}

// area makes exactly h lines of exactly w cells out of lines.
func area(lines []string, w, h int) []string {
	out := make([]string, 0, h)
	for i := range h {
		s := ""
		if i < len(lines) {
			s = lines[i]
		}
		out = append(out, fit(s, w))
	}
	return out
}

// span writes a duration in its largest units.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d d %02d h", int(d.Hours())/24, int(d.Hours())%24)
}

// unit returns the smallest unit in which span writes a duration.
func unit(d time.Duration) time.Duration {
	switch {
	case d < time.Hour:
		return time.Second
	case d < 48*time.Hour:
		return time.Minute
	}
	return time.Hour
}

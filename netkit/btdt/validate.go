package btdt

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agentnet/netctl/netkit"
)

// Validate reports every rule of the format that p breaks, as one joined error
// of [*Problem] values, or nil. It does not look for personal data: see [Check].
func (p *Playbook) Validate() error { return join(p.problems()) }

// problems is what Validate joins; Parse adds the place in the file.
func (p *Playbook) problems() []*Problem {
	var found []*Problem
	for _, f := range textFields {
		found = append(found, f.problems(*f.at(p))...)
	}
	for _, f := range listFields {
		found = append(found, f.problems(*f.at(p))...)
	}
	if p.TimeTakenDays < 0 || p.TimeTakenDays > MaxDays {
		found = append(found, &Problem{
			Path: daysField,
			What: fmt.Sprintf("is outside 0 to %d", MaxDays),
			Do:   "give the whole days from the first step to the outcome",
		})
	}
	return found
}

// problems of a single text. The first thing wrong is enough: the next would often
// be a consequence of it.
func (f textField) problems(text string) []*Problem {
	if blank(text) {
		if !f.required {
			return nil
		}
		return []*Problem{{Path: f.name, What: "is empty", Do: "fill it in"}}
	}
	if bad := badText(f.name, text, f.max); bad != nil {
		return []*Problem{bad}
	}
	if what, todo := f.form(text); what != "" {
		return []*Problem{{Path: f.name, What: what, Do: todo}}
	}
	return nil
}

// problems of a list and of each of its texts.
func (f listField) problems(texts []string) []*Problem {
	if f.required && len(texts) == 0 {
		return []*Problem{{Path: f.name, What: "is empty", Do: "list at least one, in order"}}
	}
	if len(texts) > f.items {
		return []*Problem{{
			Path: f.name,
			What: fmt.Sprintf("has %d entries, at most %d are allowed", len(texts), f.items),
			Do:   "join or drop some",
		}}
	}
	var found []*Problem
	for i, text := range texts {
		path := itemPath(f.name, i)
		if blank(text) {
			found = append(found, &Problem{Path: path, What: "is empty", Do: "fill it in or remove it"})
		} else if bad := badText(path, text, f.max); bad != nil {
			found = append(found, bad)
		}
	}
	return found
}

// itemPath names an entry of a list, counted from 0 as in JSON tools.
func itemPath(name string, i int) string { return fmt.Sprintf("%s[%d]", name, i) }

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// badText is what holds for every text: valid UTF-8, no control characters but
// line feed and tab (others hide text from the person who reads it through),
// and a bounded length; most = 0 leaves the length to the field's own form.
func badText(path, text string, most int) *Problem {
	if !utf8.ValidString(text) {
		return &Problem{Path: path, What: "is not valid UTF-8", Do: "save the file as UTF-8"}
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return &Problem{
				Path: path,
				What: fmt.Sprintf("holds the control character U+%04X", r),
				Do:   "remove it; only line feed and tab are allowed",
			}
		}
	}
	if n := utf8.RuneCountInString(norm.NFC.String(text)); most > 0 && n > most {
		return &Problem{
			Path: path,
			What: fmt.Sprintf("is %d characters long, at most %d are allowed", n, most),
			Do:   "shorten it",
		}
	}
	return nil
}

// oneLine holds for what stands in tables and lists, where a break would spoil the
// layout or fake a second row.
func oneLine(text string) (what, todo string) {
	if strings.ContainsAny(text, netkit.LineBreaks) {
		return "spans more than one line", "put it on one line, without tabs"
	}
	return "", ""
}

// category compares exactly: a registry groups by it.
func category(text string) (what, todo string) {
	for _, c := range categories {
		if text == c {
			return "", ""
		}
	}
	return "is not a known category", meant(text, categories)
}

var labelForm = regexp.MustCompile(netkit.PlaybookLabel)

func label(text string) (what, todo string) {
	if labelForm.MatchString(text) {
		return "", ""
	}
	return "is not a label", "use letters, digits, _ - and . between them, as in denied_claim"
}

var jurisdictionForm = regexp.MustCompile(netkit.PlaybookJurisdiction)

func jurisdiction(text string) (what, todo string) {
	if jurisdictionForm.MatchString(text) {
		return "", ""
	}
	return "is not a country or union code", "use capitals, as in US, DE or EU; the rest belongs in region"
}

// status knows one value; anything else is a case that is still open.
func status(text string) (what, todo string) {
	if text == StatusResolved {
		return "", ""
	}
	return "is not RESOLVED", "file a case once it is resolved, with status RESOLVED"
}

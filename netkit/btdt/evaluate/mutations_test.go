package evaluate

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/agentnet/netctl/netkit/btdt"
	"golang.org/x/text/unicode/norm"
)

// between puts something behind the first letter of a text.
func between(s, middle string) string {
	r := []rune(s)
	return string(r[:1]) + middle + string(r[1:])
}

// mutations are ways of writing that hide nothing from a reader.
var mutations = map[string]func(string) string{
	"upper case":     strings.ToUpper,
	"lower case":     strings.ToLower,
	"bold":           func(s string) string { return "**" + s + "**" },
	"italic":         func(s string) string { return "_" + s + "_" },
	"tag":            func(s string) string { return "<b>" + between(s, "<i></i>") + "</b>" },
	"zero width":     func(s string) string { return between(s, "\u200b") },
	"line break":     func(s string) string { return strings.ReplaceAll(s, " ", "\n") },
	"emoji":          func(s string) string { return strings.ReplaceAll(s, " ", "😀") },
	"no-break space": func(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") },
	"full width": func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r - '0' + '０'
			}
			return r
		}, s)
	},
	"without accents": func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(s))
	},
	"entity": func(s string) string {
		r := []rune(s)
		return fmt.Sprintf("&#%d;%s", r[0], html.EscapeString(string(r[1:])))
	},
	"escape": func(s string) string {
		r := []rune(s)
		return fmt.Sprintf(`\u%04x%s`, r[0], string(r[1:]))
	},
	"look-alike": func(s string) string {
		if i := strings.IndexAny(s, "aeo"); i > 0 && unicode.IsLetter(rune(s[i-1])) {
			return s[:i] + string([]rune("аео")[strings.IndexByte("aeo", s[i])]) + s[i+1:]
		}
		return s
	},
}

// What is found as it was written is found when it is written otherwise.
func TestMutationsAreFound(t *testing.T) {
	examples := gold(t, "gold.jsonl")
	for kind, mutate := range mutations {
		all, missed := 0, []string(nil)
		for i := range examples {
			p := examples[i].book
			for n, step := range p.Steps {
				runes := []rune(step)
				for _, f := range stepFindings(p, n) {
					value := string(runes[f.Start:f.End])
					changed := mutate(value)
					if changed == value {
						continue
					}
					all++
					q := p
					q.Steps = slices.Clone(p.Steps)
					q.Steps[n] = string(runes[:f.Start]) + changed + string(runes[f.End:])
					if !coveredAll(stepFindings(q, n), f.Start, changed) {
						missed = append(missed, changed)
					}
				}
			}
		}
		t.Logf("%s: %d of %d found", kind, all-len(missed), all)
		if len(missed)*100 > all*3 {
			t.Errorf("%s: got %d of %d missed, want at most 3 of a hundred: %q", kind, len(missed), all, missed)
		}
	}
}

func stepFindings(p btdt.Playbook, n int) (found []btdt.Finding) {
	for _, f := range btdt.Check(p) {
		if f.Path == fmt.Sprintf("steps[%d]", n) {
			found = append(found, f)
		}
	}
	return found
}

// coveredAll reports whether findings cover every letter and digit of a part that
// starts at a code point.
func coveredAll(found []btdt.Finding, start int, part string) bool {
	m := Mark{Start: start, Text: part, Type: btdt.TypeName}
	runes := []rune(part)
	for _, i := range m.letters() {
		if open := strings.LastIndex(string(runes[:i-start]), "<"); open >= 0 && !strings.Contains(string(runes[:i-start])[open:], ">") {
			continue // a letter of a tag
		}
		if !slices.ContainsFunc(found, func(f btdt.Finding) bool { return f.Start <= i && i < f.End }) {
			return false
		}
	}
	return true
}

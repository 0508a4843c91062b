package btdt

import (
	"regexp"
	"strings"
	"testing"
)

// The patterns of the schema take no control character, which the validation
// refuses as well, and nothing that is blank.
func TestPatternsRefuseControlCharacters(t *testing.T) {
	for name, c := range map[string]struct {
		pattern    string
		good, evil []string
	}{
		"line":  {linePattern, []string{"a", " a b ", "é"}, []string{"", " ", "\x01", "a\x01", "\x01a", "a\x7f", "\u0085", "a\n", "\n", "a\tb"}},
		"text":  {textPattern, []string{"a", "a\nb\t", "\na"}, []string{"", " \n", "\x01", "a\x01", "\x0b", "\x7f", "\u0085"}},
		"empty": {emptyPattern, []string{"", " ", "a"}, []string{"\x01", "a\n"}},
	} {
		p := regexp.MustCompile(`\\u([0-9a-f]{4})`).ReplaceAllString(c.pattern, `\x{$1}`) // as Go writes it
		p = strings.TrimSuffix(p, "$") + `\z`
		for _, s := range c.good {
			if !regexp.MustCompile(p).MatchString(s) {
				t.Errorf("%s: %q is refused", name, s)
			}
		}
		for _, s := range c.evil {
			if regexp.MustCompile(p).MatchString(s) {
				t.Errorf("%s: %q is taken", name, s)
			}
		}
	}
}

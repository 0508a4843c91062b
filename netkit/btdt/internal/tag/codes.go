package tag

import (
	"strings"

	"github.com/agentnet/netctl/netkit/btdt/internal/lex"
)

// code is a row of tokens without spaces between: a number, a reference, a name of
// a file. Tokens alone are codes of one.
type code struct {
	from, to int
	digits   int
	shape    uint64 // its runs of letters, digits and signs, shortened
}

const codeSigns = "-/._:#+&*"

// findCodes gives every token its code.
func findCodes(s string, tokens []lex.Token) []code {
	codes := make([]code, len(tokens))
	for i := 0; i < len(tokens); {
		to := i + 1
		for to < len(tokens) && !tokens[to].Space && joinable(s, &tokens[to]) && joinable(s, &tokens[to-1]) {
			to++
		}
		for to > i+1 && tokens[to-1].Kind == lex.Sign {
			to-- // the full stop behind it
		}
		c := code{from: i, to: to}
		c.measure(s[tokens[i].From:tokens[to-1].To])
		for ; i < to; i++ {
			codes[i] = c
		}
	}
	return codes
}

func joinable(s string, t *lex.Token) bool {
	return t.Kind != lex.Placeholder && (t.Kind != lex.Sign || strings.IndexByte(codeSigns, s[t.From]) >= 0)
}

// measure counts the digits and takes down the shape: 9, 99, 999, 9999 or 99999 for
// runs of digits of one to four and more, A for capitals, a for other letters.
func (c *code) measure(text string) {
	var shape [24]byte
	n, run := 0, 0
	last := byte(0)
	for i := range len(text) {
		b := text[i]
		switch {
		case b >= '0' && b <= '9':
			c.digits++
			b = '9'
		case b >= 'A' && b <= 'Z':
			b = 'A'
		case b >= 'a' && b <= 'z' || b >= 0x80:
			b = 'a'
		}
		if run++; b != last {
			run = 1
		}
		if last = b; n < len(shape) && (run == 1 || b == '9' && run <= 5 || b == 'A' && run <= 3) {
			shape[n] = b
			n++
		}
	}
	c.shape = lex.Key(string(shape[:n]))<<1 | uint64(min(c.digits, 1))
}

package netkit

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agentnet/netctl/netkit/code"
)

// LineBreaks are the characters that break a line or a table; a title has none.
const LineBreaks = "\n\r\t\u2028\u2029"

// CheckText refuses a text that is not UTF-8, holds control characters other
// than line breaks and tabs, or has too few or too many characters. They are
// counted as code points after NFC.
func CheckText(field, text string, least, most int) error {
	if !utf8.ValidString(text) {
		return Invalid(field, code.TextNotUTF8, "is not UTF-8", "")
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return Invalid(field, code.TextControl, "holds a control character", "remove it")
		}
	}
	n := len(text)
	if n > most {
		n = utf8.RuneCountInString(norm.NFC.String(text))
	}
	switch {
	case n < least:
		return Invalid(field, code.TextMissing, "is required", "")
	case n > most:
		return Invalid(field, code.TextTooLong, fmt.Sprintf("has %d characters, at most %d are allowed", n, most), "shorten it")
	}
	return nil
}

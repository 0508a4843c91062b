package netkit

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// checkText refuses a text that is not UTF-8, holds control characters other
// than line breaks and tabs, or has too few or too many characters. They are
// counted as code points after NFC.
func checkText(field, text string, least, most int) error {
	if !utf8.ValidString(text) {
		return invalid(field, "text_not_utf8", "is not UTF-8", "")
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' {
			return invalid(field, "text_control", "holds a control character", "remove it")
		}
	}
	n := len(text)
	if n > most {
		n = utf8.RuneCountInString(norm.NFC.String(text))
	}
	switch {
	case n < least:
		return invalid(field, "text_missing", "is required", "")
	case n > most:
		return invalid(field, "text_too_long", fmt.Sprintf("has %d characters, at most %d are allowed", n, most), "shorten it")
	}
	return nil
}

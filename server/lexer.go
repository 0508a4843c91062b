package server

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// lexer reads JSON strictly, front to back, without copying what needs no
// unescaping. encoding/json takes the last of two fields of one name, ignores
// their case and cannot say where in a document a type refused its value; a
// network that keeps books wants all three told.
type lexer struct {
	b     []byte
	at    int
	depth int
}

// deepest is how many objects and lists may stand inside each other.
const deepest = 32

// fault is what is wrong with a document, at a byte.
type fault struct {
	at   int
	what string
}

func (l *lexer) fault(what string) *fault { return &fault{l.at, what} }

func (l *lexer) space() {
	for l.at < len(l.b) {
		switch l.b[l.at] {
		case ' ', '\t', '\n', '\r':
			l.at++
		default:
			return
		}
	}
}

// peek returns the first byte of the next token, 0 at the end.
func (l *lexer) peek() byte {
	l.space()
	if l.at == len(l.b) {
		return 0
	}
	return l.b[l.at]
}

func (l *lexer) expect(ch byte) *fault {
	if l.peek() != ch {
		return l.fault("expected " + strconv.QuoteRune(rune(ch)))
	}
	l.at++
	return nil
}

// end refuses whatever follows the document.
func (l *lexer) end() *fault {
	if l.peek() != 0 || l.at < len(l.b) {
		return l.fault("something follows the document")
	}
	return nil
}

// str returns the next string unescaped; it may point into the document.
func (l *lexer) str() ([]byte, *fault) {
	if f := l.expect('"'); f != nil {
		return nil, f
	}
	start, escaped := l.at, false
	for ; l.at < len(l.b); l.at++ {
		switch ch := l.b[l.at]; {
		case ch == '"':
			raw := l.b[start:l.at]
			l.at++
			if escaped {
				return l.unescape(start)
			}
			if !utf8.Valid(raw) {
				return nil, &fault{start, "a string is not UTF-8"}
			}
			return raw, nil
		case ch == '\\':
			escaped = true
			l.at++
		case ch < ' ':
			return nil, l.fault("a control character stands in a string")
		}
	}
	return nil, &fault{start, "a string does not end"}
}

// unescape leaves the escapes to encoding/json.
func (l *lexer) unescape(start int) ([]byte, *fault) {
	whole := l.b[start-1 : l.at]
	var s string
	if !utf8.Valid(whole) || json.Unmarshal(whole, &s) != nil || loneSurrogate(whole) {
		return nil, &fault{start, "a string is not UTF-8 or has a wrong escape"}
	}
	return []byte(s), nil
}

// loneSurrogate reports whether a string escapes half of a surrogate pair, which
// is not a character; encoding/json would put another in its place.
func loneSurrogate(s []byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if i++; s[i] != 'u' {
			continue
		}
		r := escapedRune(s[i+1:])
		if i += 4; !utf16.IsSurrogate(r) {
			continue
		}
		if !bytes.HasPrefix(s[i+1:], []byte(`\u`)) || utf16.DecodeRune(r, escapedRune(s[i+3:])) == utf8.RuneError {
			return true
		}
		i += 6
	}
	return false
}

// escapedRune reads the four hexadecimal digits of an escape, which encoding/json
// has checked.
func escapedRune(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits[:4]), 16, 16)
	return rune(n)
}

// literal returns the next number, true, false or null.
func (l *lexer) literal() ([]byte, *fault) {
	l.space()
	start := l.at
	for l.at < len(l.b) && !bytes.ContainsRune(delimiters, rune(l.b[l.at])) && l.b[l.at] < utf8.RuneSelf {
		l.at++
	}
	raw := l.b[start:l.at]
	if !json.Valid(raw) {
		return nil, &fault{start, "expected a value"}
	}
	return raw, nil
}

var delimiters = []byte(" \t\r\n,:{}[]\"")

// object calls field with each name; field reads the value.
func (l *lexer) object(field func(name []byte) *refused) *refused {
	return l.nested('{', '}', func() *refused {
		name, f := l.str()
		if f == nil {
			f = l.expect(':')
		}
		if f != nil {
			return malformed(f)
		}
		return field(name)
	})
}

// nested reads what stands between two brackets, item by item.
func (l *lexer) nested(open, shut byte, item func() *refused) *refused {
	if f := l.expect(open); f != nil {
		return malformed(f)
	}
	if l.depth++; l.depth > deepest {
		return malformed(l.fault("it is nested too deeply"))
	}
	defer func() { l.depth-- }()
	if l.peek() == shut {
		l.at++
		return nil
	}
	for {
		if r := item(); r != nil {
			return r
		}
		if l.peek() != ',' {
			break
		}
		l.at++
	}
	if f := l.expect(shut); f != nil {
		return malformed(f)
	}
	return nil
}

// skip reads any value and checks its form.
func (l *lexer) skip() *refused {
	var f *fault
	switch l.peek() {
	case '{':
		return l.object(func([]byte) *refused { return l.skip() })
	case '[':
		return l.nested('[', ']', l.skip)
	case '"':
		_, f = l.str()
	default:
		_, f = l.literal()
	}
	if f != nil {
		return malformed(f)
	}
	return nil
}

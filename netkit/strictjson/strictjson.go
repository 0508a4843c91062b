// Package strictjson reads JSON front to back, strictly: what follows the
// document, nesting beyond [Deepest], text that is not UTF-8 and half a
// surrogate pair are faults, each with its byte. It copies only strings with
// escapes.
//
// encoding/json takes the last of two fields of one name, ignores their case
// and cannot say where in a document a type refused its value. A [Reader] gives
// each name as it is written and its offset, so that its caller can.
package strictjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Deepest is how many objects and lists may stand inside each other.
const Deepest = 32

// Fault is what is wrong with a document, at a byte.
type Fault struct {
	At   int
	What string
}

func (f *Fault) Error() string { return f.What + " at byte " + strconv.Itoa(f.At) }

// TooDeep is what a fault says of nesting beyond [Deepest].
const TooDeep = "it is nested too deeply"

// Reader reads one document. Its errors are faults, and whatever the functions
// given to [Reader.Object] and [Reader.List] return. After an error it must not
// be used.
type Reader struct {
	b     []byte
	at    int
	depth int
}

// New returns a reader of a document, which must not change meanwhile.
func New(document []byte) Reader { return Reader{b: document} }

// Offset returns where the next token begins.
func (r *Reader) Offset() int {
	for r.at < len(r.b) {
		switch r.b[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return r.at
		}
	}
	return r.at
}

// Peek returns the first byte of the next token, 0 at the end.
func (r *Reader) Peek() byte {
	if r.Offset() == len(r.b) {
		return 0
	}
	return r.b[r.at]
}

// Fault returns a fault at the next byte.
func (r *Reader) Fault(what string) error { return &Fault{r.at, what} }

func (r *Reader) expect(ch byte) error {
	if r.Peek() != ch {
		return r.Fault("expected " + strconv.QuoteRune(rune(ch)))
	}
	r.at++
	return nil
}

// End refuses whatever follows the document.
func (r *Reader) End() error {
	if r.Offset() < len(r.b) {
		return r.Fault("something follows the document")
	}
	return nil
}

// Text returns the next string unescaped; it may point into the document.
func (r *Reader) Text() ([]byte, error) {
	if err := r.expect('"'); err != nil {
		return nil, err
	}
	start, escaped := r.at, false
	for ; r.at < len(r.b); r.at++ {
		switch ch := r.b[r.at]; {
		case ch == '"':
			raw := r.b[start:r.at]
			r.at++
			if escaped {
				return r.unescape(start)
			}
			if !utf8.Valid(raw) {
				return nil, &Fault{start, "a string is not UTF-8"}
			}
			return raw, nil
		case ch == '\\':
			escaped = true
			r.at++
		case ch < ' ':
			return nil, r.Fault("a control character stands in a string")
		}
	}
	return nil, &Fault{start, "a string does not end"}
}

// unescape leaves the escapes to encoding/json.
func (r *Reader) unescape(start int) ([]byte, error) {
	whole := r.b[start-1 : r.at]
	var s string
	if !utf8.Valid(whole) || json.Unmarshal(whole, &s) != nil {
		return nil, &Fault{start, "a string is not UTF-8 or has a wrong escape"}
	}
	if at := loneSurrogate(whole); at >= 0 {
		return nil, &Fault{start - 1 + at, "a string holds half a surrogate pair"}
	}
	return []byte(s), nil
}

// loneSurrogate returns where a string escapes half of a surrogate pair, which
// is not a character, or -1; encoding/json would put another in its place.
func loneSurrogate(s []byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if i++; s[i] != 'u' {
			continue
		}
		r, from := escapedRune(s[i+1:]), i-1
		if i += 4; !utf16.IsSurrogate(r) {
			continue
		}
		if !bytes.HasPrefix(s[i+1:], []byte(`\u`)) || utf16.DecodeRune(r, escapedRune(s[i+3:])) == utf8.RuneError {
			return from
		}
		i += 6
	}
	return -1
}

// escapedRune reads the four hexadecimal digits of an escape, which encoding/json
// has checked.
func escapedRune(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits[:4]), 16, 16)
	return rune(n)
}

// Literal returns the next number, true, false or null as it is written.
func (r *Reader) Literal() ([]byte, error) {
	start := r.Offset()
	for r.at < len(r.b) && !bytes.ContainsRune(delimiters, rune(r.b[r.at])) && r.b[r.at] < utf8.RuneSelf {
		r.at++
	}
	raw := r.b[start:r.at]
	if !json.Valid(raw) {
		return nil, &Fault{start, "expected a value"}
	}
	return raw, nil
}

var delimiters = []byte(" \t\r\n,:{}[]\"")

// Object reads an object and calls field with each name and its offset; field
// reads the value. The name's bytes may be those of the document.
func (r *Reader) Object(field func(name []byte, at int) error) error {
	return r.nested('{', '}', func() error {
		at := r.Offset()
		name, err := r.Text()
		if err == nil {
			err = r.expect(':')
		}
		if err != nil {
			return err
		}
		return field(name, at)
	})
}

// List reads a list and calls item for each of its items; item reads the value.
func (r *Reader) List(item func() error) error { return r.nested('[', ']', item) }

// nested reads what stands between two brackets, item by item.
func (r *Reader) nested(open, shut byte, item func() error) error {
	if err := r.expect(open); err != nil {
		return err
	}
	if r.depth++; r.depth > Deepest {
		return r.Fault(TooDeep)
	}
	defer func() { r.depth-- }()
	if r.Peek() == shut {
		r.at++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if r.Peek() != ',' {
			break
		}
		r.at++
	}
	return r.expect(shut)
}

// Skip reads any value, checks its form and returns it as it is written.
func (r *Reader) Skip() (raw []byte, err error) {
	start := r.Offset()
	switch r.Peek() {
	case '{':
		err = r.Object(func([]byte, int) error { return r.skip() })
	case '[':
		err = r.List(r.skip)
	case '"':
		_, err = r.Text()
	default:
		_, err = r.Literal()
	}
	return r.b[start:r.at], err
}

func (r *Reader) skip() error { _, err := r.Skip(); return err }

// CheckNames checks the form of a document, and that no object in it holds a
// name twice.
func CheckNames(document []byte) error {
	r := New(document)
	if err := r.checkNames(); err != nil {
		return err
	}
	return r.End()
}

// checkNames reads the next value.
func (r *Reader) checkNames() error {
	switch r.Peek() {
	case '{':
		seen := map[string]struct{}{}
		return r.Object(func(name []byte, at int) error {
			if _, twice := seen[string(name)]; twice {
				return &Fault{at, "an object repeats a name"}
			}
			seen[string(name)] = struct{}{}
			return r.checkNames()
		})
	case '[':
		return r.List(r.checkNames)
	}
	return r.skip()
}

package btdt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// reader walks the tokens of a file whose grammar is already checked, and keeps
// where each value starts.
type reader struct {
	data  []byte
	dec   *json.Decoder
	book  Playbook
	start int            // byte offset of the object, below 0 where there is none
	at    map[string]int // path → byte offset of its value
	found []*Problem
}

// newReader keeps numbers as they are written, since a float would round them.
func newReader(data []byte) *reader {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &reader{data: data, dec: dec, start: -1, at: map[string]int{}}
}

// next is the byte offset at which the next token starts.
func (r *reader) next() int {
	i := int(r.dec.InputOffset())
	for i < len(r.data)-1 && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[i]) >= 0 {
		i++
	}
	return i
}

// token reads the next token. An error cannot happen after the grammar check;
// if it did, nil would be refused as a value of the wrong type.
func (r *reader) token() json.Token {
	t, err := r.dec.Token()
	if err != nil {
		return nil
	}
	return t
}

// scalar reads a value that is no list and no object; of those it skips all and
// returns nil, which no caller takes for a value.
func (r *reader) scalar() json.Token {
	if c := r.data[r.next()]; c == '{' || c == '[' {
		r.skip()
		return nil
	}
	return r.token()
}

// skip passes over a whole value.
func (r *reader) skip() {
	var raw json.RawMessage
	if r.dec.Decode(&raw) != nil {
		r.dec = json.NewDecoder(bytes.NewReader(nil)) // nothing more can be read
	}
}

// maxProblems bounds what one file can make us say.
const maxProblems = 50

// report keeps a problem with its place.
func (r *reader) report(path string, offset int, what, todo string) {
	if len(r.found) >= maxProblems {
		return
	}
	line, column := place(r.data, offset)
	r.found = append(r.found, &Problem{Path: path, Line: line, Column: column, What: what, Do: todo})
}

// loneSurrogate finds an escape such as \ud83d that is no half of a pair in a
// JSON string literal; decoding would silently put U+FFFD in its place.
func loneSurrogate(literal []byte) int {
	for i := 0; i+1 < len(literal); i++ {
		if literal[i] != '\\' {
			continue
		}
		high := escape(literal[i:])
		switch {
		case high >= 0xd800 && high < 0xdc00:
			low := escape(literal[i+6:])
			if low < 0xdc00 || low > 0xdfff {
				return i
			}
			i += 11
		case high >= 0xdc00 && high <= 0xdfff:
			return i
		default:
			i++ // also steps over the second backslash of \\
		}
	}
	return -1
}

// escape reads \uXXXX at the start of b, or returns -1.
func escape(b []byte) int {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	v, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int(v)
}

// fieldNames lists every field, in no promised order.
func fieldNames() []string {
	names := []string{daysField}
	for _, f := range textFields {
		names = append(names, f.name)
	}
	for _, f := range listFields {
		names = append(names, f.name)
	}
	return names
}

// requiredNames lists the fields that a file must hold.
func requiredNames() []string {
	names := []string{daysField}
	for _, f := range textFields {
		if f.required {
			names = append(names, f.name)
		}
	}
	for _, f := range listFields {
		if f.required {
			names = append(names, f.name)
		}
	}
	return names
}

// known returns name if it is a field, else "": a path never repeats what the
// file invented.
func known(name string) string {
	if slices.Contains(fieldNames(), name) {
		return name
	}
	return ""
}

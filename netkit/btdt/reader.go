package btdt

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/strictjson"
)

// reader reads a file and keeps where each value starts.
type reader struct {
	strictjson.Reader
	data  []byte
	book  Playbook
	start int            // byte offset of the object, below 0 where there is none
	at    map[string]int // path → byte offset of its value
	found []*Problem
}

func newReader(data []byte) *reader {
	return &reader{Reader: strictjson.New(data), data: data, start: -1, at: map[string]int{}}
}

// Locate returns a function that gives line and column, from 1, of a code point
// of the text at a path of a playbook file, such as steps[2]; both are 1 for a
// path that the file lacks.
func Locate(file []byte) func(path string, point int) (line, column int) {
	r := newReader(file)
	_ = r.object() // what cannot be read has no place
	return func(path string, point int) (line, column int) {
		i, ok := r.at[path]
		if !ok {
			return 1, 1
		}
		i++ // the quotation mark
		for ; point > 0 && i < len(file) && file[i] != '"'; point-- {
			i += span(file[i:])
		}
		return place(file, i)
	}
}

// span is how many bytes of a JSON text make its first code point.
func span(b []byte) int {
	switch {
	case b[0] != '\\':
		_, n := utf8.DecodeRune(b)
		return n
	case len(b) > 1 && b[1] != 'u':
		return 2
	case len(b) >= 12 && (b[2]|0x20) == 'd' && bytes.IndexByte([]byte("89abAB"), b[3]) >= 0:
		return 12 // a surrogate pair
	}
	return min(6, len(b))
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

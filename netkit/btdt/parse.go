package btdt

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit/strictjson"
)

// Parse reads a playbook file strictly and validates it. A field that is not
// known, given twice, missing or of a wrong type is refused, and so is a file
// that is not clean UTF-8 JSON, holds more than one value or exceeds
// MaxFileBytes. The error joins all problems as [*Problem] values, each with
// its path, line and column.
func Parse(data []byte) (Playbook, error) {
	r, err := readAll(data)
	if err != nil {
		return Playbook{}, err
	}
	r.validate()
	if err := join(r.found); err != nil {
		return Playbook{}, err
	}
	return r.book, nil
}

// Decode reads a playbook file as Parse does, but asks for no field and leaves the
// rules of single values to [Playbook.Validate]: a draft can be scrubbed before its
// form is right.
func Decode(data []byte) (Playbook, error) {
	r, err := readAll(data)
	if err != nil {
		return Playbook{}, err
	}
	if err := join(r.found); err != nil {
		return Playbook{}, err
	}
	return r.book, nil
}

// readAll passes over a whole file; what it could not read is in found.
func readAll(data []byte) (*reader, error) {
	if bad := badFile(data); bad != nil {
		return nil, bad
	}
	r := newReader(data)
	err := r.object()
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return nil, badJSON(data, err)
	}
	return r, nil
}

// badFile finds what makes a file unreadable as a whole. It returns error
// rather than *Problem so that nothing found is a nil interface.
func badFile(data []byte) error {
	if len(data) > MaxFileBytes {
		return &Problem{
			Line: 1, Column: 1,
			What: fmt.Sprintf("the file has more than the %d bytes that are allowed", MaxFileBytes),
			Do:   "split the case or shorten its steps",
		}
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return &Problem{Line: 1, Column: 1, What: "the file starts with a byte order mark",
			Do: "save it as UTF-8 without BOM"}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return &Problem{Line: 1, Column: 1, What: "the file is empty", Do: "write one JSON object with the fields of a playbook"}
	}
	if i := badUTF8(data); i >= 0 {
		return at(data, i, "the file is not valid UTF-8 here", "save it as UTF-8")
	}
	return nil
}

// badJSON says of a fault of the document where it stands.
func badJSON(data []byte, err error) error {
	var f *strictjson.Fault
	switch {
	case !errors.As(err, &f):
		return err
	case f.What == strictjson.TooDeep:
		return at(data, f.At, "lists and objects are nested too deep here", "write texts and lists of texts, nothing deeper")
	}
	return at(data, f.At, "the file is not valid JSON: "+f.What, "correct it here or just before")
}

// badUTF8 is the offset of the first byte that is not UTF-8, or -1. U+FFFD itself
// is a character like any other.
func badUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// at makes a problem of the whole file with its place.
func at(data []byte, offset int, what, todo string) *Problem {
	line, column := place(data, offset)
	return &Problem{Line: line, Column: column, What: what, Do: todo}
}

// place turns a byte offset into line and column, both from 1, the column in
// code points.
func place(data []byte, offset int) (line, column int) {
	before := data[:min(max(offset, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

// object reads the one object of the file, field by field.
func (r *reader) object() error {
	if start := r.Offset(); r.Peek() != '{' {
		r.report("", start, "the file is not a JSON object", "write one object with the fields of a playbook")
		return r.pass()
	}
	r.start = r.Offset()
	return r.Object(func(name []byte, at int) error {
		if len(r.found) >= maxProblems {
			return r.pass()
		}
		return r.field(string(name), at)
	})
}

// pass skips a value.
func (r *reader) pass() error { _, err := r.Skip(); return err }

// validate adds what the rules say of values that could be read; of others it is
// said already that they are missing or of a wrong type.
func (r *reader) validate() {
	said := map[string]bool{}
	for _, p := range r.found {
		said[p.Path] = true
	}
	r.missing()
	for _, p := range r.book.problems() {
		if offset, given := r.at[p.Path]; given && !said[p.Path] {
			r.report(p.Path, offset, p.What, p.Do)
		}
	}
	slices.SortStableFunc(r.found, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// field reads the value of one field. A second one of the same name is refused
// rather than ignored: readers of JSON disagree on which of the two holds.
func (r *reader) field(name string, key int) (err error) {
	if _, twice := r.at[name]; twice {
		r.report(known(name), key, "the field is given twice", "keep one of them")
		return r.pass()
	}
	r.at[name] = r.Offset()
	for _, f := range textFields {
		if f.name == name {
			*f.at(&r.book), err = r.text(name)
			return err
		}
	}
	for _, f := range listFields {
		if f.name == name {
			*f.at(&r.book), err = r.list(f)
			return err
		}
	}
	if name == daysField {
		r.book.TimeTakenDays, err = r.days()
		return err
	}
	r.report("", key, "unknown field "+quote(name), meant(name, fieldNames()))
	return r.pass()
}

// missing reports the required fields that the file lacks, where its object
// begins; Validate cannot tell an absent number from 0.
func (r *reader) missing() {
	for _, name := range requiredNames() {
		if _, ok := r.at[name]; !ok && r.start >= 0 {
			r.report(name, r.start, "is missing", "add it")
		}
	}
}

// text reads a string; null is none.
func (r *reader) text(path string) (string, error) {
	if start := r.Offset(); r.Peek() != '"' {
		r.report(path, start, "is not a text", "write it in double quotes")
		return "", r.pass()
	}
	text, err := r.Text()
	return string(text), err
}

// list reads the texts of a list, or for a lenient field a single text.
func (r *reader) list(f listField) (texts []string, err error) {
	start := r.Offset()
	switch first := r.Peek(); {
	case f.lenient && first == '"':
		r.at[itemPath(f.name, 0)] = start
		text, err := r.text(f.name)
		return []string{text}, err
	case first != '[':
		r.report(f.name, start, "is not a list", `write it as ["first", "second"]`)
		return nil, r.pass()
	}
	err = r.List(func() error {
		// One entry beyond the limit is enough for Validate to object.
		if len(texts) > f.items {
			return r.pass()
		}
		path := itemPath(f.name, len(texts))
		r.at[path] = r.Offset()
		text, err := r.text(path)
		texts = append(texts, text)
		return err
	})
	return texts, err
}

// days reads an integer literal: 41.0 and 4e1 are numbers, but not the way a person
// writes days, and a text is never taken for a number.
func (r *reader) days() (int, error) {
	start := r.Offset()
	literal, err := r.Skip()
	days, wrong := strconv.Atoi(string(literal))
	if err == nil && wrong != nil {
		r.report(daysField, start, "is not a whole number", "write days as digits without quotes, as in 42")
	}
	return days, err
}

// quote repeats the start of an unknown name in ASCII, fit for any terminal.
func quote(name string) string {
	if len(name) > 64 {
		name = name[:64] + "…"
	}
	return strconv.QuoteToASCII(name)
}

package btdt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	r.object()
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
	return badJSON(data)
}

// badJSON checks the grammar in one pass, which also refuses trailing data and
// bounds the depth, so that the reader may rely on whole tokens.
func badJSON(data []byte) error {
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	var syntax *json.SyntaxError
	if err == nil {
		return nil
	}
	if !errors.As(err, &syntax) {
		return at(data, 0, "the file is not JSON: "+err.Error(), "write one JSON object")
	}
	// Offset counts the bytes read: the offender is the last of them, except
	// that at the end of input nothing offended but what is missing.
	offset := int(syntax.Offset) - 1
	if strings.HasSuffix(syntax.Error(), "exceeded max depth") {
		return at(data, offset, "lists and objects are nested too deep here", "write texts and lists of texts, nothing deeper")
	}
	if syntax.Error() == "unexpected end of JSON input" {
		offset = len(data)
	}
	return at(data, offset, "the file is not valid JSON: "+syntax.Error(), "correct it here or just before")
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
func (r *reader) object() {
	start := r.next()
	if r.token() != json.Delim('{') {
		r.report("", start, "the file is not a JSON object", "write one object with the fields of a playbook")
		return
	}
	r.start = start
	for r.dec.More() && len(r.found) < maxProblems {
		key := r.next()
		name, _ := r.token().(string) // the grammar is checked: a key is a string
		r.field(name, key)
	}
}

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
func (r *reader) field(name string, key int) {
	if _, twice := r.at[name]; twice {
		r.report(known(name), key, "the field is given twice", "keep one of them")
		r.skip()
		return
	}
	r.at[name] = r.next()
	for _, f := range textFields {
		if f.name == name {
			*f.at(&r.book) = r.text(name)
			return
		}
	}
	for _, f := range listFields {
		if f.name == name {
			*f.at(&r.book) = r.list(f)
			return
		}
	}
	if name == daysField {
		r.book.TimeTakenDays = r.days()
		return
	}
	r.report("", key, "unknown field "+quote(name), meant(name, fieldNames()))
	r.skip()
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
func (r *reader) text(path string) string {
	start := r.next()
	text, ok := r.scalar().(string)
	if !ok {
		r.report(path, start, "is not a text", "write it in double quotes")
		return ""
	}
	if i := loneSurrogate(r.data[start:r.dec.InputOffset()]); i >= 0 {
		r.report(path, start+i, "holds half a surrogate pair", `write the character itself or both \u escapes`)
	}
	return text
}

// list reads the texts of a list, or for a lenient field a single text.
func (r *reader) list(f listField) []string {
	if f.lenient && r.data[r.next()] == '"' {
		r.at[itemPath(f.name, 0)] = r.next()
		return []string{r.text(f.name)}
	}
	if start := r.next(); r.data[start] != '[' {
		r.report(f.name, start, "is not a list", `write it as ["first", "second"]`)
		r.skip()
		return nil
	}
	r.token()
	var texts []string
	for r.dec.More() {
		path := itemPath(f.name, len(texts))
		// One entry beyond the limit is enough for Validate to object.
		if len(texts) > f.items {
			r.skip()
			continue
		}
		r.at[path] = r.next()
		texts = append(texts, r.text(path))
	}
	r.token()
	return texts
}

// days reads an integer literal: 41.0 and 4e1 are numbers, but not the way a person
// writes days, and a text is never taken for a number.
func (r *reader) days() int {
	start := r.next()
	number, ok := r.scalar().(json.Number)
	days, err := strconv.Atoi(number.String())
	if !ok || err != nil {
		r.report(daysField, start, "is not a whole number", "write days as digits without quotes, as in 42")
	}
	return days
}

// quote repeats the start of an unknown name in ASCII, fit for any terminal.
func quote(name string) string {
	if len(name) > 64 {
		name = name[:64] + "…"
	}
	return strconv.QuoteToASCII(name)
}

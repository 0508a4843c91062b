package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A document is drawn for people as they would write it down: the plain values
// of a thing first, below them what it consists of, each part under its name,
// and a list of like things as a table.

// field is one of an object, in the order of the document.
type field struct {
	name  string
	value any // of an object []field, of a list []any, else a plain value
}

// tree reads a document with its fields in their order.
func tree(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		all := []field{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := tree(d)
			if err != nil {
				return nil, err
			}
			all = append(all, field{fmt.Sprint(key), v})
		}
		_, err = d.Token()
		return all, err
	case json.Delim('['):
		all := []any{}
		for d.More() {
			v, err := tree(d)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		_, err = d.Token()
		return all, err
	}
	return t, nil
}

// details draws a document.
func (a *app) details(doc []byte) error {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	v, err := tree(d)
	if err != nil {
		return err
	}
	w := &canvas{new(bytes.Buffer), cmp.Or(a.width, maxWidth)}
	switch v := v.(type) {
	case []field:
		err = drawObject(w, v, "")
	case []any:
		err = drawList(w, v, "")
	default:
		fmt.Fprintln(w, flat(v))
	}
	if err == nil {
		_, err = a.out.Write(w.Bytes())
	}
	return err
}

// canvas is what a document is drawn on.
type canvas struct {
	*bytes.Buffer
	room int // characters of a line
}

// plain reports whether a value stands on one line beside its name.
func plain(v any) bool {
	switch v := v.(type) {
	case []field:
		return len(v) == 0
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !plain(item) || strings.ContainsAny(flat(item), ",:;") }) || len(v) == 1 && plain(v[0])
	}
	return true
}

// flat is a plain value on one line.
func flat(v any) string {
	object, none := v.([]field)
	list, is := v.([]any)
	switch {
	case v == nil:
		return ""
	case none && len(object) == 0, v == "":
		return "none"
	case !is:
		return clean(fmt.Sprint(v))
	case len(list) == 0:
		return "none"
	}
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = flat(item)
	}
	return strings.Join(words, ", ")
}

func drawObject(w *canvas, fields []field, indent string) error {
	var rows [][]string
	for _, f := range fields {
		if f.value != nil && plain(f.value) {
			rows = append(rows, []string{clean(f.name), flat(f.value)})
		}
	}
	if _, err := table(w, rows, indent, 0); err != nil {
		return err
	}
	for _, f := range fields {
		if plain(f.value) {
			continue
		}
		fmt.Fprintf(w, "%s%s\n", indent, clean(f.name))
		var err error
		switch v := f.value.(type) {
		case []field:
			err = drawObject(w, v, indent+"  ")
		case []any:
			err = drawList(w, v, indent+"  ")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// drawList draws like things as a table, and others one below the other.
func drawList(w *canvas, list []any, indent string) error {
	if heads := columns(list, w.room-len(indent)); heads != nil {
		return drawRows(w, list, heads, indent)
	}
	for i, item := range list {
		object, is := item.([]field)
		if !is {
			fmt.Fprintf(w, "%s%s\n", indent, flat(item))
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := drawObject(w, object, indent); err != nil {
			return err
		}
	}
	return nil
}

// columns are the names of the fields of like things, nil when they are not
// objects of a few plain values that have room.
func columns(list []any, room int) (heads []string) {
	for _, item := range list {
		object, is := item.([]field)
		if !is {
			return nil
		}
		for _, f := range object {
			if !plain(f.value) {
				return nil
			}
			if !slices.Contains(heads, f.name) {
				heads = append(heads, f.name)
			}
		}
	}
	if wide(list, heads) > room {
		return nil
	}
	return heads
}

// maxWidth is how many characters a table has at most where there is no terminal
// that has a width: things that need more stand one below the other.
const maxWidth = 100

// wide is how many characters the rows of a table have.
func wide(list []any, heads []string) (sum int) {
	most := map[string]int{}
	for _, name := range heads {
		most[name] = len(name)
	}
	for _, item := range list {
		for _, f := range item.([]field) {
			most[f.name] = max(most[f.name], ansi.StringWidth(flat(f.value)))
		}
	}
	for _, n := range most {
		sum += n + 2
	}
	return sum
}

func drawRows(w *canvas, list []any, heads []string, indent string) error {
	rows := [][]string{make([]string, len(heads))}
	for i, name := range heads {
		rows[0][i] = strings.ToUpper(clean(name))
	}
	for _, item := range list {
		row := make([]string, len(heads))
		for _, f := range item.([]field) {
			row[slices.Index(heads, f.name)] = flat(f.value)
		}
		rows = append(rows, row)
	}
	_, err := table(w, rows, indent, 0)
	return err
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
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
	var b bytes.Buffer
	switch v := v.(type) {
	case []field:
		err = drawObject(&b, v, "")
	case []any:
		err = drawList(&b, v, "")
	default:
		fmt.Fprintln(&b, flat(v))
	}
	if err == nil {
		_, err = a.out.Write(trailing.ReplaceAll(b.Bytes(), nil))
	}
	return err
}

// trailing are the spaces of empty cells.
var trailing = regexp.MustCompile(`(?m) +$`)

// plain reports whether a value stands on one line beside its name.
func plain(v any) bool {
	switch v := v.(type) {
	case []field:
		return false
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !plain(item) || strings.ContainsAny(flat(item), ",:;") }) || len(v) == 1 && plain(v[0])
	}
	return true
}

// flat is a plain value on one line.
func flat(v any) string {
	list, is := v.([]any)
	switch {
	case v == nil:
		return ""
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

func drawObject(w io.Writer, fields []field, indent string) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, f := range fields {
		if f.value != nil && plain(f.value) {
			fmt.Fprintf(t, "%s%s\t%s\n", indent, clean(f.name), flat(f.value))
		}
	}
	if err := t.Flush(); err != nil {
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
func drawList(w io.Writer, list []any, indent string) error {
	if heads := columns(list); heads != nil {
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
// objects of a few plain values.
func columns(list []any) (heads []string) {
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
	if width(list, heads) > maxWidth {
		return nil
	}
	return heads
}

// maxWidth is how many characters a table has at most: things that need more
// stand one below the other.
const maxWidth = 100

// width is how many characters the rows of a table have.
func width(list []any, heads []string) (sum int) {
	wide := map[string]int{}
	for _, name := range heads {
		wide[name] = len(name)
	}
	for _, item := range list {
		for _, f := range item.([]field) {
			wide[f.name] = max(wide[f.name], utf8.RuneCountInString(flat(f.value)))
		}
	}
	for _, n := range wide {
		sum += n + 2
	}
	return sum
}

func drawRows(w io.Writer, list []any, heads []string, indent string) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	names := make([]string, len(heads))
	for i, name := range heads {
		names[i] = strings.ToUpper(clean(name))
	}
	fmt.Fprintf(t, "%s%s\n", indent, strings.Join(names, "\t"))
	for _, item := range list {
		row := make([]string, len(heads))
		for _, f := range item.([]field) {
			row[slices.Index(heads, f.name)] = flat(f.value)
		}
		fmt.Fprintf(t, "%s%s\n", indent, strings.Join(row, "\t"))
	}
	return t.Flush()
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/itchyny/gojq"
	yaml "go.yaml.in/yaml/v3"

	"github.com/agentnet/netctl/netkit"
)

// show prints one result in the form that was asked for. It takes an error so
// that a call can be given to it as it is.
func (a *app) show(v any, err error) error {
	if err != nil {
		return err
	}
	doc, err := encode(v)
	if err != nil {
		return err
	}
	if a.table() {
		return a.details(doc)
	}
	return a.print(doc)
}

// table reports whether the result is for people.
func (a *app) table() bool { return a.set.v.GetString("output") == "table" && a.jq == "" }

// column is one column of a table.
type column[T any] struct {
	head string
	text func(T) string
}

// list prints up to the limit of a list: a table, or one array, which is []
// when there is nothing.
func list[T any](c *call, items iter.Seq2[T, error], columns ...column[T]) error {
	rows, more := []T{}, false
	for item, err := range items {
		if err != nil {
			return err
		}
		if more = c.limit > 0 && len(rows) == c.limit; more {
			break
		}
		rows = append(rows, item)
	}
	err := rowsOut(c, rows, columns...)
	if err == nil && more {
		c.talk("there are more; --limit 0 shows all")
	}
	return err
}

// rowsOut prints a list that is at hand, and for people who get an empty one
// what the verb says then.
func rowsOut[T any](c *call, rows []T, columns ...column[T]) error {
	if !c.table() {
		if rows == nil {
			rows = []T{}
		}
		doc, err := encode(rows)
		if err != nil {
			return err
		}
		return c.print(doc)
	}
	if len(rows) == 0 {
		c.talk("%s", c.empty)
		return nil
	}
	cells := [][]string{make([]string, len(columns))}
	for i, col := range columns {
		cells[0][i] = col.head
	}
	for _, row := range rows {
		line := make([]string, len(columns))
		for i, col := range columns {
			line[i] = clean(col.text(row))
		}
		cells = append(cells, line)
	}
	if c.width == 0 {
		return tabbed(c.out, cells)
	}
	left, err := table(c.out, cells, "", c.width)
	if err == nil && len(left) > 0 {
		c.talk("no room for %s; a wider terminal or -o json shows them", strings.Join(left, ", "))
	}
	return err
}

// second shows a moment in a table, to the second; details and -o json have its
// milliseconds.
func second(m netkit.Millis) string { return m.Time().UTC().Format(time.RFC3339) }

// maxCell is how much of a text a shell is offered, in characters.
const maxCell = 100

// escaped is a JSON document with the characters that command a terminal as
// escapes. They occur in strings alone, so it stays the same document.
func escaped(doc []byte) []byte {
	out := make([]byte, 0, len(doc))
	for len(doc) > 0 {
		r, n := utf8.DecodeRune(doc)
		switch {
		case r < utf8.RuneSelf && r != 0x7f || !commands(r):
			out = append(out, doc[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		doc = doc[n:]
	}
	return out
}

// shorten cuts a text to maxCell.
func shorten(s string) string {
	r := []rune(s)
	if len(r) <= maxCell {
		return s
	}
	return string(r[:maxCell-1]) + "…"
}

// encode writes a value as JSON with the texts as they are, but for what
// commands a terminal, which is escaped.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escaped(b.Bytes()), nil
}

// print writes a document as JSON or YAML, filtered if that was asked for.
func (a *app) print(doc []byte) error {
	if a.jq != "" {
		return a.filter(doc)
	}
	if a.set.v.GetString("output") == "yaml" {
		node, err := yamlOf(json.NewDecoder(bytes.NewReader(doc)))
		if err != nil {
			return err
		}
		var b bytes.Buffer
		e := yaml.NewEncoder(&b)
		e.SetIndent(2)
		if err := errors.Join(e.Encode(node), e.Close()); err != nil {
			return err
		}
		_, err = a.out.Write(escaped(b.Bytes()))
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, doc, "", "  "); err != nil {
		return err
	}
	_, err := a.out.Write(b.Bytes())
	return err
}

// filterCode compiles the expression.
func (a *app) filterCode() (*gojq.Code, error) {
	query, err := gojq.Parse(a.jq)
	if err != nil {
		return nil, usage(fmt.Errorf("--jq: %w", err))
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return nil, usage(fmt.Errorf("--jq: %w", err))
	}
	return code, nil
}

// filter runs the expression and prints each result on a line, texts plain.
func (a *app) filter(doc []byte) error {
	code, err := a.filterCode()
	if err != nil {
		return err
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	for results := code.Run(v); ; {
		r, ok := results.Next()
		if !ok {
			return nil
		}
		if err, bad := r.(error); bad {
			return fmt.Errorf("--jq: %w", err)
		}
		if s, plain := r.(string); plain {
			fmt.Fprintln(a.out, harmless(s))
			continue
		}
		b, err := gojq.Marshal(r)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s\n", escaped(b))
	}
}

// yamlOf turns JSON into YAML with its fields in the same order and its
// numbers as they are written.
func yamlOf(d *json.Decoder) (*yaml.Node, error) {
	d.UseNumber()
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		if t == '{' {
			node.Kind = yaml.MappingNode
		}
		for d.More() {
			child, err := yamlOf(d)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, child)
		}
		if len(node.Content) == 0 {
			node.Style = yaml.FlowStyle
		}
		_, err = d.Token()
		return node, err
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: t.String()}, nil
	}
	node := new(yaml.Node)
	err = node.Encode(t)
	if s, ok := t.(string); ok && harmless(s) != s {
		node.Style = yaml.DoubleQuotedStyle // the one that has escapes
	}
	return node, err
}

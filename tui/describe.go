package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// describer writes a JSON value as names and values below each other, in its own
// order, with parts indented below their names. Width 0 wraps nothing.
type describer struct {
	w     int
	lines []string
}

// describedJSON describes a value that the network sent.
func describedJSON(b []byte, w int) []string {
	d := &describer{w: w}
	d.value("", b, -1)
	return d.lines
}

// nameWidth is how many cells names have before their values begin.
const nameWidth = 16

func (d *describer) value(name string, b json.RawMessage, deep int) {
	switch b = bytes.TrimSpace(b); {
	case len(b) == 0 || string(b) == "null":
	case b[0] == '{':
		if name != "" {
			d.line(deep, name, "")
		}
		d.object(b, deep+1)
	case b[0] == '[':
		d.list(name, b, deep)
	default:
		d.line(deep, name, timed(name, scalar(b)))
	}
}

// timed writes the milliseconds of the journal's times as people read them.
func timed(name, value string) string {
	ms, err := strconv.ParseInt(value, 10, 64)
	if err != nil || name != "at" && !strings.HasSuffix(name, " at") {
		return value
	}
	return moment(netkit.Millis(ms))
}

// object writes the members in their order.
func (d *describer) object(b json.RawMessage, deep int) {
	dec := json.NewDecoder(bytes.NewReader(b))
	_, _ = dec.Token() // the brace
	for dec.More() {
		key, err := dec.Token()
		var member json.RawMessage
		if err != nil || dec.Decode(&member) != nil {
			return
		}
		d.value(strings.ReplaceAll(line(fmt.Sprint(key)), "_", " "), member, deep)
	}
}

// list writes plain values on one line, and others below each other.
func (d *describer) list(name string, b json.RawMessage, deep int) {
	var items []json.RawMessage
	if json.Unmarshal(b, &items) != nil {
		return
	}
	var plain []string
	for i, item := range items {
		if item[0] == '{' || item[0] == '[' {
			d.value(fmt.Sprintf("%s %d", name, i+1), item, deep)
		} else {
			plain = append(plain, scalar(item))
		}
	}
	if len(plain) > 0 {
		d.line(deep, name, strings.Join(plain, ", "))
	}
}

// scalar is a number, a word or a text without its quotes.
func scalar(b json.RawMessage) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return string(b)
}

// line writes a name and its value, which may take several lines.
func (d *describer) line(deep int, name, value string) {
	indent := strings.Repeat("  ", max(0, deep))
	if d.w == 0 {
		d.lines = append(d.lines, indent+strings.TrimSpace(name+": "+line(value)))
		return
	}
	for i, part := range wrap(clean(value), max(8, d.w-nameWidth-len(indent)-1)) {
		if i > 0 {
			name = ""
		}
		d.lines = append(d.lines, fit(indent+fit(name, nameWidth)+" "+part, d.w))
	}
}

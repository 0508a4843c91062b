package server

import (
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/agentnet/netctl/netkit/code"
)

func (d *decoder) string(path string, v reflect.Value) error {
	if d.Peek() != '"' {
		return d.kind(path, "a string")
	}
	s, err := d.Text()
	if err != nil {
		return err
	}
	v.SetString(string(s))
	return nil
}

func (d *decoder) bool(path string, v reflect.Value) error {
	ch := d.Peek()
	if ch != 't' && ch != 'f' {
		return d.kind(path, "true or false")
	}
	raw, err := d.Literal()
	if err != nil {
		return err
	}
	v.SetBool(raw[0] == 't')
	return nil
}

// integer takes whole numbers as they are written in full: 7, not 7.0 or 7e0.
func (d *decoder) integer(path string, v reflect.Value) error {
	if ch := d.Peek(); ch != '-' && (ch < '0' || ch > '9') {
		return d.kind(path, "a whole number")
	}
	raw, err := d.Literal()
	if err != nil {
		return err
	}
	size := v.Type().Bits()
	if v.CanInt() {
		var i int64
		if i, err = strconv.ParseInt(string(raw), 10, size); err == nil {
			v.SetInt(i)
		}
	} else {
		var u uint64
		if u, err = strconv.ParseUint(string(raw), 10, size); err == nil {
			v.SetUint(u)
		}
	}
	if err != nil {
		return wrong(path, code.ValueWrong, "must be a whole number"+span(v), "")
	}
	return nil
}

// span tells the range of an integer type.
func span(v reflect.Value) string {
	n := uint(v.Type().Bits())
	if v.CanInt() {
		most := uint64(1)<<(n-1) - 1
		return " from -" + strconv.FormatUint(most+1, 10) + " to " + strconv.FormatUint(most, 10)
	}
	return " from 0 to " + strconv.FormatUint(^uint64(0)>>(64-n), 10)
}

// plan is what a struct's JSON tags say, made once a type.
type plan struct {
	byName   map[string]planned
	names    []string
	required uint64 // a bit each, for fields without omitempty
}

type planned struct {
	index []int
	bit   uint64
	never bool // null is refused though the field may be absent
	// zeroless refuses 0, which could not be told from an absent field.
	zeroless bool
}

var plans sync.Map // reflect.Type → *plan; what a type says never changes

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{byName: map[string]planned{}}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		bit := uint64(1) << len(p.names)
		p.byName[name] = planned{f.Index, bit, f.Tag.Get("null") == "false", f.Tag.Get("zero") == "false"}
		p.names = append(p.names, name)
		if !strings.Contains(options, "omit") && f.Tag.Get("required") != "false" {
			p.required |= bit
		}
	}
	plans.Store(t, p)
	return p
}

func (p *plan) first(set uint64) string { return p.names[bits.TrailingZeros64(set)] }

// join appends a field's name to the path of its object. A name that was made
// up is shown only as far as it looks like one.
func join(path string, name []byte) string {
	for i, ch := range name {
		if i == 64 || ch < ' ' || ch > '~' {
			name = append(name[:i:i], "…"...)
			break
		}
	}
	if path == "" {
		return string(name)
	}
	return path + "." + string(name)
}

package server

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/strictjson"
)

// refused is what a decoder found wrong.
type refused = netkit.Refusal

func wrong(path, code, what, next string) *refused {
	return &refused{Kind: netkit.ErrInvalid, Code: code, Field: path, What: what, Next: next}
}

// malformed says of a fault of the document what to send; other errors stay.
func malformed(err error) error {
	var f *strictjson.Fault
	if !errors.As(err, &f) {
		return err
	}
	return wrong("", code.JSONMalformed, "the body is not JSON: "+f.Error(), "send one JSON object in UTF-8")
}

// decode reads the JSON of a request into v, a pointer to a struct, and names
// the field that is unknown, repeated, missing or of another type.
func decode(b []byte, v any) error { return decodeBut(b, reflect.ValueOf(v).Elem(), 0) }

// decodeBut does not ask for the fields whose bits are in known.
func decodeBut(b []byte, v reflect.Value, known uint64) error {
	if len(b) == 0 {
		return wrong("", code.BodyMissing, "the body is missing", "send one JSON object")
	}
	d := &decoder{Reader: strictjson.New(b), known: known}
	if err := d.value("", v); err != nil {
		return malformed(err)
	}
	return malformed(d.End())
}

type decoder struct {
	strictjson.Reader
	known uint64 // fields of the envelope object that come from elsewhere
}

// value reads the next value into v.
func (d *decoder) value(path string, v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(path, v.Elem())
	}
	switch own := v.Addr().Interface().(type) {
	case json.Unmarshaler:
		return d.self(path, own)
	case encoding.TextUnmarshaler:
		return d.text(path, own)
	}
	switch v.Kind() {
	case reflect.Struct:
		return d.fields(path, v)
	case reflect.Slice:
		return d.list(path, v)
	}
	return d.leaf(path, v)
}

// self lets a type read its own literal, as amounts do.
func (d *decoder) self(path string, own json.Unmarshaler) error {
	raw, err := d.Skip()
	if err != nil {
		return err
	}
	return refusal(path, own.UnmarshalJSON(raw))
}

// refusal says what a type of netkit does not like about its value. Its
// errors never hold the value.
func refusal(path string, err error) error {
	if err == nil {
		return nil
	}
	return wrong(path, code.ValueWrong, strings.TrimPrefix(err.Error(), "netkit: "), "")
}

func (d *decoder) text(path string, own encoding.TextUnmarshaler) error {
	if d.Peek() != '"' {
		return d.kind(path, "a string")
	}
	s, err := d.Text()
	if err != nil {
		return err
	}
	return refusal(path, own.UnmarshalText(s))
}

// kind refuses a value of another type, unless it is not JSON at all.
func (d *decoder) kind(path, want string) error {
	if _, err := d.Skip(); err != nil {
		return err
	}
	return wrong(path, code.TypeWrong, "must be "+want, "")
}

func (d *decoder) fields(path string, v reflect.Value) error {
	if d.Peek() != '{' {
		return d.kind(path, "an object")
	}
	p := planOf(v.Type())
	var seen uint64
	err := d.Object(func(name []byte, _ int) error {
		f, known := p.byName[string(name)]
		switch {
		case !known:
			return unknownField(path, name, p.names, d.Offset())
		case seen&f.bit != 0:
			return wrong(join(path, name), code.FieldRepeated, "was sent more than once", "send it once")
		}
		seen |= f.bit
		if p.required&f.bit == 0 && !f.never && d.Peek() == 'n' {
			_, err := d.Skip() // null is as good as absent where that is allowed
			return err
		}
		return d.field(join(path, name), f, v.FieldByIndex(f.index))
	})
	missing := p.required &^ seen
	if path == "" {
		missing &^= d.known
	}
	if err == nil && missing != 0 {
		return wrong(join(path, []byte(p.first(missing))), code.FieldMissing, "is required", "")
	}
	return err
}

func (d *decoder) field(path string, f planned, v reflect.Value) error {
	if err := d.value(path, v); err != nil || !f.zeroless || !v.IsZero() {
		return err
	}
	return wrong(path, code.NumberOutOfRange, "is 0", "leave it out for the default")
}

func (d *decoder) list(path string, v reflect.Value) error {
	if d.Peek() != '[' {
		return d.kind(path, "a list")
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 1))
	return d.List(func() error {
		i := v.Len()
		if i == maxItems {
			return wrong(path, code.TooMany, "has more than "+strconv.Itoa(maxItems)+" items", "")
		}
		v.Grow(1)
		v.SetLen(i + 1)
		return d.value(path+"["+strconv.Itoa(i)+"]", v.Index(i))
	})
}

// maxItems is more than any list of a request may hold.
const maxItems = 1000

func (d *decoder) leaf(path string, v reflect.Value) error {
	switch k := v.Kind(); {
	case k == reflect.String:
		return d.string(path, v)
	case k == reflect.Bool:
		return d.bool(path, v)
	case v.CanInt() || v.CanUint():
		return d.integer(path, v)
	}
	panic("server: no request holds a " + v.Type().String())
}

// Package fields describes the fields of a request to whoever fills it in: what
// each is called, what it takes, and what is wrong with a text for it. All of it
// comes from the type of the request, where the server has its bounds from too.
package fields

import (
	"encoding"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
)

// Field is one value of a request, to be written as a text.
type Field struct {
	Name     string   // as JSON and refusals call it: signal.headline
	Label    string   // for people: Headline
	Hint     string   // what to write
	Choices  []string // the only words it takes; nil takes others
	Several  bool     // any number of words, with spaces between, or one text a line if Long
	Long     bool     // several lines
	Optional bool
	Longest  int // characters; 0 where nothing bounds it

	index  []int
	typ    reflect.Type
	tag    reflect.StructTag
	form   *regexp.Regexp
	now    func() time.Time
	window bool // a span of seconds
}

// None is the choice that leaves a field out.
const None = "none"

// ErrNeeded is what is wrong with an empty text for a field that is needed.
var ErrNeeded = errors.New("is needed")

// Of returns the fields of the struct that request points to, in order. Those
// that only a program can fill are left out: hashes of tokens and nested
// documents. The clock is for times that are given as a span from now.
func Of(request any, now func() time.Time) []*Field {
	return below(reflect.TypeOf(request).Elem(), nil, "", now)
}

// Plain returns a field that is no part of a request: a text, or with choices
// one of them.
func Plain(label, hint string, choices ...string) *Field {
	return &Field{Name: label, Label: label, Hint: hint, Choices: choices, typ: reflect.TypeFor[string]()}
}

func below(t reflect.Type, index []int, prefix string, now func() time.Time) (all []*Field) {
	for i := range t.NumField() {
		sf := t.Field(i)
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		at := append(append([]int{}, index...), i)
		switch {
		case name == "" || name == "-" || forPrograms(sf.Type):
		case sf.Type.Kind() == reflect.Struct:
			all = append(all, below(sf.Type, at, prefix+name+".", now)...)
		default:
			f := &Field{Name: prefix + name, Label: label(name), index: at, typ: sf.Type, tag: sf.Tag, now: now,
				Optional: strings.HasPrefix(options, "omit") || sf.Type.Kind() == reflect.Pointer}
			f.describe()
			all = append(all, f)
		}
	}
	return all
}

// forPrograms reports whether people do not write such a value.
func forPrograms(t reflect.Type) bool {
	return t == reflect.TypeFor[*netkit.Hash]() || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

// initials are words that are not written as others.
var initials = strings.NewReplacer("Id", "ID", "Sha256", "SHA-256", "llm", "model", "Llm", "Model", "Url", "URL")

func label(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	return initials.Replace(strings.ToUpper(words[:1]) + words[1:])
}

func (f *Field) describe() {
	f.Hint = f.tag.Get("doc")
	item := f.typ
	if item.Kind() == reflect.Pointer {
		item = item.Elem()
	}
	if item.Kind() == reflect.Slice {
		f.Several, item = true, item.Elem()
		f.Optional = f.Optional || f.tag.Get("minItems") == ""
	}
	f.Choices = choices(item, f.tag.Get("enum"))
	if !f.Several && len(f.Choices) > 0 && f.Optional && f.Choices[0] != zeroName(f.typ) {
		f.Choices = append([]string{None}, f.Choices...)
	}
	if p := f.tag.Get("pattern"); p != "" {
		f.form = regexp.MustCompile(p)
	}
	if item.Kind() == reflect.String && !f.Several {
		f.Longest = number(f.tag.Get("maxLength"))
	}
	f.Long = f.Longest > 1000 || f.tag.Get("lines") == "true"
	f.window = strings.HasSuffix(f.Name, "_in") && item.Kind() == reflect.Int64
	switch {
	case f.window:
		f.Hint = "a span such as " + timespan.Forms + ": " + strings.TrimPrefix(strings.TrimPrefix(f.Hint, "seconds"), ", ")
	case item == reflect.TypeFor[netkit.Millis]():
		f.Hint = moments + byDefault(f.Hint)
	case f.Several && f.Long:
		f.Hint += "; one a line"
	case f.Hint == "" && item == reflect.TypeFor[netkit.Credits]():
		f.Hint = "credits"
	}
}

// moments is how a time is written. Its label says what happens then.
const moments = "a date, a time, or a span from now such as 30d"

// byDefault is the part of a hint that says what an empty text means.
func byDefault(hint string) string {
	if i := strings.LastIndex(hint, "default: "); i >= 0 {
		return "; " + hint[i:]
	}
	return ""
}

// choices are the names of an enumeration, nil for other types.
func choices(t reflect.Type, enum string) (names []string) {
	switch {
	case enum != "":
		return strings.Split(enum, ",")
	case t.Kind() == reflect.Bool:
		return []string{"no", "yes"}
	case t == reflect.TypeFor[netkit.Scope]():
		for _, s := range netkit.Scopes() {
			names = append(names, string(s))
		}
	case t.Kind() == reflect.Uint8:
		names = enumerated(t)
	}
	return names
}

// enumerated are the names of an enumeration's values, which begin at 0. A zero
// without a name stands for none.
func enumerated(t reflect.Type) (names []string) {
	v := reflect.New(t).Elem()
	m, ok := v.Addr().Interface().(encoding.TextMarshaler)
	for i := uint64(0); ok; i++ {
		v.SetUint(i)
		name, err := m.MarshalText()
		if err != nil {
			break
		}
		if len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names
}

// zeroName is the name of an enumeration's zero, "" if it has none.
func zeroName(t reflect.Type) string {
	if m, ok := reflect.Zero(t).Interface().(encoding.TextMarshaler); ok && t.Kind() == reflect.Uint8 {
		name, err := m.MarshalText()
		if err == nil {
			return string(name)
		}
	}
	if t.Kind() == reflect.Bool {
		return "no"
	}
	return ""
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

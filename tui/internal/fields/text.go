package fields

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
)

// Text is the value that a request has, as Set takes it.
func (f *Field) Text(request any) string {
	v := reflect.ValueOf(request).Elem().FieldByIndex(f.index)
	if v.Kind() == reflect.Slice {
		words := make([]string, v.Len())
		for i := range words {
			words[i] = f.show(v.Index(i))
		}
		return strings.Join(words, f.separator())
	}
	if v.IsZero() && !f.named(v) {
		switch {
		case len(f.Choices) > 0 && f.Choices[0] == None:
			return None
		case len(f.Choices) > 0 || f.Optional || f.tag.Get("minimum") != "0":
			return ""
		}
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return f.show(v)
}

// named reports whether a zero is a value of its own.
func (f *Field) named(v reflect.Value) bool {
	return v.Kind() == reflect.Bool || v.Kind() != reflect.Pointer && zeroName(v.Type()) != ""
}

func (f *Field) show(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case bool:
		return map[bool]string{true: "yes", false: "no"}[x]
	case netkit.Millis:
		return x.Time().Format(time.RFC3339)
	case encoding.TextMarshaler:
		name, err := x.MarshalText()
		if err == nil {
			return string(name)
		}
	case int64:
		if f.window {
			return Span(x)
		}
	}
	return fmt.Sprint(v.Interface())
}

// Span writes seconds as people do, as in 72h.
func Span(seconds int64) string {
	s := (time.Duration(seconds) * time.Second).String()
	return strings.TrimSuffix(strings.TrimSuffix(s, "0s"), "0m")
}

// Check says what is wrong with a text, nil if a request may carry it.
func (f *Field) Check(text string) error {
	_, err := f.read(text)
	return err
}

// Set puts a text into a request.
func (f *Field) Set(request any, text string) error {
	v, err := f.read(text)
	if err == nil {
		reflect.ValueOf(request).Elem().FieldByIndex(f.index).Set(v)
	}
	return err
}

func (f *Field) read(text string) (reflect.Value, error) {
	text = strings.TrimSpace(text)
	v := reflect.New(f.typ).Elem()
	if f.Several {
		return v, f.words(v, f.split(text))
	}
	if text == "" || text == None && len(f.Choices) > 0 && f.Choices[0] == None {
		if !f.Optional {
			return v, ErrNeeded
		}
		return v, nil
	}
	if f.typ.Kind() == reflect.Pointer {
		v.Set(reflect.New(f.typ.Elem()))
		return v, f.one(v.Elem(), text)
	}
	return v, f.one(v, text)
}

// separator returns the text between the items of a list.
func (f *Field) separator() string {
	if f.Long {
		return "\n"
	}
	return " "
}

// split returns the items of a list: the words of a text, or its lines.
func (f *Field) split(text string) (items []string) {
	if !f.Long {
		return strings.Fields(text)
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			items = append(items, line)
		}
	}
	return items
}

// words reads a list, which an empty one is too.
func (f *Field) words(v reflect.Value, words []string) error {
	least, most := number(f.tag.Get("minItems")), number(f.tag.Get("maxItems"))
	switch {
	case len(words) < least && len(words) == 0:
		return ErrNeeded
	case most > 0 && len(words) > most:
		return fmt.Errorf("has %d, and at most %d are allowed", len(words), most)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(words), len(words)))
	for i, w := range words {
		if err := f.one(v.Index(i), w); err != nil {
			if len(words) > 1 {
				err = fmt.Errorf("number %d %w", i+1, err)
			}
			return err
		}
	}
	return nil
}

// one reads a single value.
func (f *Field) one(v reflect.Value, text string) error {
	switch x := v.Addr().Interface().(type) {
	case *netkit.Millis:
		return f.moment(x, text)
	case *netkit.Credits:
		if err := x.UnmarshalText([]byte(text)); err != nil {
			return errors.New("is not an amount such as 12.50")
		}
		return f.between(*x)
	case encoding.TextUnmarshaler:
		return bare(x.UnmarshalText([]byte(text)))
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return f.fits(text)
	case reflect.Bool:
		v.SetBool(text == "yes")
		if text != "yes" && text != "no" {
			return errors.New("must be yes or no")
		}
		return nil
	}
	return f.whole(v, text)
}

// fits checks a text by its length and form.
func (f *Field) fits(text string) error {
	least, most := number(f.tag.Get("minLength")), number(f.tag.Get("maxLength"))
	switch n := utf8.RuneCountInString(text); {
	case most > 0 && n > most:
		return fmt.Errorf("has %d characters, and at most %d are allowed", n, most)
	case n < least:
		return fmt.Errorf("has %d characters, and at least %d are needed", n, least)
	case f.form != nil && !f.form.MatchString(text):
		return errors.New("does not have the form that is asked for")
	}
	for _, c := range f.Choices {
		if c == text {
			return nil
		}
	}
	if len(f.Choices) > 0 {
		return errors.New("must be one of " + strings.Join(f.Choices, ", "))
	}
	return nil
}

// whole reads an integer, or a span of seconds.
func (f *Field) whole(v reflect.Value, text string) error {
	if f.window {
		d, err := timespan.Parse(text, 0)
		if err != nil {
			return err
		}
		text = strconv.FormatInt(int64(d/time.Second), 10)
	}
	if err := json.Unmarshal([]byte(text), v.Addr().Interface()); err != nil {
		return errors.New("is not a whole number, or one that is too large")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil // beyond any bound that is given here
	}
	for _, b := range []struct {
		bound string
		wrong func(limit int64) bool
		say   string
	}{{f.tag.Get("minimum"), func(l int64) bool { return n < l }, "must be at least "}, {f.tag.Get("maximum"), func(l int64) bool { return n > l }, "must be at most "}} {
		limit, err := strconv.ParseInt(b.bound, 10, 64)
		if err == nil && b.wrong(limit) {
			return errors.New(b.say + f.say(limit))
		}
	}
	return nil
}

// say writes a bound as people write the value.
func (f *Field) say(n int64) string {
	if f.window {
		return f.show(reflect.ValueOf(n))
	}
	return strconv.FormatInt(n, 10)
}

// between checks an amount by its bounds.
func (f *Field) between(c netkit.Credits) error {
	if low, err := netkit.ParseCredits(f.tag.Get("minimum")); err == nil && c < low {
		return fmt.Errorf("must be at least %s", low)
	}
	if high, err := netkit.ParseCredits(f.tag.Get("maximum")); err == nil && c > high {
		return fmt.Errorf("must be at most %s", high)
	}
	return nil
}

// moment reads a date, a time, or a span from now.
func (f *Field) moment(at *netkit.Millis, text string) error {
	if d, err := timespan.Parse(text, 0); err == nil {
		*at = netkit.At(f.now().Add(d))
		return nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			*at = netkit.At(t)
			return nil
		}
	}
	return errors.New("is not a time such as 2026-02-20, 2026-02-20 12:00 or 30d from now")
}

// bare is an error without the name of the package.
func bare(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.TrimPrefix(err.Error(), "netkit: "))
}

package main

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/timespan"
)

// named is a type whose values have names.
type named[T any] interface {
	*T
	encoding.TextUnmarshaler
}

// parseName reads a name in whatever case it is typed.
func parseName[T any, P named[T]](s string) (T, error) {
	var v T
	err := P(&v).UnmarshalText([]byte(s))
	for _, form := range []string{strings.ToUpper(s), strings.ToLower(s)} {
		if err == nil {
			break
		}
		if P(&v).UnmarshalText([]byte(form)) == nil {
			err = nil
		}
	}
	if err != nil {
		err = errors.New(plainly(err))
	}
	return v, err
}

// word is a flag with a name for its value.
type word[T any, P named[T]] struct {
	set  func(T)
	text string
}

// Set implements pflag.Value.
func (w *word[T, P]) Set(s string) error {
	v, err := parseName[T, P](s)
	if err == nil {
		w.set(v)
		w.text = s
	}
	return err
}

func (w *word[T, P]) String() string { return w.text }

// Type implements pflag.Value.
func (w *word[T, P]) Type() string { return "name" }

// nicheWords names the niches, with a word before the last.
func nicheWords(last string) string { return wordList(last, netkit.Niches()...) }

// wordList is a list of values as a sentence has it: A, B or C.
func wordList[T fmt.Stringer](last string, all ...T) string {
	names := make([]string, len(all))
	for k, v := range all {
		names[k] = v.String()
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}

// one is a flag that sets p.
func one[T any, P named[T]](p *T) pflag.Value {
	return &word[T, P]{set: func(v T) { *p = v }}
}

// optional is a flag without which p stays nil.
func optional[T any, P named[T]](p **T) pflag.Value {
	return &word[T, P]{set: func(v T) { *p = &v }}
}

// several is a flag that adds to p, given more than once or with commas.
type several[T any, P named[T]] struct{ p *[]T }

// Set implements pflag.Value.
func (m several[T, P]) Set(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		v, err := parseName[T, P](strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*m.p = append(*m.p, v)
	}
	return nil
}

func (m several[T, P]) String() string { return "" }

// Type implements pflag.Value.
func (m several[T, P]) Type() string { return "names" }

func many[T any, P named[T]](p *[]T) pflag.Value { return several[T, P]{p} }

// span is a flag for a span of time between two bounds. A bound of 0 does not apply.
type span struct {
	p           *time.Duration
	least, most time.Duration
}

// Set implements pflag.Value.
func (v span) Set(s string) error {
	d, err := timespan.Parse(s, v.most)
	if err == nil && d < v.least {
		err = errors.New("must be a span of at least " + timespan.Format(v.least))
	}
	if err == nil {
		*v.p = d
	}
	return err
}

func (v span) String() string {
	if v.p == nil || *v.p == 0 {
		return ""
	}
	return timespan.Format(*v.p)
}

// Type implements pflag.Value.
func (v span) Type() string { return "span" }

// moment is a flag for a time: RFC 3339, or a span from now such as 30d.
type moment struct{ p *netkit.Millis }

// Set implements pflag.Value.
func (m moment) Set(s string) error {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		*m.p = netkit.At(t)
		return nil
	}
	d, err := timespan.Parse(s, 0)
	if err != nil {
		return fmt.Errorf("must be a time such as 2026-03-01T12:00:00Z, or a span from now: it %w", err)
	}
	*m.p = netkit.At(time.Now().Add(d))
	return nil
}

func (m moment) String() string { return "" }

// Type implements pflag.Value.
func (m moment) Type() string { return "time" }

// past is a flag for a time that is over: RFC 3339, or a date, which means its
// last moment.
type past struct{ p **netkit.Millis }

// Set implements pflag.Value.
func (p past) Set(s string) error {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		day, err := time.Parse(time.DateOnly, s)
		if err != nil {
			return errors.New("must be a time such as 2026-03-01T12:00:00Z, or a date such as 2026-03-01")
		}
		t = day.Add(24*time.Hour - time.Millisecond)
	}
	at := netkit.At(t)
	*p.p = &at
	return nil
}

func (p past) String() string { return "" }

// Type implements pflag.Value.
func (p past) Type() string { return "time" }

// date is a flag for a UTC date.
type date struct{ p **netkit.Day }

// Set implements pflag.Value.
func (d date) Set(s string) error {
	var v netkit.Day
	if err := v.UnmarshalText([]byte(s)); err != nil {
		return errors.New("must be a date such as 2026-02-20")
	}
	*d.p = &v
	return nil
}

func (d date) String() string { return "" }

// Type implements pflag.Value.
func (d date) Type() string { return "date" }

// id reads an id from the command line.
func id(s string) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, usage(fmt.Errorf("an id is a whole number, as in the receipt of what it names; got %s", strconv.QuoteToASCII(s)))
	}
	return n, nil
}

// numbered is a flag with the id of something.
type numbered struct{ p *uint64 }

// Set implements pflag.Value.
func (n numbered) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return errors.New("must be a whole number, as in the receipt of what it names")
	}
	*n.p = v
	return nil
}

func (n numbered) String() string { return "" }

// Type implements pflag.Value.
func (n numbered) Type() string { return "uint64" }

// parseAmount reads credits as people type them. Its error completes a sentence
// that begins with the name of the value.
func parseAmount(s string) (netkit.Credits, error) {
	v, err := netkit.ParseCredits(s)
	if err != nil || v < 0 {
		return 0, errors.New("must be an amount of credits such as 2 or 2.50")
	}
	return v, nil
}

// amount reads credits from an argument that the usage calls AMOUNT.
func amount(s string) (netkit.Credits, error) {
	v, err := parseAmount(s)
	if err != nil {
		return 0, usage(fmt.Errorf("AMOUNT %w", err))
	}
	return v, nil
}

// money is a flag for an amount of credits.
type money struct{ set func(netkit.Credits) }

// credit is a flag that sets an amount.
func credit(p *netkit.Credits) pflag.Value { return money{func(v netkit.Credits) { *p = v }} }

// optionalCredit is a flag without which p stays nil.
func optionalCredit(p **netkit.Credits) pflag.Value {
	return money{func(v netkit.Credits) { *p = &v }}
}

// Set implements pflag.Value.
func (m money) Set(s string) error {
	v, err := parseAmount(s)
	if err == nil {
		m.set(v)
	}
	return err
}

func (m money) String() string { return "" }

// Type implements pflag.Value.
func (m money) Type() string { return "credits" }

// maxText limits what is read for one text, in bytes.
const maxText = 1 << 20

// textHelp ends the help of a flag that may name a file.
const textHelp = "; @FILE reads a file, - standard input, @@ begins one with @"

// text returns what a flag means: itself, the content of a file, or standard
// input.
func (a *app) text(s string) (string, error) {
	in := a.in
	switch {
	case s == "-":
	case strings.HasPrefix(s, "@@"):
		return s[1:], nil
	case strings.HasPrefix(s, "@"):
		f, err := os.Open(s[1:])
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	default:
		return s, nil
	}
	b, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err == nil && len(b) > maxText {
		err = fmt.Errorf("a text has at most %d bytes", maxText)
	}
	return strings.TrimSuffix(string(b), "\n"), err
}

// smallFile reads a file that is no longer than a text may be. A device, or a
// recording named by mistake, must not fill the memory.
func smallFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(b) > maxText {
		err = fmt.Errorf("%s has more than %d bytes, which is not a file of this kind", path, maxText)
	}
	return b, err
}

// texts reads several of them.
func (a *app) texts(flags ...*string) error {
	for _, p := range flags {
		s, err := a.text(*p)
		if err != nil {
			return err
		}
		*p = s
	}
	return nil
}

// exactly takes as many arguments as it has names for.
func exactly(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == len(names) {
			if i := slices.Index(args, ""); i >= 0 {
				return usage(fmt.Errorf("%s is empty", names[i]))
			}
			return nil
		}
		return usage(fmt.Errorf("this takes %s, got %d arguments", strings.Join(names, " and "), len(args)))
	}
}

// parseNames reads arguments that are names.
func parseNames[T any, P named[T]](args []string) ([]T, error) {
	out := make([]T, 0, len(args))
	for _, s := range args {
		v, err := parseName[T, P](s)
		if err != nil {
			return nil, usage(err)
		}
		out = append(out, v)
	}
	return out, nil
}

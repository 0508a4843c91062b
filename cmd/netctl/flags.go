package main

import (
	"encoding"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
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

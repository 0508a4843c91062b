package server

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit/code"
)

// Parameters of a query that name what the tables of netkit hold. The document
// takes the names from there.

type (
	choice[T any]  string // one name, "" where it was left out
	choices[T any] string // a list with commas
)

// Schema implements huma.SchemaProvider.
func (choice[T]) Schema(r huma.Registry) *huma.Schema {
	s := scalar[T]{}.Schema(r)
	s.Nullable = false // a parameter that is left out is absent
	return s
}

// Schema implements huma.SchemaProvider.
func (choices[T]) Schema(huma.Registry) *huma.Schema {
	var names []string
	for _, name := range scalars[reflect.TypeFor[T]()].Enum {
		names = append(names, name.(string))
	}
	one := "(" + strings.Join(names, "|") + ")"
	return &huma.Schema{Type: "string", MaxLength: ptr(100), PatternDescription: "a list such as " + strings.Join(names[:2], ","), Pattern: fmt.Sprintf("^%[1]s(,%[1]s){0,%[2]d}$", one, len(names)-1)}
}

// word is a value that is read from its name.
type word[T any] interface {
	*T
	UnmarshalText([]byte) error
}

// chosen reads an enumeration of a query, nil where it was left out.
func chosen[T any, P word[T]](name string, text choice[T]) (*T, error) {
	if text == "" {
		return nil, nil
	}
	v := new(T)
	if r := refusal("query."+name, P(v).UnmarshalText([]byte(text))); r != nil {
		return nil, r
	}
	return v, nil
}

// choose reads an enumeration of a query whose zero value stands for all.
func choose[T any, P word[T]](name string, text choice[T], v P) error {
	got, err := chosen[T, P](name, text)
	if err == nil && got != nil {
		*v = *got
	}
	return err
}

// chooseAll reads a list of an enumeration, as in P1,P2.
func chooseAll[T any, P word[T]](name string, text choices[T]) (all []T, err error) {
	if text == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(string(text), ",") {
		v, err := chosen[T, P](name, choice[T](word))
		if err != nil {
			return nil, err
		}
		if v == nil {
			return nil, wrong("query."+name, code.ValueWrong, "has an empty item", "")
		}
		all = append(all, *v)
	}
	return all, nil
}

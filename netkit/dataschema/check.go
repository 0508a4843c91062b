package dataschema

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// check returns the first fault of a value.
func (n *node) check(path string, v any) error {
	switch {
	case n.never:
		return &Fault{path, "must not be there"}
	case len(n.types) > 0 && !slices.ContainsFunc(n.types, func(t string) bool { return is(t, v) }):
		return &Fault{path, "must be of the type " + strings.Join(n.types, " or ")}
	case len(n.enum) > 0 && !slices.ContainsFunc(n.enum, func(one any) bool { return equal(one, v) }):
		return &Fault{path, "is not one of the values of the schema"}
	}
	switch v := v.(type) {
	case string:
		return n.checkText(path, v)
	case *big.Rat:
		return n.checkNumber(path, v)
	case []any:
		return n.checkList(path, v)
	case map[string]any:
		return n.checkObject(path, v)
	}
	return nil
}

// is reports whether a value is of a type.
func is(t string, v any) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case *big.Rat:
		return t == "number" || t == "integer" && v.IsInt()
	case []any:
		return t == "array"
	}
	return t == "object"
}

func (n *node) checkText(path, s string) error {
	length := utf8.RuneCountInString(s)
	switch {
	case length < n.minLength:
		return &Fault{path, "has fewer than " + strconv.Itoa(n.minLength) + " characters"}
	case n.maxLength >= 0 && length > n.maxLength:
		return &Fault{path, "has more than " + strconv.Itoa(n.maxLength) + " characters"}
	case n.pattern != nil && !n.pattern.MatchString(s):
		return &Fault{path, "does not match the pattern of the schema"}
	}
	return nil
}

func (n *node) checkNumber(path string, x *big.Rat) error {
	if b := n.minimum; b != nil && (x.Cmp(b.limit) < 0 || b.open && x.Cmp(b.limit) == 0) {
		return &Fault{path, "is below the minimum of the schema"}
	}
	if b := n.maximum; b != nil && (x.Cmp(b.limit) > 0 || b.open && x.Cmp(b.limit) == 0) {
		return &Fault{path, "is above the maximum of the schema"}
	}
	return nil
}

func (n *node) checkList(path string, list []any) error {
	switch {
	case len(list) < n.minItems:
		return &Fault{path, "has fewer than " + strconv.Itoa(n.minItems) + " items"}
	case n.maxItems >= 0 && len(list) > n.maxItems:
		return &Fault{path, "has more than " + strconv.Itoa(n.maxItems) + " items"}
	}
	for k, v := range list {
		if n.unique && slices.ContainsFunc(list[:k], func(one any) bool { return equal(one, v) }) {
			return &Fault{element(path, k), "is there more than once"}
		}
		if n.items == nil {
			continue
		}
		if err := n.items.check(element(path, k), v); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) checkObject(path string, object map[string]any) error {
	for _, name := range n.required {
		if _, ok := object[name]; !ok {
			return &Fault{join(path, name), "is missing"}
		}
	}
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		sub := n.properties[name]
		if sub == nil {
			sub = n.more
		}
		if sub == nil {
			continue
		}
		if err := sub.check(join(path, name), object[name]); err != nil {
			return err
		}
	}
	return nil
}

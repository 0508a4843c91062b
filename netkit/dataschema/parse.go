package dataschema

import (
	"math/big"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// kinds are the types of JSON Schema.
var kinds = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// maxPattern is how many bytes a pattern may have.
const maxPattern = 200

const (
	maxSteps  = 1000 // of the program of a pattern
	maxValues = 100  // of an enum
	maxUnique = 256  // items of a list with uniqueItems, which are compared in pairs
)

// keywords are the keywords that a schema may use, each with the function that reads it.
var keywords map[string]func(n *node, path string, v any) error

func init() { // refers to itself through parseNode
	says := func(*node, string, any) error { return nil }
	keywords = map[string]func(n *node, path string, v any) error{
		"title": says, "description": says, "default": says, "examples": says, "$comment": says,
		"$schema": func(_ *node, path string, v any) error { return fault(v == Draft, path, "must be "+Draft) },
		"type":    (*node).readTypes,
		"properties": func(n *node, path string, v any) error {
			object, ok := v.(map[string]any)
			n.properties = map[string]*node{}
			for name, v := range object {
				sub, err := parseSub(join(path, name), v)
				if err != nil {
					return err
				}
				n.properties[name] = sub
			}
			return fault(ok, path, "must be an object of schemas")
		},
		"required": func(n *node, path string, v any) (err error) {
			n.required, err = texts(path, v)
			return err
		},
		"additionalProperties": func(n *node, path string, v any) (err error) { n.more, err = parseSub(path, v); return err },
		"items":                func(n *node, path string, v any) (err error) { n.items, err = parseSub(path, v); return err },
		"minItems":             func(n *node, path string, v any) error { return readCount(&n.minItems, path, v) },
		"maxItems":             func(n *node, path string, v any) error { return readCount(&n.maxItems, path, v) },
		"minLength":            func(n *node, path string, v any) error { return readCount(&n.minLength, path, v) },
		"maxLength":            func(n *node, path string, v any) error { return readCount(&n.maxLength, path, v) },
		"uniqueItems": func(n *node, path string, v any) (err error) {
			var ok bool
			n.unique, ok = v.(bool)
			return fault(ok, path, "must be true or false")
		},
		"enum": func(n *node, path string, v any) error {
			var ok bool
			n.enum, ok = v.([]any)
			return fault(ok && len(n.enum) > 0 && len(n.enum) <= maxValues, path, "must be a list of 1 to 100 values")
		},
		"const":            func(n *node, _ string, v any) error { n.enum = []any{v}; return nil },
		"pattern":          (*node).readPattern,
		"minimum":          func(n *node, path string, v any) error { return raise(&n.minimum, path, v, false, 1) },
		"exclusiveMinimum": func(n *node, path string, v any) error { return raise(&n.minimum, path, v, true, 1) },
		"maximum":          func(n *node, path string, v any) error { return raise(&n.maximum, path, v, false, -1) },
		"exclusiveMaximum": func(n *node, path string, v any) error { return raise(&n.maximum, path, v, true, -1) },
	}
}

// fault returns a fault unless ok.
func fault(ok bool, path, what string) error {
	if ok {
		return nil
	}
	return &Fault{path, what}
}

// parseSub reads a schema within another, which may also be true or false.
func parseSub(path string, v any) (*node, error) {
	switch v := v.(type) {
	case bool:
		n := blank()
		n.never = !v
		return n, nil
	case map[string]any:
		return parseNode(path, v)
	}
	return nil, &Fault{path, "must be a schema"}
}

func blank() *node { return &node{maxItems: -1, maxLength: -1} }

func parseNode(path string, object map[string]any) (*node, error) {
	n := blank()
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names) // the fault that is found first is always the same
	if object["enum"] != nil && object["const"] != nil {
		return nil, &Fault{join(path, "const"), "comes with enum: keep one of them"}
	}
	for _, name := range names {
		read := keywords[name]
		if read == nil {
			return nil, &Fault{join(path, name), "is a keyword that the network does not check"}
		}
		if err := read(n, join(path, name), object[name]); err != nil {
			return nil, err
		}
	}
	if n.unique && (n.maxItems < 0 || n.maxItems > maxUnique) {
		return nil, &Fault{join(path, "uniqueItems"), "needs maxItems of at most 256"}
	}
	return n, nil
}

func (n *node) readTypes(path string, v any) (err error) {
	if one, ok := v.(string); ok {
		v = []any{one}
	}
	if n.types, err = texts(path, v); err != nil {
		return err
	}
	for _, t := range n.types {
		if !slices.Contains(kinds, t) {
			return &Fault{path, "must be of " + strings.Join(kinds, ", ")}
		}
	}
	return fault(len(n.types) > 0, path, "names no type")
}

func texts(path string, v any) (list []string, err error) {
	values, ok := v.([]any)
	for _, v := range values {
		s, text := v.(string)
		list, ok = append(list, s), ok && text
	}
	return list, fault(ok, path, "must be a list of strings")
}

func readCount(to *int, path string, v any) error {
	n, ok := v.(*big.Rat)
	if ok = ok && n.IsInt() && n.Sign() >= 0 && n.Num().IsInt64() && n.Num().Int64() <= 1<<30; ok {
		*to = int(n.Num().Int64())
	}
	return fault(ok, path, "must be a whole number from 0 on")
}

func (n *node) readPattern(path string, v any) (err error) {
	s, ok := v.(string)
	if !ok || len(s) > maxPattern {
		return &Fault{path, "must be a string of at most 200 bytes"}
	}
	parsed, err := syntax.Parse(s, syntax.Perl)
	if err != nil {
		return &Fault{path, "is not a regular expression of RE2"}
	}
	if program, err := syntax.Compile(parsed.Simplify()); err != nil || len(program.Inst) > maxSteps {
		return &Fault{path, "repeats too much"}
	}
	n.pattern, err = regexp.Compile(s)
	return err
}

// raise makes a limit the narrower of two; sign is 1 for a minimum.
func raise(to **bound, path string, v any, open bool, sign int) error {
	n, ok := v.(*big.Rat)
	if !ok {
		return &Fault{path, "must be a number"}
	}
	old := *to
	if old == nil || sign*n.Cmp(old.limit) > 0 || n.Cmp(old.limit) == 0 && open {
		*to = &bound{n, open}
	}
	return nil
}

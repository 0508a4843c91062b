// Package dataschema checks JSON against a bounded subset of JSON Schema 2020-12.
//
// The root is an object. The keywords are type, properties, required,
// additionalProperties, items, minItems, maxItems, uniqueItems, enum, const,
// minLength, maxLength, pattern (of RE2), minimum, maximum, exclusiveMinimum and
// exclusiveMaximum; title, description, default, examples and $comment say something
// to people, and $schema may name the draft. [Parse] refuses every other keyword, so
// that a schema never means less than it says. Schemas and data are bounded, and a
// check takes time in proportion to their sizes multiplied.
package dataschema

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
)

const (
	// MaxSchema is how many bytes a schema may have.
	MaxSchema = 8 << 10
	// MaxData is how many bytes data may have.
	MaxData = 16 << 10
	// MaxDepth is how deep objects and lists may be nested, in a schema
	// as in data.
	MaxDepth = 12
)

// Draft is the value that $schema may have.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// Fault is the first place at which a schema or data is wrong. It never holds a value
// of the data.
type Fault struct {
	Path string // of names and positions, such as lines[2].price; "" is the root
	What string // is wrong there: "is missing"
}

// Error returns the path and the text.
func (f *Fault) Error() string {
	if f.Path == "" {
		return "the value " + f.What
	}
	return f.Path + " " + f.What
}

// Schema is a parsed schema. It is safe for concurrent use.
type Schema struct{ root node }

// node is a schema at one place.
type node struct {
	never      bool     // false as a schema: no value fits
	types      []string // that it may be; empty is any
	properties map[string]*node
	required   []string
	more       *node // of properties that are not named; nil is any
	items      *node
	minItems   int
	maxItems   int // -1 is any number
	unique     bool
	enum       []any
	minLength  int
	maxLength  int // -1 is any length
	pattern    *regexp.Regexp
	minimum    *bound
	maximum    *bound
}

// bound is a limit of numbers.
type bound struct {
	limit *big.Rat
	open  bool // the limit itself does not fit
}

// Parse reads a schema. Its errors are faults, whose paths lead into the schema.
func Parse(text []byte) (*Schema, error) {
	if len(text) > MaxSchema {
		return nil, &Fault{What: "has more than 8192 bytes"}
	}
	tree, err := readTree(text)
	if err != nil {
		return nil, err
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return nil, &Fault{What: "is not an object"}
	}
	root, err := parseNode("", object)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(root.types, []string{"object"}) {
		return nil, &Fault{Path: "type", What: "must be object at the root"}
	}
	return &Schema{*root}, nil
}

// Names returns the properties of the root in ascending order.
func (s *Schema) Names() []string {
	var names []string
	for name := range s.root.properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Check returns the first fault of data, nil if it fits.
func (s *Schema) Check(data []byte) error {
	if len(data) > MaxData {
		return &Fault{What: "has more than 16384 bytes"}
	}
	tree, err := readTree(data)
	if err != nil {
		return err
	}
	return s.root.check("", tree)
}

// number returns the value of a JSON number. Exponents are bounded, since an exact
// value may be as long as they are large.
func number(n json.Number) (*big.Rat, bool) {
	if len(n) > 40 || exponent(string(n)) > 400 {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

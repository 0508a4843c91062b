package dataschema

import (
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/strictjson"
)

// readTree reads JSON into nil, bool, string, *big.Rat, []any and map[string]any. A
// name may come once in an object.
func readTree(text []byte) (any, error) {
	r := treeReader{Reader: strictjson.New(text)}
	tree, err := r.value("", 0)
	if err == nil {
		err = r.End()
	}
	var fault *strictjson.Fault
	if errors.As(err, &fault) {
		return nil, &Fault{What: "is not JSON: " + fault.Error()}
	}
	return tree, err
}

type treeReader struct{ strictjson.Reader }

func (r *treeReader) value(path string, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, &Fault{path, "is nested too deeply: at most " + strconv.Itoa(MaxDepth) + " levels"}
	}
	switch r.Peek() {
	case '{':
		return r.object(path, depth)
	case '[':
		return r.list(path, depth)
	case '"':
		s, err := r.Text()
		return string(s), err
	}
	return r.literal(path)
}

func (r *treeReader) object(path string, depth int) (any, error) {
	out := map[string]any{}
	err := r.Object(func(name []byte, _ int) error {
		at := join(path, string(name))
		if _, twice := out[string(name)]; twice {
			return &Fault{at, "is there more than once"}
		}
		v, err := r.value(at, depth+1)
		out[string(name)] = v
		return err
	})
	return out, err
}

func (r *treeReader) list(path string, depth int) (any, error) {
	out := []any{}
	err := r.List(func() error {
		v, err := r.value(element(path, len(out)), depth+1)
		out = append(out, v)
		return err
	})
	return out, err
}

func (r *treeReader) literal(path string) (any, error) {
	raw, err := r.Literal()
	if err != nil {
		return nil, err
	}
	switch string(raw) {
	case "null":
		return nil, nil
	case "true", "false":
		return string(raw) == "true", nil
	}
	n, ok := number(json.Number(raw))
	if !ok {
		return nil, &Fault{path, "is a number of too many digits"}
	}
	return n, nil
}

// exponent returns the magnitude of the exponent of a number as it is written.
func exponent(n string) int {
	k := strings.IndexAny(n, "eE")
	if k < 0 {
		return 0
	}
	e, err := strconv.Atoi(strings.TrimLeft(n[k+1:], "+-"))
	if err != nil {
		return 1 << 30
	}
	return e
}

// join returns the path of a property. A long name is not repeated.
func join(path, name string) string {
	if len(name) > 64 {
		name = "(a long name)"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

func element(path string, k int) string { return path + "[" + strconv.Itoa(k) + "]" }

// equal reports whether two values are the same as JSON Schema compares them:
// numbers by value.
func equal(a, b any) bool {
	switch a := a.(type) {
	case *big.Rat:
		n, ok := b.(*big.Rat)
		return ok && a.Cmp(n) == 0
	case []any:
		list, ok := b.([]any)
		if !ok || len(a) != len(list) {
			return false
		}
		for k := range a {
			if !equal(a[k], list[k]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := b.(map[string]any)
		if !ok || len(a) != len(object) {
			return false
		}
		for name, v := range a {
			if other, ok := object[name]; !ok || !equal(v, other) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case []any, map[string]any, *big.Rat:
		return false
	}
	return a == b
}

package rules

import "github.com/agentnet/netctl/netkit"

// form makes facts of a kind and compares them.
type form struct {
	make func() Fact
	// clear and same are nil for facts that hold more than single values.
	clear func(Fact)           // makes all fields zero
	same  func(a, b Fact) bool // reports whether all fields are equal
}

// forms has the form of every kind.
var forms = func() map[netkit.Kind]form {
	all := make(map[netkit.Kind]form, len(Kinds))
	for kind, row := range Kinds {
		all[kind] = row.form()
	}
	return all
}()

// fact returns the form of any facts.
func fact[T any, P interface {
	*T
	Fact
}]() form {
	return form{make: func() Fact { return P(new(T)) }}
}

// flat returns the form of facts that hold single values only: numbers, strings,
// hashes. Their memory can be used again, and they are equal where == says so.
func flat[T comparable, P interface {
	*T
	Fact
}]() form {
	f := fact[T, P]()
	f.clear = func(a Fact) { *a.(P) = *new(T) }
	f.same = func(a, b Fact) bool { return *a.(P) == *b.(P) }
	return f
}

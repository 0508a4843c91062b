package rules

import (
	"cmp"

	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// table is the one registration of a part of the state. Commit, Rollback, Freeze, Fields
// and Derive walk the registrations in their order, which is that of a snapshot.
type table struct {
	undo.Part
	fields func(*wire.Codec) // its form in a snapshot; nil where it has none
	derive func()            // fills it in from tables with a form; nil where nothing does
}

// register lists the tables of the state, and makes the maps among them.
func (s *State) register() (all []table) {
	for _, of := range []func() []table{s.partyTables, s.contractTables, s.archiveTables, s.paymentTables,
		s.feedTables, s.mailTables, s.playbookTables, s.reviewTables, s.clockTables} {
		all = append(all, of()...)
	}
	return all
}

// stored registers a table with rows of type T.
func stored[T any, P interface {
	*T
	Fields(*wire.Codec)
}](s *State, name string, t *undo.Table[T]) table {
	return table{Part: t, fields: func(c *wire.Codec) { rows[T, P](c, s, name, t) }}
}

// storedByID registers rows with numbers.
func storedByID[T any, P interface {
	*T
	Fields(*wire.Codec)
}](name string, r *undo.Rows[T], id func(*T) uint64) table {
	return table{Part: r, fields: func(c *wire.Codec) { numberedRows[T, P](c, name, r, id) }}
}

// storedIndex registers a map and the fields of its keys and values.
func storedIndex[K cmp.Ordered, V any](name string, x *undo.Index[K, V], fields func(*wire.Codec, *K, *V)) table {
	*x = undo.NewIndex[K, V]()
	return table{Part: x, fields: func(c *wire.Codec) { indexRows(c, name, x, fields) }}
}

// storedReferences registers references that are used once.
func storedReferences(name string, x *undo.Index[[16]byte, uint64]) table {
	*x = undo.NewIndex[[16]byte, uint64]()
	return table{Part: x, fields: func(c *wire.Codec) { references(c, name, x) }}
}

// storedGroups registers counts by two keys.
func storedGroups[K ~int32 | ~uint32 | ~uint64, L ~uint32 | ~uint64](name string, x *groups[K, L]) table {
	*x = newGroups[K, L]()
	return table{Part: x, fields: func(c *wire.Codec) { groupRows(c, name, x) }}
}

// storedLine registers a queue of numbers.
func storedLine(name string, l *line) table {
	return table{Part: l, fields: func(c *wire.Codec) { l.fields(c, name, wire.Number) }}
}

// derivedIndex registers a map that follows from other tables.
func derivedIndex[K comparable, V any](x *undo.Index[K, V], derive func()) table {
	*x = undo.NewIndex[K, V]()
	return table{Part: x, derive: derive}
}

package network

import (
	"iter"
	"reflect"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/rules"
)

// A state shows nothing that could be changed. Tests of the engine that bend a
// state, or compare its tables with models, reach into it.

// inside returns an unexported field of a state.
func inside(s *rules.State, field string) reflect.Value {
	v := reflect.ValueOf(s).Elem().FieldByName(field)
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// insideAs is inside for a type that has a name.
func insideAs[T any](s *rules.State, field string) *T {
	return inside(s, field).Addr().Interface().(*T)
}

func lawOf(s *rules.State) **netkit.Constitution {
	return insideAs[*netkit.Constitution](s, "law")
}

// tables are those tables of a state whose types have names.
type tables struct {
	Parties    *undo.Table[rules.Party]
	Wallets    *undo.Table[rules.Balance]
	Slugs      *undo.Index[string, uint32]
	Contracts  *undo.Rows[rules.Contract]
	Cases      *undo.Rows[rules.ReviewCase]
	Dispatches *undo.Rows[rules.Dispatch]
	Admissions *undo.Rows[rules.Admission]
	Requests   *undo.Index[uint64, *rules.Request]
	Escrows    *undo.Index[uint64, rules.Balance]
	Plants     *undo.Index[int64, uint64]
}

func tablesOf(s *rules.State) (t tables) {
	fields := reflect.ValueOf(&t).Elem()
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		fields.Field(i).Set(inside(s, string(name[0]|0x20)+name[1:]).Addr())
	}
	return t
}

func partyIn(s *rules.State, slug string) (uint32, *rules.Party, bool) {
	t := tablesOf(s)
	i, ok := t.Slugs.Get(slug)
	if !ok {
		return 0, nil, false
	}
	return i, t.Parties.At(i), true
}

// extraRow returns where the rarely used fields of a party are, 0 for none.
func extraRow(p *rules.Party) *uint32 {
	return (*uint32)(reflect.ValueOf(p).Elem().FieldByName("extra").Addr().UnsafePointer())
}

func extraIn(s *rules.State, p *rules.Party) *rules.Extra {
	return insideAs[undo.Table[rules.Extra]](s, "extras").At(*extraRow(p))
}

func changeExtraIn(s *rules.State, i uint32) *rules.Extra {
	all := insideAs[undo.Table[rules.Extra]](s, "extras")
	p := tablesOf(s).Parties.Change(i)
	if *extraRow(p) == 0 {
		*extraRow(p) = all.Add(rules.Extra{})
	}
	return all.Change(*extraRow(p))
}

func filedIn(s *rules.State) []uint64 {
	return inside(s, "filed").FieldByName("Ids").Interface().([]uint64)
}

func owedIn(s *rules.State) []rules.OwedPayment {
	return inside(s, "treasury").FieldByName("Owed").FieldByName("Ids").Interface().([]rules.OwedPayment)
}

// revocationsIn yields the numbers of the revocations in memory.
func revocationsIn(s *rules.State) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for id := range inside(s, "revocations").Addr().MethodByName("All").Call(nil)[0].Seq2() {
			if !yield(id.Uint()) {
				return
			}
		}
	}
}

// rowIn returns a row of a table.
func rowIn(s *rules.State, table string, row uint32) reflect.Value {
	return inside(s, table).Addr().MethodByName("At").Call([]reflect.Value{reflect.ValueOf(row)})[0].Elem()
}

// marketClock converts real time to market time and back.
type marketClock interface {
	Market(netkit.Millis) netkit.Millis
	Real(netkit.Millis) netkit.Millis
	Earliest(t, known netkit.Millis) netkit.Millis
}

func clockOf(s *rules.State) marketClock { return inside(s, "clock").Interface().(marketClock) }

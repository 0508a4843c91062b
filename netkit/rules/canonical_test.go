package rules

import (
	"reflect"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// derived names the fields that the canonical form leaves out because they
// follow from others. The registration of a table fills it in.
var derived = map[string]string{
	"State.slugs":              "parties",
	"State.sponsors":           "parties",
	"State.confirmed":          "confirmed addresses of the parties",
	"stock.byHash":             "playbooks",
	"stock.holders":            "playbooks",
	"feed.media":               "dispatches",
	"feed.lines":               "dispatches",
	"reviewState.judged":       "cases",
	"reviewState.complaints":   "cases",
	"reviewState.undrawn":      "cases",
	"reviewState.sealed":       "cases",
	"reviewState.reviewers":    "roles of the parties",
	"reviewState.proved":       "confirmed addresses of the parties",
	"Party.Badges":             "walls of the extras",
	"Extra.proved":             "reviewState.proved",
	"mail.requests":            "carried in the order of filed",
	"Extra.playbooks":          "playbooks",
	"Mailbox.Inbox":            "requests",
	"Mailbox.Sent":             "requests",
	"Mailbox.PendingIn":        "requests",
	"Mailbox.PendingOut":       "requests",
	"Mailbox.pendingNewcomers": "requests",
}

// row is what a table or an index of the state holds.
type row interface{ Fields(*wire.Codec) }

func encoded(r row) string {
	var c wire.Codec
	c.Begin()
	r.Fields(&c)
	c.End()
	return string(c.Bytes())
}

// reach makes an unexported field settable.
func reach(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// leaf is one field deep inside a row.
type leaf struct {
	path string
	at   func(reflect.Value) reflect.Value // from the row to the field
}

// leaves lists what a type is made of, without what is derived.
func leaves(t reflect.Type) (all []leaf) {
	for i := range t.NumField() {
		f := t.Field(i)
		path := t.Name() + "." + f.Name
		if derived[path] != "" {
			continue
		}
		at := func(v reflect.Value) reflect.Value { return reach(v.Field(i)) }
		if f.Type.Kind() != reflect.Struct {
			all = append(all, leaf{path, at})
			continue
		}
		for _, inner := range leaves(f.Type) {
			all = append(all, leaf{path + "." + inner.path, func(v reflect.Value) reflect.Value { return inner.at(at(v)) }})
		}
	}
	return all
}

// mark sets a field to something that is not zero.
func mark(t *testing.T, path string, v reflect.Value) {
	switch {
	case v.CanUint():
		v.SetUint(1)
	case v.CanInt():
		v.SetInt(1)
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.String:
		v.SetString("x")
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type().Elem().Kind() != reflect.Struct {
			mark(t, path, v.Index(0))
		}
	case v.Type() == reflect.TypeFor[*Balance]():
		v.Set(reflect.ValueOf(&Balance{Held: 1, Last: 1}))
	case v.Kind() == reflect.Array:
		mark(t, path, v.Index(0))
	default:
		t.Errorf("%s is a %s, which this test does not know", path, v.Kind())
	}
}

// rowTypes finds the types of rows in the tables and indexes of a struct, and
// in the lists of those rows.
func rowTypes(t reflect.Type, into map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer:
		rowTypes(t.Elem(), into)
	case reflect.Slice, reflect.Map, reflect.Array:
		rowTypes(t.Elem(), into)
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(reflect.TypeFor[row]()) && t != reflect.TypeFor[State]() {
			if into[t] {
				return
			}
			into[t] = true
		}
		if strings.HasPrefix(t.Name(), "Images[") || t == reflect.TypeFor[netkit.Constitution]() {
			return
		}
		for i := range t.NumField() {
			rowTypes(t.Field(i).Type, into)
		}
	}
}

// A field that the canonical form lacks would be lost by a snapshot, and two
// states that differ in it would pass for the same.
func TestEveryRowFieldIsCanonical(t *testing.T) {
	types := map[reflect.Type]bool{}
	rowTypes(reflect.TypeFor[State](), types)
	for _, want := range []reflect.Type{reflect.TypeFor[root](), reflect.TypeFor[Party](), reflect.TypeFor[Extra](), reflect.TypeFor[Balance](), reflect.TypeFor[Contract](),
		reflect.TypeFor[Evidence](), reflect.TypeFor[heldPay](), reflect.TypeFor[Held](), reflect.TypeFor[Notice](), reflect.TypeFor[playbook]()} {
		if !types[want] {
			t.Errorf("the search misses rows of type %s", want.Name())
		}
	}
	for typ := range types {
		if typ == reflect.TypeFor[groups[uint64, uint32]]() || typ == reflect.TypeFor[groups[netkit.Day, uint64]]() {
			continue // not a row: it holds the maps behind its rows
		}
		for _, l := range leaves(typ) {
			v := reflect.New(typ)
			none := encoded(v.Interface().(row))
			mark(t, l.path, l.at(v.Elem()))
			text := encoded(v.Interface().(row))
			if text == none {
				t.Errorf("%s is not in the canonical form", l.path)
			}
			back := reflect.New(typ)
			c := wire.Reader([]byte(text))
			c.Begin()
			back.Interface().(row).Fields(&c)
			c.End()
			if err := c.Done(); err != nil || !reflect.DeepEqual(back.Interface(), v.Interface()) {
				t.Errorf("%s: got %+v back from %s (%v), want %+v", l.path, back.Elem(), text, err, v.Elem())
			}
		}
	}
}

// Every table and index of the state is carried, or said to be derived.
func TestEveryTableIsCanonical(t *testing.T) {
	blank := func() *State { s := NewState(); s.law = netkit.Version1(); return s }
	none := string(blank().Canonical())
	found := 0
	for _, path := range tablePaths(reflect.TypeFor[State](), nil) {
		found++
		if derived[path.name] != "" {
			continue
		}
		s := blank()
		put(reach(reflect.ValueOf(s).Elem().FieldByIndex(path.index)))
		if string(s.Canonical()) == none {
			t.Errorf("%s is not in the canonical form", path.name)
		}
	}
	if found < 15 {
		t.Errorf("got %d tables and indexes, want the search to find them all", found)
	}
}

// A part of the state that is not registered would keep what a rollback has to undo.
func TestEveryPartIsRegistered(t *testing.T) {
	s := NewState()
	times := map[unsafe.Pointer]int{}
	for i := range s.tables {
		times[reflect.ValueOf(s.tables[i].Part).UnsafePointer()]++
	}
	found := 0
	var look func(name string, v reflect.Value)
	look = func(name string, v reflect.Value) {
		part := reflect.TypeFor[undo.Part]()
		at := v.Addr().UnsafePointer()
		if v.Type().Implements(part) { // a map
			at = v.UnsafePointer()
		} else if !v.Addr().Type().Implements(part) {
			if v.Kind() == reflect.Struct {
				for i := range v.NumField() {
					look(name+"."+v.Type().Field(i).Name, v.Field(i))
				}
			}
			return
		}
		if found++; times[at] != 1 {
			t.Errorf("%s is registered %d times, want once", name, times[at])
		}
	}
	state := reflect.ValueOf(s).Elem()
	for i := range state.NumField() {
		if f := state.Type().Field(i); f.Name != "tables" {
			look(f.Name, reach(state.Field(i)))
		}
	}
	if found != len(s.tables) {
		t.Errorf("got %d parts in the state, want the %d that are registered", found, len(s.tables))
	}
}

// tablePath is the place of a table or an index in the state.
type tablePath struct {
	name  string
	index []int
}

// tablePaths finds the tables and indexes of a struct and of those embedded.
func tablePaths(t reflect.Type, above []int) (all []tablePath) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), above...), i)
		switch {
		case strings.HasPrefix(f.Type.Name(), "Table["), strings.HasPrefix(f.Type.Name(), "Index["), strings.HasPrefix(f.Type.Name(), "Rows["):
			all = append(all, tablePath{t.Name() + "." + f.Name, at})
		case f.Anonymous:
			all = append(all, tablePaths(f.Type, at)...)
		}
	}
	return all
}

// put adds one empty row to a table or an index.
func put(v reflect.Value) {
	if m := v.FieldByName("M"); m.IsValid() {
		m = reach(m)
		m.SetMapIndex(reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem())
		return
	}
	add := v.Addr().MethodByName("Add")
	if add.Type().NumIn() == 2 { // with its number
		add.Call([]reflect.Value{reflect.ValueOf(uint64(0)), reflect.New(add.Type().In(1)).Elem()})
		return
	}
	add.Call([]reflect.Value{reflect.New(add.Type().In(0)).Elem()})
}

// A snapshot is made while others read, so making one must not write: the race
// detector would find two at once that do.
func TestCanonicalFormOnlyReads(t *testing.T) {
	s := NewState()
	s.law = netkit.Version1()
	for _, path := range tablePaths(reflect.TypeFor[State](), nil) {
		if derived[path.name] == "" {
			put(reach(reflect.ValueOf(s).Elem().FieldByIndex(path.index)))
		}
	}
	want := string(s.Canonical())
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if got := string(s.Canonical()); got != want {
				t.Errorf("at the same time: got %s, want %s", got, want)
			}
		})
	}
	all.Wait()
}

// A row of a million is two cache lines. A new field needs a measurement of its
// cost, or a place in extra.
func TestPartyRowSize(t *testing.T) {
	if got := unsafe.Sizeof(Party{}); got > 128 {
		t.Errorf("got a party of %d bytes, want at most 128", got)
	}
}

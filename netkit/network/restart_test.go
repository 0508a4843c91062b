package network

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
)

// restarts checks that a start from the snapshot and one from entry 0 both
// give the present state, derived parts too, and continues with the former.
func (f *fixture) restarts(t testing.TB) {
	t.Helper()
	live, canonical, second := f.state, string(f.state.Canonical()), string(f.secrets.Stored())
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.open()
	if f.resumed == 0 {
		t.Error("the start did not use the snapshot")
	}
	if got := string(f.state.Canonical()); got != canonical {
		t.Errorf("from the snapshot: got\n%s, want\n%s", got, canonical)
	}
	if got := string(f.secrets.Stored()); got != second {
		t.Errorf("second fold from the snapshot: got\n%s, want\n%s", got, second)
	}
	got := tableContents(reflect.ValueOf(f.state).Elem())
	for table, want := range tableContents(reflect.ValueOf(live).Elem()) {
		if got[table] != want {
			t.Errorf("%s from the snapshot: got\n%s, want\n%s", table, got[table], want)
		}
	}
	f.replays(t, canonical)
}

// tableContents writes out the tables and indexes of a struct and of those
// embedded, by name, with everything derived.
func tableContents(of reflect.Value) map[string]string {
	all := map[string]string{}
	for i := range of.NumField() {
		field := of.Type().Field(i)
		v := reflect.NewAt(field.Type, of.Field(i).Addr().UnsafePointer()).Elem() // unexported ones too
		kind, _, _ := strings.Cut(field.Type.Name(), "[")
		switch {
		case kind == "Table" || kind == "Index" || kind == "Rows":
			all[of.Type().Name()+"."+field.Name] = tableContent(v)
		case field.Anonymous:
			maps.Copy(all, tableContents(v))
		}
	}
	return all
}

// tableContent writes out a table or an index.
func tableContent(v reflect.Value) string {
	if m := v.FieldByName("M"); m.IsValid() {
		if m.Type().Elem().Kind() == reflect.Pointer {
			return fmt.Sprint(m.Len()) // addresses differ
		}
		return fmt.Sprint(m.Interface())
	}
	rows := v.Addr().MethodByName("Len").Call(nil)[0]
	if v.FieldByName("order").IsValid() {
		return fmt.Sprint(rows.Int()) // the canonical form has them
	}
	var all []any
	for i := range rows.Uint() {
		all = append(all, v.Addr().MethodByName("At").Call([]reflect.Value{reflect.ValueOf(uint32(i))})[0].Elem().Interface())
	}
	return fmt.Sprintf("%+v", all)
}

// Unchanged runs what must leave no entry behind.
func (f *fixture) Unchanged(t testing.TB, act func()) {
	t.Helper()
	before := f.state.Size()
	act()
	if after := f.state.Size(); after != before {
		t.Errorf("got %d new entries, want none", after-before)
	}
}

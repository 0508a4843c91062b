package network

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/agentnet/netctl/netkit/rules"
)

// restarts checks that a start from the snapshot and one from entry 0 both
// give the state that stands, derived parts too, then goes on with the former.
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
	for _, p := range tablePaths(reflect.TypeFor[rules.State](), nil) {
		if got, want := contents(f.state, p), contents(live, p); got != want {
			t.Errorf("%s from the snapshot: got\n%s, want\n%s", p.name, got, want)
		}
	}
	f.replays(t, canonical)
}

// contents writes out a table or an index, with what is derived.
func contents(s *rules.State, p tablePath) string {
	v := reach(reflect.ValueOf(s).Elem().FieldByIndex(p.index))
	if m := v.FieldByName("M"); m.IsValid() {
		if m.Type().Elem().Kind() == reflect.Pointer {
			return fmt.Sprint(m.Len()) // addresses differ
		}
		return fmt.Sprint(reach(m).Interface())
	}
	if v.FieldByName("order").IsValid() {
		return fmt.Sprint(v.Addr().MethodByName("Len").Call(nil)[0].Int()) // the canonical form has them
	}
	var rows []any
	for i := range v.Addr().MethodByName("Len").Call(nil)[0].Uint() {
		at := v.Addr().MethodByName("At").Call([]reflect.Value{reflect.ValueOf(uint32(i))})
		rows = append(rows, reach(at[0].Elem()).Interface())
	}
	return fmt.Sprintf("%+v", rows)
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

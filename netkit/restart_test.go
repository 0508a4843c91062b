package netkit

import (
	"testing"
)

// restarts checks that a start from the snapshot and one from entry 0 both
// give the state that stands, then goes on with the former.
func (f *fixture) restarts(t testing.TB) {
	t.Helper()
	state, second := string(f.state.canonical()), string(f.secrets.stored())
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.open()
	if f.resumed == 0 {
		t.Error("the start did not use the snapshot")
	}
	if got := string(f.state.canonical()); got != state {
		t.Errorf("from the snapshot: got\n%s, want\n%s", got, state)
	}
	if got := string(f.secrets.stored()); got != second {
		t.Errorf("second fold from the snapshot: got\n%s, want\n%s", got, second)
	}
	f.replays(t, state)
}

// unchanged runs what must leave no entry behind.
func (f *fixture) unchanged(t testing.TB, act func()) {
	t.Helper()
	before := f.state.root.next
	act()
	if after := f.state.root.next; after != before {
		t.Errorf("got %d new entries, want none", after-before)
	}
}

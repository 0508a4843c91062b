package access

import (
	"strconv"
	"testing"
)

// What is remembered is bounded: the addresses that were silent longest go, and a
// group stays whole while it acts.
func TestMachinesAreBounded(t *testing.T) {
	var m Machines
	m.Acted("", "nobody")
	for i := range 3 * machines {
		m.Acted("one", "a"+strconv.Itoa(i%3))
		m.Acted("other "+strconv.Itoa(i), "b")
	}
	if n := len(m.young) + len(m.old); n > machines {
		t.Errorf("got %d addresses, want at most %d", n, machines)
	}
	for i := range 2 * accounts {
		m.Acted("two", "c"+strconv.Itoa(i))
	}
	got := m.Shared(2)
	if len(got) != 2 || len(got[0]) != accounts || len(got[1]) != 3 {
		t.Errorf("got %d groups, want the one of %d and that of 3", len(got), accounts)
	}
}

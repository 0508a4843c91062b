package journaltest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit/journal"
)

// testEngineRoster attends from two connections, and departs.
func testEngineRoster(t *testing.T, e, other journal.Engine) {
	a, ok := e.(journal.Roster)
	b, too := other.(journal.Roster)
	if !ok || !too {
		t.Skip("the engine keeps no roster")
	}
	attend := func(r journal.Roster, me journal.Member, want ...journal.Member) {
		t.Helper()
		got, err := r.Attend(t.Context(), me)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s attends: %v (-want +got):\n%s", me.Node, err, diff)
		}
	}
	attend(b, journal.Member{Node: "b", Address: "http://b", Entries: 3, Beat: 9}, journal.Member{Node: "b", Address: "http://b", Entries: 3, Beat: 1})
	attend(a, journal.Member{Node: "a"}, journal.Member{Node: "a", Beat: 1}, journal.Member{Node: "b", Address: "http://b", Entries: 3, Beat: 1})
	attend(b, journal.Member{Node: "b", Address: "http://c", Entries: 4}, journal.Member{Node: "a", Beat: 1}, journal.Member{Node: "b", Address: "http://c", Entries: 4, Beat: 2})
	for beat := range uint64(2) { // the first one is of a node that beat since
		if err := a.Depart(t.Context(), journal.Member{Node: "b", Beat: beat + 1}); err != nil {
			t.Fatal(err)
		}
		left := []journal.Member{{Node: "a", Beat: beat + 2}, {Node: "b", Address: "http://c", Entries: 4, Beat: 2}}
		attend(a, journal.Member{Node: "a"}, left[:2-beat]...)
	}
}

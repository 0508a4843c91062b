package network

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// FuzzReadEntry feeds the entry reader what no clerk wrote. It must not
// panic, and what it accepts it must be able to write and read again.
func FuzzReadEntry(f *testing.F) {
	n := start(f, journal.NewMemory())
	n.admit("acme", 100*netkit.Credit)
	for r, err := range n.store.Read(f.Context(), 0, 100) {
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.Clone(r.Public))
	}
	f.Add([]byte(`{"seq":1,"kind":"plant.created","v":1,"fact":{},"private":"00"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var e rules.Entry
		if e.Read(b) != nil {
			return
		}
		if !json.Valid(b) {
			return // strings are only checked as far as the reader needs
		}
		var again rules.Entry
		once := rules.AppendEntry(nil, &e)
		if err := again.Read(once); err != nil {
			t.Fatalf("read %s, wrote %s: %v", b, once, err)
		}
		if twice := rules.AppendEntry(nil, &again); !bytes.Equal(twice, once) {
			t.Errorf("got\n%s, want\n%s", twice, once)
		}
	})
}

// FuzzReadPrivate does the same for private parts.
func FuzzReadPrivate(f *testing.F) {
	f.Add([]byte(`{"salt":"000102030405060708090a0b0c0d0e0f","scope":"a","print":"00","text":{"a":[1]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := readPrivate(b); err == nil {
			_ = p.Read(new(rules.AddOperator))
		}
	})
}

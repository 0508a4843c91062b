package network

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// forged is a store that shows one record otherwise than it was written.
type forged struct {
	journal.Store
	seq      uint64
	old, new string
}

func (f *forged) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range f.Store.Read(ctx, from, to) {
			if r.Seq == f.seq {
				r.Public = bytes.Replace(bytes.Clone(r.Public), []byte(f.old), []byte(f.new), 1)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

func TestAuditFindsForgery(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.tell(t)
	clean, err := Audit(t.Context(), f.store)
	if err != nil {
		t.Fatal(err)
	}
	if clean.Books.Sum != 0 || clean.Entries != f.state.Size() || clean.Network != "testnet" {
		t.Errorf("got %+v, want the books of %d entries", clean, f.state.Size())
	}
	last := f.state.Size() - 1
	for _, c := range []struct {
		name     string
		seq      uint64
		old, new string
	}{
		{"another amount", 3, `"issuance","amount":-100.00`, `"issuance","amount":-900.00`},
		{"another balance", 3, `"after":100.00`, `"after":900.00`},
		{"another chain", last, `"prev":`, `"prev":9`},
		{"an older time", last, `"at":1`, `"at":`},
		{"another constitution", last, `"constitution":"1.0.0"`, `"constitution":"2.0.0"`},
		{"an unknown version", last, `"v":1`, `"v":2`},
		{"an unknown kind", last, `"kind":"`, `"kind":"un`},
		{"another number", last, `"seq":`, `"seq":1`},
		{"an unknown field", last, `"fact":{`, `"fact":{"more":1,`},
		{"another private part", 1, `"private":"`, `"private":"00`},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := &forged{f.store, c.seq, c.old, c.new}
			if _, err := Audit(t.Context(), store); !errors.Is(err, netkit.ErrCorrupt) {
				t.Errorf("got %v, want the journal to be found damaged", err)
			}
			if _, err := New(t.Context(), Config{Store: store}); !errors.Is(err, netkit.ErrCorrupt) {
				t.Errorf("start: got %v, want the journal to be found damaged", err)
			}
		})
	}
}

// A journal that is behind its snapshot has lost entries; it does not start
// as if nothing had happened.
func TestSnapshotAheadOfTheJournal(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.tell(t)
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	size, r, err := f.store.ReadSnapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	behind := journal.NewMemory()
	for rec, err := range f.store.Read(t.Context(), 0, size-1) {
		if err != nil {
			t.Fatal(err)
		}
		head, err := behind.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := behind.Append(t.Context(), head, journal.Batch{Records: []journal.Record{rec}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := behind.WriteSnapshot(t.Context(), size, func(w io.Writer) error { _, err := io.Copy(w, r); return err }); err != nil {
		t.Fatal(err)
	}
	if _, err := New(t.Context(), Config{Store: behind}); !errors.Is(err, netkit.ErrCorrupt) {
		t.Errorf("got %v, want a refusal to start", err)
	}
}

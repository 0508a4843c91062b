package network

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// rotten is a store in which one record was altered in the file.
type rotten struct {
	journal.Store
	seq   uint64
	alter func(*journal.Record)
}

func (s *rotten) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range s.Store.Read(ctx, from, to) {
			if err == nil && s.alter != nil && r.Seq == s.seq {
				s.alter(&r)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// An entry that was altered in the file is never shown, whichever way it is
// asked for; once it is as it was, it is shown again.
func TestDamagedEntryIsNotShown(t *testing.T) {
	ctx := t.Context()
	for name, alter := range map[string]func(*journal.Record){
		"another amount":         func(r *journal.Record) { r.Public = bytes.Replace(r.Public, []byte("10.00"), []byte("90.00"), 1) },
		"cut short":              func(r *journal.Record) { r.Public = r.Public[:len(r.Public)-1] },
		"another private part":   func(r *journal.Record) { r.Private = bytes.Replace(r.Private, []byte("wire 2"), []byte("wire 9"), 1) },
		"its private part taken": func(r *journal.Record) { r.Private = nil },
	} {
		t.Run(name, func(t *testing.T) {
			store := &rotten{Store: journal.NewMemory()}
			f := start(t, store)
			f.agents("ada", "bea")
			f.admit("acme", netkit.Credit)
			in := netkit.Deposit{Sponsor: "acme", Amount: 10 * netkit.Credit, Reference: "wire 2"}
			paid := must[netkit.Deposited](t)(f.op().Deposit(netkit.WithKey(ctx, "k"), in))
			store.seq, store.alter = paid.Seq, alter
			_, err := f.Entry(ctx, paid.Seq)
			damaged(t, "the entry", err)
			_, err = f.op().Deposit(netkit.WithKey(ctx, "k"), in)
			damaged(t, "its receipt", err)
			_, err = f.As("").Statement(ctx, netkit.SponsorFunds("acme"), netkit.Page{})
			damaged(t, "the statement", err)
			if name == "another amount" || name == "cut short" {
				_, err = f.Entries(ctx, 0, 0)
				damaged(t, "all entries", err)
			}
			store.alter = nil
			must[*rules.Entry](t)(f.Entry(ctx, paid.Seq))
			if all := must[[]json.RawMessage](t)(f.Entries(ctx, 0, 0)); uint64(len(all)) != f.state.Size() {
				t.Errorf("got %d entries, want %d", len(all), f.state.Size())
			}
		})
	}
}

func damaged(t *testing.T, what string, err error) {
	t.Helper()
	var r *netkit.Refusal
	if !errors.As(err, &r) || r.Code != "entry_damaged" || !errors.Is(err, netkit.ErrCorrupt) {
		t.Errorf("%s: got %v, want entry_damaged", what, err)
		return
	}
	if p := netkit.ProblemOf(err); p.Status != 500 || p.Code != "entry_damaged" {
		t.Errorf("%s: got %+v on the wire", what, p)
	}
}

// The stream ends at an entry that was altered instead of telling it.
func TestDamagedEntryEndsTheStream(t *testing.T) {
	store := &rotten{Store: journal.NewMemory()}
	f := start(t, store)
	f.agents("ada", "bea", "cyd")
	store.seq, store.alter = 2, func(r *journal.Record) { r.Public = bytes.Replace(r.Public, []byte("bea"), []byte("eve"), 1) }
	t.Cleanup(func() { store.alter = nil }) // before the journal is audited
	for e, err := range f.op().Events(t.Context(), 0, netkit.EventFilter{}) {
		if err != nil {
			damaged(t, "the stream", err)
			return
		}
		if e.ID >= 2 {
			t.Fatalf("got event %+v, want the stream to end before it", e)
		}
	}
	t.Error("the stream ended without an error")
}

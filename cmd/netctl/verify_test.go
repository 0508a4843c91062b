package main

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
)

// records returns a small journal.
func records(t *testing.T) []journal.Record {
	t.Helper()
	store := journal.NewMemory()
	n, err := netkit.New(t.Context(), netkit.Config{Store: store, Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, slug := range []string{"ada", "bob"} {
		if _, err := n.Spawn(ctx, netkit.Caller{}, netkit.Spawn{Slug: slug}); err != nil {
			t.Fatal(err)
		}
	}
	var all []journal.Record
	for r, err := range store.Read(ctx, 0, 99) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, journal.Record{Seq: r.Seq, Public: bytes.Clone(r.Public), Private: bytes.Clone(r.Private)})
	}
	return all
}

func sequence(all []journal.Record) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestVerify(t *testing.T) {
	got, err := verify(sequence(records(t)))
	if err != nil || got.Entries != 3 || got.Postings != 4 || got.Accounts != 3 || got.Sum != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Whatever is changed in a journal is found.
func TestVerifyFindsWhatWasChanged(t *testing.T) {
	replace := func(seq int, from, to string) func([]journal.Record) []journal.Record {
		return func(all []journal.Record) []journal.Record {
			if !bytes.Contains(all[seq].Public, []byte(from)) {
				t.Fatalf("%s does not hold %s", all[seq].Public, from)
			}
			all[seq].Public = bytes.Replace(all[seq].Public, []byte(from), []byte(to), 1)
			return all
		}
	}
	for name, change := range map[string]func([]journal.Record) []journal.Record{
		"an entry is missing":    func(all []journal.Record) []journal.Record { return append(all[:1], all[2]) },
		"the first is missing":   func(all []journal.Record) []journal.Record { return all[1:] },
		"one side of a posting":  replace(1, `"amount":50.00`, `"amount":51.00`),
		"a balance":              replace(2, `"after":50.00`, `"after":51.00`),
		"the chain":              replace(2, `"prev":1`, `"prev":0`),
		"another's account":      replace(2, `"account":"wallet:bob"`, `"account":"wallet:ada"`),
		"an account that owes":   replace(1, `"account":"issuance"`, `"account":"treasury"`),
		"a private part":         func(all []journal.Record) []journal.Record { all[1].Private[3] ^= 1; return all },
		"an entry of no kind":    replace(1, `"kind":"agent.spawned"`, `"kind":"agent.spawnee"`),
		"bytes that are no JSON": func(all []journal.Record) []journal.Record { all[2].Public = []byte("{"); return all },
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := verify(sequence(change(records(t)))); !errors.Is(err, netkit.ErrCorrupt) {
				t.Errorf("got %+v, %v, want ErrCorrupt", got, err)
			}
		})
	}
}

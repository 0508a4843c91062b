package replica_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/replica"
	"github.com/agentnet/netctl/netkit/rules"
)

// paying returns the record of an entry that pays one account from another, whose
// balances are then those.
func paying(seq uint64, balance netkit.Credits) journal.Record {
	wallet := netkit.Wallet("a")
	e := rules.Entry{Seq: seq, At: 1, Kind: netkit.KindSponsorDeposited, Version: 1, Actor: "operator", Constitution: "1.0.0", Fact: &rules.SponsorDeposited{Sponsor: "s", Amount: 100},
		Postings: []rules.Posting{{Account: netkit.Treasury, Amount: -100, After: -balance}, {Account: wallet, Amount: 100, After: balance}}}
	return journal.Record{Seq: seq, Public: rules.AppendEntry(nil, &e), Private: []byte("private")}
}

// paid returns a folder with four batches, and an engine that was filled from it while
// it grew: the private part of entry 1 was erased after it was copied, that of entry 2
// before.
func paid(t *testing.T) (*sqlite.Store, *journaltest.Engine) {
	t.Helper()
	s, e := treed(t), new(journaltest.Engine)
	for n := range uint64(4) {
		at := 2 * n
		records := []journal.Record{paying(at, netkit.Credits(200*n+100)), paying(at+1, netkit.Credits(200*n+200))}
		var erase []uint64
		switch n {
		case 2:
			records, erase = append(records, erasing(at+2, 1)), []uint64{1}
		case 3:
			records = []journal.Record{erasing(at+1, 2), paying(at+2, 700)}
			erase = []uint64{2}
		}
		s.append(t, journal.Batch{Records: records, Erase: erase})
		if n == 1 || n == 3 {
			fill(t, s.Store, e, s.size)
		}
	}
	return s.Store, e
}

// grownFolder knows how many entries it has.
type grownFolder struct {
	*sqlite.Store
	size uint64
}

func treed(t *testing.T) *grownFolder { return &grownFolder{Store: folder(t, t.TempDir())} }

func (s *grownFolder) append(t *testing.T, b journal.Batch) {
	t.Helper()
	head, err := s.Head(t.Context())
	if err == nil {
		head, err = s.Store.Append(t.Context(), head, b)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.size = head.Size
}

func fill(t *testing.T, from journal.Copier, to journal.Engine, want uint64) {
	t.Helper()
	if head, err := replica.Fill(t.Context(), from, to, nil); err != nil || head.Size != want {
		t.Fatalf("got %v, %v, want %d entries", head, err, want)
	}
}

func TestFillAndCompare(t *testing.T) {
	s, e := paid(t)
	fill(t, s, e, 9) // again, with nothing to do
	got, err := replica.Compare(t.Context(), s, e, nil)
	if err != nil || got.Entries != 9 || got.Accounts != 2 || got.Private != 5 || got.Erased != 2 {
		t.Errorf("got %+v, %v, want 9 entries, 2 accounts, 5 private parts and 2 erased", got, err)
	}
	// Nodes that join by this engine get what the folder has.
	joined := node(t, e)
	if got, want := journaltest.ReadAll(t, joined, 0, 9), journaltest.ReadAll(t, s, 0, 9); len(got) != 9 || !bytes.Equal(got[8].Private, want[8].Private) || got[1].Private != nil || got[2].Private != nil {
		t.Errorf("got %v, want %v", got, want)
	}
}

// seen is an engine whose batches are read through a glass.
type seen struct {
	*journaltest.Engine
	alter func(*journal.EngineBatch)
}

func (e seen) Batches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	return func(yield func(journal.EngineBatch, error) bool) {
		for b, err := range e.Engine.Batches(ctx, from) {
			if e.alter(&b); len(b.Public) > 0 && !yield(b, err) {
				return
			}
		}
	}
}

// Every difference is found and named.
func TestCompareFindsDifferences(t *testing.T) {
	s, e := paid(t)
	last := func(b *journal.EngineBatch) bool { return b.First == 7 }
	for want, alter := range map[string]func(*journal.EngineBatch){
		"entry 8 is another one": func(b *journal.EngineBatch) {
			if last(b) {
				b.Public[1] = append(b.Public[1], ' ')
			}
		},
		"the engine names": func(b *journal.EngineBatch) { b.Root[0] ^= 1 },
		"the private part of entry 8 is another one": func(b *journal.EngineBatch) {
			if last(b) {
				b.Sealed[1][0] ^= 1
			}
		},
		"the private part of entry 8 opens with another key": func(b *journal.EngineBatch) {
			if last(b) {
				b.Keys[0] ^= 1
			}
		},
		"the private part of entry 0 opens with another key": func(b *journal.EngineBatch) {
			if b.First == 0 {
				b.Keys = nil
			}
		},
		"the batch at entry 7": func(b *journal.EngineBatch) {
			if last(b) {
				b.Public, b.Sealed = b.Public[:1], b.Sealed[:1]
			}
		},
		"the folder has 9 entries, and the engine 7": func(b *journal.EngineBatch) {
			if last(b) {
				b.Public = nil
			}
		},
	} {
		if got, err := replica.Compare(t.Context(), s, seen{e, alter}, nil); !errors.Is(err, replica.ErrDiffer) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %+v, %v, want %q", got, err, want)
		}
	}
	short, _ := paid(t)
	head, err := short.Head(t.Context())
	if err == nil {
		_, err = short.Append(t.Context(), head, journal.Batch{Records: []journal.Record{paying(9, 700)}}) // 800 would be right
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replica.Compare(t.Context(), short, e, nil); !errors.Is(err, replica.ErrDiffer) {
		t.Errorf("a folder that is ahead: got %v, want %v", err, replica.ErrDiffer)
	}
	fill(t, short, new(journaltest.Engine), 10)
	other := new(journaltest.Engine)
	fill(t, short, other, 10)
	if _, err := replica.Compare(t.Context(), short, other, nil); !errors.Is(err, replica.ErrDiffer) || !strings.Contains(err.Error(), "adds up to") {
		t.Errorf("a balance that does not add up: got %v", err)
	}
}

// An engine that holds other entries, or more, is left alone.
func TestFillFindsForks(t *testing.T) {
	s, e := paid(t)
	other := folder(t, t.TempDir())
	if _, err := other.Append(t.Context(), journal.Head{}, journal.Batch{Records: []journal.Record{paying(0, 100), paying(1, 200)}}); err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]journal.Copier{"shorter": other} {
		if _, err := replica.Fill(t.Context(), from, e, nil); !errors.Is(err, replica.ErrFork) || !strings.Contains(err.Error(), "2 entries with the root") || !strings.Contains(err.Error(), "9 entries with the root") {
			t.Errorf("%s: got %v, want both heads", name, err)
		}
	}
	fill(t, s, e, 9)
}

// A batch in doubt is repeated until the engine knows it.
func TestFillRepeatsADoubtfulBatch(t *testing.T) {
	s, _ := paid(t)
	for _, applied := range []bool{false, true} {
		faults := 0
		e := &journaltest.Engine{Fault: func(journal.Head, journal.EngineBatch) journaltest.Fault {
			if faults++; faults%2 == 1 {
				return journaltest.Fault{Err: journal.ErrDoubtful, Applied: applied}
			}
			return journaltest.Fault{}
		}}
		fill(t, s, e, 9)
		if _, err := replica.Compare(t.Context(), s, e, nil); err != nil {
			t.Error(err)
		}
	}
}

// An engine with an entry that erases one which does not exist keeps no node waiting.
func TestErasureOfAnEntryThatIsNotThere(t *testing.T) {
	e, a := new(journaltest.Engine), journal.Batch{Records: []journal.Record{erasing(0, 9999)}}
	if _, err := node(t, e).Append(t.Context(), journal.Head{}, a); err != nil {
		t.Fatal(err)
	}
	if head, err := node(t, e).Pull(t.Context()); err != nil || head.Size != 1 {
		t.Errorf("got %v, %v, want 1 entry", head, err)
	}
}

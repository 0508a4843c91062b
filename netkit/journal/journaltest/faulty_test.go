package journaltest_test

import (
	"errors"
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

func TestFaultyWithoutFaults(t *testing.T) {
	journaltest.Run(t, journaltest.Driver{
		Open: func(*testing.T) journal.Store { return &journaltest.Faulty{Store: journal.NewMemory()} },
	})
}

func TestFaulty(t *testing.T) {
	definite := errors.New("no disk")
	tests := []struct {
		name  string
		fault journaltest.Fault
		size  int // of the journal after the fault
	}{
		{"not applied", journaltest.Fault{Err: definite}, 1},
		{"not applied, doubtful", journaltest.Fault{Err: journal.ErrDoubtful}, 1},
		{"reply lost", journaltest.Fault{Err: journal.ErrDoubtful, Applied: true}, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &journaltest.Faulty{Store: journal.NewMemory(), Hook: journaltest.Once(1, test.fault)}
			head := journaltest.MustAppend(t, s, journal.Head{}, journal.Batch{Records: journaltest.Records(0, 1)})
			batch := journal.Batch{Records: journaltest.Records(1, 2)}
			if _, err := s.Append(t.Context(), head, batch); !errors.Is(err, test.fault.Err) {
				t.Errorf("got %v, want %v", err, test.fault.Err)
			}
			if got := journaltest.ReadAll(t, s, 0, 10); len(got) != test.size {
				t.Errorf("got %d records, want %d", len(got), test.size)
			}
			// The identical batch again: written now, or seen to be there.
			if _, err := s.Append(t.Context(), head, batch); test.fault.Applied != errors.Is(err, journal.ErrHeadMoved) {
				t.Errorf("repeating: got %v", err)
			}
			if got := journaltest.ReadAll(t, s, 0, 10); len(got) != 3 {
				t.Errorf("after repeating: got %d records, want 3", len(got))
			}
		})
	}
}

// TestFaultyRefusal: a batch that the store itself refuses gets its answer.
func TestFaultyRefusal(t *testing.T) {
	s := &journaltest.Faulty{Store: journal.NewMemory(), Hook: journaltest.Once(0, journaltest.Fault{Err: journal.ErrDoubtful, Applied: true})}
	if _, err := s.Append(t.Context(), journal.Head{}, journal.Batch{Records: journaltest.Records(4, 1)}); !errors.Is(err, journal.ErrBadBatch) {
		t.Errorf("got %v, want %v", err, journal.ErrBadBatch)
	}
}

package journaltest

import (
	"testing"

	"github.com/agentnet/netctl/netkit/journal"
)

// RunEngine tests that engines keep the contract of journal.Engine. Open returns a
// new empty one, and share another connection to the same batches.
func RunEngine(t *testing.T, open func(*testing.T) journal.Engine, share func(*testing.T, journal.Engine) journal.Engine) {
	tests := []struct {
		name string
		run  func(*testing.T, journal.Engine, journal.Engine)
	}{
		{"Append", testEngineAppend},
		{"CompareAndSwap", testEngineCompareAndSwap},
		{"Again", testEngineAgain},
		{"OneOfManyWins", testEngineOneWins},
		{"BadBatches", testEngineBadBatches},
		{"Sizes", testEngineSizes},
		{"Erase", testEngineErase},
		{"Wait", testEngineWait},
		{"Writer", testEngineWriter},
		{"Roster", testEngineRoster},
		{"Cancelled", testEngineCancelled},
		{"Retire", testEngineRetire},
		{"RetireUnderLoad", testEngineRetireRace},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := open(t)
			t.Cleanup(func() { e.Close() })
			other := share(t, e)
			t.Cleanup(func() { other.Close() })
			test.run(t, e, other)
		})
	}
}

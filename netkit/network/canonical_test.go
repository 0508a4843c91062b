package network

import (
	"sync"
	"testing"
)

// A snapshot is made while others read, so making one must not write: the race
// detector would find two at once that do.
func TestCanonicalFormOnlyReads(t *testing.T) {
	f := memory(t)
	f.writers()
	var all sync.WaitGroup
	for _, encode := range []func() []byte{f.state.Canonical, f.secrets.Stored} {
		want := string(encode())
		for range 2 {
			all.Go(func() {
				if got := string(encode()); got != want {
					t.Errorf("at the same time: got %s, want %s", got, want)
				}
			})
		}
	}
	all.Wait()
}

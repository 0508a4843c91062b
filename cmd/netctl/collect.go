package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// newMemory is how many bytes netctl serve, ledger verify and bench allocate between
// two garbage collections at least. The state of a small network takes 10 MiB, and collecting
// each time that it has doubled costs more than the memory is worth.
const newMemory = 64 << 20

// spaceCollections makes every garbage collection of this process wait for at least
// newMemory bytes of new memory. An operator who set GOGC or GOMEMLIMIT has chosen
// otherwise.
var spaceCollections = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		new(collections).follow()
	}
})

// collections follows the garbage collections of the process.
type collections struct{ live [1]metrics.Sample }

// follow sets the goal of the next collection, and again after each.
func (c *collections) follow() {
	c.live[0].Name = "/gc/heap/live:bytes"
	metrics.Read(c.live[:])
	debug.SetGCPercent(goalFor(c.live[0].Value.Uint64()))
	// The cleanup of memory that nothing uses runs after the next collection.
	runtime.AddCleanup(new([64]byte), (*collections).follow, c)
}

// goalFor returns the GOGC for a heap of live bytes: 100, or as much as newMemory is
// of it.
func goalFor(live uint64) int {
	return int(max(100, (newMemory*100+live)/max(live, 1)))
}

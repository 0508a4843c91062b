// Package fanout spreads work over the processors.
package fanout

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// share is how many pieces of work a processor takes at a time.
const share = 16

// Each calls do for every k below n, on as many processors as there are, in no
// order, and returns once all calls have. It panics as the first call that did.
func Each(n int, do func(k int)) {
	workers := min(runtime.GOMAXPROCS(0), (n+share-1)/share)
	var next atomic.Int64
	var failed sync.Once
	var failure any
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				failed.Do(func() { failure = p })
			}
		}()
		for {
			to := int(next.Add(share))
			for k := to - share; k < min(to, n); k++ {
				do(k)
			}
			if to >= n {
				return
			}
		}
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if failure != nil {
		panic(failure)
	}
}

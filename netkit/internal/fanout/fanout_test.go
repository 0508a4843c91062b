package fanout_test

import (
	"sync/atomic"
	"testing"

	"github.com/agentnet/netctl/netkit/internal/fanout"
)

func TestEachIsCalledOnce(t *testing.T) {
	for _, n := range []int{0, 1, 16, 17, 1000} {
		calls := make([]atomic.Int32, n)
		fanout.Each(n, func(k int) { calls[k].Add(1) })
		for k := range calls {
			if got := calls[k].Load(); got != 1 {
				t.Errorf("%d of %d: got %d calls, want 1", k, n, got)
			}
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	defer func() {
		if p := recover(); p != "call 77" {
			t.Errorf("got %v, want the panic of a call", p)
		}
	}()
	fanout.Each(100, func(k int) {
		if k == 77 {
			panic("call 77")
		}
	})
}

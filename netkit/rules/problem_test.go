package rules

import (
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
)

func TestProblemRetryAfterRoundsUp(t *testing.T) {
	for after, want := range map[time.Duration]int{0: 1, time.Millisecond: 1, time.Second: 1, 1500 * time.Millisecond: 2} {
		if got := netkit.ProblemOf(&netkit.Refusal{Kind: netkit.ErrLimit, After: after}).RetryAfter; got != want {
			t.Errorf("after %v: got %d, want %d", after, got, want)
		}
	}
	if got := netkit.ProblemOf(conflict("x", "y", "")).RetryAfter; got != 0 {
		t.Errorf("a conflict: got %d, want 0", got)
	}
}

package main

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// A signal that is nearly the same as an earlier one names it before its headline.
func TestHeadlineMarksNearDuplicates(t *testing.T) {
	signal := &netkit.Signal{Headline: "Line 3 is down"}
	for want, x := range map[string]netkit.ExecutionView{
		"Line 3 is down":           {Signal: signal},
		"(like 23) Line 3 is down": {Signal: signal, NearDuplicateOf: 23},
		"(resold) Line 3 is down":  {Signal: signal, Resold: true},
		"(not for you, or erased)": {NearDuplicateOf: 23}, // an answer that makes no sense
	} {
		if got := headline(&x); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

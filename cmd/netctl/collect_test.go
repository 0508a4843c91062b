package main

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
)

func TestGoalFor(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int
	}{{0, newMemory * 100}, {10 << 20, 641}, {64 << 20, 101}, {1 << 30, 100}} {
		if got := goalFor(c.live); got != c.want {
			t.Errorf("a heap of %d bytes: GOGC %d, want %d", c.live, got, c.want)
		}
	}
}

// The settings of the environment are read when a process begins, so each case
// is a process of its own.
func TestCollectionsKeepTheirDistance(t *testing.T) {
	if os.Getenv("NETCTL_TEST_COLLECT") != "" {
		spaceCollections()
		goal := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
		for range 3 {
			runtime.GC()
		}
		for range 1000 { // cleanups run beside
			if metrics.Read(goal); goal[0].Value.Uint64() >= newMemory {
				break
			}
			runtime.Gosched()
		}
		if wide := goal[0].Value.Uint64() >= newMemory; wide != (os.Getenv("NETCTL_TEST_COLLECT") == "wide") {
			t.Errorf("the next collection comes at %d bytes", goal[0].Value.Uint64())
		}
		return
	}
	for _, c := range [][]string{{"NETCTL_TEST_COLLECT=wide", "GOGC=", "GOMEMLIMIT="}, {"NETCTL_TEST_COLLECT=narrow", "GOGC=50"}, {"NETCTL_TEST_COLLECT=narrow", "GOGC=", "GOMEMLIMIT=1GiB"}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCollectionsKeepTheirDistance$")
		cmd.Env = append(os.Environ(), c...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(c, " "), err, out)
		}
	}
}

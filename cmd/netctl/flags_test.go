package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A device or a film named by mistake must not be read into memory.
func TestSmallFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "film")
	for size, want := range map[int]string{maxText: "", maxText + 1: "has more than 1048576 bytes"} {
		if err := os.WriteFile(path, bytes.Repeat([]byte("x"), size), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := smallFile(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && len(b) != size {
			t.Errorf("%d bytes: got %d bytes and %v, want %q", size, len(b), err, want)
		}
	}
}

// A machine with little room is noted, so that a look at it does not fail
// before it must; one with hardly any is a problem.
func TestRoomFor(t *testing.T) {
	for free, want := range map[uint64]string{
		0:              problem,
		scantSpace - 1: problem,
		scantSpace:     note,
		326 << 20:      note,
		lowSpace - 1:   note,
		lowSpace:       fine,
		math.MaxUint64: fine,
	} {
		got := roomFor(free)
		if got.State != want || (got.Advice == "") != (want == fine) {
			t.Errorf("%d bytes free: got %+v, want %s, with advice unless it is", free, got, want)
		}
	}
}

// Each flag that takes a span takes the same forms, and a refusal names the flag
// and the forms; so it is with amounts.
func TestRefusedValuesNameTheirFlag(t *testing.T) {
	s := newSession(t)
	s.must("init")
	s.must("agent", "spawn", "ada")
	for _, c := range []struct{ line, want string }{
		{"market open --title t --brief b --channel LEGAL --budget 5 --ends 2x", `for "--ends" flag: must be a time such as 2026-03-01T12:00:00Z, or a span from now: it must be a span such as 90m, 12h, 30d or 1d2h`},
		{"agent token issue --expires tomorrow", `for "--expires" flag: must be a time`},
		{"agent invite --expires-in 31d", `for "--expires-in" flag: must be a span of at most 30d`},
		{"attention send ada --subject s --body b --expires-in 30m", `for "--expires-in" flag: must be a span of at least 1h`},
		{"agent ls --timeout soon", `for "--timeout" flag: must be a span such as 90m, 12h, 30d or 1d2h`},
		{"sandbox forward 9999999d", "SPAN must be a span of at most 366d"},
		{"sandbox forward 3w", "SPAN must be a span such as 90m, 12h, 30d or 1d2h"},
		{"market open --title t --brief b --channel LEGAL --budget 10e", `for "--budget" flag: must be an amount of credits such as 2 or 2.50`},
		{"market preview --budget ten", `for "--budget" flag: must be an amount`},
		{"agent claims --floor -5", `for "--floor" flag: must be an amount`},
		{"agent token issue --spend-cap x", `for "--spend-cap" flag: must be an amount`},
		{"feed ls --max-cost x", `for "--max-cost" flag: must be an amount`},
		{"attention send ada --subject s --body b --max-price x", `for "--max-price" flag: must be an amount`},
		{"market accept --all --yes", `for "--all" flag: must be a whole number`},
		{"sponsor deposit acme x --reference r", "AMOUNT must be an amount"},
	} {
		if code, _, talk := s.run("", strings.Fields(c.line)...); code != exitUsage || !strings.Contains(talk, c.want) {
			t.Errorf("%s: got %d %q, want %q", c.line, code, talk, c.want)
		}
	}
	for _, line := range []string{"--as ada agent token issue --expires 30d", "--as ada agent token issue --expires 1d2h", "agent ls --timeout 1d2h --total-timeout 2d", "market open --title t --brief b --channel LEGAL --budget 5 --ends 30d --sponsor acme --dry-run"} {
		if code, _, talk := s.run("", strings.Fields(line)...); code != 0 {
			t.Errorf("%s: got %d %q, want it taken", line, code, talk)
		}
	}
}

package main

import (
	"regexp"
	"strings"
	"testing"
)

// Times of entries are written as everywhere else, those of their facts too, and
// what an agent wrote stays as it is.
func TestEntriesShowTimes(t *testing.T) {
	p := newPlay(t)
	got := p.must("--context", "ada", "ledger", "ls", "--limit", "0", "-o", "json")
	if left := regexp.MustCompile(`"[a-z_]+": 1[0-9]{12}\b`).FindString(got); left != "" {
		t.Errorf("got %s, want a time", left)
	}
	for _, want := range []string{`"at": "2`, `"ends_at": "2`} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %s in %s", want, got)
		}
	}
	for _, command := range []string{"attention send ada --subject s --body b", "agent invite"} {
		if code, _, talk := p.run("", append([]string{"--context", "operator"}, strings.Fields(command+" --expires-in 0s")...)...); code != exitUsage {
			t.Errorf("%s: got exit code %d, want no span of 0: %s", command, code, talk)
		}
	}
}

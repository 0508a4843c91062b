package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/btdt"
)

// Every list that the word table is made from has its origin in the notice.
func TestNoticeNamesEveryList(t *testing.T) {
	files, err := filepath.Glob("lists/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("got no lists (%v)", err)
	}
	named := strings.FieldsFunc(btdt.Notice(), func(r rune) bool { return strings.ContainsRune(" \n,", r) })
	for _, file := range files {
		found := false
		for _, name := range named {
			match, err := filepath.Match(name, file)
			found = found || err == nil && match
		}
		if !found {
			t.Errorf("%s: the notice does not say where it comes from", file)
		}
	}
}

package demo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The story fails by itself when something goes otherwise than told; this
// checks that the exact figures of the rules are among what it tells.
func TestStory(t *testing.T) {
	var out bytes.Buffer
	if err := Run(t.Context(), Config{Out: &out}); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{
		"at UNVERIFIED: contract -2.00, wallet +1.70, treasury +0.30",
		"at VERIFIED: contract -5.00, wallet +4.25, treasury +0.75",
		"at BADGED: contract -10.00, wallet +8.50, treasury +1.50",
		"at ELITE: contract -20.00, wallet +17.00, treasury +3.00",
		"refused slug_taken", "refused wallet_short", "refused attention_expired",
		"refused (L3) blackout", "refused (L6) reason_missing", "refused (L6) witness_is_holder",
		"expired, refunded, wallet 38.00",
		"hugo   misses counterparty_diversity_score: needs at least 0.30, has 0.00",
		"accounts is 0.00", "every chain holds",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the story does not tell %q", want)
		}
	}
}

func TestFolderMustBeNew(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), Config{Dir: dir}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("got %v, want a refusal of a folder with something in it", err)
	}
}

func TestKeepsTheFolderThatWasNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "net")
	if err := Run(t.Context(), Config{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal.db")); err != nil {
		t.Errorf("the journal is gone: %v", err)
	}
}

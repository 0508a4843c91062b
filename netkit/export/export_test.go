package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/agentnet/netctl/cmd/netctl/demo"
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/export"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// adaHolds is the balance of ada's wallet at the end of the story.
const adaHolds = "1047.45"

// story is the journal that the demo leaves behind: every kind of account,
// refunds, contracts that ended.
var story = sync.OnceValues(func() (all []json.RawMessage, err error) {
	dir, err := os.MkdirTemp("", "netctl-export-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, home := context.Background(), filepath.Join(dir, "demo")
	if err := demo.Run(ctx, demo.Config{Dir: home, Network: "demo"}); err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: home, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for r, err := range store.Read(ctx, 0, 1<<40) {
		if err != nil {
			return nil, err
		}
		all = append(all, bytes.Clone(r.Public))
	}
	return all, nil
})

func entries(t *testing.T) []json.RawMessage {
	t.Helper()
	all, err := story()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func each(all []json.RawMessage) export.Entries {
	return func(yield func(json.RawMessage, error) bool) {
		for _, raw := range all {
			if !yield(raw, nil) {
				return
			}
		}
	}
}

func text(t *testing.T, form export.Form, all []json.RawMessage) string {
	t.Helper()
	var b strings.Builder
	n, err := export.Write(&b, form, each(all))
	if err != nil || n != uint64(len(all)) {
		t.Fatalf("%s: got %d entries, %v; want %d", form, n, err, len(all))
	}
	return b.String()
}

// judge runs a program of others on a text and says whether it accepts it.
// Where it is missing the test is skipped, unless everything must be there.
func judge(t *testing.T, text, program string, args ...string) (string, bool) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("NETKIT_REQUIRE_ALL") != "" {
			t.Fatalf("no %s: install it from Debian", program)
		}
		t.Skipf("no %s: install it to run %s", program, t.Name())
	}
	file := filepath.Join(t.TempDir(), "ledger")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), path, append(args, file)...).CombinedOutput()
	return string(out), err == nil
}

// TestHledgerAgrees has hledger check every balance, and notice a changed one.
func TestHledgerAgrees(t *testing.T) {
	good := text(t, "hledger", entries(t))
	if out, ok := judge(t, good, "hledger", "check", "--strict", "-f"); !ok {
		t.Errorf("hledger refuses the ledger: %s", out)
	}
	out, _ := judge(t, good, "hledger", "balance", "--depth", "1", "-N", "--no-elide", "-f")
	for _, account := range []string{"issuance", "treasury", "wallet", "sponsor", "contract", "escrow"} {
		if !strings.Contains(out+good, account) {
			t.Errorf("got %s, want %s among the accounts", out, account)
		}
	}
	last := strings.LastIndex(good, "1.00 CREDIT =")
	if out, ok := judge(t, good[:last]+"2"+good[last+1:], "hledger", "check", "--strict", "-f"); ok {
		t.Errorf("hledger accepts a changed amount: %s", out)
	}
}

// TestBeancountAgrees has bean-check prove the ledger, and notice a change.
func TestBeancountAgrees(t *testing.T) {
	good := text(t, "beancount", entries(t))
	if out, ok := judge(t, good, "bean-check"); !ok {
		t.Errorf("bean-check refuses the ledger: %s", out)
	}
	wrong := strings.LastIndex(good, "balance Assets:Wallet:Ada")
	changed := good[:wrong] + strings.Replace(good[wrong:], adaHolds, "1072.97", 1)
	if changed == good {
		t.Fatalf("the ledger does not end with %s in ada's wallet", adaHolds)
	}
	if out, ok := judge(t, changed, "bean-check"); ok {
		t.Errorf("bean-check accepts a changed balance: %s", out)
	}
}

// TestCSVIsWhole sums all postings and finds every entry.
func TestCSVIsWhole(t *testing.T) {
	all := entries(t)
	rows, err := csv.NewReader(strings.NewReader(text(t, "csv", all))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var sum netkit.Credits
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		seen[row[0]] = true
		if row[5] == "" {
			continue
		}
		amount, err := netkit.ParseCredits(strings.TrimPrefix(row[6], "-"))
		if err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		if strings.HasPrefix(row[6], "-") {
			amount = -amount
		}
		sum += amount
	}
	if sum != 0 || len(seen) != len(all) {
		t.Errorf("got a sum of %s over %d entries, want 0 over %d", sum, len(seen), len(all))
	}
}

// TestLinesAreBytes compares JSON Lines with what is stored.
func TestLinesAreBytes(t *testing.T) {
	all := entries(t)
	lines := strings.Split(strings.TrimSuffix(text(t, "jsonl", all), "\n"), "\n")
	if len(lines) != len(all) {
		t.Fatalf("got %d lines, want %d", len(lines), len(all))
	}
	for i, line := range lines {
		if line != string(all[i]) {
			t.Fatalf("entry %d: got %s, want %s", i, line, all[i])
		}
	}
}

// TestSQLiteAnswers asks the file what the books say.
func TestSQLiteAnswers(t *testing.T) {
	all := entries(t)
	path := filepath.Join(t.TempDir(), "ledger.sqlite")
	if n, err := export.Database(path, each(all)); err != nil || n != uint64(len(all)) {
		t.Fatalf("got %d, %v, want %d entries", n, err, len(all))
	}
	db, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for question, want := range map[string]string{
		`SELECT sum(amount) FROM postings`:                                                         "0",
		`SELECT credits FROM balances WHERE account = 'wallet:ada'`:                                adaHolds,
		`SELECT count(*) FROM (SELECT entry FROM postings GROUP BY entry HAVING sum(amount) <> 0)`: "0",
		`SELECT name FROM network`:                                                                 "demo",
		`SELECT fact ->> 'network' FROM entries WHERE seq = 0`:                                     "demo",
		`SELECT count(*) FROM postings p JOIN postings q ON q.account = p.account AND q.entry = p.entry_before WHERE p.entry_before > 0 AND q.balance_after + p.amount <> p.balance_after`: "0",
		`PRAGMA integrity_check`: "ok",
	} {
		s, _, err := db.Prepare(question)
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		if !s.Step() || s.ColumnText(0) != want {
			t.Errorf("%s: got %s, %v, want %s", question, s.ColumnText(0), s.Err(), want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := export.Database(path, each(all)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v for a file that is there, want it untouched", err)
	}
}

// TestErrors gives what cannot be written.
func TestErrors(t *testing.T) {
	all := entries(t)
	lost := errors.New("the line is cut")
	cut := func(yield func(json.RawMessage, error) bool) {
		if yield(all[0], nil) {
			yield(nil, lost)
		}
	}
	for name, c := range map[string]struct {
		form    export.Form
		entries export.Entries
		want    string
	}{
		"no such form":    {"xml", each(all), "not a form"},
		"empty":           {"csv", each(nil), "empty"},
		"cut":             {"hledger", cut, "cut"},
		"a number missed": {"jsonl", each(append(all[:1:1], all[2])), "entry"},
		"no entry":        {"beancount", each([]json.RawMessage{[]byte("{}")}), "entry 0"},
	} {
		if _, err := export.Write(new(bytes.Buffer), c.form, c.entries); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", name, err, c.want)
		}
	}
}

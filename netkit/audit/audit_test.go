package audit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/netkittest"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// An honest network passes, by its address, as a folder and as a mirror; the
// second time its history is the one seen before.
func TestHonestNetwork(t *testing.T) {
	dir, seen := founded(t), audit.Seen(t.TempDir())
	first := netkittest.Must[audit.Report](t)(audit.Run(t.Context(), remote(t, seen, copied(t, dir), nil)))
	if first.Compared != (audit.Compared{Profiles: 270, Balances: 136, Nights: 1}) || first.Entries != first.Checkpoint || first.Continues != nil {
		t.Errorf("got %+v, want 270 agents and a night compared, of all entries signed", first)
	}
	if first.Origin != "agentnet/testnet" || !strings.HasPrefix(first.KeyFrom, "genesis") {
		t.Errorf("got the key of %s from %s, want that of agentnet/testnet from genesis", first.Origin, first.KeyFrom)
	}
	again := netkittest.Must[audit.Report](t)(mirrored(t, seen, mirror(t, copied(t, dir))))
	if again.KeyFrom != "seen before" || again.Continues == nil || again.StateSHA256 != first.StateSHA256 || again.Root != first.Root {
		t.Errorf("got %+v, want the same as before, and seen before", again)
	}
	if here := netkittest.Must[audit.Report](t)(folder(t, seen, dir)); here.StateSHA256 != first.StateSHA256 || here.Root != first.Root || here.Continues == nil {
		t.Errorf("got %+v, want the same as from afar", here)
	}
	h := open(t, dir, now)
	spawn(t, h, "later", 3)
	done(t, h)
	if longer := netkittest.Must[audit.Report](t)(audit.Run(t.Context(), remote(t, seen, dir, nil))); longer.Entries != first.Entries+3 || longer.Continues == nil {
		t.Errorf("got %+v, want three entries more", longer)
	}
}

// A journal that is ahead of the auditor's clock is an error of its own: nothing
// is wrong with its entries.
func TestJournalAheadOfTheClock(t *testing.T) {
	m := mirror(t, founded(t))
	cfg := audit.Config{From: m, Log: netkittest.Must[torchwood.TileReader](t)(audit.Mirror(os.DirFS(m))), Seen: audit.Seen(t.TempDir()), Now: func() time.Time { return now.AddDate(0, 0, -4) }}
	_, err := audit.Run(t.Context(), cfg)
	if !errors.Is(err, audit.ErrAhead) || errors.Is(err, netkit.ErrCorrupt) || !strings.Contains(err.Error(), "ahead of this clock by 96h0m0s") {
		t.Errorf("got %v, want audit.ErrAhead by 96 hours", err)
	}
}

// A network that goes on while it is audited is compared at the entries that
// its answers name.
func TestNetworkThatGoesOn(t *testing.T) {
	dir := founded(t)
	h := open(t, dir, now)
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			asked++
			spawn(t, h, fmt.Sprintf("more-%d", asked), 1)
		}
		h.Server.Handler().ServeHTTP(w, r)
	}))
	defer func() { s.Close(); done(t, h) }()
	cfg := remote(t, audit.Seen(t.TempDir()), copied(t, dir), nil)
	cfg.Shown, cfg.Log = address(t, s.URL)
	report := netkittest.Must[audit.Report](t)(audit.Run(t.Context(), cfg))
	if report.Compared.Profiles < 270 || asked < 100 || report.Entries < 270+100 {
		t.Errorf("got %+v after %d questions, want all agents compared", report, asked)
	}
}

// violates checks that an audit names a rule and an entry, the last where it is
// below 0.
func violates(t *testing.T, err error, rule string, entry uint64) {
	t.Helper()
	var b *netkit.Violation
	if !errors.As(err, &b) || !errors.Is(err, netkit.ErrCorrupt) || b.Rule != rule || b.Entry != entry {
		t.Errorf("got %v, want entry %d and rule %q", err, entry, rule)
	}
}

// swap changes part of an entry's public part.
func swap(seq int, old, new string) func([]journal.Record) []journal.Record {
	return func(all []journal.Record) []journal.Record {
		all[seq].Public = bytes.ReplaceAll(all[seq].Public, []byte(old), []byte(new))
		return all
	}
}

// What was changed in the journal is found in the folder.
func TestChangedFile(t *testing.T) {
	dir := founded(t)
	last := netkittest.Must[audit.Report](t)(folder(t, audit.Seen(t.TempDir()), dir)).Entries - 1
	for _, c := range []struct {
		name   string
		change func([]journal.Record) []journal.Record
		rule   string
		entry  uint64
	}{
		{"a changed amount", swap(9, "50.00", "51.00"), "welcome grant", 9},
		{"one side of an amount", swap(9, `"amount":50.00`, `"amount":51.00`), "postings sum to zero", 9},
		{"a wrong balance", swap(9, `"after":50.00`, `"after":51.00`), "account chain", 9},
		{"a broken chain", swap(9, `"prev":8`, `"prev":7`), "account chain", 9},
		{"a dropped entry", func(all []journal.Record) []journal.Record { return slices.Delete(all, 9, 10) }, "entry number", 9},
		{"an added entry", func(all []journal.Record) []journal.Record { return slices.Insert(all, 10, all[9]) }, "entry number", 10},
		{"swapped entries", func(all []journal.Record) []journal.Record { all[9], all[10] = all[10], all[9]; return all }, "entry number", 9},
		{"a repeated entry", func(all []journal.Record) []journal.Record { all[10] = all[9]; return all }, "entry number", 10},
		{"a backdated time", swap(int(last), `"at":1`, `"at":`), "time runs back", last},
		{"a changed private part", func(all []journal.Record) []journal.Record { all[9].Private = make([]byte, 9); return all }, "private part", 9},
		{"a private part taken out", func(all []journal.Record) []journal.Record { all[9].Private = nil; return all }, "private part", 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			bent := copied(t, dir)
			forge(t, bent, c.change)
			_, err := folder(t, audit.Seen(t.TempDir()), bent)
			violates(t, err, c.rule, c.entry)
		})
	}
}

// A row that was changed past the triggers of the database names its entry.
func TestChangedRow(t *testing.T) {
	dir := founded(t)
	const row = " WHERE first = (SELECT max(first) FROM batches WHERE first <= 9)"
	bent := copied(t, dir)
	tamper(t, bent, "UPDATE batches SET public = CAST(replace(public, '50.00', '51.00') AS BLOB)"+row)
	_, err := folder(t, audit.Seen(t.TempDir()), bent)
	violates(t, err, "welcome grant", 9)
	for _, c := range []struct{ name, sql, says string }{
		{"a sealed part", "UPDATE batches SET sealed = CAST(substr(sealed, 1, length(sealed) - 1) || x'00' AS BLOB)" + row, "the private part of entry"},
		{"keys", "UPDATE keys SET keys = zeroblob(32)" + row, "the private part of entry 9"},
		{"ends", "UPDATE batches SET ends = '[1,2]'" + row, "the list of ends"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bent := copied(t, dir)
			tamper(t, bent, c.sql)
			if _, err := folder(t, audit.Seen(t.TempDir()), bent); !errors.Is(err, journal.ErrNotJournal) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v naming %s", err, journal.ErrNotJournal, c.says)
			}
		})
	}
}

// A private part that is neither there nor erased keeps a network from starting,
// also from a snapshot, and fails an audit, unless only the public parts are to be
// checked: then such parts are counted.
func TestNotHeld(t *testing.T) {
	dir := founded(t)
	h := open(t, dir, now)
	erased := uint64(268)
	for err := errors.New("none yet"); err != nil; { // the first text that may be erased
		erased++
		_, err = h.Network.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: erased, Reason: "r"})
	}
	done(t, h)
	store := netkittest.Must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: dir, ReadOnly: true}))
	var want []uint64
	for r, err := range store.Read(t.Context(), erased-4, erased+5) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Private != nil {
			want = append(want, r.Seq)
		}
	}
	store.Close()
	tamper(t, dir, fmt.Sprintf("DELETE FROM keys WHERE first BETWEEN %d AND %d", erased-4, erased+4)) // batches of one entry
	_, err := folder(t, audit.Seen(t.TempDir()), dir)
	violates(t, err, "private part", want[0])
	store = netkittest.Must[*sqlite.Store](t)(sqlite.Open(t.Context(), sqlite.Config{Dir: dir, ReadOnly: true}))
	defer store.Close()
	r, err := audit.Folder(t.Context(), store, audit.Config{From: dir, Seen: audit.Seen(t.TempDir()), Now: func() time.Time { return now }, Public: true})
	if err != nil || r.NotHeld != uint64(len(want)) || r.Snapshot != 0 {
		t.Errorf("got %d private parts not held and a snapshot of %d, %v, want %d and none", r.NotHeld, r.Snapshot, err, len(want))
	}
	for _, snapshot := range []bool{true, false} {
		if !snapshot {
			for _, path := range netkittest.Must[[]string](t)(filepath.Glob(filepath.Join(dir, "snapshot-*.snap"))) {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
		}
		_, err := host.New(t.Context(), host.Config{Dir: dir, Now: func() time.Time { return now }, Server: server.Config{Limits: host.Unlimited}})
		violates(t, err, "private part", want[0])
	}
}

// What surrounds the entries is compared once they are found sound.
func TestChangedGuards(t *testing.T) {
	dir := founded(t)
	for _, c := range []struct{ name, sql, says string }{
		{"a tip", "UPDATE batches SET after = zeroblob(32)", "the tip in the head"},
		{"a guard", "CREATE TRIGGER more BEFORE INSERT ON batches BEGIN SELECT 1; END", "trigger more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bent := copied(t, dir)
			tamper(t, bent, c.sql)
			if _, err := folder(t, audit.Seen(t.TempDir()), bent); !errors.Is(err, journal.ErrNotJournal) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v naming %s", err, journal.ErrNotJournal, c.says)
			}
		})
	}
}

// rewritten changes the last entry of a journal.
func rewritten(t *testing.T, pairs ...string) func([]journal.Record) []journal.Record {
	return func(all []journal.Record) []journal.Record {
		last := &all[len(all)-1]
		for i := 0; i < len(pairs); i += 2 {
			if !bytes.Contains(last.Public, []byte(pairs[i])) {
				t.Fatalf("%s does not hold %s", last.Public, pairs[i])
			}
			last.Public = bytes.Replace(last.Public, []byte(pairs[i]), []byte(pairs[i+1]), 1)
		}
		return all
	}
}

// sequel adds an entry without postings to a journal.
func sequel(actor, kind, fact string) func([]journal.Record) []journal.Record {
	return func(all []journal.Record) []journal.Record {
		n := uint64(len(all))
		at := regexp.MustCompile(`"at":[0-9]+`).Find(all[n-1].Public)
		return append(all, journal.Record{Seq: n, Public: fmt.Appendf(nil, `{"seq":%d,%s,"kind":%q,"v":1,"actor":%q,"constitution":"1.0.0","fact":{%s}}`, n, at, kind, actor, fact)})
	}
}

// An operator who is the attacker can make every sum, chain and hash right and
// sign it: the rules still find the lie, from afar, in a folder and in a
// mirror.
func TestSignedForgery(t *testing.T) {
	dir := founded(t)
	n := netkittest.Must[audit.Report](t)(folder(t, audit.Seen(t.TempDir()), dir)).Entries
	for _, c := range []struct {
		name   string
		change func([]journal.Record) []journal.Record
		rule   string
		entry  uint64
	}{
		{"a split of 0.86", rewritten(t, `"amount":1.70,"after":51.70`, `"amount":1.72,"after":51.72`, `"amount":0.30,"after":0.30`, `"amount":0.28,"after":0.28`), "split 85/15", n - 1},
		{"a tier paid too high", rewritten(t, `"payout":2.00`, `"tier":"VERIFIED","payout":5.00`, `"amount":-2.00,"after":98.00`, `"amount":-5.00,"after":95.00`,
			`"amount":1.70,"after":51.70`, `"amount":4.25,"after":54.25`, `"amount":0.30,"after":0.30`, `"amount":0.75,"after":0.75`), "tier rate", n - 1},
		{"a backdated time", rewritten(t, `"at":1`, `"at":`), "time runs back", n - 1},
		{"a forged badge", sequel("network", "badge.issued", `"agent":"ada","badge":"FIELD_AGENT","date":20504`), "badge conditions", n},
		{"a repeated entry", func(all []journal.Record) []journal.Record {
			again := all[n-1]
			again.Seq, again.Public = n, bytes.Replace(again.Public, fmt.Appendf(nil, `{"seq":%d`, n-1), fmt.Appendf(nil, `{"seq":%d`, n), 1)
			return append(all, again)
		}, "account chain", n},
		{"an operator by nobody", sequel("nobody", "operator.added", `"operator":"eve"`), "unauthenticated", n},
	} {
		t.Run(c.name, func(t *testing.T) {
			bent := copied(t, dir)
			forge(t, bent, c.change)
			_, err := folder(t, audit.Seen(t.TempDir()), bent)
			violates(t, err, c.rule, c.entry)
			_, err = mirrored(t, audit.Seen(t.TempDir()), mirror(t, bent))
			violates(t, err, c.rule, c.entry)
		})
	}
}

// A journal that was put back to an earlier state and went on from there, all
// signed afresh, is not the one that was seen.
func TestRolledBack(t *testing.T) {
	old := founded(t)
	dir, seen := copied(t, old), audit.Seen(t.TempDir())
	h := open(t, dir, now)
	spawn(t, h, "lost", 2)
	done(t, h)
	netkittest.Must[audit.Report](t)(audit.Run(t.Context(), remote(t, seen, dir, nil)))
	clearCheckpoint(t, old)
	if _, err := audit.Run(t.Context(), remote(t, seen, copied(t, old), nil)); !errors.Is(err, audit.ErrShortened) {
		t.Errorf("shorter: got %v, want ErrShortened", err)
	}
	if _, err := folder(t, seen, old); !errors.Is(err, audit.ErrRewritten) {
		t.Errorf("shorter, as a folder: got %v, want ErrRewritten", err)
	}
	h = open(t, old, now)
	spawn(t, h, "other", 5)
	done(t, h)
	if _, err := audit.Run(t.Context(), remote(t, seen, old, nil)); !errors.Is(err, audit.ErrRewritten) || !strings.Contains(err.Error(), "kept on") {
		t.Errorf("longer: got %v, want ErrRewritten", err)
	}
	if b, err := os.ReadFile(seen.File("agentnet/testnet") + ".rewritten"); err != nil || !strings.HasPrefix(string(b), "agentnet/testnet\n") {
		t.Errorf("got %q, %v, want the other checkpoint kept", b, err)
	}
	if _, err := audit.Run(t.Context(), remote(t, audit.Seen(t.TempDir()), copied(t, old), nil)); err != nil {
		t.Errorf("for who never saw it: got %v, want nothing wrong", err)
	}
}

// Two auditors are shown two journals of one size: alone each finds nothing,
// and by what the other kept both find out.
func TestFork(t *testing.T) {
	one := founded(t)
	two := copied(t, one)
	clearCheckpoint(t, two)
	var kept [2]audit.Seen
	for i, dir := range []string{one, two} {
		kept[i] = audit.Seen(t.TempDir())
		h := open(t, dir, now)
		spawn(t, h, []string{"left", "right"}[i], 1)
		done(t, h)
		netkittest.Must[audit.Report](t)(mirrored(t, kept[i], mirror(t, dir)))
	}
	other := netkittest.Must[*audit.Sight](t)(kept[0].Read("agentnet/testnet"))
	cfg := remote(t, kept[1], two, nil)
	cfg.Against = []byte(other.Checkpoint)
	if _, err := audit.Run(t.Context(), cfg); !errors.Is(err, audit.ErrRewritten) {
		t.Errorf("against the other's: got %v, want ErrRewritten", err)
	}
	if _, err := folder(t, kept[0], copied(t, two)); !errors.Is(err, audit.ErrRewritten) {
		t.Errorf("shown the other's: got %v, want ErrRewritten", err)
	}
}

// Files of a mirror that were cut or changed are found before their entries
// are believed.
func TestBentMirror(t *testing.T) {
	whole := mirror(t, founded(t))
	cut := func(b []byte) []byte { return b[:len(b)/2] }
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	for _, c := range []struct {
		path string
		bend func([]byte) []byte
		kind error
	}{
		{"tile/entries/000", cut, netkit.ErrCorrupt}, {"tile/entries/000", flip, netkit.ErrCorrupt},
		{"tile/0/000", cut, netkit.ErrCorrupt}, {"tile/0/000", flip, netkit.ErrCorrupt},
		{"checkpoint", flip, audit.ErrUnsigned}, {"checkpoint", cut, audit.ErrUnsigned},
	} {
		t.Run(c.path, func(t *testing.T) {
			bent := copied(t, whole)
			path := filepath.Join(bent, filepath.FromSlash(c.path))
			if err := os.WriteFile(path, c.bend(netkittest.Must[[]byte](t)(os.ReadFile(path))), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := mirrored(t, audit.Seen(t.TempDir()), bent); !errors.Is(err, c.kind) {
				t.Errorf("got %v, want %v", err, c.kind)
			}
		})
	}
}

// A log is checked by one key: the one given, or the one that it always had.
func TestWrongKey(t *testing.T) {
	dir, seen := founded(t), audit.Seen(t.TempDir())
	files := mirror(t, dir)
	_, stranger, err := proof.NewKey(bytes.NewReader(make([]byte, 64)), "agentnet/testnet")
	if err != nil {
		t.Fatal(err)
	}
	with := func(key string) error {
		cfg := remote(t, seen, copied(t, dir), nil)
		cfg.Key = key
		_, err := audit.Run(t.Context(), cfg)
		return err
	}
	if err := with(stranger); !errors.Is(err, audit.ErrUnsigned) {
		t.Errorf("another key: got %v, want ErrUnsigned", err)
	}
	if err := with(strings.TrimSpace(string(netkittest.Must[[]byte](t)(os.ReadFile(filepath.Join(dir, "log.pub")))))); err != nil {
		t.Errorf("its own key: %v", err)
	}
	// The operator changes the key in genesis, and signs with the new one.
	bent := copied(t, dir)
	forge(t, bent, func(all []journal.Record) []journal.Record {
		own := regexp.MustCompile(`"log_key":"[^"]+"`)
		all[0].Public = own.ReplaceAll(all[0].Public, []byte(`"log_key":"`+stranger+`"`))
		return all
	})
	if _, err := folder(t, seen, bent); !errors.Is(err, audit.ErrUnsigned) {
		t.Errorf("a new key: got %v, want ErrUnsigned", err)
	}
	if _, err := mirrored(t, seen, files); err != nil {
		t.Errorf("the same mirror: %v", err)
	}
}

// What the network shows is compared with what its entries say.
func TestNetworkThatShowsSomethingElse(t *testing.T) {
	dir := founded(t)
	swap := func(path, from, to string) func(http.Handler) http.Handler {
		return func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasPrefix(r.URL.Path, path) {
					h.ServeHTTP(w, r)
					return
				}
				rec := httptest.NewRecorder()
				r.Header.Del("Accept-Encoding")
				h.ServeHTTP(rec, r)
				body := rec.Body.String()
				if !strings.Contains(body, from) {
					t.Errorf("%s does not hold %s", body, from)
				}
				w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
				w.WriteHeader(rec.Code)
				_, _ = w.Write([]byte(strings.Replace(body, from, to, 1)))
			})
		}
	}
	for _, c := range []struct{ name, path, from, to, say string }{
		{"a tier", "/directory", `"tier":"UNVERIFIED"`, `"tier":"ELITE"`, "the profile of ada"},
		{"a score", "/directory", `"reputation_score":`, `"reputation_score":9`, "the profile of ada"},
		{"a badge", "/directory", `"badges":[]`, `"badges":[{"badge":"FIELD_AGENT","issued_on":"2026-02-20","active":true}]`, "the profile of ada"},
		{"a transaction", "/directory", `"transactions":0`, `"transactions":10`, "the profile of ada"},
		{"an agent renamed", "/directory", `"slug":"agent-007"`, `"slug":"agent-900"`, "agent-007"},
		{"agents left out", "/directory", `"next_cursor"`, `"no_cursor"`, "ends before"},
		{"a balance", "/api/ledger/balances/wallet:ada", `51.70`, `52.70`, "wallet:ada"},
		{"the books", "/api/ledger/conservation", `"treasury":0.30`, `"treasury":0.31`, "the books"},
		{"a night", "/api/badges/night", `"judged":`, `"judged":1`, "the last night"},
		{"a rogue", "/api/rogues", `"items":[]`, `"items":[{"slug":"ada","case":1,"reason":"r"}]`, "the registry"},
		{"a moment to come", "/directory", `"date":"2026-02-21"`, `"date":"2026-02-28"`, "as of 2026-02-28"},
		{"an entry to come", "/api/ledger/conservation", `"as_of":{"seq":`, `"as_of":{"seq":9`, "signs no more than"},
		{"the entry after all", "/api/ledger/conservation", `"as_of":{"seq":`, `"as_of":{"seq":18446744073709551615,"was":`, "as of entry 18446744073709551615"},
		{"an older moment", "/directory", `"date":"2026-02-21"`, `"date":"2026-02-01"`, "as of 2026-02-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := audit.Run(t.Context(), remote(t, audit.Seen(t.TempDir()), copied(t, dir), swap(c.path, c.from, c.to)))
			if !errors.Is(err, audit.ErrShown) || !strings.Contains(err.Error(), c.say) {
				t.Errorf("got %v, want audit.ErrShown about %s", err, c.say)
			}
		})
	}
}

// What was seen is a file that a person can read; one that was spoilt is not
// taken for nothing seen.
func TestSeen(t *testing.T) {
	dir, seen := founded(t), audit.Seen(filepath.Join(t.TempDir(), "a", "b"))
	netkittest.Must[audit.Report](t)(folder(t, seen, withCheckpoint(t, dir)))
	b := netkittest.Must[[]byte](t)(os.ReadFile(seen.File("agentnet/testnet")))
	var was audit.Sight
	if err := json.Unmarshal(b, &was); err != nil || was.Origin != "agentnet/testnet" || len(was.From) != 1 {
		t.Errorf("got %s, %v, want the log and where it was found", b, err)
	}
	if err := os.WriteFile(seen.File("agentnet/testnet"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := folder(t, seen, dir); err == nil {
		t.Error("a spoilt file was passed over")
	}
}

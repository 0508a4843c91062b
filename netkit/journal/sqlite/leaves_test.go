package sqlite

import (
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// grownDir makes a journal of n entries in batches of 100, and returns its tree.
func grownDir(t *testing.T, n int) (dir string, tree journal.Tree) {
	t.Helper()
	dir = t.TempDir()
	s := openDir(t, Config{Dir: dir})
	var head journal.Head
	for head.Size < uint64(n) {
		b := journal.Batch{Records: journaltest.Records(head.Size, min(100, n-int(head.Size)))}
		for _, r := range b.Records {
			b.Nodes = tree.Append(journal.Leaf(r.Public), b.Nodes)
		}
		head = journaltest.MustAppend(t, s, head, b)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, tree
}

// Only what is damaged is refused: the other entries of its tile are read, and
// proved, by the leaf hashes that are kept. Where these are damaged too, the tile
// is refused.
func TestDamagedEntry(t *testing.T) {
	const total, bad = 700, 300
	dir, tree := grownDir(t, total)
	change := func(sql string) string {
		return "DROP TRIGGER batches_update; UPDATE batches SET " + sql + " WHERE first = 300;" + guard("batches_update")
	}
	for _, test := range []struct {
		name, sql string
		hidden    func(seq uint64) bool
	}{
		{"nothing", "", func(uint64) bool { return false }},
		{"an entry", change(`public = CAST(replace(public, '{"seq":300}', '{"seq":400}') AS BLOB)`), func(seq uint64) bool { return seq == bad }},
		{"three entries", change(`public = CAST(replace(public, '{"seq":30', '{"sEq":30') AS BLOB)`), func(seq uint64) bool { return seq/10 == 30 }},
		{"the kept hashes", change(`leaves = zeroblob(3168)`), func(uint64) bool { return false }},
		{"both", change(`leaves = zeroblob(3168), public = CAST(replace(public, '{"seq":300}', '{"seq":400}') AS BLOB)`), func(seq uint64) bool { return seq/256 == 1 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			bent := copyFiles(t, dir, "journal.db")
			execRaw(t, bent+"/journal.db", test.sql)
			c := journal.NewChecked(openDir(t, Config{Dir: bent, ReadOnly: true}))
			c.Trust(tree, nil)
			for seq := range uint64(total) {
				err := readOne(t, c, seq)
				if hidden := test.hidden(seq); hidden != errors.Is(err, journal.ErrNotJournal) || !hidden && err != nil {
					t.Fatalf("entry %d: got %v, want it refused: %v", seq, err, hidden)
				}
			}
			tile := tlog.Tile{H: journal.TileHeight, L: 0, N: 1, W: 256}
			if _, err := journal.ReadTile(t.Context(), c, tile); (err != nil) != test.hidden(400) {
				t.Errorf("the tile of leaf hashes: got %v, want it refused: %v", err, test.hidden(400))
			}
		})
	}
}

// readOne reads an entry and compares it.
func readOne(t *testing.T, s journal.Store, seq uint64) error {
	for r, err := range s.Read(t.Context(), seq, seq+1) {
		if err == nil && string(r.Public) != fmt.Sprintf(`{"seq":%d}`, seq) {
			t.Fatalf("entry %d: got %s", seq, r.Public)
		}
		return err
	}
	return errors.New("nothing was read")
}

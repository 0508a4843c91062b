package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/replica"
)

// flip changes a bit of each byte in the middle of a file.
func flip(t *testing.T, path string, from, to float64) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := int(from * float64(len(b))); i < int(to*float64(len(b))); i++ {
		b[i] ^= 4
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Flipped bits in each file of a node are named, and the node is whole again by the
// others, which continue meanwhile.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	nodes := three(t)
	nodes[0].write(t, 40)
	_, others := leader(t, nodes)
	hurt := others[0]
	for _, file := range []string{filepath.Join(folderName, raftFile), "journal.db"} {
		until(t, "the node knows the others", func() bool {
			m, _, err := loadMember(hurt.dir)
			return err == nil && len(m.Peers) == 3
		})
		hurt.stop(t)
		flip(t, filepath.Join(hurt.dir, file), 0.3, 0.9)
		damage, err := Check(t.Context(), hurt.dir)
		if err != nil || len(damage) != 1 || !errors.Is(damage[0], ErrDamaged) || !strings.Contains(damage[0].Error(), filepath.Base(filepath.Dir(filepath.Join(hurt.dir, file)))) {
			t.Fatalf("%s: got %v, %v, want the damage named", file, damage, err)
		}
		others[1].write(t, 3)
		if damage, err = Repair(t.Context(), hurt.dir); err != nil || len(damage) != 1 {
			t.Fatalf("repairing %s: got %v, %v", file, damage, err)
		}
		hurt.start(t)
		until(t, "the repaired node votes", func() bool { return others[1].member(t, hurt.name).Voter })
		expectAlike(t, nodes...)
		if damage, err := Check(t.Context(), others[1].dir); len(damage) > 0 && err == nil {
			t.Errorf("a sound node: got %v", damage)
		}
	}
	hurt.stop(t)
	flip(t, clusterPath(hurt.dir, keysFile), 0.4, 0.6)
	if _, err := Check(t.Context(), hurt.dir); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), keysFile) {
		t.Errorf("flipped keys: got %v", err)
	}
	// Without its keys a node joins again, and keeps its journal.
	if err := others[1].node.Remove(t.Context(), hurt.name); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(clusterPath(hurt.dir, "")); err != nil {
		t.Fatal(err)
	}
	hurt.join(t, others[1], false)
	others[1].write(t, 1)
	expectAlike(t, nodes...)
}

// Where a majority is lost, one node that is left begins a cluster of one with all
// that was acknowledged. A node of the old cluster takes no part in it.
func TestMajorityLost(t *testing.T) {
	t.Parallel()
	nodes := three(t)
	want := nodes[0].write(t, 30)
	expectAlike(t, nodes...)
	left, lost := nodes[1], nodes[2]
	for _, p := range nodes {
		p.stop(t)
	}
	left.openStore(t)
	if err := Recover(t.Context(), left.dir, left.store); err != nil {
		t.Fatal(err)
	}
	left.store.Close()
	left.start(t)
	if head := expectAlike(t, left); head != want {
		t.Errorf("got %d entries, want %d", head.Size, want.Size)
	}
	left.write(t, 1)
	lost.start(t)
	if _, err := lost.node.caller.call(t.Context(), "127.0.0.1:1", callStatus, nil); err == nil {
		t.Error("the port 1 answers")
	}
	if left.node.isMember(lost.node.member.ID) {
		t.Error("a node of the old cluster is a member of the new one")
	}
	lost.stop(t)
	if err := os.RemoveAll(clusterPath(lost.dir, "")); err != nil {
		t.Fatal(err)
	}
	lost.join(t, left, false) // with its old folder
	expectAlike(t, left, lost)
}

// Where only a folder is left, a cluster begins on it.
func TestOnlyAFolderIsLeft(t *testing.T) {
	t.Parallel()
	a := begin(t, "a")
	want := a.write(t, 20)
	a.stop(t)
	if err := os.RemoveAll(clusterPath(a.dir, "")); err != nil {
		t.Fatal(err)
	}
	a.openStore(t)
	if err := Init(t.Context(), a.dir, a.store, "a", a.address); err != nil {
		t.Fatal(err)
	}
	a.store.Close()
	a.start(t)
	b := join(t, a, "b", true)
	if head := expectAlike(t, a, b); head != want {
		t.Errorf("got %d entries, want %d", head.Size, want.Size)
	}
}

// A folder with other entries than the cluster does not become a node's.
func TestFork(t *testing.T) {
	t.Parallel()
	a, x := begin(t, "a"), begin(t, "x")
	a.write(t, 3)
	x.write(t, 2)
	x.stop(t)
	if err := os.RemoveAll(clusterPath(x.dir, "")); err != nil {
		t.Fatal(err)
	}
	token, err := a.node.Invite(t.Context(), time.Hour)
	if err == nil {
		err = Join(t.Context(), Joining{Dir: x.dir, Token: token, Name: "x", Address: x.address, Follower: false})
	}
	if err != nil {
		t.Fatal(err)
	}
	x.openStore(t)
	defer x.store.Close()
	if _, err := Open(t.Context(), Config{Dir: x.dir, Folder: x.store, Timing: slow}); !errors.Is(err, replica.ErrFork) {
		t.Errorf("got %v, want %v", err, replica.ErrFork)
	}
}

// A flipped bit in the write-ahead log of the journal, by which SQLite would drop the
// entries behind it, is damage. A log as a crash leaves it is none.
func TestDamagedJournalTailIsNamed(t *testing.T) {
	t.Parallel()
	a := begin(t, "a")
	for range 5 { // commits
		a.write(t, 2)
	}
	for name, damaged := range map[string]bool{"crashed": false, "flipped": true} {
		dir := t.TempDir()
		for _, part := range []string{"journal.db", "journal.db-wal"} {
			b, err := os.ReadFile(filepath.Join(a.dir, part))
			if err != nil {
				t.Fatal(err)
			}
			if damaged && part == "journal.db-wal" {
				b[100] ^= 4 // in the first page
			}
			if err := os.WriteFile(filepath.Join(dir, part), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := checkFolder(t.Context(), dir); errors.Is(err, ErrDamaged) != damaged {
			t.Errorf("%s: got %v, want damage %v", name, err, damaged)
		}
	}
}

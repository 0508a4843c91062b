package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A client that reads the folder of a node gives orders also while that node does not
// run, and one of a node that was removed is refused by name.
func TestClientGivesOrders(t *testing.T) {
	t.Parallel()
	nodes := three(t)
	until(t, "the folder knows all members", func() bool {
		m, _, err := loadMember(nodes[2].dir)
		return err == nil && len(m.Peers) == 3
	})
	c, err := NewClient(nodes[2].dir)
	if err != nil {
		t.Fatal(err)
	}
	nodes[2].stop(t)
	token, err := c.Invite(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	d := newPlace(t, "d")
	if err := Join(t.Context(), Joining{Dir: d.dir, Token: token, Name: "d", Address: d.address, Follower: true, Keep: d.keepShared}); err != nil {
		t.Error(err)
	}
	other, err := NewClient(nodes[0].dir)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "an order", func() bool { return other.Transfer(t.Context(), "b") == nil })
	until(t, "b leads", func() bool { s, err := c.Status(t.Context()); return err == nil && s.Leader == "b" })
	if err := other.Remove(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Status(t.Context()); !errors.Is(err, ErrRemoved) {
		t.Errorf("got %v, want %v", err, ErrRemoved)
	}
	if _, err := NewClient(t.TempDir()); !errors.Is(err, ErrNoMember) {
		t.Errorf("another folder: got %v, want %v", err, ErrNoMember)
	}
	want, _ := os.ReadFile(filepath.Join(nodes[0].dir, sharedFile))
	if got, _ := os.ReadFile(filepath.Join(nodes[1].dir, sharedFile)); len(want) == 0 || string(got) != string(want) {
		t.Errorf("got the shared file %q, want %q", got, want)
	}
}

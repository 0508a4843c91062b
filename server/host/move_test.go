package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// movable is the folder of a network that no process runs, with a private text, an
// erased one and a recording.
func movable(t *testing.T) (dir string, text, erased uint64, recording string) {
	t.Helper()
	dir = t.TempDir()
	h, text, _, recording := lively(t, dir)
	op := h.Network.As("operator")
	role, err := op.SetRole(t.Context(), netkit.SetRole{Agent: "a-2", Role: "correspondent", Grant: true, Reason: "erased"})
	if err == nil {
		_, err = op.ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: role.Seq, Reason: "asked to"})
	}
	if err != nil {
		t.Fatal(err)
	}
	closeHost(t, h)
	return dir, text, role.Seq, recording
}

// spawnIn adds an agent to the network of a folder that opens alone.
func spawnIn(t *testing.T, dir, slug string) {
	t.Helper()
	h, err := New(t.Context(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Network.As("").Spawn(t.Context(), netkit.Spawn{Slug: slug}); err != nil {
		t.Fatal(err)
	}
	closeHost(t, h)
}

// A network moves to an engine, is served from there, and moves on into another folder.
// What it left is refused each time, and all that it has comes along.
func TestMoveThereAndBack(t *testing.T) {
	dir, text, erased, recording := movable(t)
	e := new(journaltest.Engine)
	out, err := MoveToEngine(t.Context(), MoveConfig{Dir: dir, Engine: e})
	if err != nil || out.Entries == 0 || out.Private == 0 || out.Erased != 1 || out.Node == "" {
		t.Fatalf("to the engine: got %+v, %v", out, err)
	}
	if err := reopen(t, dir); !errors.Is(err, ErrNode) || !strings.Contains(err.Error(), "serve --journal") {
		t.Errorf("the old folder alone: got %v, want %v", err, ErrNode)
	}
	if _, err := MoveToEngine(t.Context(), MoveConfig{Dir: dir, Engine: e}); !errors.Is(err, ErrNode) {
		t.Errorf("moving it again: got %v, want %v", err, ErrNode)
	}
	ended := make(chan error, 1)
	a, err := startNode(t, dir, e, nil, func(err error) { ended <- err })
	if err != nil {
		t.Fatal(err)
	}
	leads(t, a)
	spawned(t, a, "later", 3)

	to := filepath.Join(t.TempDir(), "to")
	cfg := MoveConfig{Dir: to, Engine: e, Place: "the folder " + to}
	if _, err := MoveToFolder(t.Context(), cfg); !errors.Is(err, ErrNode) || !strings.Contains(err.Error(), "log.key") {
		t.Errorf("without keys: got %v, want %v", err, ErrNode)
	}
	cfg.Files = dir
	back, err := MoveToFolder(t.Context(), cfg)
	if err != nil || back.Entries != out.Entries+3 || back.Erased != 1 || len(back.Missing) != 0 {
		t.Fatalf("to the folder: got %+v, %v, want %d entries", back, err, out.Entries+3)
	}
	if err := <-ended; !errors.Is(err, journal.ErrRetired) {
		t.Errorf("the node: got %v, want %v", err, journal.ErrRetired)
	}
	closeHost(t, a)
	if _, err := startNode(t, dir, e, nil, nil); !errors.Is(err, journal.ErrRetired) || !strings.Contains(err.Error(), to) {
		t.Errorf("the node again: got %v, want %v", err, journal.ErrRetired)
	}
	h, err := New(t.Context(), Config{Dir: to})
	if err != nil {
		t.Fatal(err)
	}
	if got := privateOf(t, h, text); !strings.Contains(got, secret) {
		t.Errorf("the private text: got %q", got)
	}
	if got := privateOf(t, h, erased); got != "" {
		t.Errorf("the erased text: got %q", got)
	}
	if f, _, err := h.Audio.Open(recording); err != nil {
		t.Errorf("the recording: %v", err)
	} else {
		f.Close()
	}
	spawned(t, h, "back", 1)
	closeHost(t, h)
}

// A move follows a server that writes the folder until the server ends.
func TestMoveWaitsForTheWriter(t *testing.T) {
	dir, e := t.TempDir(), new(journaltest.Engine)
	h, _, _, _ := lively(t, dir)
	waits := make(chan uint64, 1)
	done := make(chan error, 1)
	var out Moved
	go func() {
		var err error
		out, err = MoveToEngine(t.Context(), MoveConfig{Dir: dir, Engine: e, Waiting: func(n uint64) { waits <- n }})
		done <- err
	}()
	if n, size := <-waits, h.Network.Health().Entries; n == 0 || n > size {
		t.Errorf("got %d entries copied, want 1 to %d", n, size)
	}
	spawned(t, h, "meanwhile", 5)
	size := h.Network.Health().Entries
	for head := uint64(0); head < size; { // copied while it is served
		have, err := e.Head(t.Context())
		if err != nil || len(done) > 0 {
			t.Fatalf("the move ended, %v", err)
		}
		head = have.Size
	}
	closeHost(t, h)
	if err := <-done; err != nil || out.Entries != size {
		t.Errorf("got %+v, %v, want %d entries", out, err, size)
	}
}

// What cannot move is refused before anything is changed.
func TestMoveRefuses(t *testing.T) {
	dir, _, _, _ := movable(t)
	other, _, _, _ := movable(t)
	full, served := new(journaltest.Engine), new(journaltest.Engine)
	if _, err := MoveToEngine(t.Context(), MoveConfig{Dir: other, Engine: full}); err != nil {
		t.Fatal(err)
	}
	if _, err := served.Claim(t.Context(), 0, "node-1", "http://node-1"); err != nil {
		t.Fatal(err)
	}
	lost := filepath.Join(t.TempDir(), "lost")
	copyFolder(t, dir, lost)
	if err := os.Remove(filepath.Join(lost, shownFile)); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"an engine with a network":        {moveTo(t, dir, full), ErrNode},
		"an engine that a node serves":    {moveTo(t, dir, served), ErrNode},
		"a folder that may lack entries":  {moveTo(t, lost, new(journaltest.Engine)), ErrUnguarded},
		"a folder without a network":      {moveTo(t, empty, new(journaltest.Engine)), ErrNoNetwork},
		"a folder with a network":         {moveFrom(t, dir, full, other), ErrNode},
		"an engine without a network":     {moveFrom(t, empty, new(journaltest.Engine), other), ErrNoNetwork},
		"a folder with keys of another":   {moveFrom(t, filepath.Join(t.TempDir(), "to"), full, dir), ErrLogKey},
		"an engine that is no Retirer":    {moveFrom(t, empty, shownEngine{Engine: full}, other), ErrNode},
		"an engine that moved elsewhere":  {movedTwice(t), journal.ErrRetired},
		"a folder that nothing was moved": {reopen(t, dir), nil},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: got %v, want %v", name, c.err, c.want)
		}
	}
	if _, err := full.Head(t.Context()); err != nil {
		t.Errorf("a refused move ended the engine: %v", err)
	}
}

func moveTo(t *testing.T, dir string, e journal.Engine) error {
	_, err := MoveToEngine(t.Context(), MoveConfig{Dir: dir, Engine: e})
	return err
}

func moveFrom(t *testing.T, dir string, e journal.Engine, files string) error {
	_, err := MoveToFolder(t.Context(), MoveConfig{Dir: dir, Engine: e, Place: dir, Files: files})
	return err
}

// movedTwice moves the network of an engine into two folders.
func movedTwice(t *testing.T) error {
	dir, _, _, _ := movable(t)
	e := new(journaltest.Engine)
	err := moveTo(t, dir, e)
	for i := range 2 {
		if err == nil {
			err = moveFrom(t, filepath.Join(t.TempDir(), fmt.Sprint(i)), e, dir)
		}
	}
	return err
}

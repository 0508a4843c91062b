package netkit

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/agentnet/netctl/netkit/journal"
)

// treeOf is the tree of the first size entries, as the store has it.
func (f *fixture) treeOf(size uint64) TreeHead {
	f.t.Helper()
	t := must[*journal.Tree](f.t)(journal.OpenTree(f.t.Context(), f.store, size))
	return TreeHead{t.Size(), t.Root()}
}

// latest returns the newest entry of a kind.
func latest[F Fact](f *fixture) (*Entry, F) {
	f.t.Helper()
	for seq := f.state.root.next; seq > 0; seq-- {
		e := must[*Entry](f.t)(f.Entry(f.t.Context(), seq-1))
		if fact, ok := e.Fact.(F); ok {
			return e, fact
		}
	}
	var none F
	f.t.Fatalf("no entry of kind %s", none.kind())
	return nil, none
}

// A badge names the scores of its agent and the tree of all entries before it,
// those of its own batch included.
func TestBadgeCitesScoresAndTree(t *testing.T) {
	f := memory(t)
	f.agents("ada", "bea")
	f.fieldwork("ada", 3100)
	f.fieldwork("bea", 4200)
	f.days(1)
	if got := f.night(); got.IssuedCount != 2 {
		t.Fatalf("got %+v, want two badges", got)
	}
	e, b := latest[*BadgeIssued](f)
	before := must[*Entry](t)(f.Entry(t.Context(), e.Seq-1))
	a := before.Fact.(*BadgeIssued)
	if a.Agent != "ada" || a.Tree != f.treeOf(before.Seq) {
		t.Errorf("first: got %+v, want the tree %+v", a, f.treeOf(before.Seq))
	}
	if b.Agent != "bea" || b.Tree != f.treeOf(e.Seq) {
		t.Errorf("second: got %+v, want the tree %+v", b, f.treeOf(e.Seq))
	}
	for _, x := range []*BadgeIssued{a, b} {
		i := f.num(x.Agent)
		if x.Diversity != f.state.diversity(i, lastMoment(x.Date)) || x.Reputation != f.state.reputation(i, lastMoment(x.Date)) || x.Diversity < 3000 {
			t.Errorf("%s: got %s and %s, want the scores of %s", x.Agent, x.Diversity, x.Reputation, x.Date)
		}
	}
	wall := must[Profile](t)(f.As("").Profile(t.Context(), "bea")).BioVerified.Badges
	if len(wall) != 1 || wall[0].Seq != e.Seq {
		t.Errorf("got %+v, want the badge of entry %d", wall, e.Seq)
	}
}

// A panel follows from the tree before its entry, the case and the round;
// each draw of a case has a seed of its own.
func TestPanelsAreDrawnByTheTree(t *testing.T) {
	f, id := hall(t)
	c := f.reports("rob", id, "L1")
	e, first := latest[*ReportFiled](f)
	if first.Tree != f.treeOf(e.Seq) || first.Seed != panelSeed(first.Tree.Root, c.CaseID, 0) {
		t.Errorf("report: got %+v, want the tree %+v", first.draw, f.treeOf(e.Seq))
	}
	f.days(4)
	f.ticks()
	e, second := latest[*PanelDrawn](f)
	if second.Tree != f.treeOf(e.Seq) || second.Seed != panelSeed(second.Tree.Root, c.CaseID, 1) {
		t.Errorf("redraw: got %+v, want the tree %+v", second.draw, f.treeOf(e.Seq))
	}
	f.reviewers("rev-g", "rev-h")
	f.votes(c.CaseID, true, second.Panel[:2]...)
	must[CaseReceipt](t)(f.As("ada").Appeal(t.Context(), Appeal{c.CaseID, "g"}))
	e, third := latest[*CaseAppealed](f)
	if third.Tree != f.treeOf(e.Seq) || third.Seed != panelSeed(third.Tree.Root, c.CaseID, 2) {
		t.Errorf("appeal: got %+v, want the tree %+v", third.draw, f.treeOf(e.Seq))
	}
	for _, slug := range slices.Concat(second.Panel, third.Panel) {
		if slices.Contains(first.Panel, slug) {
			t.Errorf("%s was drawn twice", slug)
		}
	}
	f.replays(t, string(f.state.canonical()))
}

// Where witnesses are required, panels are drawn by the newest tree that they
// signed; one and the same serves a redraw, which still has another seed.
func TestPanelsAreDrawnByTheWitnessedTree(t *testing.T) {
	f, id := hall(t)
	var signed TreeHead
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.witnessedBy(func() (TreeHead, bool) { return signed, signed.Size > 0 })
	f.unchanged(t, func() {
		_, err := f.As("rob").Report(t.Context(), Report{Subject: id, Law: "L1", Evidence: "e"})
		refused(t, err, ErrUnavailable, "not_witnessed")
	})
	signed = f.treeOf(3)
	c := f.reports("rob", id, "L1")
	if _, got := latest[*ReportFiled](f); got.Tree != signed || got.Seed != panelSeed(signed.Root, c.CaseID, 0) || len(got.Panel) != 3 {
		t.Errorf("report: got %+v, want a panel by %+v", got.draw, signed)
	}
	f.days(4)
	f.ticks()
	if _, got := latest[*PanelDrawn](f); got.Tree != signed || got.Seed != panelSeed(signed.Root, c.CaseID, 1) || slices.Equal(got.Panel, c.Panel) {
		t.Errorf("redraw: got %+v, want another panel by %+v", got.draw, signed)
	}
}

// The seed is what is written down about it, so that anyone can draw again.
func TestPanelSeed(t *testing.T) {
	root := Hash{1, 2, 3}
	text := append([]byte("panel"), root[:]...)
	text = append(text, 0, 0, 0, 0, 0, 0, 1, 44, 2) // case 300, round 2
	if got, want := panelSeed(root, 300, 2), sha256.Sum256(text); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
	seen := map[[32]byte]bool{}
	for round := range uint8(4) {
		seen[panelSeed(root, 300, round)] = true
	}
	if len(seen) != 4 {
		t.Errorf("got %d seeds for four draws of a case, want one each", len(seen))
	}
}

// A redraw happens by itself: without a witnessed tree it follows from the
// draw before.
func TestRedrawWithoutAWitnessedTree(t *testing.T) {
	f, id := hall(t)
	c := f.reports("rob", id, "L1")
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.witnessedBy(func() (TreeHead, bool) { return TreeHead{}, false })
	_, first := latest[*ReportFiled](f)
	f.days(4)
	f.ticks()
	_, got := latest[*PanelDrawn](f)
	if got.Tree != (TreeHead{}) || got.Seed != redrawn(first.Seed) || len(got.Panel) != 3 || slices.Equal(got.Panel, c.Panel) {
		t.Errorf("got %+v, want another panel that follows from %x", got.draw, first.Seed[:4])
	}
	_, err := f.As("ada").Appeal(t.Context(), Appeal{c.CaseID, "g"})
	refused(t, err, ErrUnavailable, "not_witnessed")
}

// witnessedBy opens the network again as one that requires witnesses.
func (f *fixture) witnessedBy(newest func() (TreeHead, bool)) {
	f.t.Helper()
	f.Network = must[*Network](f.t)(New(context.Background(), Config{Store: f.store, Now: func() time.Time { return f.now }, Witnessed: newest}))
}

// Genesis names the key of the log, where there is one.
func TestGenesisNamesTheLogKey(t *testing.T) {
	_, key, err := note.GenerateKey(rand.Reader, "agentnet/testnet")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key string
		ok  bool
	}{{key, true}, {"", true}, {"agentnet/testnet", false}, {key + "x", false}} {
		store := journal.NewMemory()
		n, err := New(t.Context(), Config{Store: store, Genesis: &Genesis{Network: "testnet", OperatorToken: Token{1}, LogKey: c.key}})
		if (err == nil) != c.ok {
			t.Fatalf("%q: got %v, want accepted %v", c.key, err, c.ok)
		}
		if err != nil {
			continue
		}
		if err := n.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		n = must[*Network](t)(New(t.Context(), Config{Store: store}))
		if got := n.LogKey(); got != c.key {
			t.Errorf("got %q, want %q", got, c.key)
		}
	}
}

package network

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// treeOf is the tree of the first size entries, as the store has it.
func (f *fixture) treeOf(size uint64) netkit.TreeHead {
	f.t.Helper()
	t := must[*journal.Tree](f.t)(journal.OpenTree(f.t.Context(), f.store, size))
	return netkit.TreeHead{Size: t.Size(), Root: t.Root()}
}

// latest returns the newest entry of a kind.
func latest[F rules.Fact](f *fixture) (*rules.Entry, F) {
	f.t.Helper()
	for seq := f.state.Size(); seq > 0; seq-- {
		e := must[*rules.Entry](f.t)(f.Entry(f.t.Context(), seq-1))
		if fact, ok := e.Fact.(F); ok {
			return e, fact
		}
	}
	var none F
	f.t.Fatalf("no entry of kind %s", none.Kind())
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
	e, b := latest[*rules.BadgeIssued](f)
	before := must[*rules.Entry](t)(f.Entry(t.Context(), e.Seq-1))
	a := before.Fact.(*rules.BadgeIssued)
	if a.Agent != "ada" || a.Tree != f.treeOf(before.Seq) {
		t.Errorf("first: got %+v, want the tree %+v", a, f.treeOf(before.Seq))
	}
	if b.Agent != "bea" || b.Tree != f.treeOf(e.Seq) {
		t.Errorf("second: got %+v, want the tree %+v", b, f.treeOf(e.Seq))
	}
	for _, x := range []*rules.BadgeIssued{a, b} {
		i := f.num(x.Agent)
		if x.Diversity != f.state.Diversity(i, rules.LastMoment(x.Date)) || x.Reputation != f.state.Reputation(i, rules.LastMoment(x.Date)) || x.Diversity < 3000 {
			t.Errorf("%s: got %s and %s, want the scores of %s", x.Agent, x.Diversity, x.Reputation, x.Date)
		}
	}
	wall := must[netkit.Profile](t)(f.As("").Profile(t.Context(), "bea")).BioVerified.Badges
	if len(wall) != 1 || wall[0].Seq != e.Seq {
		t.Errorf("got %+v, want the badge of entry %d", wall, e.Seq)
	}
}

// A panel follows from the tree before its entry, the case and the round;
// each draw of a case has a seed of its own.
func TestPanelsAreDrawnByTheTree(t *testing.T) {
	f, id := hall(t)
	c := f.reports("rob", id, "L1")
	e, first := latest[*rules.ReportFiled](f)
	if first.Tree != f.treeOf(e.Seq) || first.Seed != rules.PanelSeed(first.Tree.Root, c.CaseID, 0) {
		t.Errorf("report: got %+v, want the tree %+v", first.Draw, f.treeOf(e.Seq))
	}
	f.days(4)
	f.ticks()
	e, second := latest[*rules.PanelDrawn](f)
	if second.Tree != f.treeOf(e.Seq) || second.Seed != rules.PanelSeed(second.Tree.Root, c.CaseID, 1) {
		t.Errorf("redraw: got %+v, want the tree %+v", second.Draw, f.treeOf(e.Seq))
	}
	f.reviewers("rev-g", "rev-h")
	f.votes(c.CaseID, true, second.Panel[:2]...)
	must[netkit.CaseReceipt](t)(f.As("ada").Appeal(t.Context(), netkit.Appeal{CaseID: c.CaseID, Grounds: "g"}))
	e, third := latest[*rules.CaseAppealed](f)
	if third.Tree != f.treeOf(e.Seq) || third.Seed != rules.PanelSeed(third.Tree.Root, c.CaseID, 2) {
		t.Errorf("appeal: got %+v, want the tree %+v", third.Draw, f.treeOf(e.Seq))
	}
	for _, slug := range slices.Concat(second.Panel, third.Panel) {
		if slices.Contains(first.Panel, slug) {
			t.Errorf("%s was drawn twice", slug)
		}
	}
	f.replays(t, string(f.state.Canonical()))
}

// Where witnesses are required, panels are drawn by the newest tree that they
// signed; one and the same serves a redraw, which still has another seed.
func TestPanelsAreDrawnByTheWitnessedTree(t *testing.T) {
	f, id := hall(t)
	var signed netkit.TreeHead
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.witnessedBy(func() (netkit.TreeHead, bool) { return signed, signed.Size > 0 })
	f.Unchanged(t, func() {
		_, err := f.As("rob").Report(t.Context(), netkit.Report{Subject: id, Law: "L1", Evidence: "e"})
		refused(t, err, netkit.ErrUnavailable, "not_witnessed")
	})
	signed = f.treeOf(3)
	c := f.reports("rob", id, "L1")
	if _, got := latest[*rules.ReportFiled](f); got.Tree != signed || got.Seed != rules.PanelSeed(signed.Root, c.CaseID, 0) || len(got.Panel) != 3 {
		t.Errorf("report: got %+v, want a panel by %+v", got.Draw, signed)
	}
	f.days(4)
	f.ticks()
	if _, got := latest[*rules.PanelDrawn](f); got.Tree != signed || got.Seed != rules.PanelSeed(signed.Root, c.CaseID, 1) || slices.Equal(got.Panel, c.Panel) {
		t.Errorf("redraw: got %+v, want another panel by %+v", got.Draw, signed)
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
	f.witnessedBy(func() (netkit.TreeHead, bool) { return netkit.TreeHead{}, false })
	_, first := latest[*rules.ReportFiled](f)
	f.days(4)
	f.ticks()
	_, got := latest[*rules.PanelDrawn](f)
	if got.Tree != (netkit.TreeHead{}) || got.Seed != rules.Redrawn(first.Seed) || len(got.Panel) != 3 || slices.Equal(got.Panel, c.Panel) {
		t.Errorf("got %+v, want another panel that follows from %x", got.Draw, first.Seed[:4])
	}
	_, err := f.As("ada").Appeal(t.Context(), netkit.Appeal{CaseID: c.CaseID, Grounds: "g"})
	refused(t, err, netkit.ErrUnavailable, "not_witnessed")
}

// witnessedBy opens the network again as one that requires witnesses.
func (f *fixture) witnessedBy(newest func() (netkit.TreeHead, bool)) {
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
		n, err := New(t.Context(), Config{Store: store, Genesis: &netkit.Genesis{Network: "testnet", OperatorToken: netkit.Token{1}, LogKey: c.key}})
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

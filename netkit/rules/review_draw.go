package rules

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Reviewers and witnesses are drawn by the signature that the log key of the
// network makes over the line "draw of agentnet/" and the name of the network, one with
// what is drawn and the number of the entry behind it, and one with the round. Ed25519 gives one signature for a key and
// a message, so that nobody can draw twice, and only the holder of the key
// knows it before it stands in the journal: a reporter cannot foresee the panel
// of a report. Everybody can check it with the log's verifier key, and an audit
// does. Where log witnesses are required, the first tree that they cosign after
// the report goes into the draw as well.
//
// What this does not protect from: an operator with the log key can compute
// the signatures of coming case numbers, and so can choose the moment of a
// report; with log witnesses it must also steer the tree that they cosign.
// Panels are public, so that a reporter who is always lucky can be seen.

// Lot is the value that something is drawn by.
type Lot struct {
	ID        uint64
	Round     uint8
	Signature [64]byte        // over the drawMessage; any value where the network names no log key
	Tree      netkit.TreeHead // that log witnesses signed since; zero without witnesses
}

func (l *Lot) Fields(c *wire.Codec) {
	wire.Num(c, "round", &l.Round)
	c.Hex("signature", l.Signature[:])
	treeHeadFields(&l.Tree, c)
}

// DrawMessage is what the log key signs for a draw: what is drawn ("panel",
// "crisis" or "constitution"), the number of the entry behind it, and how often
// that was drawn before. It ends with a line feed, as signed notes do.
func DrawMessage(network, what string, id uint64, round uint8) []byte {
	return fmt.Appendf(nil, "%s%s\n%s %d\nround %d\n", drawPrefix, network, what, id, round)
}

// drawPrefix tells draws apart from the log's checkpoints, whose first line is
// the origin.
const drawPrefix = "draw of agentnet/"

// check refuses a value that does not belong to the draw.
func (l *Lot) check(s *State, what string, awaits uint64) error {
	if l.Tree != (netkit.TreeHead{}) && l.Tree.Size <= awaits {
		return conflict(code.TreeTooOld, "the tree is older than what is drawn", "")
	}
	if s.root.LogKey == "" {
		return nil
	}
	v, err := note.NewVerifier(s.root.LogKey)
	if err != nil || !v.Verify(DrawMessage(s.root.NetID, what, l.ID, l.Round), l.Signature[:]) {
		return netkit.Forbidden("", code.DrawUnsigned, "the value is not the log key's signature of this draw", "")
	}
	return nil
}

// seed is SHA-256("draw", signature, root, id, round), the id in eight bytes
// and the round in one.
func (l *Lot) seed() [32]byte {
	b := append([]byte("draw"), l.Signature[:]...)
	b = append(b, l.Tree.Root[:]...)
	b = binary.BigEndian.AppendUint64(b, l.ID)
	return sha256.Sum256(append(b, l.Round))
}

// PendingLot is something that waits to be drawn.
type PendingLot struct {
	what    string
	id      uint64
	round   uint8
	Awaits  uint64 // entry behind it
	Message []byte // that the log key signs; see [DrawMessage]
}

// String names the subject of the draw and its number.
func (w PendingLot) String() string { return fmt.Sprintf("%s %d", w.what, w.id) }

// Draw returns the command that draws by a signature, and by the tree that log
// witnesses signed since.
func (w *PendingLot) Draw(tree netkit.TreeHead, signature [64]byte) Command {
	l := Lot{ID: w.id, Round: w.round, Signature: signature, Tree: tree}
	if w.what == "panel" {
		return &DrawPanel{Lot: l}
	}
	return &DrawWitnesses{Lot: l, For: w.what}
}

func (s *State) pendingLot(what string, id uint64, round uint8, awaits uint64) PendingLot {
	return PendingLot{what, id, round, awaits, DrawMessage(s.root.NetID, what, id, round)}
}

// UndrawnLots lists what waits to be drawn, the oldest first.
func (s *State) UndrawnLots() (all []PendingLot) {
	for _, id := range SortedKeys(s.undrawn.M) {
		if cs, err := s.reviewCase(id); err == nil && !s.waitsForOther(cs) {
			all = append(all, s.pendingLot("panel", id, cs.round, cs.awaits))
		}
	}
	for _, id := range SortedKeys(s.crises.M) {
		if x, _ := s.crises.Get(id); x.awaits != 0 {
			all = append(all, s.pendingLot("crisis", id, x.round, x.awaits))
		}
	}
	if a := s.amendment; a.awaits != 0 {
		all = append(all, s.pendingLot("constitution", a.id, 0, a.awaits))
	}
	return all
}

// network refuses everybody but the network itself, which no token stands for.
func (c *Call) network() error {
	if c.By.Slug != netkit.NetworkActor {
		return netkit.Forbidden("", code.NetworkOnly, "only the network itself does this", "")
	}
	return nil
}

// DrawPanel draws the panel of a case that waits for it.
type DrawPanel struct{ Lot }

func (*DrawPanel) Route() string { return "draw" }

func (c *DrawPanel) Decide(s *State, call *Call) error {
	if err := call.network(); err != nil {
		return err
	}
	cs, err := s.reviewCase(c.ID)
	if err != nil {
		return err
	}
	if cs.State != netkit.CaseDrawing || cs.round != c.Round {
		return conflict(code.CaseNotDrawing, "the case does not wait for a panel", "{getCase} shows where it is")
	}
	if s.waitsForOther(cs) {
		return conflict(code.CaseNotDrawing, fmt.Sprintf("the panel is drawn after case %d, the sponsor's first about the agent, was decided", cs.after), "{getCase} shows where that is")
	}
	if err := c.check(s, "panel", cs.awaits); err != nil {
		return err
	}
	f := &CaseDrawn{Case: cs.id, Lot: c.Lot}
	if panel := s.DrawPanel(s.Eligible(s.judgedSides(cs), cs.past), c.seed()); panel != nil {
		f.Panel, f.Due = s.SlugsOf(panel), s.verdictsBy(call.At, cs.marketTime)
	}
	call.Add(f)
	return nil
}

// CaseDrawn records the panel of a case and the value that it was drawn by;
// with Panel empty an operator decides.
type CaseDrawn struct {
	Case uint64
	Lot
	Panel []string
	Due
}

func (*CaseDrawn) Kind() netkit.Kind { return netkit.KindCaseDrawn }

func (f *CaseDrawn) CommandOf(*PastView) (Command, error) {
	l := f.Lot
	l.ID = f.Case
	return &DrawPanel{l}, nil
}

func (f *CaseDrawn) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	f.Lot.Fields(c)
	wire.Strs(c, "panel", &f.Panel)
	f.Due.Fields(c)
}

// Cite leaves the tree that the command named, which an audit looks up.
func (*CaseDrawn) Cite(*State, *Entry, netkit.TreeHead, netkit.TreeHead) {}

func (f *CaseDrawn) cited() netkit.TreeHead { return f.Tree }

func (f *CaseDrawn) Apply(s *State, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	s.cases.Edit(cs)
	cs.awaits = 0
	s.undrawn.Drop(cs.id)
	seed := f.Lot
	seed.ID = f.Case
	s.convene(cs, &Draw{Seed: seed.seed(), Panel: f.Panel, Due: f.Due}, e)
}

func (f *CaseDrawn) notice(noticeKind, string) (uint64, string) {
	return f.Case, fmt.Sprintf("You were drawn to review case %d; give your verdict by %s.", f.Case, f.Ends)
}

// RipeCases lists the cases whose panel has given as many hidden verdicts as a
// majority needs.
func (s *State) RipeCases() []uint64 {
	var all []uint64
	for _, id := range SortedKeys(s.sealed.M) {
		if cs, err := s.reviewCase(id); err == nil && len(cs.sealedVotes(true)) >= s.majority(cs) {
			all = append(all, id)
		}
	}
	return slices.Clip(all)
}

// DrawsLater reports whether panels are drawn after the entry that asks for them,
// so that no witnessed tree is needed before.
func (s *State) DrawsLater() bool { return s.law.Review.DrawAfterFiling }

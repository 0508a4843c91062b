package netkit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"golang.org/x/mod/sumdb/note"

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

// lot is the value that something is drawn by.
type lot struct {
	ID        uint64
	Round     uint8
	Signature [64]byte // over the drawMessage; any value where the network names no log key
	Tree      TreeHead // that log witnesses signed since; zero without witnesses
}

func (l *lot) fields(c *wire.Codec) {
	wire.Num(c, "round", &l.Round)
	c.Hex("signature", l.Signature[:])
	l.Tree.fields(c)
}

// drawMessage is what the log key signs for a draw: what is drawn ("panel",
// "crisis" or "constitution"), the number of the entry behind it, and how often
// that was drawn before. It ends with a line feed, as signed notes do.
func drawMessage(network, what string, id uint64, round uint8) []byte {
	return fmt.Appendf(nil, "%s%s\n%s %d\nround %d\n", drawPrefix, network, what, id, round)
}

// drawPrefix tells draws apart from the log's checkpoints, whose first line is
// the origin.
const drawPrefix = "draw of agentnet/"

// check refuses a value that does not belong to the draw.
func (l *lot) check(s *state, what string, awaits uint64) error {
	if l.Tree != (TreeHead{}) && l.Tree.Size <= awaits {
		return conflict(code.TreeTooOld, "the tree is older than what is drawn", "")
	}
	if s.root.logKey == "" {
		return nil
	}
	v, err := note.NewVerifier(s.root.logKey)
	if err != nil || !v.Verify(drawMessage(s.root.netID, what, l.ID, l.Round), l.Signature[:]) {
		return forbidden("", code.DrawUnsigned, "the value is not the log key's signature of this draw", "")
	}
	return nil
}

// seed is SHA-256("draw", signature, root, id, round), the id in eight bytes
// and the round in one.
func (l *lot) seed() [32]byte {
	b := append([]byte("draw"), l.Signature[:]...)
	b = append(b, l.Tree.Root[:]...)
	b = binary.BigEndian.AppendUint64(b, l.ID)
	return sha256.Sum256(append(b, l.Round))
}

// pendingLot is something that waits to be drawn.
type pendingLot struct {
	what   string
	id     uint64
	round  uint8
	awaits uint64 // entry behind it
}

// undrawnLots lists what waits to be drawn, the oldest first.
func (s *state) undrawnLots() (all []pendingLot) {
	for _, id := range sortedKeys(s.undrawn.M) {
		if cs, err := s.reviewCase(id); err == nil {
			all = append(all, pendingLot{"panel", id, cs.round, cs.awaits})
		}
	}
	for _, id := range sortedKeys(s.crises.M) {
		if x, _ := s.crises.Get(id); x.awaits != 0 {
			all = append(all, pendingLot{"crisis", id, x.round, x.awaits})
		}
	}
	if a := s.amendment; a.awaits != 0 {
		all = append(all, pendingLot{"constitution", a.id, 0, a.awaits})
	}
	return all
}

// followUp does what the network owes after a command, as far as it can now;
// what is left, the next [Network.Tick] does.
func (n *Network) followUp(ctx context.Context, err error) {
	if err == nil {
		_ = n.owed(ctx)
	}
}

// owed draws what waits to be drawn and opens the verdicts of panels that may
// have come to a majority.
func (n *Network) owed(ctx context.Context) error {
	n.mu.RLock()
	lots, ripe, key := n.state.undrawnLots(), n.state.ripeCases(), n.state.root
	network, signed := key.netID, key.logKey != ""
	n.mu.RUnlock()
	for _, w := range lots {
		if err := n.drawLot(ctx, w, network, signed); err != nil {
			return err
		}
	}
	for _, id := range ripe {
		if err := n.openVerdicts(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// drawLot gets the value of a draw and has it drawn. A network whose log key
// is not here, or whose witnesses have not signed since, draws later.
func (n *Network) drawLot(ctx context.Context, w pendingLot, network string, signed bool) error {
	l := lot{ID: w.id, Round: w.round}
	if n.witnessed != nil {
		tree, ok := n.witnessed()
		if !ok || tree.Size <= w.awaits {
			return nil
		}
		l.Tree = tree
	}
	switch {
	case n.draw != nil:
		value, err := n.draw(drawMessage(network, w.what, w.id, w.round))
		if err != nil || len(value) != len(l.Signature) {
			return fmt.Errorf("netkit: drawing %s %d: no signature of 64 bytes: %w", w.what, w.id, err)
		}
		copy(l.Signature[:], value)
	case signed:
		return nil
	default:
		if _, err := io.ReadFull(n.rand, l.Signature[:]); err != nil {
			return fmt.Errorf("netkit: no randomness: %w", err)
		}
	}
	var c command = &drawPanel{l}
	if w.what != "panel" {
		c = &drawWitnesses{l, w.what}
	}
	_, err := run(ctx, n.As(NetworkActor), c, nil, func(*Entry) struct{} { return struct{}{} })
	return unlessRefused(err)
}

// unlessRefused drops a refusal: somebody else has done it meanwhile, or there
// is nothing to do yet.
func unlessRefused(err error) error {
	if ProblemOf(err).Status < 500 {
		return nil
	}
	return err
}

// network refuses everybody but the network itself, which no token stands for.
func (c *call) network() error {
	if c.by.Slug != NetworkActor {
		return forbidden("", code.NetworkOnly, "only the network itself does this", "")
	}
	return nil
}

// drawPanel draws the panel of a case that waits for it.
type drawPanel struct{ lot }

func (*drawPanel) route() string { return "draw" }

func (c *drawPanel) decide(s *state, call *call) error {
	if err := call.network(); err != nil {
		return err
	}
	cs, err := s.reviewCase(c.ID)
	if err != nil {
		return err
	}
	if cs.state != CaseDrawing || cs.round != c.Round {
		return conflict(code.CaseNotDrawing, "the case does not wait for a panel", "{getCase} shows where it is")
	}
	if err := c.check(s, "panel", cs.awaits); err != nil {
		return err
	}
	f := &CaseDrawn{Case: cs.id, lot: c.lot}
	if panel := s.drawPanel(s.eligible(cs.parties(), cs.past), c.seed()); panel != nil {
		f.Panel, f.due = s.slugsOf(panel), s.verdictsBy(call.at, cs.marketTime)
	}
	call.add(f)
	return nil
}

// CaseDrawn records the panel of a case and the value that it was drawn by;
// with Panel empty an operator decides.
type CaseDrawn struct {
	Case uint64
	lot
	Panel []string
	due
}

func (*CaseDrawn) kind() Kind { return KindCaseDrawn }

func (f *CaseDrawn) asked(*pastView) (command, error) {
	l := f.lot
	l.ID = f.Case
	return &drawPanel{l}, nil
}

func (f *CaseDrawn) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	f.lot.fields(c)
	wire.Strs(c, "panel", &f.Panel)
	f.due.fields(c)
}

// cite leaves the tree that the command named, which an audit looks up.
func (*CaseDrawn) cite(*state, *Entry, TreeHead, TreeHead) {}

func (f *CaseDrawn) cited() TreeHead { return f.Tree }

func (f *CaseDrawn) apply(s *state, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	s.cases.Edit(cs)
	cs.awaits = 0
	s.undrawn.Drop(cs.id)
	seed := f.lot
	seed.ID = f.Case
	s.convene(cs, &draw{Seed: seed.seed(), Panel: f.Panel, due: f.due}, e)
}

func (f *CaseDrawn) notice(noticeKind, string) (uint64, string) {
	return f.Case, fmt.Sprintf("You were drawn to review case %d; give your verdict by %s.", f.Case, f.Ends)
}

// ripeCases lists the cases whose panel has given as many hidden verdicts as a
// majority needs.
func (s *state) ripeCases() []uint64 {
	var all []uint64
	for _, id := range sortedKeys(s.sealed.M) {
		if cs, err := s.reviewCase(id); err == nil && len(cs.sealedVotes(true)) >= s.majority(cs) {
			all = append(all, id)
		}
	}
	return slices.Clip(all)
}

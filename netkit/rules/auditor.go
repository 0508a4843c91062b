package rules

import (
	"bytes"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
)

// Auditor checks a journal entry by entry, from public parts alone: each must
// be what the rules in force made of what its actor asked for, and nothing that
// was due may be missing before it. What it keeps is the state; its memory does
// not grow with the number of entries.
type Auditor struct {
	cfg   netkit.AuditConfig
	State *State // after the entries taken; for questions only
	tree  journal.Tree
	Nodes []journal.Node // that the latest entry adds to those stored
	alone EntryDecoder   // of what Take takes
	read  DecodedEntry   // the one that Take takes
	want  Entry          // the entry that had to come
	bytes [2][]byte      // of an entry and of want, where they have to be compared

	view PastView // of the latest command
	call Call     // of the latest command

	Missing MissingParts // entries without their private part that no erasure named so far

	facts []Draft // of the latest command
	place         // after the entries taken
	next  place   // after the one that is looked at
}

// place is where the clerk's order of entries stands: the rest of a command,
// then what has fallen due, then another command.
type place struct {
	rest  []Draft       // of the latest command's facts that have to follow yet
	at    netkit.Millis // time of the latest command or due entry
	actor string        // of the latest command
	dues  int           // entries that fell due, in a row and at one time
}

// NewAuditor returns an auditor that waits for entry 0.
func NewAuditor(cfg netkit.AuditConfig) (*Auditor, error) {
	if cfg.Entry == nil {
		return nil, fmt.Errorf("netkit: AuditConfig.Entry is required")
	}
	a := &Auditor{cfg: cfg, State: NewState(), Missing: MissingParts{}}
	a.view = PastView{S: a.State, earlier: a.earlier}
	return a, nil
}

// auditCommit is how many entries go between two cuts of the state's
// before-images, which an audit never needs.
const auditCommit = 256

// Take checks the public part of the next entry and adds it to the state. An error that is a
// [Violation] names the rule that the entry breaks; after one the auditor stands
// before that entry.
func (a *Auditor) Take(public []byte) error {
	a.alone.decodePublic(&a.read, public)
	return a.take(&a.read)
}

// TakeDecoded does what [Auditor.Take] does for an entry that was decoded ahead, and then
// checks its private part, or notes that it is missing.
func (a *Auditor) TakeDecoded(r *DecodedEntry) error {
	if err := a.take(r); err != nil {
		return err
	}
	a.Missing.Take(&a.want, r.missing)
	if r.altered {
		return a.want.Violation(RulePrivate, "it has another hash than the entry names; restore a backup")
	}
	return nil
}

func (a *Auditor) take(r *DecodedEntry) error {
	if err := a.check(r); err != nil {
		return err
	}
	a.State.Take(&a.want)
	a.place = a.next
	a.Nodes = a.tree.Append(r.Leaf, a.Nodes[:0])
	if a.State.root.Next%auditCommit == 0 {
		a.State.Commit()
	}
	return nil
}

// check compares an entry with the one that had to come.
func (a *Auditor) check(r *DecodedEntry) error {
	e, s := &r.Entry, a.State
	if r.err != nil {
		return (&Entry{Seq: s.root.Next}).Violation(ruleForm, "%v", r.err)
	}
	if err := s.follows(e); err != nil {
		return err
	}
	if err := e.balanced(); err != nil {
		return err
	}
	a.next = a.place
	d, err := a.expected(e)
	if err != nil {
		return err
	}
	s.Enter(&a.want, a.next.at, a.next.actor, d)
	if err := a.Cite(e); err != nil {
		return err
	}
	if !a.wants(r) {
		return e.differs(&a.want)
	}
	return nil
}

// wants reports whether the public part of an entry is, to the byte, that of the
// entry that had to come. Where reading lost nothing and all fields are equal it
// need not be written again.
func (a *Auditor) wants(r *DecodedEntry) bool {
	if r.exact && r.equal(&a.want) {
		return true
	}
	public := r.public
	if r.exact {
		a.bytes[0] = AppendEntry(a.bytes[0][:0], &r.Entry)
		public = a.bytes[0]
	}
	a.bytes[1] = AppendEntry(a.bytes[1][:0], &a.want)
	return bytes.Equal(public, a.bytes[1])
}

// Cite fills in the tree that the entry has to cite. Which one witnesses had
// signed when a panel was drawn is not in the journal: any tree of these
// entries will do, and a redraw does without where there was none.
func (a *Auditor) Cite(e *Entry) error {
	f, ok := a.want.Fact.(Citing)
	if !ok {
		return nil
	}
	before := netkit.TreeHead{Size: a.tree.Size(), Root: a.tree.Root()}
	drawn := before
	if got, ok := e.Fact.(Citing); ok && got.cited() != before {
		drawn = got.cited()
		if err := a.known(e, drawn); err != nil {
			return err
		}
	}
	f.Cite(a.State, &a.want, before, drawn)
	return nil
}

// known checks that a tree is one of the entries taken.
func (a *Auditor) known(e *Entry, h netkit.TreeHead) error {
	switch e.Fact.(type) {
	case *PanelDrawn, *CaseDrawn, *WitnessDrawn, *ReportFiled, *CaseAppealed, *RevocationAppealed:
		if h == (netkit.TreeHead{}) { // drawn without a tree, or later
			return nil
		}
	}
	if h.Size == 0 || h.Size >= a.tree.Size() {
		return e.Violation(ruleTree, "cites a tree of %d entries, of which %d were there", h.Size, a.tree.Size())
	}
	if a.cfg.RootAt == nil {
		return fmt.Errorf("netkit: AuditConfig.RootAt is required: entry %d cites the tree of %d entries", e.Seq, h.Size)
	}
	root, err := a.cfg.RootAt(h.Size)
	if err == nil && root != h.Root {
		err = e.Violation(ruleTree, "cites %s as the root of %d entries, which is %s", h.Root, h.Size, root)
	}
	return err
}

// version returns the constitution's in force, or that which genesis brings.
func (s *State) version(d *Draft) string {
	if f, ok := d.Fact.(*Founded); ok {
		if law, err := netkit.ReadConstitution(f.Document); err == nil {
			return law.Version
		}
	}
	return s.law.Version
}

// expected returns the draft that e has to be.
func (a *Auditor) expected(e *Entry) (*Draft, error) {
	a.want.Private = [32]byte{} // what nobody asks for has none
	if len(a.rest) > 0 {
		return a.follow(e)
	}
	if _, ok := e.Fact.(*Founded); !ok && e.Seq == 0 {
		return nil, e.Violation(ruleGenesis, "got %s", e.Kind)
	}
	d, err := a.fallen(e)
	if d == nil && err == nil {
		d, err = a.decide(e)
	}
	return d, err
}

// follow returns the next of a command's facts.
func (a *Auditor) follow(e *Entry) (*Draft, error) {
	d := &a.rest[0]
	if want := d.Fact.Kind(); e.Kind != want {
		return nil, e.Violation(ruleOf(want, ""), "got %s, want %s, which follows from the entries before it", e.Kind, want)
	}
	a.next.rest = a.rest[1:]
	return d, nil
}

// fallen returns what e has to be if something has fallen due, nil if e may be
// a command. A command need not wait for more than dueStep of them.
func (a *Auditor) fallen(e *Entry) (*Draft, error) {
	t := &a.next
	if e.At != t.at {
		t.dues = 0
	}
	t.at, t.actor = e.At, netkit.NetworkActor
	f, moves, ok := a.State.NextDue(e.At)
	switch {
	case ok && e.Actor == netkit.NetworkActor && e.Kind == f.Kind():
		t.dues++
	case ok && t.dues < DueStep:
		field, got, _ := differentField(f, Kinds[f.Kind()].make())
		return nil, e.Violation(ruleDue, "got %s before %s of %s %s, which fell due", e.Kind, f.Kind(), field, got)
	default:
		moves = nil
		if f, ok = a.State.LongWork(); !ok || e.Kind != f.Kind() {
			return nil, nil
		}
	}
	d := Draft{Fact: f}
	copy(d.Moves[:], moves)
	a.facts = append(a.facts[:0], d)
	return &a.facts[0], nil
}

// decide decides the command behind e again.
func (a *Auditor) decide(e *Entry) (*Draft, error) {
	a.view.E = e
	facts, actor, err := a.view.Again(&a.call, a.facts[:0])
	if err != nil {
		return nil, e.refused(err)
	}
	if len(facts) == 0 {
		return nil, e.Violation(ruleOf(e.Kind, ""), "nothing brings about %s here", e.Kind)
	}
	a.facts = facts
	a.next = place{rest: facts[1:], at: e.At, actor: actor}
	a.want.Private = e.Private // what it holds is its caller's
	return &facts[0], nil
}

// earlier reads an entry before the present one.
func (a *Auditor) earlier(seq uint64) (*Entry, error) {
	if seq >= a.State.root.Next {
		return nil, NotFound(code.EntryUnknown, "names an entry that was not there yet", "")
	}
	public, err := a.cfg.Entry(seq)
	if err != nil {
		return nil, err
	}
	e := new(Entry)
	return e, e.Read(public)
}

// End checks that the journal does not stop in the middle of a command.
func (a *Auditor) End() error {
	e := &Entry{Seq: a.State.root.Next}
	switch {
	case e.Seq == 0:
		return e.Violation(ruleGenesis, "there is no entry")
	case len(a.rest) > 0:
		return e.Violation(ruleOf(a.rest[0].Fact.Kind(), ""), "the journal ends before %s, which follows from the entries before it", a.rest[0].Fact.Kind())
	}
	return nil
}

package netkit

import (
	"bytes"
	"fmt"
	"iter"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
)

// AuditConfig holds what an auditor needs besides the entries.
type AuditConfig struct {
	// Entry reads the public part of an entry that was taken before; a report
	// names one. Required.
	Entry func(seq uint64) ([]byte, error)
	// RootAt returns the root of the tree of the first size entries, where size
	// is below the number of those taken. Needed for networks with witnesses,
	// whose panels are drawn by an earlier tree.
	RootAt func(size uint64) (Hash, error)
}

// Auditor checks a journal entry by entry, from public parts alone: each must
// be what the rules in force made of what its actor asked for, and nothing that
// was due may be missing before it. What it keeps is the state; its memory does
// not grow with the number of entries.
type Auditor struct {
	cfg   AuditConfig
	s     *state
	tree  journal.Tree
	nodes []journal.Node // that the latest entry adds to those stored
	entry Entry          // as it stands in the journal
	want  Entry          // as it had to be
	bytes []byte         // of want

	missing map[uint64]struct{} // entries without their private part that no erasure named so far

	facts []draft // of the latest command
	place         // after the entries taken
	next  place   // after the one that is looked at
}

// place is where the clerk's order of entries stands: the rest of a command,
// then what has fallen due, then another command.
type place struct {
	rest  []draft // of the latest command's facts that have to follow yet
	at    Millis  // time of the latest command or due entry
	actor string  // of the latest command
	dues  int     // entries that fell due, in a row and at one time
}

// NewAuditor returns an auditor that waits for entry 0.
func NewAuditor(cfg AuditConfig) (*Auditor, error) {
	if cfg.Entry == nil {
		return nil, fmt.Errorf("netkit: AuditConfig.Entry is required")
	}
	return &Auditor{cfg: cfg, s: newState(), missing: map[uint64]struct{}{}}, nil
}

// auditCommit is how many entries go between two cuts of the state's
// before-images, which an audit never needs.
const auditCommit = 256

// Take checks the next entry and adds it to the state. An error that is a
// [Violation] names the rule that the entry breaks; after one the auditor stands
// before that entry.
func (a *Auditor) Take(public []byte) error {
	if err := a.check(public); err != nil {
		return err
	}
	a.s.take(&a.want)
	a.place = a.next
	a.nodes = a.tree.Append(journal.Leaf(public), a.nodes[:0])
	if a.s.root.next%auditCommit == 0 {
		a.s.commit()
	}
	return nil
}

// check compares an entry with the one that had to come.
func (a *Auditor) check(public []byte) error {
	e, s := &a.entry, a.s
	*e = Entry{Seq: s.root.next}
	if err := e.read(public); err != nil {
		return (&Entry{Seq: s.root.next}).violation(ruleForm, "%v", err)
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
	s.enter(&a.want, a.next.at, a.next.actor, s.version(d), d)
	if err := a.cite(e); err != nil {
		return err
	}
	a.bytes = appendEntry(a.bytes[:0], &a.want)
	if !bytes.Equal(a.bytes, public) {
		return e.differs(&a.want)
	}
	return nil
}

// cite fills in the tree that the entry has to cite. Which one witnesses had
// signed when a panel was drawn is not in the journal: any tree of these
// entries will do, and a redraw does without where there was none.
func (a *Auditor) cite(e *Entry) error {
	f, ok := a.want.Fact.(citing)
	if !ok {
		return nil
	}
	before := TreeHead{a.tree.Size(), a.tree.Root()}
	drawn := before
	if got, ok := e.Fact.(citing); ok && got.cited() != before {
		drawn = got.cited()
		if err := a.known(e, drawn); err != nil {
			return err
		}
	}
	f.cite(a.s, &a.want, before, drawn)
	return nil
}

// known checks that a tree is one of the entries taken.
func (a *Auditor) known(e *Entry, h TreeHead) error {
	switch e.Fact.(type) {
	case *PanelDrawn, *CaseDrawn, *WitnessDrawn, *ReportFiled, *CaseAppealed, *RevocationAppealed:
		if h == (TreeHead{}) { // drawn without a tree, or later
			return nil
		}
	}
	if h.Size == 0 || h.Size >= a.tree.Size() {
		return e.violation(ruleTree, "cites a tree of %d entries, of which %d were there", h.Size, a.tree.Size())
	}
	if a.cfg.RootAt == nil {
		return fmt.Errorf("netkit: AuditConfig.RootAt is required: entry %d cites the tree of %d entries", e.Seq, h.Size)
	}
	root, err := a.cfg.RootAt(h.Size)
	if err == nil && root != h.Root {
		err = e.violation(ruleTree, "cites %s as the root of %d entries, which is %s", h.Root, h.Size, root)
	}
	return err
}

// version returns the constitution's in force, or that which genesis brings.
func (s *state) version(d *draft) string {
	if f, ok := d.fact.(*Founded); ok {
		if law, err := readConstitution(f.Document); err == nil {
			return law.Version
		}
	}
	return s.law.Version
}

// expected returns the draft that e has to be.
func (a *Auditor) expected(e *Entry) (*draft, error) {
	a.want.Private = [32]byte{} // what nobody asks for has none
	if len(a.rest) > 0 {
		return a.follow(e)
	}
	if _, ok := e.Fact.(*Founded); !ok && e.Seq == 0 {
		return nil, e.violation(ruleGenesis, "got %s", e.Kind)
	}
	d, err := a.fallen(e)
	if d == nil && err == nil {
		d, err = a.decide(e)
	}
	return d, err
}

// follow returns the next of a command's facts.
func (a *Auditor) follow(e *Entry) (*draft, error) {
	d := &a.rest[0]
	if want := d.fact.kind(); e.Kind != want {
		return nil, e.violation(ruleOf(want, ""), "got %s, want %s, which follows from the entries before it", e.Kind, want)
	}
	a.next.rest = a.rest[1:]
	return d, nil
}

// fallen returns what e has to be if something has fallen due, nil if e may be
// a command. A command need not wait for more than dueStep of them.
func (a *Auditor) fallen(e *Entry) (*draft, error) {
	t := &a.next
	if e.At != t.at {
		t.dues = 0
	}
	t.at, t.actor = e.At, NetworkActor
	f, moves, ok := a.s.nextDue(e.At)
	switch {
	case ok && e.Actor == NetworkActor && e.Kind == f.kind():
		t.dues++
	case ok && t.dues < dueStep:
		field, got, _ := differentField(f, kinds[f.kind()].make())
		return nil, e.violation(ruleDue, "got %s before %s of %s %s, which fell due", e.Kind, f.kind(), field, got)
	default:
		moves = nil
		if f, ok = a.s.longWork(); !ok || e.Kind != f.kind() {
			return nil, nil
		}
	}
	d := draft{fact: f}
	copy(d.moves[:], moves)
	a.facts = append(a.facts[:0], d)
	return &a.facts[0], nil
}

// decide decides the command behind e again.
func (a *Auditor) decide(e *Entry) (*draft, error) {
	h := pastView{s: a.s, e: e, earlier: a.earlier}
	facts, actor, err := h.again(a.facts[:0])
	if err != nil {
		return nil, e.refused(err)
	}
	if len(facts) == 0 {
		return nil, e.violation(ruleOf(e.Kind, ""), "nothing brings about %s here", e.Kind)
	}
	a.facts = facts
	a.next = place{rest: facts[1:], at: e.At, actor: actor}
	a.want.Private = e.Private // what it holds is its caller's
	return &facts[0], nil
}

// earlier reads an entry before the present one.
func (a *Auditor) earlier(seq uint64) (*Entry, error) {
	if seq >= a.s.root.next {
		return nil, notFound(code.EntryUnknown, "names an entry that was not there yet", "")
	}
	public, err := a.cfg.Entry(seq)
	if err != nil {
		return nil, err
	}
	e := new(Entry)
	return e, e.read(public)
}

// End checks that the journal does not stop in the middle of a command.
func (a *Auditor) End() error {
	e := &Entry{Seq: a.s.root.next}
	switch {
	case e.Seq == 0:
		return e.violation(ruleGenesis, "there is no entry")
	case len(a.rest) > 0:
		return e.violation(ruleOf(a.rest[0].fact.kind(), ""), "the journal ends before %s, which follows from the entries before it", a.rest[0].fact.kind())
	}
	return nil
}

// What an auditor can be asked for: the answers that the network itself has to
// give when it has the same entries, at the time that its answer names.

// Tree returns the tree over the entries taken so far.
func (a *Auditor) Tree() TreeHead { return TreeHead{a.tree.Size(), a.tree.Root()} }

// Network returns the id that genesis gives the network.
func (a *Auditor) Network() string { return a.s.root.netID }

// LogKey returns the verifier key of the log's checkpoints that genesis names,
// "" where it names none.
func (a *Auditor) LogKey() string { return a.s.root.logKey }

// Profile returns an agent's profile without the text of its claims, which is
// private.
func (a *Auditor) Profile(slug string, at Millis) (Profile, error) {
	i, _, err := a.s.agent("slug", slug)
	if err != nil {
		return Profile{}, err
	}
	return a.s.sketch(i, at).Profile, nil
}

// Agents yields the agents in the order in which they were spawned.
func (a *Auditor) Agents() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range a.s.parties.All() {
			if p.kind == AgentParty && !yield(p.slug) {
				return
			}
		}
	}
}

// Balance returns what an account holds.
func (a *Auditor) Balance(account Account, at Millis) (AccountBalance, error) {
	out, err := a.s.accountBalance(account, at)
	if err != nil && account.Kind == contractAccount {
		ct, lost := contractShelf.find(contractShelf.below(a.s, account.ID+1), account.ID, a.earlier)
		if lost == nil && ct != nil {
			out.Balance, err = ct.left.held, nil
		}
	}
	return out, err
}

// Books adds up all accounts.
func (a *Auditor) Books(at Millis) Books {
	b := a.s.books()
	b.AsOf = a.s.asOf(at)
	return b
}

// Rogues lists the whole registry, latest case first.
func (a *Auditor) Rogues() []RogueEntry { return a.s.registry(^uint64(0)) }

// LastNight tells what the last night did and which dates are still open.
func (a *Auditor) LastNight(at Millis) NightReport { return a.s.lastNight(at) }

// Size is how many entries were taken.
func (a *Auditor) Size() uint64 { return a.tree.Size() }

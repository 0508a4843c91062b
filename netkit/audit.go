package netkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit/internal/fanout"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// Audited is what somebody who trusts nobody finds out from a journal alone.
type Audited struct {
	Network      string `json:"network"`
	Entries      uint64 `json:"entries"`
	Root         Hash   `json:"root" doc:"of the Merkle tree over their public parts"`
	Books        Books  `json:"books"`
	StateSHA256  Hash   `json:"state_sha256" doc:"of the state's canonical form: two auditors of one journal find the same"`
	Constitution string `json:"constitution" doc:"version in force at the end"`
}

// Audit checks a journal from entry 0 on and writes nothing: every entry by an
// [Auditor], every private part by the hash that the public part names, and the
// stored tree. A private part may be missing where an erasure names its entry.
// An error that is [ErrCorrupt] names the first entry that is wrong; one that is
// a [Violation] also the rule.
func Audit(ctx context.Context, store journal.Store) (Audited, error) {
	head, err := store.Head(ctx)
	if err != nil {
		return Audited{}, err
	}
	if head.Size == 0 {
		return Audited{}, fmt.Errorf("netkit: the journal is empty, there is nothing to audit")
	}
	bare, err := journal.Bare(ctx, store, head.Size)
	if err != nil {
		return Audited{}, err
	}
	a, err := NewAuditor(AuditConfig{
		Entry:  func(seq uint64) ([]byte, error) { return publicPart(ctx, store, seq) },
		RootAt: func(size uint64) (Hash, error) { return storedRoot(ctx, store, size) },
	})
	if err != nil {
		return Audited{}, err
	}
	a.s.spread = fanout.Each
	stored := logTree{bare: bare}
	for r, err := range store.Read(ctx, 0, head.Size) {
		if err == nil {
			err = a.Take(r.Public)
		}
		if err == nil {
			err = a.private(r)
		}
		if err == nil {
			stored.nodes = append(stored.nodes, a.nodes...)
			err = stored.agree(ctx, store)
		}
		if err != nil {
			return Audited{}, err
		}
	}
	if n := a.s.root.next; n != head.Size {
		return Audited{}, fmt.Errorf("%w: it ends before entry %d, its head says %d", ErrCorrupt, n, head.Size)
	}
	if err := a.End(); err != nil {
		return Audited{}, err
	}
	return a.Summary(), unexplained(ctx, store, a.missing, head.Size)
}

// storedRoot is the root of the tree of the first size entries.
func storedRoot(ctx context.Context, store journal.Store, size uint64) (Hash, error) {
	t, err := journal.OpenTree(ctx, store, size)
	if err != nil {
		return Hash{}, err
	}
	return t.Root(), nil
}

// private checks the private part of the entry that was taken last, or notes
// that it is missing.
func (a *Auditor) private(r journal.Record) error {
	if f, ok := a.want.Fact.(*PrivateErased); ok {
		delete(a.missing, f.Entry)
	}
	switch {
	case r.Private == nil && a.want.Private != [32]byte{}:
		a.missing[r.Seq] = struct{}{}
	case r.Private != nil && sha256.Sum256(r.Private) != a.want.Private:
		return a.want.violation(rulePrivate, "it has another hash than the entry names; restore a backup")
	}
	return nil
}

// publicPart reads one entry.
func publicPart(ctx context.Context, store journal.Store, seq uint64) ([]byte, error) {
	for r, err := range store.Read(ctx, seq, seq+1) {
		return bytes.Clone(r.Public), err
	}
	return nil, fmt.Errorf("%w: entry %d is missing", ErrCorrupt, seq)
}

// Summary sums up what was taken.
func (a *Auditor) Summary() Audited {
	s := a.s
	out := Audited{Network: s.root.netID, Entries: s.root.next, Root: a.tree.Root(), Books: s.books(), StateSHA256: sha256.Sum256(s.canonical()), Constitution: s.law.Version}
	out.Books.AsOf = s.asOf(s.root.at)
	return out
}

// follows checks that an entry comes next, and not before its time.
func (s *state) follows(e *Entry) error {
	if e.Seq != s.root.next {
		return (&Entry{Seq: s.root.next}).violation(ruleNumber, "entry %d stands where %d is due", e.Seq, s.root.next)
	}
	if e.At < s.root.at {
		return e.violation(ruleTime, "%s is before %s, when the entry before it was made", e.At, s.root.at)
	}
	return nil
}

// continues checks that an entry carries on where the state stands. It is what
// a start asks of its own journal; an [Auditor] asks for more.
func (s *state) continues(e *Entry) error {
	if err := s.follows(e); err != nil {
		return err
	}
	if e.Seq > 0 && e.Constitution != s.law.Version {
		return e.violation(ruleConstitution, "got %s, want %s", e.Constitution, s.law.Version)
	}
	for i := range e.Postings {
		p := &e.Postings[i]
		var b balance
		if p.at = s.balance(p.Account); p.at != nil {
			b = *p.at
		}
		switch {
		case p.Prev != b.last || p.After != b.held+p.Amount:
			return e.violation(ruleChain, "the posting on %s does not carry on from entry %d with %s", p.Account, b.last, b.held)
		case p.After < 0 && p.Account.Kind != issuanceAccount:
			return e.violation(ruleChain, "%s falls below zero", p.Account)
		}
	}
	return nil
}

// An audit decides every entry again. The rules stand once, in the decide of
// each command; in pastView only the command comes from somewhere else: the
// entry tells what its caller must have asked for, and the state before it
// says what had to come of that, to the byte.

// pastView is what an audit has when it looks at an entry.
type pastView struct {
	s *state // before the entry
	e *Entry
	// earlier reads an entry that was taken before.
	earlier func(seq uint64) (*Entry, error)
}

// unknownText stands in for a text of which only is public that there is one.
const unknownText = "?"

// again decides the command behind the entry once more. It returns what had to
// be recorded, the entry itself first and then what follows from it, and who
// had to be named as actor.
func (h *pastView) again(into []draft) (facts []draft, actor string, err error) {
	cmd, err := h.e.Fact.asked(h)
	if err != nil || cmd == nil {
		return nil, "", err
	}
	c := call{at: h.e.At, by: Caller{Slug: h.e.Actor}, facts: into}
	decide := func() error { return cmd.decide(h.s, &c) }
	if r, ok := cmd.(*feedRead); ok {
		err = r.old.until(h.earlier, decide)
	} else {
		err = decide()
	}
	return c.facts, actorOf(cmd, c.by), err
}

// Violation is the first thing that an audit finds wrong: an entry that the rules
// do not account for. It is an [ErrCorrupt].
type Violation struct {
	Entry uint64 `json:"entry"`
	Rule  string `json:"rule" doc:"a stable name, such as split 85/15"`
	What  string `json:"what" doc:"what is wrong, for people"`
}

// Error names the entry and the rule.
func (b *Violation) Error() string {
	return fmt.Sprintf("netkit: entry %d breaks the rule %q: %s", b.Entry, b.Rule, b.What)
}

// Is makes a violation an ErrCorrupt.
func (b *Violation) Is(target error) bool { return target == ErrCorrupt }

// The rules that hold for entries of every kind.
const (
	ruleForm         = "form"
	ruleNumber       = "entry number"
	ruleTime         = "time runs back"
	ruleOneTime      = "one command, one time"
	ruleZero         = "postings sum to zero"
	ruleChain        = "account chain"
	ruleActor        = "actor"
	ruleConstitution = "constitution in force"
	rulePrivate      = "private part"
	ruleDue          = "due left undone"
	ruleNotDue       = "not due"
	ruleGenesis      = "genesis first"
	ruleTree         = "tree cited"
)

// ruleOf names the rule behind a field of a kind.
func ruleOf(k Kind, field string) string {
	if name, ok := kinds[k].rules[field]; ok {
		return name
	}
	return strings.TrimSpace(string(k) + " " + field)
}

// refusedRule names the rule by which a command would have been refused.
func refusedRule(r *Refusal) string {
	return strings.TrimSpace(r.Law + " " + strings.ReplaceAll(r.Code, "_", " "))
}

func (e *Entry) violation(rule, what string, args ...any) error {
	return &Violation{Entry: e.Seq, Rule: rule, What: fmt.Sprintf(what, args...)}
}

// refused makes a violation of a command's refusal; what else went wrong, such as
// a failed read, is not a fault of the entry.
func (e *Entry) refused(err error) error {
	var r *Refusal
	switch {
	case errors.As(err, &r):
		return e.violation(refusedRule(r), "%s could not come about: %s", e.Kind, strings.TrimSpace(r.Field+" "+r.What))
	case errors.Is(err, ErrCorrupt):
		return e.violation(ruleForm, "%v", err)
	}
	return fmt.Errorf("netkit: auditing entry %d: %w", e.Seq, err)
}

// differs names the first rule by which an entry is not the one that had to
// come.
func (e *Entry) differs(want *Entry) error {
	switch {
	case e.Kind != want.Kind:
		return e.violation(ruleOf(e.Kind, ""), "got %s, want %s", e.Kind, want.Kind)
	case e.At != want.At:
		return e.violation(ruleOneTime, "got %s, want %s as the entry before it", e.At, want.At)
	case e.Actor != want.Actor:
		return e.violation(ruleActor, "got %q, want %q", e.Actor, want.Actor)
	case e.Constitution != want.Constitution:
		return e.violation(ruleConstitution, "got %s, want %s", e.Constitution, want.Constitution)
	case e.Private != want.Private:
		return e.violation(rulePrivate, "names a private part where there can be none")
	}
	if field, got, wanted := differentField(e.Fact, want.Fact); field != "" {
		return e.violation(ruleOf(e.Kind, field), "%s of %s: got %s, want %s", field, e.Kind, got, wanted)
	}
	return e.postsOtherwise(want)
}

// postsOtherwise names what is wrong with an entry's postings.
func (e *Entry) postsOtherwise(want *Entry) error {
	if len(e.Postings) != len(want.Postings) {
		return e.violation(ruleOf(e.Kind, "postings"), "got %d postings, want %d", len(e.Postings), len(want.Postings))
	}
	for i := range want.Postings {
		p, w := &e.Postings[i], &want.Postings[i]
		if p.Account != w.Account || p.Amount != w.Amount {
			return e.violation(ruleOf(e.Kind, "postings"), "got %s on %s, want %s on %s", p.Amount, p.Account, w.Amount, w.Account)
		}
		if p.Prev != w.Prev || p.After != w.After {
			return e.violation(ruleChain, "%s: got %s after entry %d, want %s after entry %d", p.Account, p.After, p.Prev, w.After, w.Prev)
		}
	}
	return e.violation(ruleForm, "its bytes are not those that stand for what it says")
}

// differentField returns the first field in which two facts of a kind differ,
// and both values; "" is none.
func differentField(a, b Fact) (field, got, want string) {
	was, other := fieldsOf(a), fieldsOf(b)
	for _, list := range [][]factField{was, other} { // what one lacks the other has
		for _, f := range list {
			got, want := valueOf(was, f.name), valueOf(other, f.name)
			if got != want {
				return f.name, got, want
			}
		}
	}
	return "", "", ""
}

type factField struct{ name, value string }

func valueOf(all []factField, name string) string {
	for _, f := range all {
		if f.name == name {
			return f.value
		}
	}
	return "nothing"
}

// fieldsOf lists a fact's public fields in their order.
func fieldsOf(f Fact) (all []factField) {
	var c wire.Codec
	c.Begin()
	f.fields(&c)
	c.End()
	in := json.NewDecoder(bytes.NewReader(c.Bytes()))
	_, err := in.Token() // the brace
	for err == nil && in.More() {
		var value json.RawMessage
		var name json.Token
		if name, err = in.Token(); err == nil {
			err = in.Decode(&value)
			all = append(all, factField{fmt.Sprint(name), string(value)})
		}
	}
	return all
}

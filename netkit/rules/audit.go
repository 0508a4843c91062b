package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// MissingParts are the entries whose private part was not there and that no
// erasure has named so far. Where they remain at the end of a journal, the
// journal does not hold them.
type MissingParts map[uint64]struct{}

// Take notes the next entry, and whether its private part was missing.
func (m MissingParts) Take(e *Entry, missing bool) {
	if erased, ok := ErasedBy(e.Fact); ok {
		delete(m, erased)
	}
	if missing && e.Private != [32]byte{} {
		m[e.Seq] = struct{}{}
	}
}

// Summary sums up what was taken.
func (a *Auditor) Summary() netkit.Audited {
	s := a.State
	out := netkit.Audited{Network: s.root.NetID, Entries: s.root.Next, Root: a.tree.Root(), Books: s.Books(), StateSHA256: sha256.Sum256(s.Canonical()), Constitution: s.law.Version}
	out.Books.AsOf = s.AsOf(s.root.At)
	return out
}

// follows checks that an entry comes next, and not before its time.
func (s *State) follows(e *Entry) error {
	if e.Seq != s.root.Next {
		return (&Entry{Seq: s.root.Next}).Violation(ruleNumber, "entry %d stands where %d is due", e.Seq, s.root.Next)
	}
	if e.At < s.root.At {
		return e.Violation(ruleTime, "%s is before %s, when the entry before it was made", e.At, s.root.At)
	}
	return nil
}

// Continues checks that an entry carries on where the state stands. It is what
// a start asks of its own journal; an [Auditor] asks for more.
func (s *State) Continues(e *Entry) error {
	if err := s.follows(e); err != nil {
		return err
	}
	if e.Seq > 0 && e.Constitution != s.law.Version {
		return e.Violation(ruleConstitution, "got %s, want %s", e.Constitution, s.law.Version)
	}
	for i := range e.Postings {
		p := &e.Postings[i]
		var b Balance
		if p.at = s.balance(p.Account); p.at != nil {
			b = *p.at
		}
		switch {
		case p.Prev != b.Last || p.After != b.Held+p.Amount:
			return e.Violation(ruleChain, "the posting on %s does not carry on from entry %d with %s", p.Account, b.Last, b.Held)
		case p.After < 0 && p.Account.Kind != netkit.IssuanceAccount:
			return e.Violation(ruleChain, "%s falls below zero", p.Account)
		}
	}
	return nil
}

// An audit decides every entry again. The rules stand once, in the decide of
// each command; in pastView only the command comes from somewhere else: the
// entry tells what its caller must have asked for, and the state before it
// says what had to come of that, to the byte.

// PastView is what an audit has when it looks at an entry.
type PastView struct {
	S *State // before the entry
	E *Entry
	// earlier reads an entry that was taken before.
	earlier func(seq uint64) (*Entry, error)
}

// unknownText stands in for a text of which only is public that there is one.
const unknownText = "?"

// Again decides the command behind the entry once more. It returns what had to
// be recorded, the entry itself first and then what follows from it, and who
// had to be named as actor. It uses the memory of c and into.
func (h *PastView) Again(c *Call, into []Draft) (facts []Draft, actor string, err error) {
	cmd, err := h.E.Fact.CommandOf(h)
	if err != nil || cmd == nil {
		return nil, "", err
	}
	*c = Call{At: h.E.At, By: netkit.Caller{Slug: h.E.Actor}, Facts: into}
	if r, ok := cmd.(*FeedRead); ok {
		err = r.Old.Until(h.earlier, func() error { return cmd.Decide(h.S, c) })
	} else {
		err = cmd.Decide(h.S, c)
	}
	return c.Facts, ActorOf(cmd, c.By), err
}

// The rules that hold for entries of every kind.
const (
	ruleForm         = "form"
	ruleNumber       = "entry number"
	ruleTime         = "time runs back"
	RuleOneTime      = "one command, one time"
	ruleZero         = "postings sum to zero"
	ruleChain        = "account chain"
	ruleActor        = "actor"
	ruleConstitution = "constitution in force"
	RulePrivate      = "private part"
	ruleDue          = "due left undone"
	ruleNotDue       = "not due"
	ruleGenesis      = "genesis first"
	ruleTree         = "tree cited"
)

// ruleOf names the rule behind a field of a kind.
func ruleOf(k netkit.Kind, field string) string {
	if name, ok := Kinds[k].rules[field]; ok {
		return name
	}
	return strings.TrimSpace(string(k) + " " + field)
}

// refusedRule names the rule by which a command would have been refused.
func refusedRule(r *netkit.Refusal) string {
	return strings.TrimSpace(r.Law + " " + strings.ReplaceAll(r.Code, "_", " "))
}

func (e *Entry) Violation(rule, what string, args ...any) error {
	return &netkit.Violation{Entry: e.Seq, Rule: rule, What: fmt.Sprintf(what, args...)}
}

// refused makes a violation of a command's refusal; what else went wrong, such as
// a failed read, is not a fault of the entry.
func (e *Entry) refused(err error) error {
	var r *netkit.Refusal
	switch {
	case errors.As(err, &r):
		return e.Violation(refusedRule(r), "%s could not come about: %s", e.Kind, strings.TrimSpace(r.Field+" "+r.What))
	case errors.Is(err, netkit.ErrCorrupt):
		return e.Violation(ruleForm, "%v", err)
	}
	return fmt.Errorf("netkit: auditing entry %d: %w", e.Seq, err)
}

// equal reports whether two entries of flat facts have equal fields.
func (e *Entry) equal(other *Entry) bool {
	if e.Kind != other.Kind || e.Seq != other.Seq || e.At != other.At || e.Version != other.Version || e.Actor != other.Actor ||
		e.Constitution != other.Constitution || e.Private != other.Private || len(e.Postings) != len(other.Postings) {
		return false
	}
	for i := range e.Postings {
		p, q := &e.Postings[i], &other.Postings[i]
		if p.Account != q.Account || p.Amount != q.Amount || p.After != q.After || p.Prev != q.Prev {
			return false
		}
	}
	same := forms[e.Kind].same
	return same != nil && same(e.Fact, other.Fact)
}

// differs names the first rule by which an entry is not the one that had to
// come.
func (e *Entry) differs(want *Entry) error {
	switch {
	case e.Kind != want.Kind:
		return e.Violation(ruleOf(e.Kind, ""), "got %s, want %s", e.Kind, want.Kind)
	case e.At != want.At:
		return e.Violation(RuleOneTime, "got %s, want %s as the entry before it", e.At, want.At)
	case e.Actor != want.Actor:
		return e.Violation(ruleActor, "got %q, want %q", e.Actor, want.Actor)
	case e.Constitution != want.Constitution:
		return e.Violation(ruleConstitution, "got %s, want %s", e.Constitution, want.Constitution)
	case e.Private != want.Private:
		return e.Violation(RulePrivate, "names a private part where there can be none")
	}
	if field, got, wanted := differentField(e.Fact, want.Fact); field != "" {
		return e.Violation(ruleOf(e.Kind, field), "%s of %s: got %s, want %s", field, e.Kind, got, wanted)
	}
	return e.postsOtherwise(want)
}

// postsOtherwise names what is wrong with an entry's postings.
func (e *Entry) postsOtherwise(want *Entry) error {
	if len(e.Postings) != len(want.Postings) {
		return e.Violation(ruleOf(e.Kind, "postings"), "got %d postings, want %d", len(e.Postings), len(want.Postings))
	}
	for i := range want.Postings {
		p, w := &e.Postings[i], &want.Postings[i]
		if p.Account != w.Account || p.Amount != w.Amount {
			return e.Violation(ruleOf(e.Kind, "postings"), "got %s on %s, want %s on %s", p.Amount, p.Account, w.Amount, w.Account)
		}
		if p.Prev != w.Prev || p.After != w.After {
			return e.Violation(ruleChain, "%s: got %s after entry %d, want %s after entry %d", p.Account, p.After, p.Prev, w.After, w.Prev)
		}
	}
	return e.Violation(ruleForm, "its bytes are not those that stand for what it says")
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
	f.Fields(&c)
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

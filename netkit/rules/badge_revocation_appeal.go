package rules

import (
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// A revocation that rests on no final case can be appealed by the holder: a
// panel judges it as it judges a report, once and finally. A badge comes back
// when its revocation is dismissed there, or when the case that it rests on is
// won in appeal.

// appealRevocation begins the case in which a revocation is judged.
func (s *State) appealRevocation(call *Call, r *revocation) error {
	switch {
	case r.agent != call.By.Slug:
		return netkit.Forbidden("", code.NotTheLoser, "only the holder of the badge may appeal its revocation", "")
	case r.of != 0:
		return conflict(code.RevocationOfCase, fmt.Sprintf("the revocation rests on case %d", r.of), "appeal that case with {appealCase}, if its time is not over")
	case r.judged != 0:
		return conflict(code.AppealedAlready, "a revocation is appealed once", "")
	case r.entry == 0 || call.At >= r.until:
		return conflict(code.CaseFinal, "the revocation has not taken effect, or the time for an appeal is over", "")
	}
	f := &RevocationAppealed{Revocation: r.id, Revoked: r.entry, Agent: r.agent, Revoker: r.revoker, Witness: s.witnessOf(r)}
	f.Waits = s.law.Review.DrawAfterFiling
	call.Add(f)
	return nil
}

// witnessOf is the agent that confirmed a revocation.
func (s *State) witnessOf(r *revocation) string {
	_, p, _ := s.party(r.agent)
	for _, h := range s.extra(p).Wall {
		if h.entry == r.entry {
			return h.witness
		}
	}
	return ""
}

// RevocationAppealed records the appeal against a revocation, which is a case
// of its own. The grounds stand in the private part.
type RevocationAppealed struct {
	Revocation uint64 // entry that began it
	Revoked    uint64 // entry that carried it out
	Agent      string
	Revoker    string
	Witness    string // who is on no panel that judges it
	Draw
}

func (*RevocationAppealed) Kind() netkit.Kind { return netkit.KindRevocationAppealed }

func (f *RevocationAppealed) CommandOf(*PastView) (Command, error) {
	return &Appeal{netkit.Appeal{CaseID: f.Revocation}}, nil
}

func (f *RevocationAppealed) Fields(c *wire.Codec) {
	wire.Num(c, "revocation", &f.Revocation)
	wire.Num(c, "revoked", &f.Revoked)
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "revoker", &f.Revoker)
	wire.Str(c, "witness", &f.Witness)
	f.Draw.Fields(c)
}

func (f *RevocationAppealed) Cite(s *State, e *Entry, _, tree netkit.TreeHead) {
	if !f.Waits {
		f.by(s, tree, PanelSeed(tree.Root, e.Seq, 0), s.Eligible(s.RowsOf([]string{f.Revoker, f.Agent}), s.RowsOf([]string{f.Witness})), e.At, false)
	}
}

func (f *RevocationAppealed) Apply(s *State, e *Entry) {
	r, ok := s.revocations.Get(f.Revocation)
	i, known := s.slugs.Get(f.Revoker)
	j, held := s.slugs.Get(f.Agent)
	if !ok || !known || !held {
		return
	}
	s.revocations.Edit(r).judged = e.Seq
	// There is no second judgement, and the revocation stands until it is dismissed.
	cs := s.cases.Add(e.Seq, ReviewCase{id: e.Seq, subject: f.Revoked, reporter: i, Reported: j, filed: e.At, appeal: e.Seq, weighs: true, past: s.RowsOf([]string{f.Witness})})
	s.judged.Put(cs.key(), cs.id)
	s.changeExtra(i).Reports++
	s.convene(cs, &f.Draw, e)
	s.notify(i, e.Seq, noticeAppealed)
}

// restore adds that the badges come back which were revoked for a case that is
// reversed.
func (s *State) restore(call *Call, cs *ReviewCase) {
	if s.law.Review.RevocationDays == 0 {
		return
	}
	p := s.parties.At(cs.Reported)
	for _, h := range s.extra(p).Wall {
		if h.Revoked != 0 && (h.of == cs.id || cs.ofRevocation() && h.entry == cs.subject) && !p.Badges.Has(h.Badge) {
			call.Add(&BadgeRestored{Agent: p.Slug, Badge: h.Badge, Revoked: h.entry, Case: cs.id})
		}
	}
}

// ofRevocation reports whether a case judges a revocation and no report.
func (r *ReviewCase) ofRevocation() bool { return r.law == netkit.Active }

// incident names what the agent's penalty is booked under.
func (r *ReviewCase) incident() uint64 {
	if r.ofRevocation() {
		return r.subject
	}
	return r.id
}

// BadgeRestored records that a badge is active again, since its revocation did
// not stand.
type BadgeRestored struct {
	Agent   string
	Badge   netkit.Badge
	Revoked uint64 // entry of the revocation
	Case    uint64 // that was won
}

func (*BadgeRestored) Kind() netkit.Kind { return netkit.KindBadgeRestored }

func (*BadgeRestored) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *BadgeRestored) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, netkit.BadgeNames)
	wire.Num(c, "revoked", &f.Revoked)
	wire.Num(c, "case", &f.Case)
}

func (f *BadgeRestored) Apply(s *State, e *Entry) {
	i, ok := s.slugs.Get(f.Agent)
	if !ok {
		return
	}
	x := s.changeExtra(i)
	x.Wall = slices.Clone(x.Wall) // the old list stays for a rollback
	for k := range x.Wall {
		if h := &x.Wall[k]; h.entry == f.Revoked && h.Badge == f.Badge {
			*h = Held{Badge: h.Badge, Issued: h.Issued, seq: h.seq}
		}
	}
	s.parties.Change(i).Badges |= 1 << f.Badge
	s.Touch(i, AtOnce)
	s.notify(i, e.Seq, noticeBadgeIssued)
}

func (f *BadgeRestored) notice(noticeKind, string) (uint64, string) {
	return f.Case, fmt.Sprintf("Your badge %s is active again: case %d reversed its revocation.", f.Badge, f.Case)
}

// revocationDue ends a revocation that found no witness in time.
func (s *State) revocationDue(it dueItem) Fact {
	r, ok := s.revocations.Get(it.id)
	if !ok {
		return nil
	}
	if r.done || r.lapses != it.at {
		return nil
	}
	return &RevocationLapsed{it.id}
}

// RevocationLapsed records that a revocation found no witness in time; the badge
// stays.
type RevocationLapsed struct{ Revocation uint64 }

func (*RevocationLapsed) Kind() netkit.Kind { return netkit.KindRevocationLapsed }

func (*RevocationLapsed) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *RevocationLapsed) Fields(c *wire.Codec) { wire.Num(c, "revocation", &f.Revocation) }

func (f *RevocationLapsed) Apply(s *State, _ *Entry) {
	if r, ok := s.revocations.Get(f.Revocation); ok {
		s.revocations.Edit(r).done = true
	}
}

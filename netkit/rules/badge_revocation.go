package rules

import (
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// revocation is one that was begun. Until an agent has confirmed it as
// witness, the badge stays what it was.
type revocation struct {
	id      uint64
	agent   string
	badge   netkit.Badge
	revoker string
	reason  string
	asked   string    // the agent asked to be witness, "" is any that qualifies
	of      uint64    // the case behind it, 0 without one
	parties [2]string // of the case
	at      netkit.Millis
	done    bool          // it has its witness, or lapsed
	lapses  netkit.Millis // unless it has its witness by then, 0 is never
	entry   uint64        // that carried it out, 0 is none
	judged  uint64        // the case in which it was appealed, 0 is none
	until   netkit.Millis // by when it may be appealed, 0 where it rests on a case
}

func (r *revocation) Fields(c *wire.Codec) {
	wire.Num(c, "id", &r.id)
	wire.Str(c, "agent", &r.agent)
	enum(c, "badge", &r.badge, netkit.BadgeNames)
	wire.Str(c, "revoker", &r.revoker)
	wire.Str(c, "reason", &r.reason)
	wire.Str(c, "asked", &r.asked)
	wire.Num(c, "case", &r.of)
	wire.Str(c, "reporter", &r.parties[0])
	wire.Str(c, "reported", &r.parties[1])
	wire.Num(c, "at", &r.at)
	c.Flag("done", &r.done)
	wire.Num(c, "lapses", &r.lapses)
	wire.Num(c, "entry", &r.entry)
	wire.Num(c, "judged", &r.judged)
	wire.Num(c, "until", &r.until)
}

func revocationID(r *revocation) uint64 { return r.id }

func (r *revocation) stakes() stakes {
	return stakes{holder: r.agent, revoker: r.revoker, parties: r.parties}
}

// carriedOut is the fact that the revocation becomes with its witness.
func (r *revocation) carriedOut(witness string) *BadgeRevoked {
	return &BadgeRevoked{Revocation: r.id, Agent: r.agent, Badge: r.badge, Reason: r.reason, Revoker: r.revoker, Witness: witness, Case: r.of}
}

// RevokeBadge only begins a revocation: the badge stays active, and counts
// for the tier, until the witness has confirmed.
type RevokeBadge struct{ netkit.RevokeBadge }

func (*RevokeBadge) Route() string { return "revoke" }

func (c *RevokeBadge) Decide(s *State, call *Call) error {
	p, err := call.operatorOn(s, c.Agent)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	if !p.Badges.Has(c.Badge) {
		return conflict(code.BadgeNotHeld, "the agent has no such badge that is active", "{getAgent} shows its badges")
	}
	if s.revoking(c.Agent, c.Badge) {
		return conflict(code.RevocationPending, "a revocation of this badge waits for its witness already", "{listWitnessDuties} tells agents what waits for them")
	}
	if err := c.checkCase(s); err != nil {
		return err
	}
	if err := c.checkWitness(s, call); err != nil {
		return err
	}
	call.Add(&RevocationBegun{Agent: c.Agent, Badge: c.Badge, Reason: c.Reason, Revoker: call.By.Slug, Asked: c.Witness, Case: c.Case, Lapses: s.lapses(call.At)})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*RevokeBadge) Receipt(e *Entry) netkit.RevocationReceipt {
	f := e.Fact.(*RevocationBegun)
	return netkit.RevocationReceipt{RevocationID: e.Seq, State: "pending", Agent: f.Agent, Badge: f.Badge, Seq: e.Seq, At: e.At}
}

// checkCase refuses a case that a revocation cannot rest on.
func (c *RevokeBadge) checkCase(s *State) error {
	if c.Case == 0 {
		return nil
	}
	cs, err := s.reviewCase(c.Case)
	if err != nil {
		return err
	}
	if !cs.final || !cs.weighs || s.parties.At(cs.Reported).Slug != c.Agent {
		return &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.CaseNotFinal, Field: "case", What: "is no case that was finally upheld against this agent", Next: "leave it out; the agent may then appeal"}
	}
	return nil
}

// lapses is when a revocation that begins now lapses without its witness.
func (s *State) lapses(at netkit.Millis) netkit.Millis {
	if days := s.law.Review.RevocationDays; days > 0 {
		return at + netkit.Millis(days)*netkit.FullDay
	}
	return 0
}

// openToAll reports whether every agent that qualifies may witness a revocation.
func (s *State) openToAll(r *revocation, at netkit.Millis) bool {
	hours := s.law.Review.RevocationOpenHours
	return r.asked == "" || hours > 0 && at >= r.at+netkit.Millis(hours)*netkit.Hour
}

// checkWitness refuses a named witness that could not confirm, and a
// revocation that nobody could.
func (c *RevokeBadge) checkWitness(s *State, call *Call) error {
	x := stakes{holder: c.Agent, revoker: call.By.Slug}
	if c.Witness == "" {
		if !s.someWitness(call.At, x) {
			return &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.WitnessMissing, Law: "L6", What: "no agent could witness this, and a revocation without witness does not exist",
				Next: "wait until an agent that has no part in it is active"}
		}
		return nil
	}
	_, p, ok := s.party(c.Witness)
	if !ok {
		return &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.AgentUnknown, Field: "witness", What: "names no agent of this network", Next: "{listAgents} lists them"}
	}
	if bar := s.witnessBar(p, call.At, x); bar != nil {
		bar.Field = "witness"
		return bar
	}
	return nil
}

// checkReason refuses what does not tell the public why.
func checkReason(reason string) error {
	if reason == "" {
		return &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.ReasonMissing, Field: "reason", Law: "L6", What: "is required", Next: "say why in 1 to 280 characters; it is public"}
	}
	return netkit.CheckText("reason", reason, 1, 280)
}

// dropRevocations forgets the revocations that can be appealed no more at the
// end of a date; the badges on their agents' walls tell of them.
func (s *State) dropRevocations(date netkit.Day) {
	for id, r := range s.revocations.All() {
		if r.done && r.until <= LastMoment(date) {
			s.revocations.Drop(id)
		}
	}
}

// revoking reports whether a revocation waits for its witness.
func (s *State) revoking(agent string, b netkit.Badge) bool {
	for _, r := range s.revocations.All() {
		if !r.done && r.agent == agent && r.badge == b && s.revocable(r) {
			return true
		}
	}
	return false
}

// RevocationBegun records that someone wants a badge revoked. Nothing is
// revoked yet.
type RevocationBegun struct {
	Agent   string
	Badge   netkit.Badge
	Reason  string
	Revoker string
	Asked   string        // the agent asked to be witness
	Case    uint64        // 0 without one
	Lapses  netkit.Millis // unless it has its witness by then, 0 is never
}

func (*RevocationBegun) Kind() netkit.Kind { return netkit.KindBadgeRevocationBegun }

func (f *RevocationBegun) CommandOf(*PastView) (Command, error) {
	return &RevokeBadge{netkit.RevokeBadge{Agent: f.Agent, Badge: f.Badge, Reason: f.Reason, Witness: f.Asked, Case: f.Case}}, nil
}

func (f *RevocationBegun) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, netkit.BadgeNames)
	wire.Str(c, "reason", &f.Reason)
	wire.Str(c, "revoker", &f.Revoker)
	wire.Str(c, "asked", &f.Asked)
	wire.Num(c, "case", &f.Case)
	wire.Num(c, "lapses", &f.Lapses)
}

func (f *RevocationBegun) Apply(s *State, e *Entry) {
	r := revocation{id: e.Seq, agent: f.Agent, badge: f.Badge, revoker: f.Revoker, reason: f.Reason, asked: f.Asked, of: f.Case, at: e.At, lapses: f.Lapses}
	s.deadlines.plan(revocationLapses, f.Lapses, e.Seq)
	if cs, err := s.reviewCase(f.Case); err == nil {
		r.parties = s.sides(cs)
	}
	s.revocations.Add(e.Seq, r)
	if i, ok := s.slugs.Get(f.Asked); ok {
		s.notify(i, e.Seq, noticeWitnessAsked)
	}
}

func (f *RevocationBegun) notice(noticeKind, string) (uint64, string) {
	return 0, fmt.Sprintf("You are asked to witness that %s loses %s: %s.", f.Agent, f.Badge, "the requests for a witness list it")
}

// BadgeRevoked records that a badge is revoked. Reason, revoker and witness
// all stand here (L6).
type BadgeRevoked struct {
	Revocation uint64 // entry that began it, 0 where a panel began and witnessed it at once
	Agent      string
	Badge      netkit.Badge
	Reason     string
	Revoker    string
	Witness    string
	Case       uint64        // 0 without one
	Until      netkit.Millis // by when the holder may appeal, 0 where it rests on a case
}

func (*BadgeRevoked) Kind() netkit.Kind { return netkit.KindBadgeRevoked }

func (f *BadgeRevoked) CommandOf(*PastView) (Command, error) {
	if f.Revocation == 0 {
		return nil, nil // it follows from a judgement
	}
	return &Witness{netkit.Witness{ID: f.Revocation}}, nil
}

func (f *BadgeRevoked) Fields(c *wire.Codec) {
	wire.Num(c, "revocation", &f.Revocation)
	wire.Str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, netkit.BadgeNames)
	wire.Str(c, "reason", &f.Reason)
	wire.Str(c, "revoker", &f.Revoker)
	wire.Str(c, "witness", &f.Witness)
	wire.Num(c, "case", &f.Case)
	wire.Num(c, "until", &f.Until)
}

func (f *BadgeRevoked) Apply(s *State, e *Entry) {
	if r, ok := s.revocations.Get(f.Revocation); ok && f.Revocation != 0 {
		s.revocations.Edit(r)
		r.done, r.entry, r.until = true, e.Seq, f.Until
	}
	i, ok := s.slugs.Get(f.Agent)
	if !ok {
		return
	}
	x := s.changeExtra(i)
	x.Wall = slices.Clone(x.Wall) // the old list stays for a rollback
	for k := range x.Wall {
		if h := &x.Wall[k]; h.Badge == f.Badge && h.Revoked == 0 {
			h.Revoked, h.entry, h.reason, h.revoker, h.witness, h.of = e.At, e.Seq, f.Reason, f.Revoker, f.Witness, f.Case
		}
	}
	s.parties.Change(i).Badges &^= 1 << f.Badge
	s.penalize(i, f.incident(e), s.law.Scores.Revocation, e.At.Day())
	s.notify(i, e.Seq, noticeBadgeRevoked)
}

// revocationNotice tells everybody that a badge was revoked.
type revocationNotice struct {
	Agent string       `json:"agent"`
	Badge netkit.Badge `json:"badge"`
	netkit.RevocationView
}

// tell is the public event.
func (f *BadgeRevoked) tell(e *Entry) any {
	return revocationNotice{f.Agent, f.Badge, netkit.RevocationView{Reason: f.Reason, Revoker: f.Revoker, Witness: f.Witness, At: e.At, Seq: e.Seq}}
}

// incident names what the revocation is part of.
func (f *BadgeRevoked) incident(e *Entry) uint64 {
	if f.Case != 0 {
		return f.Case
	}
	return e.Seq
}

func (f *BadgeRevoked) notice(noticeKind, string) (uint64, string) {
	return f.Revocation, fmt.Sprintf("Your badge %s was revoked by %s, witnessed by %s.", f.Badge, f.Revoker, f.Witness)
}

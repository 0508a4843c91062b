package netkit

import (
	"context"
	"fmt"
	"slices"
)

// RevokeBadge begins the revocation of a badge. Only an operator may, and it
// takes effect only when an agent has confirmed it as witness (L6).
type RevokeBadge struct {
	Agent   string `json:"agent"`
	Badge   Badge  `json:"badge"`
	Reason  string `json:"reason" doc:"1 to 280 characters, public"`
	Witness string `json:"witness,omitempty" doc:"the agent that is asked to confirm; default: any that qualifies"`
}

// RevocationReceipt is the receipt of a revocation begun.
type RevocationReceipt struct {
	RevocationID uint64 `json:"revocation_id"`
	State        string `json:"state" enum:"pending,revoked"`
	Agent        string `json:"agent"`
	Badge        Badge  `json:"badge"`
	Seq          uint64 `json:"seq"`
	At           Millis `json:"at"`
}

// RevocationView is what stands in the entry of a revocation.
type RevocationView struct {
	Reason  string `json:"reason"`
	Revoker string `json:"revoker"`
	Witness string `json:"witness"`
	At      Millis `json:"at"`
	Seq     uint64 `json:"seq"`
}

// revocation is one that was begun. Until an agent has confirmed it as
// witness, the badge stays what it was.
type revocation struct {
	id      uint64
	agent   string
	badge   Badge
	revoker string
	reason  string
	asked   string    // the agent asked to be witness, "" is any that qualifies
	of      uint64    // the case behind it, 0 without one
	parties [2]string // of the case
	at      Millis
	done    bool
}

func (r *revocation) fields(c *codec) {
	num(c, "id", &r.id)
	str(c, "agent", &r.agent)
	enum(c, "badge", &r.badge, badgeNames)
	str(c, "revoker", &r.revoker)
	str(c, "reason", &r.reason)
	str(c, "asked", &r.asked)
	num(c, "case", &r.of)
	str(c, "reporter", &r.parties[0])
	str(c, "reported", &r.parties[1])
	num(c, "at", &r.at)
	c.flag("done", &r.done)
}

func revocationID(r *revocation) uint64 { return r.id }

func (r *revocation) stakes() stakes {
	return stakes{holder: r.agent, revoker: r.revoker, parties: r.parties}
}

// carriedOut is the fact that the revocation becomes with its witness.
func (r *revocation) carriedOut(witness string) *badgeRevoked {
	return &badgeRevoked{Revocation: r.id, Agent: r.agent, Badge: r.badge, Reason: r.reason, Revoker: r.revoker, Witness: witness, Case: r.of}
}

// revokeBadge only begins a revocation: the badge stays active, and counts
// for the tier, until the witness has confirmed.
type revokeBadge struct{ RevokeBadge }

func (*revokeBadge) route() string { return "revoke" }

func (c *revokeBadge) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	_, p, err := s.agent("agent", c.Agent)
	if err != nil {
		return err
	}
	if err := checkReason(c.Reason); err != nil {
		return err
	}
	if !p.holdsOneOf([]Badge{c.Badge}) {
		return conflict("badge_not_held", "the agent has no such badge that is active", "{getAgent} shows its badges")
	}
	if s.revoking(c.Agent, c.Badge) {
		return conflict("revocation_pending", "a revocation of this badge waits for its witness already", "{listWitnessDuties} tells agents what waits for them")
	}
	if err := c.checkWitness(s, call); err != nil {
		return err
	}
	call.add(&revocationBegun{Agent: c.Agent, Badge: c.Badge, Reason: c.Reason, Revoker: call.by.Slug, Asked: c.Witness})
	return nil
}

// checkWitness refuses a named witness that could not confirm, and a
// revocation that nobody could.
func (c *revokeBadge) checkWitness(s *state, call *call) error {
	x := stakes{holder: c.Agent, revoker: call.by.Slug}
	if c.Witness == "" {
		if !s.someWitness(call.at, x) {
			return &Refusal{Kind: ErrConflict, Code: "witness_missing", Law: "L6", What: "no agent could witness this, and a revocation without witness does not exist",
				Next: "wait until an agent that has no part in it is active"}
		}
		return nil
	}
	_, p, ok := s.party(c.Witness)
	if !ok {
		return &Refusal{Kind: ErrNotFound, Code: "agent_unknown", Field: "witness", What: "names no agent of this network", Next: "{listAgents} lists them"}
	}
	if bar := s.witnessBar(p, call.at, x); bar != nil {
		bar.Field = "witness"
		return bar
	}
	return nil
}

// checkReason refuses what does not tell the public why.
func checkReason(reason string) error {
	if reason == "" {
		return &Refusal{Kind: ErrInvalid, Code: "reason_missing", Field: "reason", Law: "L6", What: "is required", Next: "say why in 1 to 280 characters; it is public"}
	}
	return checkText("reason", reason, 1, 280)
}

// revoking reports whether a revocation waits for its witness.
func (s *state) revoking(agent string, b Badge) bool {
	for _, r := range s.revocations.all() {
		if !r.done && r.agent == agent && r.badge == b && s.revocable(r) {
			return true
		}
	}
	return false
}

// revocationBegun records that someone wants a badge revoked. Nothing is
// revoked yet.
type revocationBegun struct {
	Agent   string
	Badge   Badge
	Reason  string
	Revoker string
	Asked   string // the agent asked to be witness
	Case    uint64 // 0 without one
}

func (*revocationBegun) kind() Kind { return "badge.revocation.begun" }

func (f *revocationBegun) asked(*hindsight) (command, error) {
	if f.Case != 0 {
		return nil, nil // it follows from a judgement
	}
	return &revokeBadge{RevokeBadge{Agent: f.Agent, Badge: f.Badge, Reason: f.Reason, Witness: f.Asked}}, nil
}

func (f *revocationBegun) fields(c *codec) {
	str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, badgeNames)
	str(c, "reason", &f.Reason)
	str(c, "revoker", &f.Revoker)
	str(c, "asked", &f.Asked)
	num(c, "case", &f.Case)
}

func (f *revocationBegun) apply(s *state, e *Entry) {
	r := revocation{id: e.Seq, agent: f.Agent, badge: f.Badge, revoker: f.Revoker, reason: f.Reason, asked: f.Asked, of: f.Case, at: e.At}
	if _, cs, err := s.reviewCase(f.Case); err == nil {
		r.parties = s.sides(cs)
	}
	s.revocations.add(r)
	if i, ok := s.slugs.get(f.Asked); ok {
		s.notify(i, e.Seq, noticeWitnessAsked)
	}
}

func (f *revocationBegun) notice(noticeKind, string) (uint64, string) {
	return 0, fmt.Sprintf("You are asked to witness that %s loses %s: %s.", f.Agent, f.Badge, "the requests for a witness list it")
}

// badgeRevoked records that a badge is revoked. Reason, revoker and witness
// all stand here (L6).
type badgeRevoked struct {
	Revocation uint64 // entry that began it, 0 where a panel began and witnessed it at once
	Agent      string
	Badge      Badge
	Reason     string
	Revoker    string
	Witness    string
	Case       uint64 // 0 without one
}

func (*badgeRevoked) kind() Kind { return "badge.revoked" }

func (f *badgeRevoked) asked(*hindsight) (command, error) {
	if f.Revocation == 0 {
		return nil, nil // it follows from a judgement
	}
	return &witness{Witness{f.Revocation}}, nil
}

func (f *badgeRevoked) fields(c *codec) {
	num(c, "revocation", &f.Revocation)
	str(c, "agent", &f.Agent)
	enum(c, "badge", &f.Badge, badgeNames)
	str(c, "reason", &f.Reason)
	str(c, "revoker", &f.Revoker)
	str(c, "witness", &f.Witness)
	num(c, "case", &f.Case)
}

func (f *badgeRevoked) apply(s *state, e *Entry) {
	if row, ok := find(&s.revocations, revocationID, f.Revocation); ok && f.Revocation != 0 {
		s.revocations.change(row).done = true
	}
	i, ok := s.slugs.get(f.Agent)
	if !ok {
		return
	}
	x := s.changeExtra(i)
	x.wall = slices.Clone(x.wall) // the old list stays for a rollback
	for k := range x.wall {
		if h := &x.wall[k]; h.badge == f.Badge && h.revoked == 0 {
			h.revoked, h.entry, h.reason, h.revoker, h.witness = e.At, e.Seq, f.Reason, f.Revoker, f.Witness
		}
	}
	s.parties.change(i).badges &^= 1 << f.Badge
	s.penalize(i, f.incident(e), s.law.Scores.Revocation, e.At.Day())
	s.notify(i, e.Seq, noticeBadgeRevoked)
}

// RevocationNotice tells everybody that a badge was revoked.
type RevocationNotice struct {
	Agent string `json:"agent"`
	Badge Badge  `json:"badge"`
	RevocationView
}

// tell is the public event.
func (f *badgeRevoked) tell(e *Entry) any {
	return RevocationNotice{f.Agent, f.Badge, RevocationView{f.Reason, f.Revoker, f.Witness, e.At, e.Seq}}
}

// incident names what the revocation is part of.
func (f *badgeRevoked) incident(e *Entry) uint64 {
	if f.Case != 0 {
		return f.Case
	}
	return e.Seq
}

func (f *badgeRevoked) notice(noticeKind, string) (uint64, string) {
	return f.Revocation, fmt.Sprintf("Your badge %s was revoked by %s, witnessed by %s.", f.Badge, f.Revoker, f.Witness)
}

// RevokeBadge begins the revocation of a badge, which takes effect when an
// agent confirms it as witness.
func (n *Network) RevokeBadge(ctx context.Context, by Caller, in RevokeBadge) (RevocationReceipt, error) {
	return run(ctx, n, by, &revokeBadge{in}, nil, func(e *Entry) RevocationReceipt {
		f := e.Fact.(*revocationBegun)
		return RevocationReceipt{RevocationID: e.Seq, State: "pending", Agent: f.Agent, Badge: f.Badge, Seq: e.Seq, At: e.At}
	})
}

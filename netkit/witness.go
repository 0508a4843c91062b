package netkit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit/code"
)

// Witness confirms an admission or a revocation, which takes effect with it.
type Witness struct {
	ID uint64 `json:"id" doc:"of the admission or revocation"`
}

// WitnessReceipt is the receipt of a confirmation.
type WitnessReceipt struct {
	ID      uint64 `json:"id"`
	Kind    string `json:"kind" enum:"admission,revocation,constitution"`
	Subject string `json:"subject" doc:"the sponsor admitted, or the agent whose badge is revoked"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
}

// WitnessRequest is something that waits for a witness.
type WitnessRequest struct {
	ID      uint64 `json:"id"`
	Kind    string `json:"kind" enum:"admission,revocation,constitution"`
	Subject string `json:"subject"`
	Badge   Badge  `json:"badge,omitempty"`
	Reason  string `json:"reason,omitempty"`
	By      string `json:"by" doc:"who proposed it"`
	At      Millis `json:"at"`
}

// stakes are those who may not witness a thing: L6 wants an outsider.
type stakes struct {
	holder  string // who holds what is taken away
	revoker string // who begins it
	parties [2]string
}

// witnessBar says what keeps an agent from being the witness of a thing; nil
// is nothing. While fewer agents qualify than are needed, any active agent
// that has no stake may be one.
func (s *state) witnessBar(p *party, at Millis, x stakes) *Refusal {
	if r := x.bar(p); r != nil {
		return r
	}
	if p.kind != AgentParty {
		return forbidden("L6", code.WitnessNoAgent, "only an agent may be a witness", "ask an agent")
	}
	if p.status != Active {
		return forbidden("L6", code.WitnessNotActive, "a witness is an agent in good standing", "ask another agent")
	}
	rest := s.seasoned(p, at)
	if rest != nil && s.enoughWitnesses(at, x) {
		return rest
	}
	return nil
}

// bar refuses those with a stake.
func (x stakes) bar(p *party) *Refusal {
	switch p.slug {
	case x.holder:
		return forbidden("L6", code.WitnessIsHolder, "the holder of a badge cannot witness its revocation", "ask an agent that has no part in it")
	case x.revoker:
		return forbidden("L6", code.WitnessIsRevoker, "who begins a thing cannot be its witness too", "ask an agent that has no part in it")
	case x.parties[0], x.parties[1]:
		return forbidden("L6", code.WitnessIsParty, "a party to the case cannot be the witness", "ask an agent that has no part in it")
	}
	return nil
}

// seasoned refuses agents without confirmed wallet and young ones.
func (s *state) seasoned(p *party, at Millis) *Refusal {
	if !p.agent.confirmed {
		return forbidden("L6", code.WitnessUnconfirmed, "a witness needs a confirmed wallet address", "confirm one with {declareWallet}")
	}
	if at < p.since+Millis(s.law.Review.WitnessAgeDays)*day {
		return forbidden("L6", code.WitnessTooYoung, "a witness is an agent of seven days at least", "ask an older agent")
	}
	return nil
}

// enoughWitnesses reports whether as many agents qualify as are needed. It
// goes by the list of those with a confirmed address and stops at the third;
// parties stand by age, so that their rows tell who is too young.
func (s *state) enoughWitnesses(at Millis, x stakes) bool {
	youngest := at - Millis(s.law.Review.WitnessAgeDays)*day
	old := uint32(sort.Search(int(s.parties.Len()), func(i int) bool { return s.parties.At(uint32(i)).since > youngest }))
	found := 0
	for _, i := range s.proved.All() {
		if *i >= old {
			continue
		}
		p := s.parties.At(*i)
		if p.status == Active && p.agent.confirmed && x.bar(p) == nil {
			if found++; found == s.law.Review.WitnessesNeeded {
				return true
			}
		}
	}
	return false
}

// prove lists an agent among those with a confirmed address, once.
func (s *state) prove(i uint32) {
	if x := s.changeExtra(i); !x.proved {
		x.proved = true
		s.proved.Add(i)
	}
}

// someWitness reports whether any agent could witness a thing.
func (s *state) someWitness(at Millis, x stakes) bool {
	if s.enoughWitnesses(at, x) {
		return true
	}
	for _, p := range s.parties.All() {
		if p.kind == AgentParty && p.status == Active && x.bar(p) == nil {
			return true
		}
	}
	return false
}

// witness confirms whatever waits under an id. It runs on the witness's own
// credentials and on nothing else, so that no one can name a witness who did
// not look (L6).
type witness struct{ Witness }

func (*witness) route() string { return "witness" }

func (c *witness) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	if r, ok := s.revocations.Get(c.ID); ok {
		return s.witnessRevocation(call, p, r)
	}
	if c.ID != 0 && c.ID == s.amendment.id {
		return s.witnessConstitution(call, p)
	}
	a, ok := s.admissions.Get(c.ID)
	if !ok {
		return &Refusal{Kind: ErrNotFound, Code: code.WitnessNothing, Field: "id", What: "names no admission or revocation", Next: "{listWitnessDuties} lists what waits for you"}
	}
	if a.since != 0 {
		return alreadyAdmitted()
	}
	if r := s.witnessBar(p, call.at, stakes{revoker: a.by}); r != nil {
		return r
	}
	call.add(&SponsorAdmitted{Sponsor: s.parties.At(a.party).slug, Admission: a.id, Proposer: a.by, Witness: p.slug})
	return nil
}

func alreadyAdmitted() error {
	return conflict(code.AlreadyAdmitted, "the sponsor is admitted already", "")
}

// witnessRevocation carries a revocation out that its witness confirms.
func (s *state) witnessRevocation(call *call, p *party, r *revocation) error {
	switch {
	case r.done:
		return conflict(code.AlreadyRevoked, "the revocation has its witness already", "")
	case !s.revocable(r):
		return conflict(code.BadgeNotHeld, "the badge is not active any more, or the case behind this was reversed", "")
	case !s.openToAll(r, call.at) && r.asked != p.slug:
		return forbidden("L6", code.WitnessOtherAsked, "another agent was asked to be the witness", "{listWitnessDuties} lists what waits for you")
	}
	if bar := s.witnessBar(p, call.at, r.stakes()); bar != nil {
		return bar
	}
	f := r.carriedOut(p.slug)
	if s.law.Review.RevocationDays > 0 && r.of == 0 {
		f.Until = call.at + Millis(s.law.Review.AppealDays)*day
	}
	call.add(f)
	return nil
}

// revocable reports whether there is still something to revoke: the badge is
// active, and a case behind it was not reversed.
func (s *state) revocable(r *revocation) bool {
	_, p, ok := s.party(r.agent)
	if !ok || !p.badges.has(r.badge) {
		return false
	}
	cs, err := s.reviewCase(r.of)
	return r.of == 0 || err == nil && cs.weighs
}

// Witness confirms an admission or a revocation with the caller's own
// credentials; it takes effect then.
//
// Refusals: already_admitted, already_confirmed, already_revoked,
// badge_not_held, witness_is_holder, witness_is_party, witness_is_revoker,
// witness_no_agent, witness_not_active, witness_nothing, witness_other_asked,
// witness_too_young, witness_unconfirmed.
func (ses *Session) Witness(ctx context.Context, in Witness) (WitnessReceipt, error) {
	r, err := run(ctx, ses, &witness{in}, nil, func(e *Entry) WitnessReceipt {
		r := WitnessReceipt{ID: in.ID, Seq: e.Seq, At: e.At}
		switch f := e.Fact.(type) {
		case *SponsorAdmitted:
			r.Kind, r.Subject = "admission", f.Sponsor
		case *BadgeRevoked:
			r.Kind, r.Subject = "revocation", f.Agent
		case *ConstitutionWitnessed:
			r.Kind, r.Subject = "constitution", f.Version
		}
		return r
	})
	if errors.Is(err, ErrNotFound) {
		if _, err = archived(ctx, ses.n, admissionShelf, in.ID, err); err == nil {
			err = alreadyAdmitted()
		}
	}
	return r, err
}

// Witnessing lists what waits for the caller as witness, newest first.
func (ses *Session) Witnessing(ctx context.Context, page Page) (List[WitnessRequest], error) {
	size, before, err := page.window()
	if err != nil {
		return List[WitnessRequest]{}, err
	}
	now := ses.n.Now()
	return view(ctx, ses.n, func(s *state) (List[WitnessRequest], error) {
		out := List[WitnessRequest]{AsOf: s.asOf(now)}
		_, p, err := s.reader(ses.by)
		if err != nil {
			return out, err
		}
		out.Items, out.NextCursor = s.awaiting(p, max(now, s.root.at), before, size)
		return out, nil
	})
}

// awaiting merges the revocations and admissions that p may witness.
func (s *state) awaiting(p *party, at Millis, before uint64, size int) ([]WitnessRequest, string) {
	all := []WitnessRequest{}
	waiting, floor := pickRows(&s.revocations, before, size, func(r *revocation) bool {
		return !r.done && s.revocable(r) && (s.openToAll(r, at) || r.asked == p.slug) && s.witnessBar(p, at, r.stakes()) == nil
	})
	for _, r := range waiting {
		all = append(all, WitnessRequest{ID: r.id, Kind: "revocation", Subject: r.agent, Badge: r.badge, Reason: r.reason, By: r.revoker, At: r.at})
	}
	proposed, other := pickRows(&s.admissions, before, size, func(a *admission) bool {
		return a.since == 0 && s.witnessBar(p, at, stakes{revoker: a.by}) == nil
	})
	floor = max(floor, other)
	for _, a := range proposed {
		all = append(all, WitnessRequest{ID: a.id, Kind: "admission", Subject: s.parties.At(a.party).slug, By: a.by, At: a.at})
	}
	if a := s.amendment; a.id != 0 && a.id < before && slices.Contains(a.drawn, p.slug) && !slices.Contains(a.confirmed, p.slug) {
		all = append(all, WitnessRequest{ID: a.id, Kind: "constitution", Subject: a.version, By: a.by, At: a.effective})
	}
	all = slices.DeleteFunc(all, func(r WitnessRequest) bool { return r.ID < floor }) // they come again
	slices.SortFunc(all, func(a, b WitnessRequest) int { return cmp.Compare(b.ID, a.ID) })
	if len(all) > size {
		all, floor = all[:size], all[size-1].ID
	}
	if floor == 0 {
		return all, ""
	}
	return all, cursorBelow(floor)
}

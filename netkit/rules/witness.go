package rules

import (
	"cmp"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// stakes are those who may not witness a thing: L6 wants an outsider.
type stakes struct {
	holder  string // who holds what is taken away
	revoker string // who begins it
	parties [2]string
}

// witnessBar says what keeps an agent from being the witness of a thing; nil
// is nothing. While fewer agents qualify than are needed, any active agent
// that has no stake may be one.
func (s *State) witnessBar(p *Party, at netkit.Millis, x stakes) *netkit.Refusal {
	if r := x.bar(p); r != nil {
		return r
	}
	if p.Kind != netkit.AgentParty {
		return netkit.Forbidden("L6", code.WitnessNoAgent, "only an agent may be a witness", "ask an agent")
	}
	if p.Status != netkit.Active {
		return netkit.Forbidden("L6", code.WitnessNotActive, "a witness is an agent in good standing", "ask another agent")
	}
	rest := s.seasoned(p, at)
	if rest != nil && s.enoughWitnesses(at, x) {
		return rest
	}
	return nil
}

// bar refuses those with a stake.
func (x stakes) bar(p *Party) *netkit.Refusal {
	switch p.Slug {
	case x.holder:
		return netkit.Forbidden("L6", code.WitnessIsHolder, "the holder of a badge cannot witness its revocation", "ask an agent that has no part in it")
	case x.revoker:
		return netkit.Forbidden("L6", code.WitnessIsRevoker, "who begins a thing cannot be its witness too", "ask an agent that has no part in it")
	case x.parties[0], x.parties[1]:
		return netkit.Forbidden("L6", code.WitnessIsParty, "a party to the case cannot be the witness", "ask an agent that has no part in it")
	}
	return nil
}

// seasoned refuses agents without confirmed wallet and young ones.
func (s *State) seasoned(p *Party, at netkit.Millis) *netkit.Refusal {
	if !p.Agent.Confirmed {
		return netkit.Forbidden("L6", code.WitnessUnconfirmed, "a witness needs a confirmed wallet address", "confirm one with {declareWallet}")
	}
	if at < p.since+netkit.Millis(s.law.Review.WitnessAgeDays)*netkit.FullDay {
		return netkit.Forbidden("L6", code.WitnessTooYoung, "a witness is an agent of seven days at least", "ask an older agent")
	}
	return nil
}

// enoughWitnesses reports whether as many agents qualify as are needed. It
// goes by the list of those with a confirmed address and stops at the third;
// parties stand by age, so that their rows tell who is too young.
func (s *State) enoughWitnesses(at netkit.Millis, x stakes) bool {
	youngest := at - netkit.Millis(s.law.Review.WitnessAgeDays)*netkit.FullDay
	old := uint32(sort.Search(int(s.parties.Len()), func(i int) bool { return s.parties.At(uint32(i)).since > youngest }))
	found := 0
	for _, i := range s.proved.All() {
		if *i >= old {
			continue
		}
		p := s.parties.At(*i)
		if p.Status == netkit.Active && p.Agent.Confirmed && x.bar(p) == nil {
			if found++; found == s.law.Review.WitnessesNeeded {
				return true
			}
		}
	}
	return false
}

// prove lists an agent among those with a confirmed address, once.
func (s *State) prove(i uint32) {
	if x := s.changeExtra(i); !x.proved {
		x.proved = true
		s.proved.Add(i)
	}
}

// someWitness reports whether any agent could witness a thing.
func (s *State) someWitness(at netkit.Millis, x stakes) bool {
	if s.enoughWitnesses(at, x) {
		return true
	}
	for _, p := range s.parties.All() {
		if p.Kind == netkit.AgentParty && p.Status == netkit.Active && x.bar(p) == nil {
			return true
		}
	}
	return false
}

// Witness confirms whatever waits under an id. It runs on the witness's own
// credentials and on nothing else, so that no one can name a witness who did
// not look (L6).
type Witness struct{ netkit.Witness }

func (*Witness) Route() string { return "witness" }

func (c *Witness) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
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
		return &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.WitnessNothing, Field: "id", What: "names no admission or revocation", Next: "{listWitnessDuties} lists what waits for you"}
	}
	if a.since != 0 {
		return AlreadyAdmitted()
	}
	if r := s.witnessBar(p, call.At, stakes{revoker: a.by}); r != nil {
		return r
	}
	call.Add(&SponsorAdmitted{Sponsor: s.parties.At(a.party).Slug, Admission: a.id, Proposer: a.by, Witness: p.Slug})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (c *Witness) Receipt(e *Entry) netkit.WitnessReceipt {
	r := netkit.WitnessReceipt{ID: c.ID, Seq: e.Seq, At: e.At}
	switch f := e.Fact.(type) {
	case *SponsorAdmitted:
		r.Kind, r.Subject = "admission", f.Sponsor
	case *BadgeRevoked:
		r.Kind, r.Subject = "revocation", f.Agent
	case *ConstitutionWitnessed:
		r.Kind, r.Subject = "constitution", f.Version
	}
	return r
}

func AlreadyAdmitted() error {
	return conflict(code.AlreadyAdmitted, "the sponsor is admitted already", "")
}

// witnessRevocation carries a revocation out that its witness confirms.
func (s *State) witnessRevocation(call *Call, p *Party, r *revocation) error {
	switch {
	case r.done:
		return conflict(code.AlreadyRevoked, "the revocation has its witness already", "")
	case !s.revocable(r):
		return conflict(code.BadgeNotHeld, "the badge is not active any more, or the case behind this was reversed", "")
	case !s.openToAll(r, call.At) && r.asked != p.Slug:
		return netkit.Forbidden("L6", code.WitnessOtherAsked, "another agent was asked to be the witness", "{listWitnessDuties} lists what waits for you")
	}
	if bar := s.witnessBar(p, call.At, r.stakes()); bar != nil {
		return bar
	}
	f := r.carriedOut(p.Slug)
	if s.law.Review.RevocationDays > 0 && r.of == 0 {
		f.Until = call.At + netkit.Millis(s.law.Review.AppealDays)*netkit.FullDay
	}
	call.Add(f)
	return nil
}

// revocable reports whether there is still something to revoke: the badge is
// active, and a case behind it was not reversed.
func (s *State) revocable(r *revocation) bool {
	_, p, ok := s.party(r.agent)
	if !ok || !p.Badges.Has(r.badge) {
		return false
	}
	cs, err := s.reviewCase(r.of)
	return r.of == 0 || err == nil && cs.weighs
}

// awaiting merges the revocations and admissions that p may witness.
func (s *State) awaiting(p *Party, at netkit.Millis, before uint64, size int) ([]netkit.WitnessRequest, string) {
	all := []netkit.WitnessRequest{}
	waiting, floor := pickRows(&s.revocations, before, size, func(r *revocation) bool {
		return !r.done && s.revocable(r) && (s.openToAll(r, at) || r.asked == p.Slug) && s.witnessBar(p, at, r.stakes()) == nil
	})
	for _, r := range waiting {
		all = append(all, netkit.WitnessRequest{ID: r.id, Kind: "revocation", Subject: r.agent, Badge: r.badge, Reason: r.reason, By: r.revoker, At: r.at})
	}
	proposed, other := pickRows(&s.admissions, before, size, func(a *Admission) bool {
		return a.since == 0 && s.witnessBar(p, at, stakes{revoker: a.by}) == nil
	})
	floor = max(floor, other)
	for _, a := range proposed {
		all = append(all, netkit.WitnessRequest{ID: a.id, Kind: "admission", Subject: s.parties.At(a.party).Slug, By: a.by, At: a.at})
	}
	if a := s.amendment; a.id != 0 && a.id < before && slices.Contains(a.drawn, p.Slug) && !slices.Contains(a.confirmed, p.Slug) {
		all = append(all, netkit.WitnessRequest{ID: a.id, Kind: "constitution", Subject: a.version, By: a.by, At: a.effective})
	}
	all = slices.DeleteFunc(all, func(r netkit.WitnessRequest) bool { return r.ID < floor }) // they come again
	slices.SortFunc(all, func(a, b netkit.WitnessRequest) int { return cmp.Compare(b.ID, a.ID) })
	if len(all) > size {
		all, floor = all[:size], all[size-1].ID
	}
	if floor == 0 {
		return all, ""
	}
	return all, netkit.CursorBelow(floor)
}

// WitnessDuties returns the proposals that wait for the caller as witness, newest first.
func (s *State) WitnessDuties(by netkit.Caller, before uint64, size int, now netkit.Millis) ([]netkit.WitnessRequest, string, error) {
	_, p, err := s.reader(by)
	if err != nil {
		return nil, "", err
	}
	all, next := s.awaiting(p, s.Moment(now), before, size)
	return all, next, nil
}

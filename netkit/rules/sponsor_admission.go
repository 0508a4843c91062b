package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Admission is how a sponsor came in.
type Admission struct {
	id      uint64 // entry of the proposal, or of the admission where it was admitted at once
	party   uint32 // row of the sponsor
	name    string
	by      string // operator who proposed it
	at      netkit.Millis
	since   netkit.Millis // when it was admitted, 0 is not yet
	witness string        // "" until there is one, or where it was waived
}

func (a *Admission) Fields(c *wire.Codec) {
	wire.Num(c, "id", &a.id)
	wire.Num(c, "party", &a.party)
	wire.Str(c, "name", &a.name)
	wire.Str(c, "by", &a.by)
	wire.Num(c, "at", &a.at)
	wire.Num(c, "since", &a.since)
	wire.Str(c, "witness", &a.witness)
}

func admissionID(a *Admission) uint64 { return a.id }

// ProposeSponsor begins an admission. Sponsors are where all backing comes
// from, so that one operator alone must not be able to make one once there are
// agents who could look at it. It holds the hash of the
// sponsor's token besides.
type ProposeSponsor struct {
	netkit.ProposeSponsor
	Hash netkit.Hash `json:"-"`
}

func (*ProposeSponsor) Route() string { return "sponsor" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *ProposeSponsor) tokenHash() netkit.Hash { return c.Hash }

func (c *ProposeSponsor) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if err := s.newSlug("sponsor", c.Sponsor); err != nil {
		return err
	}
	if err := netkit.CheckText("name", c.Name, 0, 120); err != nil {
		return err
	}
	if s.enoughWitnesses(call.At, stakes{}) {
		call.Add(&SponsorProposed{Sponsor: c.Sponsor, Name: c.Name})
	} else {
		call.Add(&SponsorAdmitted{Sponsor: c.Sponsor, Name: c.Name, Proposer: call.By.Slug, Waived: true})
	}
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*ProposeSponsor) Receipt(e *Entry) netkit.AdmissionReceipt {
	r := netkit.AdmissionReceipt{AdmissionID: e.Seq, Seq: e.Seq, At: e.At}
	switch f := e.Fact.(type) {
	case *SponsorProposed:
		r.Sponsor, r.State, r.WitnessNeeded = f.Sponsor, "pending", true
	case *SponsorAdmitted:
		r.Sponsor, r.State = f.Sponsor, "admitted"
	}
	return r
}

func (c *ProposeSponsor) Fields(k *wire.Codec) {
	t := access.Grant[netkit.Scope]{Hash: c.Hash, Scopes: []netkit.Scope{netkit.ScopeAll}}
	t.Fields(k)
}

// SponsorProposed reserves the slug of an organisation until a witness
// confirms that it may fund contracts.
type SponsorProposed struct {
	Sponsor string
	Name    string // public, as the sponsor is
}

func (*SponsorProposed) Kind() netkit.Kind { return netkit.KindSponsorProposed }

func (f *SponsorProposed) CommandOf(*PastView) (Command, error) {
	return &ProposeSponsor{ProposeSponsor: netkit.ProposeSponsor{Sponsor: f.Sponsor, Name: f.Name}}, nil
}

func (f *SponsorProposed) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Str(c, "name", &f.Name)
}

func (f *SponsorProposed) Apply(s *State, e *Entry) {
	s.enrolSponsor(Party{Slug: f.Sponsor, Status: netkit.Proposed, since: e.At, Seq: e.Seq}, Admission{name: f.Name, by: e.Actor})
}

func (f *SponsorProposed) applySecret(x *Secrets, e *Entry, p *Private) { x.Grant(f.Sponsor, e, p) }

// enrolSponsor adds a sponsor with the story of its admission.
func (s *State) enrolSponsor(p Party, a Admission) {
	a.id, a.at, a.party = p.Seq, p.since, s.parties.Len()
	p.Kind = netkit.SponsorParty
	s.enrol(p)
	s.admissions.Add(a.id, a)
}

// SponsorAdmitted records that an organisation may fund contracts. Waived
// says that no witness was needed, since too few agents qualified.
type SponsorAdmitted struct {
	Sponsor   string
	Name      string // where there was no proposal
	Admission uint64 // entry of the proposal, 0 where there was none
	Proposer  string
	Witness   string
	Waived    bool
}

func (*SponsorAdmitted) Kind() netkit.Kind { return netkit.KindSponsorAdmitted }

func (f *SponsorAdmitted) CommandOf(*PastView) (Command, error) {
	if f.Admission != 0 {
		return &Witness{netkit.Witness{ID: f.Admission}}, nil
	}
	return &ProposeSponsor{ProposeSponsor: netkit.ProposeSponsor{Sponsor: f.Sponsor, Name: f.Name}}, nil
}

func (f *SponsorAdmitted) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Str(c, "name", &f.Name)
	wire.Num(c, "admission", &f.Admission)
	wire.Str(c, "proposer", &f.Proposer)
	wire.Str(c, "witness", &f.Witness)
	c.Flag("witness_waived", &f.Waived)
}

func (f *SponsorAdmitted) Apply(s *State, e *Entry) {
	if f.Admission == 0 {
		s.enrolSponsor(Party{Slug: f.Sponsor, since: e.At, Seq: e.Seq}, Admission{name: f.Name, by: f.Proposer, since: e.At, witness: f.Witness})
		s.admitted.add(e.Seq)
		return
	}
	if row, ok := s.admissions.Get(f.Admission); ok {
		a := s.admissions.Edit(row)
		a.witness = f.Witness
		a.since = e.At
		s.parties.Change(a.party).Status = netkit.Active
		s.admitted.add(a.id)
	}
}

func (f *SponsorAdmitted) applySecret(x *Secrets, e *Entry, p *Private) {
	if f.Admission == 0 && p != nil {
		x.Grant(f.Sponsor, e, p)
	}
}

// AdmissionOf returns the number of a sponsor's admission, and a copy of its row;
// nil where that has left memory.
func (s *State) AdmissionOf(field, slug string) (uint64, *Admission, error) {
	_, p, err := s.anySponsor(field, slug)
	if err != nil {
		return 0, nil, err
	}
	if row, ok := s.admissions.Get(p.Seq); ok {
		return p.Seq, new(*row), nil
	}
	return p.Seq, nil, nil
}

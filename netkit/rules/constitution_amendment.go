package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// amendment is a constitution that was announced; zero is none.
type amendment struct {
	id        uint64
	version   string
	document  string // canonical JSON
	by        string
	effective netkit.Millis
	awaits    uint64 // entry after which witnesses are drawn, 0 once that is done
	drawn     []string
	confirmed []string
}

func (a *amendment) Fields(c *wire.Codec) {
	wire.Num(c, "id", &a.id)
	wire.Str(c, "version", &a.version)
	wire.Str(c, "document", &a.document)
	wire.Str(c, "by", &a.by)
	wire.Num(c, "effective", &a.effective)
	wire.Num(c, "awaits", &a.awaits)
	wire.Strs(c, "drawn", &a.drawn)
	wire.Strs(c, "confirmed", &a.confirmed)
}

// announced returns the constitution that is to come into force, or nil.
func (s *State) announced() *netkit.AnnouncedConstitution {
	a := s.amendment
	if a.id == 0 {
		return nil
	}
	law, err := netkit.ReadConstitution([]byte(a.document))
	if err != nil {
		return nil
	}
	return &netkit.AnnouncedConstitution{ID: a.id, Version: a.version, SHA256: law.SHA256(), EffectiveAt: a.effective, By: a.by,
		Witnesses: slices.Concat([]string{}, a.drawn), Confirmed: slices.Concat([]string{}, a.confirmed), Document: law}
}

// announce adds the announcement of a constitution in place of its adoption.
func (c *adoptConstitution) announce(s *State, call *Call) error {
	if err := fixedParts(s.law, c.Document); err != nil {
		return err
	}
	if s.amendment.id != 0 {
		return conflict(code.AmendmentPending, "version "+s.amendment.version+" is announced and comes into force or lapses at "+s.amendment.effective.String(), "announce another after that")
	}
	call.Add(&ConstitutionAnnounced{c.Document.Version, c.canonical, call.At + netkit.Millis(s.law.Amendment.NoticeDays)*netkit.FullDay})
	return nil
}

// fixedParts refuses what no adoption may change: what the specification of
// the service fixes, the laws themselves, and the protections of how the
// constitution is changed and how long a crisis lasts.
func fixedParts(old, doc *netkit.Constitution) error {
	fixed := func(law, field, what string) error {
		return &netkit.Refusal{Kind: netkit.ErrForbidden, Code: code.ConstitutionFixed, Field: "document." + field, Law: law, What: what, Next: "leave it as {getConstitution} shows it"}
	}
	e, o := &doc.Economy, &old.Economy
	switch {
	case !slices.Equal(doc.Laws, old.Laws):
		return fixed(changedLaw(old, doc), "laws", "must stay as they are: the laws cannot be changed by adoption")
	case e.AgentShare != o.AgentShare || e.TreasuryShare != o.TreasuryShare:
		return fixed("L5", "economy.agent_share", "is fixed: every payout is split "+o.AgentShare.String()+" to "+o.TreasuryShare.String())
	case e.WelcomeGrant != o.WelcomeGrant:
		return fixed("L5", "economy.welcome_grant", "is fixed at "+o.WelcomeGrant.String()+" credits")
	case e.FeedPrice != o.FeedPrice || !slices.Equal(e.FreePriorities, o.FreePriorities) || !slices.Equal(e.PaidPriorities, o.PaidPriorities):
		return fixed("L3", "economy.feed_price", "is fixed: P0 is free, a read of P1 and P2 costs "+o.FeedPrice.String()+" credits")
	case doc.Limits.CapabilityStatement != old.Limits.CapabilityStatement:
		return fixed("L7", "limits.capability_statement", "is fixed at "+plural.Count(old.Limits.CapabilityStatement, "character", "characters"))
	case doc.Amendment.NoticeDays < old.Amendment.NoticeDays || doc.Amendment.Witnesses < old.Amendment.Witnesses:
		return fixed("L5", "amendment", "cannot ask for less notice or fewer witnesses than now")
	case doc.Crisis.Hours <= 0 && old.Crisis.Hours > 0 || doc.Crisis.Hours > max(old.Crisis.Hours, 72):
		return fixed("L3", "crisis.hours", "cannot be lifted, and is 72 at most")
	}
	for i := range old.Tiers {
		if !old.Tiers[i].Equal(&doc.Tiers[i]) {
			return fixed("L5", "tiers", "are fixed: what "+old.Tiers[i].Name.String()+" pays and needs cannot be changed by adoption")
		}
	}
	return nil
}

// changedLaw is the first law that two constitutions state differently.
func changedLaw(old, doc *netkit.Constitution) string {
	for i := range old.Laws {
		if doc.Laws[i] != old.Laws[i] {
			return old.Laws[i].ID
		}
	}
	return ""
}

// ConstitutionAnnounced records that a constitution is to come into force.
type ConstitutionAnnounced struct {
	Version   string
	Document  []byte // canonical JSON
	Effective netkit.Millis
}

func (*ConstitutionAnnounced) Kind() netkit.Kind { return netkit.KindConstitutionAnnounced }

func (f *ConstitutionAnnounced) CommandOf(*PastView) (Command, error) {
	doc, err := netkit.ReadConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return Adopting(netkit.AdoptConstitution{Document: doc})
}

func (f *ConstitutionAnnounced) Fields(c *wire.Codec) {
	wire.Str(c, "version", &f.Version)
	c.Raw("document", &f.Document)
	wire.Num(c, "effective", &f.Effective)
}

func (f *ConstitutionAnnounced) Apply(s *State, e *Entry) {
	*s.amendments.Edit(s.amendment) = amendment{id: e.Seq, version: f.Version, document: string(f.Document), by: e.Actor, effective: f.Effective, awaits: e.Seq}
	s.deadlines.plan(noticeEnds, f.Effective, e.Seq)
}

// witnessConstitution confirms an announced constitution by a drawn agent.
func (s *State) witnessConstitution(call *Call, p *Party) error {
	a := s.amendment
	switch {
	case !slices.Contains(a.drawn, p.Slug):
		return netkit.Forbidden("L6", code.WitnessOtherAsked, "other agents were drawn to witness this constitution", "{getConstitution} names them")
	case slices.Contains(a.confirmed, p.Slug):
		return conflict(code.AlreadyConfirmed, "you have confirmed this constitution", "")
	}
	call.Add(&ConstitutionWitnessed{a.id, a.version, p.Slug})
	return nil
}

// ConstitutionWitnessed records that a drawn agent confirmed an announced
// constitution.
type ConstitutionWitnessed struct {
	ID      uint64 // entry of the announcement
	Version string
	Witness string
}

func (*ConstitutionWitnessed) Kind() netkit.Kind { return netkit.KindConstitutionWitnessed }

func (f *ConstitutionWitnessed) CommandOf(*PastView) (Command, error) {
	return &Witness{netkit.Witness{ID: f.ID}}, nil
}

func (f *ConstitutionWitnessed) Fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "version", &f.Version)
	wire.Str(c, "witness", &f.Witness)
}

func (f *ConstitutionWitnessed) Apply(s *State, _ *Entry) {
	if a := s.amendments.Edit(s.amendment); a.id == f.ID {
		a.confirmed = append(slices.Clip(a.confirmed), f.Witness)
	}
}

// noticeDue brings an announced constitution into force, or has it lapse.
func (s *State) noticeDue(it dueItem) Fact {
	a := s.amendment
	if a.id != it.id || a.effective != it.at {
		return nil
	}
	if a.awaits != 0 || len(a.confirmed) < len(a.drawn) {
		return &ConstitutionLapsed{a.id, a.version}
	}
	return &ConstitutionAdopted{a.version, []byte(a.document)}
}

// ConstitutionLapsed records that an announced constitution was not confirmed
// in time.
type ConstitutionLapsed struct {
	ID      uint64 // entry of the announcement
	Version string
}

func (*ConstitutionLapsed) Kind() netkit.Kind { return netkit.KindConstitutionLapsed }

func (*ConstitutionLapsed) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *ConstitutionLapsed) Fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "version", &f.Version)
}

func (f *ConstitutionLapsed) Apply(s *State, _ *Entry) { *s.amendments.Edit(s.amendment) = amendment{} }

package netkit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// ConstitutionView is the constitution in force with the hash by which an
// agent accepts it.
type ConstitutionView struct {
	*Constitution
	SHA256 Hash `json:"sha256" doc:"of the document's canonical form, which lacks this field"`
	// Announced is the constitution that is to come into force.
	Announced *AnnouncedConstitution `json:"announced,omitempty" doc:"to come into force; no part of the document"`
}

// AcceptConstitution accepts the constitution in force by its hash.
type AcceptConstitution struct {
	SHA256 Hash `json:"sha256" doc:"SHA-256 of the constitution in force"`
}

// AcceptReceipt is the receipt of accepting a constitution.
type AcceptReceipt struct {
	Version string `json:"version"`
	SHA256  Hash   `json:"sha256"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
	// EffectiveAt is set for a constitution that was announced.
	EffectiveAt Millis `json:"effective_at,omitempty" doc:"when an announced constitution comes into force, if its witnesses confirm it"`
}

// AdoptConstitution puts a later constitution in force, from the next entry
// on; where the one in force asks for notice, it announces it. Only an operator
// may.
type AdoptConstitution struct {
	Document *Constitution `json:"document"`
}

// Constitution returns the constitution in force. The document is the
// very one that the network decides by: read it, and never change it; to adopt
// another, change a copy such as [Version1] returns.
func (ses *Session) Constitution(ctx context.Context) (ConstitutionView, error) {
	return view(ctx, ses.n, func(s *state) (ConstitutionView, error) {
		return ConstitutionView{s.law, s.law.SHA256(), s.announced()}, nil
	})
}

type acceptConstitution struct{ AcceptConstitution }

func (*acceptConstitution) route() string { return "constitution.accept" }

func (c *acceptConstitution) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if c.SHA256 != s.law.SHA256() {
		return invalid("sha256", code.ConstitutionOther, "is not the hash of the constitution in force", "read it at {getConstitution}")
	}
	call.add(&ConstitutionAccepted{p.slug, s.law.Version, c.SHA256})
	return nil
}

func (c *acceptConstitution) unchanged(s *state, _ *secrets, e *Entry, _ Millis) bool {
	_, p, ok := s.party(e.Actor)
	return ok && p.agent.accepted == s.law.Version
}

// ConstitutionAccepted records that an agent accepted a version.
type ConstitutionAccepted struct {
	Agent   string
	Version string
	SHA256  [32]byte
}

func (*ConstitutionAccepted) kind() Kind { return KindConstitutionAccepted }

func (f *ConstitutionAccepted) asked(*pastView) (command, error) {
	return &acceptConstitution{AcceptConstitution{f.SHA256}}, nil
}

func (f *ConstitutionAccepted) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "version", &f.Version)
	c.Hash("sha256", &f.SHA256)
}

func (f *ConstitutionAccepted) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.parties.Change(i).agent.accepted = f.Version
	}
}

// AcceptConstitution records that the caller accepts the one in force.
//
// Refusals: agents_only, constitution_other.
func (ses *Session) AcceptConstitution(ctx context.Context, in AcceptConstitution) (AcceptReceipt, error) {
	return run(ctx, ses, &acceptConstitution{in}, nil, func(e *Entry) AcceptReceipt {
		f := e.Fact.(*ConstitutionAccepted)
		return AcceptReceipt{Version: f.Version, SHA256: f.SHA256, Seq: e.Seq, At: e.At}
	})
}

type adoptConstitution struct {
	AdoptConstitution
	canonical []byte
}

func (*adoptConstitution) route() string { return "constitution.adopt" }

func (c *adoptConstitution) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	later, ok := laterVersion(c.Document.Version, s.law.Version)
	if !ok {
		return invalid("document.version", code.VersionMalformed, "is not three numbers", "write it as in 1.1.0")
	}
	if !later {
		return conflict(code.VersionNotLater, "the version is not later than the one in force", "raise document.version")
	}
	if s.law.Amendment.NoticeDays > 0 {
		return c.announce(s, call)
	}
	call.add(&ConstitutionAdopted{c.Document.Version, c.canonical})
	return nil
}

// laterVersion reports whether a is later than b; ok is false when a is not
// of the form 1.2.3.
func laterVersion(a, b string) (later, ok bool) {
	x, ok := versionParts(a)
	y, _ := versionParts(b)
	return slices.Compare(x, y) > 0, ok
}

func versionParts(s string) ([]int, bool) {
	var parts []int
	for text := range strings.SplitSeq(s, ".") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || strconv.Itoa(n) != text {
			return nil, false
		}
		parts = append(parts, n)
	}
	return parts, len(parts) == 3
}

// ConstitutionAdopted records a constitution: the entries after it are
// decided under its numbers and name its version.
type ConstitutionAdopted struct {
	Version  string
	Document []byte // canonical JSON
}

func (*ConstitutionAdopted) kind() Kind { return KindConstitutionAdopted }

func (f *ConstitutionAdopted) asked(h *pastView) (command, error) {
	if h.e.Actor == NetworkActor {
		return nil, nil // its notice was over
	}
	doc, err := readConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return adopting(AdoptConstitution{doc})
}

func (f *ConstitutionAdopted) fields(c *wire.Codec) {
	wire.Str(c, "version", &f.Version)
	c.Raw("document", &f.Document)
}

func (f *ConstitutionAdopted) apply(s *state, e *Entry) {
	s.adopt(f.Document)
	s.beginMarketTime(e.At)
	*s.amendments.Edit(s.amendment) = amendment{}
	s.nights.Edit(s.night).adopted = e.At.Day() // badges may ask for something else now
}

// adopting checks the document itself, before the queue.
func adopting(in AdoptConstitution) (*adoptConstitution, error) {
	if in.Document == nil {
		return nil, invalid("document", code.DocumentMissing, "is required", "start from {getConstitution}")
	}
	if err := in.Document.check(); err != nil {
		return nil, err
	}
	c := &adoptConstitution{in, in.Document.JSON()}
	if len(c.canonical) > 32<<10 {
		return nil, invalid("document", code.DocumentTooLong, fmt.Sprintf("has %d bytes, at most 32768 are allowed", len(c.canonical)), "shorten the rules")
	}
	return c, nil
}

// AdoptConstitution puts a later constitution in force.
//
// Refusals: amendment_pending, constitution_fixed, constitution_unsound,
// document_missing, document_too_long, version_malformed, version_not_later.
func (ses *Session) AdoptConstitution(ctx context.Context, in AdoptConstitution) (AcceptReceipt, error) {
	c, err := adopting(in)
	if err != nil {
		return AcceptReceipt{}, err
	}
	hash := Hash(in.Document.SHA256())
	r, err := run(ctx, ses, c, nil, func(e *Entry) AcceptReceipt {
		out := AcceptReceipt{Version: in.Document.Version, SHA256: hash, Seq: e.Seq, At: e.At}
		if f, ok := e.Fact.(*ConstitutionAnnounced); ok {
			out.EffectiveAt = f.Effective
		}
		return out
	})
	ses.n.followUp(ctx, err)
	return r, err
}

// Where the constitution asks for notice, a later one is announced first. It
// comes into force when the notice is over if the agents that were drawn for it
// have confirmed it; where fewer qualify than are drawn, the notice alone
// suffices. Otherwise it lapses.

// AmendmentRules says how a constitution is replaced.
type AmendmentRules struct {
	NoticeDays int `json:"notice_days" doc:"between the announcement of a constitution and its coming into force; default: none"`
	Witnesses  int `json:"witnesses" doc:"agents drawn to confirm it, all of whom have to"`
}

// AnnouncedConstitution is a constitution that is to come into force.
type AnnouncedConstitution struct {
	ID          uint64        `json:"id" doc:"entry that announced it, which its witnesses confirm"`
	Version     string        `json:"version"`
	SHA256      Hash          `json:"sha256"`
	EffectiveAt Millis        `json:"effective_at" doc:"when it comes into force if its witnesses have confirmed it, and lapses if not"`
	By          string        `json:"by"`
	Witnesses   []string      `json:"witnesses" doc:"agents drawn; none where too few qualify"`
	Confirmed   []string      `json:"confirmed" doc:"those who have confirmed it"`
	Document    *Constitution `json:"document"`
}

// amendment is a constitution that was announced; zero is none.
type amendment struct {
	id        uint64
	version   string
	document  string // canonical JSON
	by        string
	effective Millis
	awaits    uint64 // entry after which witnesses are drawn, 0 once that is done
	drawn     []string
	confirmed []string
}

func (a *amendment) fields(c *wire.Codec) {
	wire.Num(c, "id", &a.id)
	wire.Str(c, "version", &a.version)
	wire.Str(c, "document", &a.document)
	wire.Str(c, "by", &a.by)
	wire.Num(c, "effective", &a.effective)
	wire.Num(c, "awaits", &a.awaits)
	wire.Strs(c, "drawn", &a.drawn)
	wire.Strs(c, "confirmed", &a.confirmed)
}

// announced returns the constitution that is to come into force, nil is none.
func (s *state) announced() *AnnouncedConstitution {
	a := s.amendment
	if a.id == 0 {
		return nil
	}
	law, err := readConstitution([]byte(a.document))
	if err != nil {
		return nil
	}
	return &AnnouncedConstitution{ID: a.id, Version: a.version, SHA256: law.SHA256(), EffectiveAt: a.effective, By: a.by,
		Witnesses: slices.Concat([]string{}, a.drawn), Confirmed: slices.Concat([]string{}, a.confirmed), Document: law}
}

// announce adds the announcement of a constitution in place of its adoption.
func (c *adoptConstitution) announce(s *state, call *call) error {
	if err := fixedParts(s.law, c.Document); err != nil {
		return err
	}
	if s.amendment.id != 0 {
		return conflict(code.AmendmentPending, "version "+s.amendment.version+" is announced and comes into force or lapses at "+s.amendment.effective.String(), "announce another after that")
	}
	call.add(&ConstitutionAnnounced{c.Document.Version, c.canonical, call.at + Millis(s.law.Amendment.NoticeDays)*day})
	return nil
}

// fixedParts refuses what no adoption may change: what the specification of
// the service fixes, the laws themselves, and the protections of how the
// constitution is changed and how long a crisis lasts.
func fixedParts(old, doc *Constitution) error {
	fixed := func(law, field, what string) error {
		return &Refusal{Kind: ErrForbidden, Code: code.ConstitutionFixed, Field: "document." + field, Law: law, What: what, Next: "leave it as {getConstitution} shows it"}
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
		if !old.Tiers[i].equal(&doc.Tiers[i]) {
			return fixed("L5", "tiers", "are fixed: what "+old.Tiers[i].Name.String()+" pays and needs cannot be changed by adoption")
		}
	}
	return nil
}

// changedLaw is the first law that two constitutions state differently.
func changedLaw(old, doc *Constitution) string {
	for i := range old.Laws {
		if doc.Laws[i] != old.Laws[i] {
			return old.Laws[i].ID
		}
	}
	return ""
}

func (r *TierRule) equal(o *TierRule) bool {
	return r.Name == o.Name && r.Payout == o.Payout && r.WalletConfirmed == o.WalletConfirmed && r.Transactions == o.Transactions &&
		r.Diversity == o.Diversity && r.Reputation == o.Reputation && r.ActiveBadges == o.ActiveBadges && slices.Equal(r.OneOf, o.OneOf)
}

// ConstitutionAnnounced records that a constitution is to come into force.
type ConstitutionAnnounced struct {
	Version   string
	Document  []byte // canonical JSON
	Effective Millis
}

func (*ConstitutionAnnounced) kind() Kind { return KindConstitutionAnnounced }

func (f *ConstitutionAnnounced) asked(*pastView) (command, error) {
	doc, err := readConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return adopting(AdoptConstitution{doc})
}

func (f *ConstitutionAnnounced) fields(c *wire.Codec) {
	wire.Str(c, "version", &f.Version)
	c.Raw("document", &f.Document)
	wire.Num(c, "effective", &f.Effective)
}

func (f *ConstitutionAnnounced) apply(s *state, e *Entry) {
	*s.amendments.Edit(s.amendment) = amendment{id: e.Seq, version: f.Version, document: string(f.Document), by: e.Actor, effective: f.Effective, awaits: e.Seq}
	s.deadlines.plan(noticeEnds, f.Effective, e.Seq)
}

// witnessConstitution confirms an announced constitution by a drawn agent.
func (s *state) witnessConstitution(call *call, p *party) error {
	a := s.amendment
	switch {
	case !slices.Contains(a.drawn, p.slug):
		return forbidden("L6", code.WitnessOtherAsked, "other agents were drawn to witness this constitution", "{getConstitution} names them")
	case slices.Contains(a.confirmed, p.slug):
		return conflict(code.AlreadyConfirmed, "you have confirmed this constitution", "")
	}
	call.add(&ConstitutionWitnessed{a.id, a.version, p.slug})
	return nil
}

// ConstitutionWitnessed records that a drawn agent confirmed an announced
// constitution.
type ConstitutionWitnessed struct {
	ID      uint64 // entry of the announcement
	Version string
	Witness string
}

func (*ConstitutionWitnessed) kind() Kind { return KindConstitutionWitnessed }

func (f *ConstitutionWitnessed) asked(*pastView) (command, error) {
	return &witness{Witness{f.ID}}, nil
}

func (f *ConstitutionWitnessed) fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "version", &f.Version)
	wire.Str(c, "witness", &f.Witness)
}

func (f *ConstitutionWitnessed) apply(s *state, _ *Entry) {
	if a := s.amendments.Edit(s.amendment); a.id == f.ID {
		a.confirmed = append(slices.Clip(a.confirmed), f.Witness)
	}
}

// noticeDue brings an announced constitution into force, or has it lapse.
func (s *state) noticeDue(it dueItem) Fact {
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

func (*ConstitutionLapsed) kind() Kind { return KindConstitutionLapsed }

func (*ConstitutionLapsed) asked(*pastView) (command, error) { return nil, nil }

func (f *ConstitutionLapsed) fields(c *wire.Codec) {
	wire.Num(c, "id", &f.ID)
	wire.Str(c, "version", &f.Version)
}

func (f *ConstitutionLapsed) apply(s *state, _ *Entry) { *s.amendments.Edit(s.amendment) = amendment{} }

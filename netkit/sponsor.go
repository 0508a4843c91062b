package netkit

import (
	"context"
	"crypto/sha256"
	"errors"
	"strconv"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Deposit books outside money for a sponsor. Only an operator may.
type Deposit struct {
	Sponsor   string  `json:"sponsor"`
	Amount    Credits `json:"amount" minimum:"0.01" maximum:"10000000000"`
	Reference string  `json:"reference" doc:"the outside document behind it, such as a bank reference; 1 to 120 characters; a sponsor's reference books once" minLength:"1" maxLength:"120"`
}

// Deposited is the receipt of a deposit.
type Deposited struct {
	Sponsor string  `json:"sponsor"`
	Amount  Credits `json:"amount"`
	Balance Credits `json:"balance" doc:"uncommitted funds of the sponsor"`
	Seq     uint64  `json:"seq"`
	At      Millis  `json:"at"`
}

// deposit is a Deposit with what is public of its reference.
type deposit struct {
	Deposit
	reference [16]byte // see referenceOf; zero in entries of versions that kept none
}

func (*deposit) route() string { return "deposit" }

// referenceOf is the part of SHA-256 by which a sponsor's reference is known
// again: the reference itself is private, and may be erased.
func referenceOf(sponsor, reference string) [16]byte {
	sum := sha256.Sum256([]byte("deposit\x00" + sponsor + "\x00" + reference))
	return [16]byte(sum[:16])
}

func (c *deposit) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if _, _, err := s.sponsor("sponsor", c.Sponsor); err != nil {
		return err
	}
	if err := checkAmount("amount", c.Amount); err != nil {
		return err
	}
	if entry, booked := s.deposits.Get(c.reference); booked && c.reference != [16]byte{} {
		return &Refusal{Kind: ErrConflict, Code: code.DepositBooked, Field: "reference", What: "was booked for this sponsor by entry " + strconv.FormatUint(entry, 10),
			Next: "{getEntry} shows it; name another document if this is another deposit"}
	}
	call.add(&SponsorDeposited{c.Sponsor, c.Amount, c.reference}, move{Issuance, -c.Amount}, move{SponsorFunds(c.Sponsor), c.Amount})
	return nil
}

func (c *deposit) fields(k *wire.Codec) { wire.Str(k, "reference", &c.Reference) }

// checkAmount refuses amounts that no command may move.
func checkAmount(field string, a Credits) error {
	if a <= 0 {
		return invalid(field, code.AmountNotPositive, "must be more than 0", "")
	}
	if a > MaxAmount {
		return invalid(field, code.AmountTooLarge, "is over 10000000000.00", "split it")
	}
	return nil
}

// sponsor returns the row of a sponsor's slug, or a refusal for field.
func (s *state) sponsor(field, slug string) (uint32, *party, error) {
	if i, p, ok := s.party(slug); ok && p.kind == SponsorParty {
		if p.status == Proposed {
			return 0, nil, &Refusal{Kind: ErrConflict, Code: code.SponsorPending, Field: field, What: "names a sponsor that waits for a witness to its admission", Next: "{listWitnessDuties} tells agents what waits for them"}
		}
		return i, p, nil
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: code.SponsorUnknown, Field: field, What: "names no sponsor of this network", Next: "{listSponsors} lists them"}
}

// SponsorDeposited records outside money; it backs what the sponsor pays.
type SponsorDeposited struct {
	Sponsor   string
	Amount    Credits
	Reference [16]byte // see referenceOf
}

func (*SponsorDeposited) kind() Kind { return KindSponsorDeposited }

func (f *SponsorDeposited) asked(*pastView) (command, error) {
	return &deposit{Deposit{Sponsor: f.Sponsor, Amount: f.Amount}, f.Reference}, nil
}

func (f *SponsorDeposited) fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Amount(c, "amount", &f.Amount)
	c.Short("reference", &f.Reference)
}

func (f *SponsorDeposited) apply(s *state, e *Entry) {
	if i, _, ok := s.party(f.Sponsor); ok {
		s.parties.Change(i).backing += f.Amount
	}
	if f.Reference != [16]byte{} {
		s.deposits.Put(f.Reference, e.Seq)
	}
}

// Deposit credits outside money to a sponsor.
//
// Refusals: deposit_booked, sponsor_unknown.
func (ses *Session) Deposit(ctx context.Context, in Deposit) (Deposited, error) {
	if err := checkText("reference", in.Reference, 1, 120); err != nil {
		return Deposited{}, err
	}
	c := &deposit{in, referenceOf(in.Sponsor, in.Reference)}
	return run(ctx, ses, c, c, func(e *Entry) Deposited {
		f := e.Fact.(*SponsorDeposited)
		return Deposited{f.Sponsor, f.Amount, e.balanceAfter(SponsorFunds(f.Sponsor)), e.Seq, e.At}
	})
}

// ProposeSponsor asks to admit an organisation that funds contracts. Only an
// operator may; an agent confirms it as witness.
type ProposeSponsor struct {
	Sponsor string `json:"sponsor" doc:"slug of the sponsor, reserved from now on" minLength:"3" maxLength:"40" pattern:"^[a-z0-9][a-z0-9-]*[a-z0-9]$"`
	Name    string `json:"name,omitempty" doc:"what the organisation is called; at most 120 characters" maxLength:"120"`
	// TokenSHA256 is the hash of a token that the sponsor made itself; without
	// it the network makes one and shows it once.
	TokenSHA256 *Hash `json:"token_sha256,omitempty" doc:"SHA-256 of the 32 bytes of a token that the sponsor made itself"`
}

// AdmissionReceipt is the receipt of a proposal.
type AdmissionReceipt struct {
	AdmissionID   uint64 `json:"admission_id"`
	Sponsor       string `json:"sponsor"`
	State         string `json:"state" enum:"pending,admitted"`
	WitnessNeeded bool   `json:"witness_needed" doc:"false while too few agents qualify as witness: then it is admitted at once"`
	Token         string `json:"token,omitempty" doc:"the sponsor's bearer token, shown this once"`
	Seq           uint64 `json:"seq"`
	At            Millis `json:"at"`
}

// SponsorView is a sponsor as anyone may see it.
type SponsorView struct {
	Slug     string  `json:"slug"`
	Name     string  `json:"name,omitempty"`
	Admitted bool    `json:"admitted"`
	Witness  string  `json:"witness,omitempty" doc:"the agent that confirmed the admission; absent where it was waived"`
	Since    Millis  `json:"since" doc:"when it was admitted; null until then"`
	Funds    Credits `json:"funds" doc:"not committed to a contract"`

	Executions uint64  `json:"executions" doc:"of its contracts so far"`
	Spent      Credits `json:"spent" doc:"payouts so far, without what was returned"`
	Returned   Credits `json:"returned" doc:"payouts that came back after a report was upheld"`
}

// bought is kept of a sponsor, so that nobody has to add up its executions.
type bought struct {
	executions     uint64
	paid, returned Credits
	in             entrySpans // where in the journal its executions are
}

func (b *bought) fields(c *wire.Codec) {
	wire.Num(c, "executions", &b.executions)
	wire.Amount(c, "paid", &b.paid)
	wire.Amount(c, "returned", &b.returned)
	b.in.fields(c, "in")
}

// admission is how a sponsor came in.
type admission struct {
	id      uint64 // entry of the proposal, or of the admission where it was admitted at once
	party   uint32 // row of the sponsor
	name    string
	by      string // operator who proposed it
	at      Millis
	since   Millis // when it was admitted, 0 is not yet
	witness string // "" until there is one, or where it was waived
}

func (a *admission) fields(c *wire.Codec) {
	wire.Num(c, "id", &a.id)
	wire.Num(c, "party", &a.party)
	wire.Str(c, "name", &a.name)
	wire.Str(c, "by", &a.by)
	wire.Num(c, "at", &a.at)
	wire.Num(c, "since", &a.since)
	wire.Str(c, "witness", &a.witness)
}

func admissionID(a *admission) uint64 { return a.id }

// proposeSponsor begins an admission. Sponsors are where all backing comes
// from, so that one operator alone must not be able to make one once there are
// agents who could look at it. It holds the hash of the
// sponsor's token besides.
type proposeSponsor struct {
	ProposeSponsor
	hash Hash
}

func (*proposeSponsor) route() string { return "sponsor" }

// tokenHash has the secrets refuse a hash that is taken.
func (c *proposeSponsor) tokenHash() Hash { return c.hash }

func (c *proposeSponsor) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	if err := s.newSlug("sponsor", c.Sponsor); err != nil {
		return err
	}
	if err := checkText("name", c.Name, 0, 120); err != nil {
		return err
	}
	if s.enoughWitnesses(call.at, stakes{}) {
		call.add(&SponsorProposed{Sponsor: c.Sponsor, Name: c.Name})
	} else {
		call.add(&SponsorAdmitted{Sponsor: c.Sponsor, Name: c.Name, Proposer: call.by.Slug, Waived: true})
	}
	return nil
}

func (c *proposeSponsor) fields(k *wire.Codec) {
	t := access.Grant[Scope]{Hash: c.hash, Scopes: []Scope{ScopeAll}}
	t.Fields(k)
}

// SponsorProposed reserves the slug of an organisation until a witness
// confirms that it may fund contracts.
type SponsorProposed struct {
	Sponsor string
	Name    string // public, as the sponsor is
}

func (*SponsorProposed) kind() Kind { return KindSponsorProposed }

func (f *SponsorProposed) asked(*pastView) (command, error) {
	return &proposeSponsor{ProposeSponsor: ProposeSponsor{Sponsor: f.Sponsor, Name: f.Name}}, nil
}

func (f *SponsorProposed) fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Str(c, "name", &f.Name)
}

func (f *SponsorProposed) apply(s *state, e *Entry) {
	s.enrolSponsor(party{slug: f.Sponsor, status: Proposed, since: e.At, seq: e.Seq}, admission{name: f.Name, by: e.Actor})
}

func (f *SponsorProposed) applySecret(x *secrets, e *Entry, p *private) { x.grant(f.Sponsor, e, p) }

// enrolSponsor adds a sponsor with the story of its admission.
func (s *state) enrolSponsor(p party, a admission) {
	a.id, a.at, a.party = p.seq, p.since, s.parties.Len()
	p.kind = SponsorParty
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

func (*SponsorAdmitted) kind() Kind { return KindSponsorAdmitted }

func (f *SponsorAdmitted) asked(*pastView) (command, error) {
	if f.Admission != 0 {
		return &witness{Witness{f.Admission}}, nil
	}
	return &proposeSponsor{ProposeSponsor: ProposeSponsor{Sponsor: f.Sponsor, Name: f.Name}}, nil
}

func (f *SponsorAdmitted) fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Str(c, "name", &f.Name)
	wire.Num(c, "admission", &f.Admission)
	wire.Str(c, "proposer", &f.Proposer)
	wire.Str(c, "witness", &f.Witness)
	c.Flag("witness_waived", &f.Waived)
}

func (f *SponsorAdmitted) apply(s *state, e *Entry) {
	if f.Admission == 0 {
		s.enrolSponsor(party{slug: f.Sponsor, since: e.At, seq: e.Seq}, admission{name: f.Name, by: f.Proposer, since: e.At, witness: f.Witness})
		s.admitted.add(e.Seq)
		return
	}
	if row, ok := s.admissions.Get(f.Admission); ok {
		a := s.admissions.Edit(row)
		a.witness = f.Witness
		a.since = e.At
		s.parties.Change(a.party).status = Active
		s.admitted.add(a.id)
	}
}

func (f *SponsorAdmitted) applySecret(x *secrets, e *Entry, p *private) {
	if f.Admission == 0 && p != nil {
		x.grant(f.Sponsor, e, p)
	}
}

// ProposeSponsor proposes a sponsor for admission, which takes effect when an
// agent confirms it as witness; at once while too few agents qualify.
//
// Refusals: slug_malformed, slug_reserved, slug_taken.
func (ses *Session) ProposeSponsor(ctx context.Context, in ProposeSponsor) (AdmissionReceipt, error) {
	cmd := &proposeSponsor{ProposeSponsor: in}
	token, err := ses.n.mint(in.TokenSHA256, &cmd.hash)
	if err != nil {
		return AdmissionReceipt{}, err
	}
	out, again, err := perform(ctx, ses, cmd, cmd, admissionReceipt)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := ses.n.regrant(ctx, in.Sponsor, *in.TokenSHA256); ok {
			return admissionReceipt(e), nil
		}
	}
	return out, err
}

func admissionReceipt(e *Entry) AdmissionReceipt {
	r := AdmissionReceipt{AdmissionID: e.Seq, Seq: e.Seq, At: e.At}
	switch f := e.Fact.(type) {
	case *SponsorProposed:
		r.Sponsor, r.State, r.WitnessNeeded = f.Sponsor, "pending", true
	case *SponsorAdmitted:
		r.Sponsor, r.State = f.Sponsor, "admitted"
	}
	return r
}

// Sponsors lists the sponsors, newest first.
func (ses *Session) Sponsors(ctx context.Context, page Page) (List[SponsorView], error) {
	size, before, err := page.window()
	if err != nil {
		return List[SponsorView]{}, err
	}
	now := ses.n.Now()
	var out List[SponsorView]
	list := listing[admission, SponsorView]{shelf: admissionShelf, before: before, size: size, old: true,
		match: func(s *state) (func(*admission) bool, error) {
			out.AsOf = s.asOf(now)
			return func(*admission) bool { return true }, nil
		},
		show: (*state).sponsorView}
	out.Items, out.NextCursor, err = list.read(ctx, ses.n)
	return out, err
}

func (s *state) sponsorView(a *admission) SponsorView {
	p := s.parties.At(a.party)
	b := &s.extra(p).bought
	return SponsorView{Executions: b.executions, Spent: b.paid - b.returned, Returned: b.returned, Slug: p.slug, Name: a.name, Admitted: a.since != 0, Witness: a.witness, Since: a.since, Funds: s.wallets.At(a.party).held}
}

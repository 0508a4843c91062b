package netkit

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// Fact is what an entry records beyond its postings: one struct per kind, such
// as [Executed] or [AgentSpawned]. Read it with a type switch; the fields are
// those of the entry's "fact" in the journal. Facts are shared with the network:
// read them, never change them.
type Fact interface {
	kind() Kind
	fields(*wire.Codec) // the public part, in fixed order
	// asked returns the command that must have led to the fact, so that an
	// audit can decide it again: see pastView. It is nil for what nobody asks
	// for: what falls due, and what follows from the fact before.
	asked(*pastView) (command, error)
	// apply changes the state. It is total: it holds no policy and never
	// refuses, since what it records has happened.
	apply(*state, *Entry)
}

// secretFact is a fact whose private part the second fold reads: tokens,
// webhook addresses.
type secretFact interface {
	Fact
	applySecret(*secrets, *Entry, *private)
}

// NetworkActor is the actor of entries that no one asked for: what fell due
// and what the night did.
const NetworkActor = "network"

// Entry is one journal entry: a fact, its postings and their circumstances.
type Entry struct {
	Seq          uint64    // position in the journal; 0 is genesis
	At           Millis    // never before the previous entry's
	Kind         Kind      // names the fact
	Version      int       // of the kind's fields
	Actor        string    // slug of who acted, or NetworkActor
	Constitution string    // version under which it was decided
	Fact         Fact      // nil where the kind was not asked for
	Postings     []Posting // sum to zero
	Private      [32]byte  // SHA-256 of the private part; zero when it has none
}

// entryVersion is the version of every kind's fields so far. A kind whose
// fields change their meaning gets a version of its own then.
const entryVersion = 1

func (e *Entry) fields(c *wire.Codec) {
	wire.Num(c, "seq", &e.Seq)
	wire.Num(c, "at", &e.At)
	e.kindField(c)
	wire.Num(c, "v", &e.Version)
	if c.Reading() && e.Version != entryVersion {
		c.Fail("version " + strconv.Itoa(e.Version) + " of kind " + string(e.Kind) + ", which this version does not know: use the one that wrote it or a newer one")
	}
	wire.Str(c, "actor", &e.Actor)
	wire.Str(c, "constitution", &e.Constitution)
	e.factFields(c)
	wire.ListFor(c, "postings", &e.Postings, len(draft{}.moves), object[Posting])
	c.Hash("private", &e.Private)
}

// kindField carries the kind. Reading makes the fact of that kind, whose name
// needs no memory of its own.
func (e *Entry) kindField(c *wire.Codec) {
	if !c.Reading() {
		wire.Str(c, "kind", &e.Kind)
		return
	}
	if !c.Has("kind") {
		c.Fail("want a kind")
		return
	}
	raw, _ := c.ReadRaw()
	row, ok := kinds[Kind(raw)]
	if !ok {
		c.Fail("an entry of kind " + string(raw) + ", which this version does not know: use the version that wrote it or a newer one")
		return
	}
	e.Fact = row.make()
	e.Kind = e.Fact.kind()
}

func (e *Entry) factFields(c *wire.Codec) {
	if !c.Reading() {
		c.Key("fact")
	} else if e.Fact == nil || !c.Has("fact") {
		c.Fail("want a fact")
		return
	}
	c.Begin()
	e.Fact.fields(c)
	c.End()
}

// object is the element function for lists of things with fields.
func object[T any, P interface {
	*T
	fields(*wire.Codec)
}](c *wire.Codec, p *T) {
	c.Begin()
	P(p).fields(c)
	c.End()
}

// appendEntry writes the public part.
func appendEntry(b []byte, e *Entry) []byte {
	c := wire.Writer(b)
	c.Begin()
	e.fields(&c)
	c.End()
	return c.Bytes()
}

// ReadEntry reads the public part of a journal record and checks that its
// postings sum to zero and that a private part, where one is still there, is
// the one that the public part names.
func ReadEntry(r journal.Record) (*Entry, error) {
	e := new(Entry)
	return e, e.readRecord(r)
}

func (e *Entry) readRecord(r journal.Record) error {
	if err := e.read(r.Public); err != nil {
		return fmt.Errorf("%w: entry %d: %w", ErrCorrupt, r.Seq, err)
	}
	if e.Seq != r.Seq {
		return fmt.Errorf("%w: record %d holds entry %d", ErrCorrupt, r.Seq, e.Seq)
	}
	if r.Private != nil && sha256.Sum256(r.Private) != e.Private {
		return e.violation(rulePrivate, "it has another hash than the entry names; restore a backup")
	}
	return e.balanced()
}

// balanced checks that an entry's postings sum to zero.
func (e *Entry) balanced() error {
	var sum Credits
	for i := range e.Postings {
		sum += e.Postings[i].Amount
	}
	if sum != 0 {
		return e.violation(ruleZero, "its postings sum to %s", sum)
	}
	return nil
}

func (e *Entry) read(b []byte) error {
	c := wire.Reader(b)
	c.Begin()
	e.fields(&c)
	c.End()
	return c.Done()
}

// amount returns what the entry posts to account.
func (e *Entry) amount(a Account) Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return e.Postings[i].Amount
		}
	}
	return 0
}

// balanceAfter returns what account holds after the entry.
func (e *Entry) balanceAfter(a Account) Credits {
	for i := range e.Postings {
		if e.Postings[i].Account == a {
			return e.Postings[i].After
		}
	}
	return 0
}

// private is the second part of an entry: content, secrets and the caller's
// idempotency key, salted so that its hash tells nothing. It may be erased.
type private struct {
	salt  [16]byte
	scope string   // route and hashed idempotency key, "" without
	print [32]byte // fingerprint of the request body
	token uint64   // id of the token that acted, 0 in process
	text  []byte   // JSON of the content, its form known to the kind

	// former is the scope with the key itself, as earlier releases kept it. It is
	// looked up, and never stored.
	former string
}

func (p *private) fields(c *wire.Codec) {
	c.Hex("salt", p.salt[:])
	wire.Str(c, "scope", &p.scope)
	c.Hash("print", &p.print)
	wire.Num(c, "token", &p.token)
	c.Share("text", &p.text)
}

func (p *private) append(b []byte) []byte {
	c := wire.Writer(b)
	c.Begin()
	p.fields(&c)
	c.End()
	return c.Bytes()
}

// read decodes the private part's content.
func (p *private) read(t content) error {
	c := wire.Reader(p.text)
	c.Begin()
	t.fields(&c)
	c.End()
	return c.Done()
}

// encodeText returns the content of a command as its private part holds it.
func encodeText(text content) []byte {
	c := wire.Writer(make([]byte, 0, 512))
	c.Begin()
	text.fields(&c)
	c.End()
	return c.Bytes()
}

func readPrivate(b []byte) (*private, error) {
	p := new(private)
	return p, p.decode(b)
}

func (p *private) decode(b []byte) error {
	c := wire.Reader(b)
	c.Begin()
	p.fields(&c)
	c.End()
	return c.Done()
}

// kindRow says what stands beside the fact of a kind.
type kindRow struct {
	make func() Fact
	// rules names what a fact of the kind has to hold to: by field, under
	// "postings" for its money, under "" for the fact as a whole where nothing
	// brings it about. What has no name here is called by kind and field.
	rules rules
}

type rules = map[string]string

// kinds has a row for every kind of fact. An entry of another kind stops the
// start, since a state without it would be wrong.
var kinds = map[Kind]kindRow{
	KindGenesis:               {fact[Founded], nil},
	KindAgentSpawned:          {fact[AgentSpawned], rules{"postings": "welcome grant"}},
	KindSponsorAdmitted:       {fact[SponsorAdmitted], rules{"": "sponsor's witness"}},
	KindSponsorDeposited:      {fact[SponsorDeposited], rules{"postings": "deposit"}},
	KindSponsorProposed:       {fact[SponsorProposed], nil},
	KindBadgeIssued:           {fact[BadgeIssued], rules{"": "badge conditions", "agent": "badge conditions", "badge": "badge conditions", "reputation": "badge scores", "diversity": "badge scores", "size": ruleTree, "root": ruleTree}},
	KindBadgeRevocationBegun:  {fact[RevocationBegun], nil},
	KindBadgeRevoked:          {fact[BadgeRevoked], rules{"": "L6 revocation", "reason": "L6 revocation", "revoker": "L6 revocation", "witness": "L6 revocation"}},
	KindRevocationAppealed:    {fact[RevocationAppealed], rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindRevocationLapsed:      {fact[RevocationLapsed], rules{"revocation": ruleDue, "": ruleNotDue}},
	KindBadgeRestored:         {fact[BadgeRestored], rules{"": "L6 revocation", "badge": "L6 revocation"}},
	KindCaseFiled:             {fact[ReportFiled], rules{"bond": "report bond", "postings": "report bond", "follows": "one case at a time", "waits": "panel drawn by signature", "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseJoined:            {fact[ReportJoined], rules{"case": "one case at a time", "state": "one case at a time", "bond": "report bond", "postings": "report bond"}},
	KindCaseDrawn:             {fact[CaseDrawn], rules{"panel": "panel drawn by signature", "ends": "verdict time", "size": ruleTree, "root": ruleTree}},
	KindCaseVerdict:           {fact[VerdictGiven], rules{"state": "majority", "uphold": "hidden verdict"}},
	KindCaseRedrawn:           {fact[PanelDrawn], rules{"case": ruleDue, "": ruleNotDue, "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseDecided:           {fact[CaseDecided], rules{"": "majority", "uphold": "majority", "until": "appeal time", "effect": "judgement", "overturn": "judgement", "penalty": "judgement", "standing": "judgement", "opened": "hidden verdict"}},
	KindCaseAppealed:          {fact[CaseAppealed], rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseFinal:             {fact[CaseFinal], rules{"case": ruleDue, "": ruleNotDue}},
	KindCasePaid:              {fact[CasePaid], rules{"case": ruleDue, "": ruleNotDue, "place": "review payments", "party": "review payments", "reason": "review payments", "amount": "review payments", "unpaid": "review payments", "postings": "review payments"}},
	KindAgentReinstated:       {fact[AgentReinstated], nil},
	KindAgentFlagged:          {fact[AgentFlagged], rules{"": "detectors", "agent": "detectors", "date": "detectors", "detections": "detectors", "detector": "detectors", "have": "detectors", "most": "detectors", "unit": "detectors"}},
	KindNightStep:             {fact[NightStepped], rules{"": "a date is closed once", "issued": "badge conditions", "from": "night judges all", "to": "night judges all", "judged": "night judges all", "again": "night judges all", "last": "night judges all"}},
	KindNightClosed:           {fact[NightClosed], rules{"": "night judges all", "judged": "night judges all", "issued": "night judges all"}},
	KindContractOpened:        {fact[ContractOpened], rules{"postings": "contract budget"}},
	KindContractFunded:        {fact[ContractFunded], rules{"postings": "contract budget"}},
	KindContractFinished:      {fact[ContractFinished], rules{"campaign": ruleDue, "": ruleNotDue, "returned": "contract refund", "postings": "contract refund"}},
	KindExecution:             {fact[Executed], rules{"tier": "tier rate", "payout": "tier rate", "used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "split 85/15", "clears": "clearing time", "newcomer": "newcomers' share"}},
	KindExecutionAccepted:     {fact[ExecutionsAccepted], rules{"": "accepted once", "executions": "accepted once", "sponsor": "accepted by its sponsor"}},
	KindExecutionReturned:     {fact[ExecutionReturnedFact], rules{"": "returned before it cleared", "postings": "pay returned"}},
	KindAgentClaims:           {fact[ClaimsSet], nil},
	KindAgentChannels:         {fact[ChannelsSet], nil},
	KindWalletDeclared:        {fact[WalletDeclared], nil},
	KindWalletConfirmed:       {fact[WalletConfirmed], nil},
	KindAgentRoles:            {fact[RoleChanged], nil},
	KindAgentWebhook:          {fact[WebhookSet], nil},
	KindAgentRecovered:        {fact[AgentRecovered], nil},
	KindTokenIssued:           {fact[TokenIssued], nil},
	KindTokenRevoked:          {fact[TokenRevoked], nil},
	KindOperatorAdded:         {fact[OperatorAdded], nil},
	KindConstitutionAccepted:  {fact[ConstitutionAccepted], nil},
	KindConstitutionAdopted:   {fact[ConstitutionAdopted], rules{"": ruleNotDue, "version": ruleDue}},
	KindConstitutionAnnounced: {fact[ConstitutionAnnounced], rules{"effective": "notice of a constitution"}},
	KindConstitutionWitnessed: {fact[ConstitutionWitnessed], nil},
	KindConstitutionLapsed:    {fact[ConstitutionLapsed], rules{"id": ruleDue, "": ruleNotDue}},
	KindDispatchPublished:     {fact[Published], rules{"until": "crisis term", "held": "crisis term"}},
	KindCrisisResolved:        {fact[CrisisResolved], rules{"dispatch": ruleDue, "": ruleNotDue}},
	KindWitnessDrawn:          {fact[WitnessDrawn], rules{"agents": "witnesses drawn by signature", "size": ruleTree, "root": ruleTree}},
	KindCrisisRenewed:         {fact[CrisisRenewed], rules{"until": "crisis term", "running": "crisis term"}},
	KindFeedOpened:            {fact[FeedOpened], rules{"postings": "feed price", "": "feed price"}},
	KindAttentionSent:         {fact[AttentionSent], rules{"price": "floor price", "backing": "backing", "expires": "deadline", "postings": "escrow"}},
	KindAttentionAnswered:     {fact[AttentionAnswered], rules{"used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "escrow"}},
	KindAttentionDeclined:     {fact[AttentionDeclined], rules{"postings": "escrow refund"}},
	KindAttentionExpired:      {fact[AttentionExpired], rules{"id": ruleDue, "": ruleNotDue, "postings": "escrow refund"}},
	KindPrivateErased:         {fact[PrivateErased], nil},
	KindPlaybookCommitted:     {fact[PlaybookCommitted], rules{"": "committed once"}},
	KindPlaybookRegistered:    {fact[PlaybookRegistered], rules{"": "registered once"}},
	KindExchangeOpened:        {fact[ExchangeOpened], nil},
	KindExchangeClosed:        {fact[ExchangeClosed], nil},
	KindExchangeTold:          {fact[ExchangeTold], rules{"": ruleNotDue}},
	KindPlantCreated:          {fact[PlantCreated], nil},
	KindRowsArchived:          {fact[RowsArchived], rules{"": ruleNotDue, "contracts": "archived as they were", "cases": "archived as they were", "kept": "archived as they were", "dispatches": "archived as they were", "admissions": "archived as they were"}},
}

// fact makes a maker for kinds.
func fact[T any, P interface {
	*T
	Fact
}]() Fact {
	return P(new(T))
}

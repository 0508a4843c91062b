package netkit

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/journal"
)

// Kind names what an entry records, such as "execution".
type Kind string

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

// The kinds of entry.
const (
	KindGenesis               Kind = "genesis"
	KindAgentSpawned          Kind = "agent.spawned"
	KindSponsorAdmitted       Kind = "sponsor.admitted"
	KindSponsorDeposited      Kind = "sponsor.deposited"
	KindSponsorProposed       Kind = "sponsor.proposed"
	KindBadgeIssued           Kind = "badge.issued"
	KindBadgeRevocationBegun  Kind = "badge.revocation.begun"
	KindBadgeRevoked          Kind = "badge.revoked"
	KindRevocationAppealed    Kind = "badge.revocation.appealed"
	KindRevocationLapsed      Kind = "badge.revocation.lapsed"
	KindBadgeRestored         Kind = "badge.restored"
	KindCaseFiled             Kind = "case.filed"
	KindCaseJoined            Kind = "case.joined"
	KindCaseDrawn             Kind = "case.drawn"
	KindCaseVerdict           Kind = "case.verdict"
	KindCaseRedrawn           Kind = "case.redrawn"
	KindCaseDecided           Kind = "case.decided"
	KindCaseAppealed          Kind = "case.appealed"
	KindCaseFinal             Kind = "case.final"
	KindCasePaid              Kind = "case.paid"
	KindAgentReinstated       Kind = "agent.reinstated"
	KindAgentFlagged          Kind = "agent.flagged"
	KindNightStep             Kind = "night.step"
	KindNightClosed           Kind = "night.closed"
	KindContractOpened        Kind = "contract.opened"
	KindContractFunded        Kind = "contract.funded"
	KindContractFinished      Kind = "contract.finished"
	KindExecution             Kind = "execution"
	KindExecutionAccepted     Kind = "execution.accepted"
	KindExecutionReturned     Kind = "execution.returned"
	KindAgentClaims           Kind = "agent.claims"
	KindAgentChannels         Kind = "agent.channels"
	KindWalletDeclared        Kind = "wallet.declared"
	KindWalletConfirmed       Kind = "wallet.confirmed"
	KindAgentRoles            Kind = "agent.roles"
	KindAgentWebhook          Kind = "agent.webhook"
	KindAgentRecovered        Kind = "agent.recovered"
	KindTokenIssued           Kind = "token.issued"
	KindTokenRevoked          Kind = "token.revoked"
	KindOperatorAdded         Kind = "operator.added"
	KindConstitutionAccepted  Kind = "constitution.accepted"
	KindConstitutionAdopted   Kind = "constitution.adopted"
	KindConstitutionAnnounced Kind = "constitution.announced"
	KindConstitutionWitnessed Kind = "constitution.witnessed"
	KindConstitutionLapsed    Kind = "constitution.lapsed"
	KindDispatchPublished     Kind = "dispatch.published"
	KindCrisisResolved        Kind = "crisis.resolved"
	KindWitnessDrawn          Kind = "witness.drawn"
	KindCrisisRenewed         Kind = "crisis.renewed"
	KindFeedOpened            Kind = "feed.opened"
	KindAttentionSent         Kind = "attention.sent"
	KindAttentionAnswered     Kind = "attention.answered"
	KindAttentionDeclined     Kind = "attention.declined"
	KindAttentionExpired      Kind = "attention.expired"
	KindPrivateErased         Kind = "private.erased"
	KindPlaybookCommitted     Kind = "playbook.committed"
	KindPlaybookRegistered    Kind = "playbook.registered"
	KindExchangeOpened        Kind = "exchange.opened"
	KindExchangeTold          Kind = "exchange.told"
	KindPlantCreated          Kind = "plant.created"
	KindRowsArchived          Kind = "rows.archived"
)

// kindRow says what stands beside the fact of a kind.
type kindRow struct {
	make  func() Fact
	title string // for people
	// rules names what a fact of the kind has to hold to: by field, under
	// "postings" for its money, under "" for the fact as a whole where nothing
	// brings it about. What has no name here is called by kind and field.
	rules rules
}

type rules = map[string]string

// kinds has a row for every kind of fact. An entry of another kind stops the
// start, since a state without it would be wrong.
var kinds = map[Kind]kindRow{
	KindGenesis:               {fact[Founded], "The network begins", nil},
	KindAgentSpawned:          {fact[AgentSpawned], "Agent spawned, welcome grant credited", rules{"postings": "welcome grant"}},
	KindSponsorAdmitted:       {fact[SponsorAdmitted], "Sponsor admitted", rules{"": "sponsor's witness"}},
	KindSponsorDeposited:      {fact[SponsorDeposited], "Deposit booked", rules{"postings": "deposit"}},
	KindSponsorProposed:       {fact[SponsorProposed], "Sponsor proposed", nil},
	KindBadgeIssued:           {fact[BadgeIssued], "Badge issued", rules{"": "badge conditions", "agent": "badge conditions", "badge": "badge conditions", "reputation": "badge scores", "diversity": "badge scores", "size": ruleTree, "root": ruleTree}},
	KindBadgeRevocationBegun:  {fact[RevocationBegun], "Revocation begun", nil},
	KindBadgeRevoked:          {fact[BadgeRevoked], "Badge revoked", rules{"": "L6 revocation", "reason": "L6 revocation", "revoker": "L6 revocation", "witness": "L6 revocation"}},
	KindRevocationAppealed:    {fact[RevocationAppealed], "Revocation appealed", rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindRevocationLapsed:      {fact[RevocationLapsed], "Revocation lapsed", rules{"revocation": ruleDue, "": ruleNotDue}},
	KindBadgeRestored:         {fact[BadgeRestored], "Badge restored", rules{"": "L6 revocation", "badge": "L6 revocation"}},
	KindCaseFiled:             {fact[ReportFiled], "Report filed", rules{"bond": "report bond", "postings": "report bond", "follows": "one case at a time", "waits": "panel drawn by signature", "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseJoined:            {fact[ReportJoined], "Report joined a case", rules{"case": "one case at a time", "state": "one case at a time", "bond": "report bond", "postings": "report bond"}},
	KindCaseDrawn:             {fact[CaseDrawn], "Panel drawn", rules{"panel": "panel drawn by signature", "ends": "verdict time", "size": ruleTree, "root": ruleTree}},
	KindCaseVerdict:           {fact[VerdictGiven], "Verdict given", rules{"state": "majority", "uphold": "hidden verdict"}},
	KindCaseRedrawn:           {fact[PanelDrawn], "Panel drawn again", rules{"case": ruleDue, "": ruleNotDue, "panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseDecided:           {fact[CaseDecided], "Case decided", rules{"": "majority", "uphold": "majority", "until": "appeal time", "effect": "judgement", "overturn": "judgement", "penalty": "judgement", "standing": "judgement", "opened": "hidden verdict"}},
	KindCaseAppealed:          {fact[CaseAppealed], "Case appealed", rules{"panel": "panel drawn by seed", "seed": "panel drawn by seed", "ends": "verdict time"}},
	KindCaseFinal:             {fact[CaseFinal], "Case final", rules{"case": ruleDue, "": ruleNotDue}},
	KindCasePaid:              {fact[CasePaid], "Payment of a case", rules{"case": ruleDue, "": ruleNotDue, "place": "review payments", "party": "review payments", "reason": "review payments", "amount": "review payments", "unpaid": "review payments", "postings": "review payments"}},
	KindAgentReinstated:       {fact[AgentReinstated], "Agent reinstated", nil},
	KindAgentFlagged:          {fact[AgentFlagged], "Agent flagged by detectors", rules{"": "detectors", "agent": "detectors", "date": "detectors", "detections": "detectors", "detector": "detectors", "have": "detectors", "most": "detectors", "unit": "detectors"}},
	KindNightStep:             {fact[NightStepped], "Night, next step", rules{"": "a date is closed once", "issued": "badge conditions", "from": "night judges all", "to": "night judges all", "judged": "night judges all", "again": "night judges all", "last": "night judges all"}},
	KindNightClosed:           {fact[NightClosed], "Night closed", rules{"": "night judges all", "judged": "night judges all", "issued": "night judges all"}},
	KindContractOpened:        {fact[ContractOpened], "Contract opened", rules{"postings": "contract budget"}},
	KindContractFunded:        {fact[ContractFunded], "Contract funded", rules{"postings": "contract budget"}},
	KindContractFinished:      {fact[ContractFinished], "Contract finished", rules{"campaign": ruleDue, "": ruleNotDue, "returned": "contract refund", "postings": "contract refund"}},
	KindExecution:             {fact[Executed], "Contract executed", rules{"tier": "tier rate", "payout": "tier rate", "used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "split 85/15", "clears": "clearing time", "newcomer": "newcomers' share"}},
	KindExecutionAccepted:     {fact[ExecutionsAccepted], "Executions accepted", rules{"": "accepted once", "executions": "accepted once", "sponsor": "accepted by its sponsor"}},
	KindExecutionReturned:     {fact[ExecutionReturnedFact], "Pay returned", rules{"": "returned before it cleared", "postings": "pay returned"}},
	KindAgentClaims:           {fact[ClaimsSet], "Claims declared", nil},
	KindAgentChannels:         {fact[ChannelsSet], "Channels subscribed", nil},
	KindWalletDeclared:        {fact[WalletDeclared], "Wallet address declared", nil},
	KindWalletConfirmed:       {fact[WalletConfirmed], "Wallet address confirmed", nil},
	KindAgentRoles:            {fact[RoleChanged], "Roles changed", nil},
	KindAgentWebhook:          {fact[WebhookSet], "Webhook set", nil},
	KindAgentRecovered:        {fact[AgentRecovered], "Agent given a new token", nil},
	KindTokenIssued:           {fact[TokenIssued], "Token issued", nil},
	KindTokenRevoked:          {fact[TokenRevoked], "Token revoked", nil},
	KindOperatorAdded:         {fact[OperatorAdded], "Operator added", nil},
	KindConstitutionAccepted:  {fact[ConstitutionAccepted], "Constitution accepted", nil},
	KindConstitutionAdopted:   {fact[ConstitutionAdopted], "Constitution adopted", rules{"": ruleNotDue, "version": ruleDue}},
	KindConstitutionAnnounced: {fact[ConstitutionAnnounced], "Constitution announced", rules{"effective": "notice of a constitution"}},
	KindConstitutionWitnessed: {fact[ConstitutionWitnessed], "Announced constitution confirmed", nil},
	KindConstitutionLapsed:    {fact[ConstitutionLapsed], "Announced constitution lapsed", rules{"id": ruleDue, "": ruleNotDue}},
	KindDispatchPublished:     {fact[Published], "Dispatch published", rules{"until": "crisis term", "held": "crisis term"}},
	KindCrisisResolved:        {fact[CrisisResolved], "Crisis resolved", rules{"dispatch": ruleDue, "": ruleNotDue}},
	KindWitnessDrawn:          {fact[WitnessDrawn], "Witnesses drawn", rules{"agents": "witnesses drawn by signature", "size": ruleTree, "root": ruleTree}},
	KindCrisisRenewed:         {fact[CrisisRenewed], "Crisis renewed", rules{"until": "crisis term", "running": "crisis term"}},
	KindFeedOpened:            {fact[FeedOpened], "Paid feed opened", rules{"postings": "feed price", "": "feed price"}},
	KindAttentionSent:         {fact[AttentionSent], "Attention asked for", rules{"price": "floor price", "backing": "backing", "expires": "deadline", "postings": "escrow"}},
	KindAttentionAnswered:     {fact[AttentionAnswered], "Attention given", rules{"used": "backing", "counted": "diversity counts", "passed": "backing", "postings": "escrow"}},
	KindAttentionDeclined:     {fact[AttentionDeclined], "Attention declined", rules{"postings": "escrow refund"}},
	KindAttentionExpired:      {fact[AttentionExpired], "Attention request expired", rules{"id": ruleDue, "": ruleNotDue, "postings": "escrow refund"}},
	KindPrivateErased:         {fact[PrivateErased], "Private text erased", nil},
	KindPlaybookCommitted:     {fact[PlaybookCommitted], "Playbook committed to", rules{"": "committed once"}},
	KindPlaybookRegistered:    {fact[PlaybookRegistered], "Playbook registered", rules{"": "registered once"}},
	KindExchangeOpened:        {fact[ExchangeOpened], "Exchange opened", nil},
	KindExchangeTold:          {fact[ExchangeTold], "Exchange notices sent", rules{"": ruleNotDue}},
	KindPlantCreated:          {fact[PlantCreated], "Plant created", nil},
	KindRowsArchived:          {fact[RowsArchived], "Finished rows archived", rules{"": ruleNotDue, "contracts": "archived as they were", "cases": "archived as they were", "kept": "archived as they were", "dispatches": "archived as they were", "admissions": "archived as they were"}},
}

// fact makes a maker for kinds.
func fact[T any, P interface {
	*T
	Fact
}]() Fact {
	return P(new(T))
}

// Kinds returns all kinds of entry, sorted by title.
func Kinds() []Kind {
	return slices.SortedFunc(maps.Keys(kinds), func(a, b Kind) int { return strings.Compare(a.Title(), b.Title()) })
}

// Title returns the kind in words for people: "Contract executed". A kind that
// this version does not know gives the words of its name.
func (k Kind) Title() string {
	if row, ok := kinds[k]; ok {
		return row.title
	}
	words := strings.NewReplacer(".", " ", "_", " ").Replace(string(k))
	return strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):]
}

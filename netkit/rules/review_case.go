package rules

import (
	"cmp"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// lawNames are the laws that review judges by, numbered by the standing that
// breaking them leads to.
var lawNames = netkit.Names{"", "L1", "L2"}

// ReviewCase is the row of a case.
type ReviewCase struct {
	id       uint64        // entry of the report
	subject  uint64        // entry of the execution, dispatch or registration
	law      netkit.Status // what upholding makes of the reported agent: Suspended (L1) or Rogue (L2)
	State    netkit.CaseState
	byNight  bool     // a night filed it, and no report; reporter is row 0 then
	circle   []uint32 // rows of the sponsors that such a case names
	reporter uint32   // rows of the two sides
	Reported uint32

	// of the execution, so that it can be overturned without being read again
	execution bool
	Sponsor   uint32
	Earned    Earned

	marketTime bool // its deadlines count in market time

	bond    netkit.Credits // of the first report, in the escrow account of the case
	joined  []joinedReport // reports that are judged with the first
	follows uint64         // the case about the same that was dismissed before, or 0
	after   uint64         // the case of the same sponsor about the same agent that is decided before, or 0

	// of executions that the case is about
	spared []uint64 // that the latest judgement does not uphold, though it upholds others
	held   []uint64 // whose pay waits for the case to be final since it was upheld
	freed  bool     // a first dismissal freed their pay

	round   uint8    // counts the panels: the first, its redraws, that of the appeal, its redraws
	first   uint8    // round with which the present judgement began
	awaits  uint64   // entry that asked for the panel, while it is not drawn
	Panel   []uint32 // drawn for this round
	past    []uint32 // drawn for earlier ones
	seed    [32]byte // of the latest draw
	drawn   netkit.Millis
	ends    deadline // of the panel's time
	votes   []Vote
	filed   netkit.Millis
	settle  netkit.Millis // when it was decided last
	until   deadline      // when it becomes final
	appeal  uint64        // entry of the appeal, 0 without one
	byPanel bool          // the latest judgement is a panel's
	final   bool
	paid    uint32        // payments behind the final judgement that are booked
	ended   netkit.Millis // when it became final
	weighs  bool          // its penalty stands
	binds   bool          // the agent's standing rests on it, until an operator reinstates
}

// joinedReport is a report that joined a case.
type joinedReport struct {
	entry    uint64
	reporter uint32
	bond     netkit.Credits // in the escrow account of the entry
	subject  uint64         // 0 is that of the case
	earned   Earned         // of an execution that the case was not about before
	follows  uint64         // the case about that execution that was dismissed before, or 0
}

func (r *joinedReport) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &r.entry)
	wire.Num(c, "reporter", &r.reporter)
	wire.Amount(c, "bond", &r.bond)
	wire.Num(c, "subject", &r.subject)
	c.Member("earned", r.earned.Fields)
	wire.Num(c, "follows", &r.follows)
}

// reporters are the rows of all who reported what the case is about.
func (r *ReviewCase) reporters() (all []uint32) {
	if r.byNight {
		return nil
	}
	all = append(all, r.reporter)
	for _, x := range r.joined {
		if !slices.Contains(all, x.reporter) {
			all = append(all, x.reporter)
		}
	}
	return all
}

// parties are the rows of all sides.
func (r *ReviewCase) parties() []uint32 { return append(r.reporters(), r.Reported) }

// judgedSides are the rows of those with whom reviewers of a case have no dealings.
func (s *State) judgedSides(r *ReviewCase) []uint32 {
	if s.law.Detectors.CirculationSides {
		return append(r.parties(), r.circle...)
	}
	return r.parties()
}

// Vote is one reviewer's verdict.
type Vote struct {
	entry    uint64
	reviewer uint32
	round    uint8
	uphold   bool
	named    []uint64 // executions that it upholds; none is all
	seal     [32]byte // commits to the verdict until it is opened, zero from then on
	at       netkit.Millis
	took     netkit.Millis
}

// sealed reports whether the verdict is still hidden.
func (v *Vote) sealed() bool { return v.seal != [32]byte{} }

func (v *Vote) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &v.entry)
	wire.Num(c, "reviewer", &v.reviewer)
	wire.Num(c, "round", &v.round)
	c.Flag("uphold", &v.uphold)
	wire.List(c, "named", &v.named, wire.Number)
	c.Hash("seal", &v.seal)
	wire.Num(c, "at", &v.at)
	wire.Num(c, "took", &v.took)
}

func (r *ReviewCase) Fields(c *wire.Codec) {
	wire.Num(c, "id", &r.id)
	wire.Num(c, "subject", &r.subject)
	enum(c, "law", &r.law, lawNames)
	enum(c, "state", &r.State, netkit.CaseStateNames)
	c.Flag("by_night", &r.byNight)
	wire.List(c, "circle", &r.circle, wire.Number)
	wire.Num(c, "reporter", &r.reporter)
	wire.Num(c, "reported", &r.Reported)
	c.Flag("execution", &r.execution)
	wire.Num(c, "sponsor", &r.Sponsor)
	c.Member("earned", r.Earned.Fields)
	c.Flag("market_time", &r.marketTime)
	wire.Amount(c, "bond", &r.bond)
	wire.List(c, "joined", &r.joined, object[joinedReport])
	wire.Num(c, "follows", &r.follows)
	wire.Num(c, "after", &r.after)
	wire.List(c, "spared", &r.spared, wire.Number)
	wire.List(c, "held", &r.held, wire.Number)
	c.Flag("freed", &r.freed)
	wire.Num(c, "round", &r.round)
	wire.Num(c, "first", &r.first)
	wire.Num(c, "awaits", &r.awaits)
	wire.List(c, "panel", &r.Panel, wire.Number)
	wire.List(c, "past", &r.past, wire.Number)
	c.Hash("seed", &r.seed)
	wire.Num(c, "drawn", &r.drawn)
	wire.Num(c, "ends", &r.ends.real)
	wire.Num(c, "ends_market", &r.ends.market)
	wire.List(c, "votes", &r.votes, object[Vote])
	wire.Num(c, "filed", &r.filed)
	wire.Num(c, "settled", &r.settle)
	wire.Num(c, "until", &r.until.real)
	wire.Num(c, "until_market", &r.until.market)
	wire.Num(c, "appeal", &r.appeal)
	c.Flag("by_panel", &r.byPanel)
	c.Flag("final", &r.final)
	wire.Num(c, "paid", &r.paid)
	wire.Num(c, "ended", &r.ended)
	c.Flag("weighs", &r.weighs)
	c.Flag("binds", &r.binds)
}

// judgedKey is what a case is about: one at a time is undecided or upheld.
type judgedKey struct {
	subject uint64
	law     netkit.Status
}

func (r *ReviewCase) key() judgedKey { return judgedKey{r.subject, r.law} }

func caseID(r *ReviewCase) uint64 { return r.id }

// reviewCase returns the row of a case, or a refusal.
func (s *State) reviewCase(id uint64) (*ReviewCase, error) {
	if cs, ok := s.cases.Get(id); ok {
		return cs, nil
	}
	return nil, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.CaseUnknown, Field: "case_id", What: "names no case", Next: "{listCases} lists them"}
}

// latestCase returns the latest case on a subject and law.
func (s *State) latestCase(key judgedKey) (*ReviewCase, bool) {
	id, ok := s.judged.Get(key)
	if !ok {
		return nil, false
	}
	return s.cases.Get(id)
}

// sides returns the slugs of reporter and reported.
func (s *State) sides(r *ReviewCase) [2]string {
	if r.byNight {
		return [2]string{netkit.NetworkActor, s.parties.At(r.Reported).Slug}
	}
	return [2]string{s.parties.At(r.reporter).Slug, s.parties.At(r.Reported).Slug}
}

// tallied counts the verdicts of the present round.
func (r *ReviewCase) tallied() (uphold, dismiss int) {
	for _, v := range r.votes {
		switch {
		case v.round != r.round || v.sealed():
		case v.uphold:
			uphold++
		default:
			dismiss++
		}
	}
	return uphold, dismiss
}

// knows reports whether a party may read the texts of a case: the two sides,
// its reviewers and operators.
func (r *ReviewCase) knows(i uint32, p *Party) bool {
	return p.Kind == netkit.OperatorParty || r.concerns(i)
}

// reviews reports whether a party was drawn to judge something.
func (s *State) reviews(i uint32, subject uint64) bool {
	for _, law := range []netkit.Status{netkit.Suspended, netkit.Rogue} {
		if cs, ok := s.latestCase(judgedKey{subject, law}); ok {
			if slices.Contains(cs.Panel, i) || slices.Contains(cs.past, i) {
				return true
			}
		}
	}
	return false
}

func (r *ReviewCase) concerns(i uint32) bool {
	return slices.Contains(r.parties(), i) || slices.Contains(r.Panel, i) || slices.Contains(r.past, i)
}

// SlugsOf names rows.
func (s *State) SlugsOf(rows []uint32) []string {
	out := make([]string, len(rows))
	for k, i := range rows {
		out[k] = s.parties.At(i).Slug
	}
	return out
}

// RowsOf is the inverse of slugsOf.
func (s *State) RowsOf(slugs []string) []uint32 {
	out := make([]uint32, 0, len(slugs))
	for _, slug := range slugs {
		if i, ok := s.slugs.Get(slug); ok {
			out = append(out, i)
		}
	}
	return out
}

// byRow orders row numbers.
func byRow(a, b uint32) int { return cmp.Compare(a, b) }

// reviewState is the part of the state that review, witnesses and the night keep.
type reviewState struct {
	admissions  undo.Rows[Admission]            // those that wait for a witness, and the last that are over
	revocations undo.Rows[revocation]           // those that wait for a witness or may be appealed
	cases       undo.Rows[ReviewCase]           // until some time after they are final
	judged      undo.Index[judgedKey, uint64]   // the latest case by its subject; derived
	complaints  undo.Index[complaint, uint64]   // the latest case of a sponsor about an agent; derived
	undrawn     undo.Index[uint64, uint64]      // cases that wait for a panel, by the entry that asked for it; derived
	sealed      undo.Index[uint64, struct{}]    // cases with hidden verdicts; derived
	reviewers   undo.Index[uint32, struct{}]    // rows of the agents with that role; derived
	rogues      undo.Index[uint32, rogue]       // the registry, by row of the agent
	flags       undo.Index[uint32, flagged]     // findings of detectors, by row of the agent
	circulation undo.Index[uint32, circulation] // by sponsors
	proved      undo.Table[uint32]              // rows of those who confirmed a wallet address; derived
	agenda      undo.Table[turnOf]              // rows as in parties
	crises      undo.Index[uint64, crisis]      // those with a term, by dispatch
	amendments  undo.Images[amendment]
	amendment   *amendment // that was announced
	nights      undo.Images[night]
	night       *night
}

func newReviewState() reviewState { return reviewState{night: new(night), amendment: new(amendment)} }

// reviewTables registers proposals that wait for witnesses, cases, and their outcomes
// for agents.
func (s *State) reviewTables() []table {
	return []table{
		{Part: &s.proved, derive: s.deriveProved},
		stored(s, "agenda", &s.agenda),
		storedByID("admissions", &s.admissions, admissionID),
		storedByID("revocations", &s.revocations, revocationID),
		storedByID("cases", &s.cases, caseID),
		derivedIndex(&s.judged, s.deriveJudged),
		derivedIndex(&s.complaints, s.deriveComplaints),
		derivedIndex(&s.undrawn, s.deriveUndrawn),
		derivedIndex(&s.sealed, s.deriveSealed),
		derivedIndex(&s.reviewers, s.deriveReviewers),
		storedIndex("rogues", &s.rogues, func(c *wire.Codec, agent *uint32, r *rogue) {
			wire.Num(c, "agent", agent)
			r.Fields(c)
		}),
		storedIndex("flags", &s.flags, func(c *wire.Codec, agent *uint32, f *flagged) {
			wire.Num(c, "agent", agent)
			f.Fields(c)
		}),
		storedIndex("circulation", &s.circulation, func(c *wire.Codec, sponsor *uint32, r *circulation) {
			wire.Num(c, "sponsor", sponsor)
			r.Fields(c)
		}),
		storedIndex("crisis_terms", &s.crises, func(c *wire.Codec, id *uint64, x *crisis) {
			x.Fields(c)
			*id = x.id
		}),
	}
}

// turnOf is the first night that has to judge a party again, 0 is none. It
// stands apart from the party, since every night looks at all of them.
type turnOf struct {
	Judge netkit.Day
	Payer uint32 // row of what the party paid, 0 is none yet
}

func (r *turnOf) Fields(c *wire.Codec) {
	wire.Num(c, "judge", &r.Judge)
	wire.Num(c, "payer", &r.Payer)
}

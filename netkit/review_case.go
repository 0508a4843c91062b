package netkit

import (
	"cmp"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// CaseState is where a case of review stands.
type CaseState uint8

// The states of a case. Upheld and dismissed may be appealed once until the
// case is final.
const (
	CaseWithPanel    CaseState = iota // reviewers were drawn
	CaseWithOperator                  // too few reviewers are eligible
	CaseUpheld
	CaseDismissed
	CaseDrawing // waits for the value that its panel is drawn by
)

var caseStateNames = names{"panel", "operator", "upheld", "dismissed", "drawing"}

// String returns the name.
func (c CaseState) String() string { return caseStateNames[c] }

// MarshalText writes the name.
func (c CaseState) MarshalText() ([]byte, error) { return caseStateNames.text(uint8(c)) }

// UnmarshalText reads the name.
func (c *CaseState) UnmarshalText(text []byte) error { return caseStateNames.read(text, (*uint8)(c)) }

// lawNames are the laws that review judges by, numbered by the standing that
// breaking them leads to.
var lawNames = names{"", "L1", "L2"}

// decided reports whether a case was judged, if only for the first time.
func (c CaseState) decided() bool { return c == CaseUpheld || c == CaseDismissed }

// reviewCase is the row of a case.
type reviewCase struct {
	id       uint64 // entry of the report
	subject  uint64 // entry of the execution, dispatch or registration
	law      Status // what upholding makes of the reported agent: Suspended (L1) or Rogue (L2)
	state    CaseState
	reporter uint32 // rows of the two sides
	reported uint32

	// of the execution, so that it can be overturned without being read again
	execution bool
	sponsor   uint32
	earned    earned

	bond    Credits        // of the first report, in the escrow account of the case
	joined  []joinedReport // reports that are judged with the first
	follows uint64         // the case about the same that was dismissed before, 0 is none

	round   uint8    // counts the panels: the first, its redraws, that of the appeal, its redraws
	first   uint8    // round with which the present judgement began
	awaits  uint64   // entry that asked for the panel, while it is not drawn
	panel   []uint32 // drawn for this round
	past    []uint32 // drawn for earlier ones
	seed    [32]byte // of the latest draw
	drawn   Millis
	ends    Millis // of the panel's time
	votes   []vote
	filed   Millis
	settle  Millis // when it was decided last
	until   Millis // when it becomes final
	appeal  uint64 // entry of the appeal, 0 without one
	byPanel bool   // the latest judgement is a panel's
	final   bool
	paid    uint32 // payments behind the final judgement that are booked
	ended   Millis // when it became final
	weighs  bool   // its penalty stands
	binds   bool   // the agent's standing rests on it, until an operator reinstates
}

// joinedReport is a report that joined a case.
type joinedReport struct {
	entry    uint64
	reporter uint32
	bond     Credits // in the escrow account of the entry
}

func (r *joinedReport) fields(c *wire.Codec) {
	wire.Num(c, "entry", &r.entry)
	wire.Num(c, "reporter", &r.reporter)
	wire.Amount(c, "bond", &r.bond)
}

// reporters are the rows of all who reported what the case is about.
func (r *reviewCase) reporters() []uint32 {
	all := []uint32{r.reporter}
	for _, x := range r.joined {
		all = append(all, x.reporter)
	}
	return all
}

// parties are the rows of all sides.
func (r *reviewCase) parties() []uint32 { return append(r.reporters(), r.reported) }

// vote is one reviewer's verdict.
type vote struct {
	entry    uint64
	reviewer uint32
	round    uint8
	uphold   bool
	seal     [32]byte // commits to the verdict until it is opened, zero from then on
	at       Millis
	took     Millis
}

// sealed reports whether nobody can know the verdict yet.
func (v *vote) sealed() bool { return v.seal != [32]byte{} }

func (v *vote) fields(c *wire.Codec) {
	wire.Num(c, "entry", &v.entry)
	wire.Num(c, "reviewer", &v.reviewer)
	wire.Num(c, "round", &v.round)
	c.Flag("uphold", &v.uphold)
	c.Hash("seal", &v.seal)
	wire.Num(c, "at", &v.at)
	wire.Num(c, "took", &v.took)
}

func (r *reviewCase) fields(c *wire.Codec) {
	wire.Num(c, "id", &r.id)
	wire.Num(c, "subject", &r.subject)
	enum(c, "law", &r.law, lawNames)
	enum(c, "state", &r.state, caseStateNames)
	wire.Num(c, "reporter", &r.reporter)
	wire.Num(c, "reported", &r.reported)
	c.Flag("execution", &r.execution)
	wire.Num(c, "sponsor", &r.sponsor)
	c.Member("earned", r.earned.fields)
	wire.Amount(c, "bond", &r.bond)
	wire.List(c, "joined", &r.joined, object[joinedReport])
	wire.Num(c, "follows", &r.follows)
	wire.Num(c, "round", &r.round)
	wire.Num(c, "first", &r.first)
	wire.Num(c, "awaits", &r.awaits)
	wire.List(c, "panel", &r.panel, wire.Number)
	wire.List(c, "past", &r.past, wire.Number)
	c.Hash("seed", &r.seed)
	wire.Num(c, "drawn", &r.drawn)
	wire.Num(c, "ends", &r.ends)
	wire.List(c, "votes", &r.votes, object[vote])
	wire.Num(c, "filed", &r.filed)
	wire.Num(c, "settled", &r.settle)
	wire.Num(c, "until", &r.until)
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
	law     Status
}

func (r *reviewCase) key() judgedKey { return judgedKey{r.subject, r.law} }

func caseID(r *reviewCase) uint64 { return r.id }

// reviewCase returns the row of a case, or a refusal.
func (s *state) reviewCase(id uint64) (*reviewCase, error) {
	if cs, ok := s.cases.Get(id); ok {
		return cs, nil
	}
	return nil, &Refusal{Kind: ErrNotFound, Code: code.CaseUnknown, Field: "case_id", What: "names no case", Next: "{listCases} lists them"}
}

// latestCase returns the latest case on a subject and law.
func (s *state) latestCase(key judgedKey) (*reviewCase, bool) {
	id, ok := s.judged.Get(key)
	if !ok {
		return nil, false
	}
	return s.cases.Get(id)
}

// sides returns the slugs of reporter and reported.
func (s *state) sides(r *reviewCase) [2]string {
	return [2]string{s.parties.At(r.reporter).slug, s.parties.At(r.reported).slug}
}

// tallied counts the verdicts of the present round.
func (r *reviewCase) tallied() (uphold, dismiss int) {
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
func (r *reviewCase) knows(i uint32, p *party) bool {
	return p.kind == OperatorParty || r.concerns(i)
}

// reviews reports whether a party was drawn to judge something.
func (s *state) reviews(i uint32, subject uint64) bool {
	for _, law := range []Status{Suspended, Rogue} {
		if cs, ok := s.latestCase(judgedKey{subject, law}); ok {
			if slices.Contains(cs.panel, i) || slices.Contains(cs.past, i) {
				return true
			}
		}
	}
	return false
}

func (r *reviewCase) concerns(i uint32) bool {
	return slices.Contains(r.parties(), i) || slices.Contains(r.panel, i) || slices.Contains(r.past, i)
}

// slugsOf names rows.
func (s *state) slugsOf(rows []uint32) []string {
	out := make([]string, len(rows))
	for k, i := range rows {
		out[k] = s.parties.At(i).slug
	}
	return out
}

// rowsOf is the inverse of slugsOf.
func (s *state) rowsOf(slugs []string) []uint32 {
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

// court is the part of the state that review, witnesses and the night keep.
type court struct {
	admissions  undo.Table[admission]         // by id, rows as in sponsors
	revocations undo.Rows[revocation]         // those that wait for a witness or may be appealed
	cases       undo.Rows[reviewCase]         // until some time after they are final
	judged      undo.Index[judgedKey, uint64] // the latest case by what it is about; derived
	undrawn     undo.Index[uint64, uint64]    // cases that wait for a panel, by the entry that asked for it; derived
	sealed      undo.Index[uint64, struct{}]  // cases with hidden verdicts; derived
	reviewers   undo.Index[uint32, struct{}]  // rows of the agents with that role; derived
	rogues      undo.Index[uint32, rogue]     // the registry, by row of the agent
	flags       undo.Index[uint32, flagged]   // what detectors found, by row of the agent
	proved      undo.Table[uint32]            // rows of those who confirmed a wallet address; derived
	agenda      undo.Table[turnOf]            // rows as in parties
	crises      undo.Index[uint64, crisis]    // those with a term, by dispatch
	amendments  undo.Images[amendment]
	amendment   *amendment // that was announced
	nights      undo.Images[night]
	night       *night
}

func newCourt() court {
	return court{judged: undo.NewIndex[judgedKey, uint64](), undrawn: undo.NewIndex[uint64, uint64](), sealed: undo.NewIndex[uint64, struct{}](), reviewers: undo.NewIndex[uint32, struct{}](),
		rogues: undo.NewIndex[uint32, rogue](), flags: undo.NewIndex[uint32, flagged](), night: new(night),
		crises: undo.NewIndex[uint64, crisis](), amendment: new(amendment)}
}

// turnOf is the first night that has to judge a party again, 0 is none. It
// stands apart from the party, since every night looks at all of them.
type turnOf struct {
	judge Day
	payer uint32 // row of what the party paid, 0 is none yet
}

func (r *turnOf) fields(c *wire.Codec) {
	wire.Num(c, "judge", &r.judge)
	wire.Num(c, "payer", &r.payer)
}

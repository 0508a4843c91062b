package netkit

import (
	"cmp"
	"slices"
)

// CaseState is where a case of review stands.
type CaseState uint8

// The states of a case. Upheld and dismissed may be appealed once until the
// case is final.
const (
	CaseWithPanel    CaseState = iota // three reviewers were drawn
	CaseWithOperator                  // too few reviewers are eligible
	CaseUpheld
	CaseDismissed
)

var caseStateNames = names{"panel", "operator", "upheld", "dismissed"}

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
	subject  uint64 // entry of the execution or dispatch
	law      Status // what upholding makes of the reported agent: Suspended (L1) or Rogue (L2)
	state    CaseState
	reporter uint32 // rows of the two sides
	reported uint32

	// of the execution, so that it can be overturned without being read again
	execution bool
	sponsor   uint32
	day       Day
	counted   Credits

	round  uint8    // 0 the first panel, 1 its redraw, 2 the panel of the appeal, 3 its redraw
	panel  []uint32 // drawn for this round
	past   []uint32 // drawn for earlier ones
	seed   [32]byte // of the latest draw
	drawn  Millis
	ends   Millis // of the panel's time
	votes  []vote
	filed  Millis
	settle Millis // when it was decided last
	until  Millis // when it becomes final
	appeal uint64 // entry of the appeal, 0 without one
	final  bool
	weighs bool // its penalty stands
	binds  bool // the agent's standing rests on it, until an operator reinstates
}

// vote is one reviewer's verdict.
type vote struct {
	entry    uint64
	reviewer uint32
	round    uint8
	uphold   bool
	at       Millis
	took     Millis
}

func (v *vote) fields(c *codec) {
	num(c, "entry", &v.entry)
	num(c, "reviewer", &v.reviewer)
	num(c, "round", &v.round)
	c.flag("uphold", &v.uphold)
	num(c, "at", &v.at)
	num(c, "took", &v.took)
}

func (r *reviewCase) fields(c *codec) {
	num(c, "id", &r.id)
	num(c, "subject", &r.subject)
	enum(c, "law", &r.law, lawNames)
	enum(c, "state", &r.state, caseStateNames)
	num(c, "reporter", &r.reporter)
	num(c, "reported", &r.reported)
	c.flag("execution", &r.execution)
	num(c, "sponsor", &r.sponsor)
	num(c, "day", &r.day)
	c.amount("counted", &r.counted)
	num(c, "round", &r.round)
	list(c, "panel", &r.panel, number)
	list(c, "past", &r.past, number)
	c.hash("seed", &r.seed)
	num(c, "drawn", &r.drawn)
	num(c, "ends", &r.ends)
	list(c, "votes", &r.votes, object[vote])
	num(c, "filed", &r.filed)
	num(c, "settled", &r.settle)
	num(c, "until", &r.until)
	num(c, "appeal", &r.appeal)
	c.flag("final", &r.final)
	c.flag("weighs", &r.weighs)
	c.flag("binds", &r.binds)
}

// judgedKey is what a case is about: there is one for a subject and a law.
type judgedKey struct {
	subject uint64
	law     Status
}

func (r *reviewCase) key() judgedKey { return judgedKey{r.subject, r.law} }

func caseID(r *reviewCase) uint64 { return r.id }

// reviewCase returns the row of a case, or a refusal.
func (s *state) reviewCase(id uint64) (uint32, *reviewCase, error) {
	if row, ok := find(&s.cases, caseID, id); ok {
		return row, s.cases.at(row), nil
	}
	return 0, nil, &Refusal{Kind: ErrNotFound, Code: "case_unknown", Field: "case_id", What: "names no case", Next: "{listCases} lists them"}
}

// sides returns the slugs of reporter and reported.
func (s *state) sides(r *reviewCase) [2]string {
	return [2]string{s.parties.at(r.reporter).slug, s.parties.at(r.reported).slug}
}

// tallied counts the verdicts of the present round.
func (r *reviewCase) tallied() (uphold, dismiss int) {
	for _, v := range r.votes {
		switch {
		case v.round != r.round:
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

func (r *reviewCase) concerns(i uint32) bool {
	return i == r.reporter || i == r.reported || slices.Contains(r.panel, i) || slices.Contains(r.past, i)
}

// slugsOf names rows.
func (s *state) slugsOf(rows []uint32) []string {
	out := make([]string, len(rows))
	for k, i := range rows {
		out[k] = s.parties.at(i).slug
	}
	return out
}

// rowsOf is the inverse of slugsOf.
func (s *state) rowsOf(slugs []string) []uint32 {
	out := make([]uint32, 0, len(slugs))
	for _, slug := range slugs {
		if i, ok := s.slugs.get(slug); ok {
			out = append(out, i)
		}
	}
	return out
}

// byRow orders row numbers.
func byRow(a, b uint32) int { return cmp.Compare(a, b) }

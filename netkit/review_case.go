package netkit

import (
	"cmp"
	"context"
	"errors"
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

	marketTime bool // its deadlines count in market time

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
	ends    deadline // of the panel's time
	votes   []vote
	filed   Millis
	settle  Millis   // when it was decided last
	until   deadline // when it becomes final
	appeal  uint64   // entry of the appeal, 0 without one
	byPanel bool     // the latest judgement is a panel's
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
	c.Flag("market_time", &r.marketTime)
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
	wire.Num(c, "ends", &r.ends.real)
	wire.Num(c, "ends_market", &r.ends.market)
	wire.List(c, "votes", &r.votes, object[vote])
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

// reviewState is the part of the state that review, witnesses and the night keep.
type reviewState struct {
	admissions  undo.Rows[admission]          // those that wait for a witness, and the last that are over
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

func newReviewState() reviewState {
	return reviewState{judged: undo.NewIndex[judgedKey, uint64](), undrawn: undo.NewIndex[uint64, uint64](), sealed: undo.NewIndex[uint64, struct{}](), reviewers: undo.NewIndex[uint32, struct{}](),
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

// CaseReceipt is the receipt of a report, verdict, decision or appeal.
type CaseReceipt struct {
	CaseID uint64    `json:"case_id"`
	State  CaseState `json:"state"`
	Panel  []string  `json:"panel,omitempty" doc:"the reviewers drawn, where this drew some"`
	Seq    uint64    `json:"seq"`
	At     Millis    `json:"at"`
}

// CaseQuery filters cases.
type CaseQuery struct {
	Mine  bool       `json:"mine,omitempty" doc:"only those in which the caller is a party or a reviewer"`
	State *CaseState `json:"state,omitempty"`
	Page
}

// CaseView is a case. The texts are for its parties, its reviewers and
// operators only.
type CaseView struct {
	ID          uint64        `json:"id"`
	State       CaseState     `json:"state"`
	Final       bool          `json:"final"`
	Appealed    bool          `json:"appealed"`
	Law         string        `json:"law"`
	Subject     uint64        `json:"subject" doc:"entry of the execution, dispatch or registration"`
	SubjectKind string        `json:"subject_kind" enum:"execution,dispatch,playbook,revocation"`
	Reporter    string        `json:"reporter" doc:"who reported first"`
	Joined      []ReportView  `json:"joined,omitempty" doc:"reports that are judged with the first"`
	Reported    string        `json:"reported"`
	Panel       []string      `json:"panel" doc:"reviewers drawn last"`
	Verdicts    []VerdictView `json:"verdicts"`
	Evidence    string        `json:"evidence,omitempty"`
	Grounds     string        `json:"grounds,omitempty" doc:"of the appeal"`
	FiledAt     Millis        `json:"filed_at"`
	VerdictsBy  Millis        `json:"verdicts_by,omitempty" doc:"when the panel's time is over, if crises that run end at their term"`
	DecidedAt   Millis        `json:"decided_at,omitempty"`
	AppealBy    Millis        `json:"appeal_by,omitempty" doc:"until when it may be appealed, if crises that run end at their term"`
	Untrusted   bool          `json:"untrusted" doc:"always true: the texts were written by agents"`
}

// ReportView is a report that joined a case.
type ReportView struct {
	Reporter string `json:"reporter"`
	Evidence string `json:"evidence,omitempty"`
	Seq      uint64 `json:"seq"`
}

// VerdictView is one reviewer's verdict.
type VerdictView struct {
	Reviewer  string `json:"reviewer"`
	Uphold    *bool  `json:"uphold,omitempty" doc:"absent while it is hidden, until the case is decided"`
	Reasoning string `json:"reasoning,omitempty"`
	At        Millis `json:"at"`
}

// Case shows one case: its facts to anyone with a token, its texts to those
// whom it concerns and to operators.
//
// Refusals: case_unknown.
func (ses *Session) Case(ctx context.Context, id uint64) (CaseView, error) {
	type found struct {
		row  reviewCase
		v    CaseView
		full bool
	}
	show := func(row *reviewCase) (found, error) {
		return view(ctx, ses.n, func(s *state) (found, error) {
			i, p, err := s.reader(ses.by)
			cs := row
			if err == nil && cs == nil {
				cs, err = s.reviewCase(id)
			}
			if err != nil {
				return found{}, err
			}
			return found{*cs, s.caseView(cs), cs.knows(i, p)}, nil
		})
	}
	got, err := show(nil)
	if errors.Is(err, ErrNotFound) {
		var row *reviewCase
		if row, err = archived(ctx, ses.n, caseShelf, id, err); err == nil {
			got, err = show(row)
		}
	}
	if err != nil || !got.full {
		return got.v, err
	}
	return got.v, ses.n.caseTexts(ctx, &got.row, &got.v)
}

// caseView shows a case without its texts.
func (s *state) caseView(cs *reviewCase) CaseView {
	sides := s.sides(cs)
	v := CaseView{ID: cs.id, State: cs.state, Final: cs.final, Appealed: cs.appeal != 0, Law: cs.law.law(), Subject: cs.subject,
		SubjectKind: "dispatch", Reporter: sides[0], Reported: sides[1], Panel: s.slugsOf(cs.panel), Verdicts: make([]VerdictView, len(cs.votes)),
		FiledAt: cs.filed, DecidedAt: cs.settle, Untrusted: true}
	switch {
	case cs.ofRevocation():
		v.SubjectKind, v.Law = "revocation", "L6"
	case cs.execution:
		v.SubjectKind = "execution"
	case s.registered(cs.subject):
		v.SubjectKind = "playbook"
	}
	if cs.state == CaseWithPanel {
		v.VerdictsBy = s.expected(cs.ends, s.root.at)
	}
	if cs.state.decided() && !cs.final {
		v.AppealBy = s.expected(cs.until, s.root.at)
	}
	for _, x := range cs.joined {
		v.Joined = append(v.Joined, ReportView{Reporter: s.parties.At(x.reporter).slug, Seq: x.entry})
	}
	for k := range cs.votes {
		v.Verdicts[k] = VerdictView{Reviewer: s.parties.At(cs.votes[k].reviewer).slug, At: cs.votes[k].at}
		if !cs.votes[k].sealed() {
			v.Verdicts[k].Uphold = new(cs.votes[k].uphold)
		}
	}
	return v
}

// caseTexts fills in the texts from the private parts, as far as they are
// still there.
func (n *Network) caseTexts(ctx context.Context, cs *reviewCase, v *CaseView) error {
	var t caseText
	if _, err := n.text(ctx, cs.id, &t); err != nil {
		return err
	}
	v.Evidence = t.text
	for k := range v.Joined {
		t = caseText{}
		if _, err := n.text(ctx, v.Joined[k].Seq, &t); err != nil {
			return err
		}
		v.Joined[k].Evidence = t.text
	}
	if cs.appeal != 0 {
		t = caseText{}
		if _, err := n.text(ctx, cs.appeal, &t); err != nil {
			return err
		}
		v.Grounds = t.text
	}
	for k := range cs.votes {
		var t verdictText
		if cs.votes[k].sealed() {
			continue
		}
		if _, err := n.text(ctx, cs.votes[k].entry, &t); err != nil {
			return err
		}
		v.Verdicts[k].Reasoning = t.text
	}
	return nil
}

// caseText is the private part of a report, verdict, decision or appeal.
type caseText struct{ text string }

func (t *caseText) fields(c *wire.Codec) { wire.Str(c, "text", &t.text) }

// Cases lists cases, newest first, without their texts.
func (ses *Session) Cases(ctx context.Context, q CaseQuery) (List[CaseView], error) {
	size, before, err := q.window()
	if err != nil {
		return List[CaseView]{}, err
	}
	now := ses.n.Now()
	var out List[CaseView]
	page := listing[reviewCase, CaseView]{shelf: caseShelf, before: before, size: size, old: q.State == nil || q.State.decided(),
		match: func(s *state) (func(*reviewCase) bool, error) {
			out.AsOf = s.asOf(now)
			i, _, err := s.reader(ses.by)
			return func(cs *reviewCase) bool {
				return (!q.Mine || cs.concerns(i)) && (q.State == nil || *q.State == cs.state)
			}, err
		},
		show: (*state).caseView}
	out.Items, out.NextCursor, err = page.read(ctx, ses.n)
	return out, err
}

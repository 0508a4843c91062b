package netkit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Appeal asks for a second and last judgement. The side that lost may, once.
type Appeal struct {
	CaseID  uint64 `json:"case_id" doc:"of the case, or of the revocation of a badge that rests on none"`
	Grounds string `json:"grounds" doc:"1 to 8,000 characters" minLength:"1" maxLength:"8000"`
}

type appeal struct{ Appeal }

func (*appeal) route() string { return "appeal" }

// decide asks for the caller's row whatever its standing: a suspended or
// listed agent may appeal.
func (c *appeal) decide(s *state, call *call) error {
	i, _, err := call.standing(s)
	if err != nil {
		return err
	}
	if r, ok := s.revocations.Get(c.CaseID); ok && c.CaseID != 0 {
		return s.appealRevocation(call, r)
	}
	cs, err := s.reviewCase(c.CaseID)
	if err != nil {
		return err
	}
	switch {
	case !cs.state.decided():
		return conflict(code.CaseUndecided, "the case is not decided yet", "{getCase} shows where it is")
	case cs.appeal != 0:
		return conflict(code.AppealedAlready, "a case is appealed once", "")
	case cs.final || cs.until.reached(s.instant(call.at)):
		return caseIsFinal()
	case !cs.lost(i):
		return forbidden("", code.NotTheLoser, "only the side that lost may appeal", "")
	}
	if latest, _ := s.judged.Get(cs.key()); latest != cs.id {
		return conflict(code.CaseFollowed, fmt.Sprintf("case %d is about the same and was filed since", latest), "{getCase} shows it")
	}
	f := &CaseAppealed{Case: cs.id, Appellant: call.by.Slug}
	f.Waits = s.law.Review.DrawAfterFiling
	call.add(f)
	return nil
}

// lost reports whether a party is of the side that a decided case went against.
func (r *reviewCase) lost(i uint32) bool {
	if r.state == CaseUpheld {
		return i == r.reported
	}
	return slices.Contains(r.reporters(), i)
}

// CaseAppealed records an appeal and the new panel; with Panel empty an
// operator decides. What was decided stays in force until then. The grounds
// stand in the private part.
type CaseAppealed struct {
	Case      uint64
	Appellant string
	draw
}

func (*CaseAppealed) kind() Kind { return KindCaseAppealed }

func (f *CaseAppealed) asked(*pastView) (command, error) {
	return &appeal{Appeal{CaseID: f.Case}}, nil
}

func (f *CaseAppealed) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "appellant", &f.Appellant)
	f.draw.fields(c)
}

// cite draws the panel of the appeal from those who were on none before.
func (f *CaseAppealed) cite(s *state, e *Entry, _, tree TreeHead) {
	if cs, err := s.reviewCase(f.Case); err == nil && !f.Waits {
		f.by(s, tree, panelSeed(tree.Root, cs.id, 2), s.eligible(cs.parties(), slices.Concat(cs.past, cs.panel)), e.At, cs.marketTime)
	}
}

func (f *CaseAppealed) apply(s *state, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	s.cases.Edit(cs)
	others := cs.reporters()
	if i, ok := s.slugs.Get(f.Appellant); ok && i != cs.reported {
		others = []uint32{cs.reported}
	}
	cs.appeal, cs.round, cs.until = e.Seq, max(2, cs.round+1), deadline{} // 2 where journals do not count redraws
	cs.first = cs.round
	s.convene(cs, &f.draw, e)
	for _, other := range others {
		s.notify(other, e.Seq, noticeAppealed)
	}
}

func (f *CaseAppealed) notice(kind noticeKind, _ string) (uint64, string) {
	if kind == noticePanelDrawn {
		return f.Case, fmt.Sprintf("You were drawn to judge the appeal of case %d; give your verdict by %s.", f.Case, f.Ends)
	}
	return f.Case, fmt.Sprintf("Case %d was appealed.", f.Case)
}

// Appeal asks for the second and last judgement of a case.
//
// Refusals: appealed_already, case_final, case_followed, case_undecided,
// case_unknown, not_the_loser, not_witnessed, revocation_of_case.
func (ses *Session) Appeal(ctx context.Context, in Appeal) (CaseReceipt, error) {
	if err := checkText("grounds", in.Grounds, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	if err := ses.n.drawable(); err != nil {
		return CaseReceipt{}, err
	}
	r, err := run(ctx, ses, &appeal{in}, &caseText{in.Grounds}, func(e *Entry) CaseReceipt {
		if f, ok := e.Fact.(*RevocationAppealed); ok {
			return CaseReceipt{CaseID: e.Seq, State: f.state(), Panel: f.Panel, Seq: e.Seq, At: e.At}
		}
		f := e.Fact.(*CaseAppealed)
		return CaseReceipt{CaseID: f.Case, State: f.state(), Panel: f.Panel, Seq: e.Seq, At: e.At}
	})
	if errors.Is(err, ErrNotFound) {
		if _, unknown := archived(ctx, ses.n, caseShelf, in.CaseID, err); unknown == nil {
			err = caseIsFinal()
		}
	}
	ses.n.followUp(ctx, err)
	return r, err
}

func caseIsFinal() error {
	return conflict(code.CaseFinal, "the time for an appeal is over", "an operator may reinstate an agent with a reason")
}

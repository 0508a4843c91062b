package netkit

import (
	"context"
	"fmt"
	"slices"
)

// Appeal asks for a second and last judgement. The side that lost may, once.
type Appeal struct {
	CaseID  uint64 `json:"case_id"`
	Grounds string `json:"grounds" doc:"1 to 8,000 characters"`
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
	_, cs, err := s.reviewCase(c.CaseID)
	if err != nil {
		return err
	}
	loser := cs.reporter
	if cs.state == CaseUpheld {
		loser = cs.reported
	}
	switch {
	case !cs.state.decided():
		return conflict("case_undecided", "the case is not decided yet", "{getCase} shows where it is")
	case cs.appeal != 0:
		return conflict("appealed_already", "a case is appealed once", "")
	case cs.final || call.at >= cs.until:
		return conflict("case_final", "the time for an appeal is over", "an operator may reinstate an agent with a reason")
	case i != loser:
		return forbidden("", "not_the_loser", "only the side that lost may appeal", "")
	}
	call.add(&caseAppealed{Case: cs.id, Appellant: call.by.Slug})
	return nil
}

// caseAppealed records an appeal and the new panel; with Panel empty an
// operator decides. What was decided stays in force until then. The grounds
// stand in the private part.
type caseAppealed struct {
	Case      uint64
	Appellant string
	draw
}

func (*caseAppealed) kind() Kind { return "case.appealed" }

func (f *caseAppealed) asked(*hindsight) (command, error) {
	return &appeal{Appeal{CaseID: f.Case}}, nil
}

func (f *caseAppealed) fields(c *codec) {
	num(c, "case", &f.Case)
	str(c, "appellant", &f.Appellant)
	f.draw.fields(c)
}

// cite draws the panel of the appeal from those who were on none before.
func (f *caseAppealed) cite(s *state, e *Entry, _, tree TreeHead) {
	if _, cs, err := s.reviewCase(f.Case); err == nil {
		f.by(s, tree, panelSeed(tree.Root, cs.id, 2), s.eligible(cs.reporter, cs.reported, slices.Concat(cs.past, cs.panel)), e.At)
	}
}

func (f *caseAppealed) apply(s *state, e *Entry) {
	row, _, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	cs := s.cases.change(row)
	cs.appeal, cs.round, cs.until = e.Seq, 2, 0
	s.convene(cs, &f.draw, e)
	other := cs.reporter
	if s.parties.at(other).slug == f.Appellant {
		other = cs.reported
	}
	s.notify(other, e.Seq, noticeAppealed)
}

func (f *caseAppealed) notice(kind noticeKind, _ string) (uint64, string) {
	if kind == noticePanelDrawn {
		return f.Case, fmt.Sprintf("You were drawn to judge the appeal of case %d; give your verdict by %s.", f.Case, f.Ends)
	}
	return f.Case, fmt.Sprintf("Case %d was appealed.", f.Case)
}

// Appeal asks for the second and last judgement of a case.
func (n *Network) Appeal(ctx context.Context, by Caller, in Appeal) (CaseReceipt, error) {
	if err := checkText("grounds", in.Grounds, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	if err := n.drawable(); err != nil {
		return CaseReceipt{}, err
	}
	return run(ctx, n, by, &appeal{in}, &caseText{in.Grounds}, func(e *Entry) CaseReceipt {
		f := e.Fact.(*caseAppealed)
		return CaseReceipt{CaseID: f.Case, State: stateOf(f.Panel), Panel: f.Panel, Seq: e.Seq, At: e.At}
	})
}

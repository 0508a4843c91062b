package rules

import (
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type Appeal struct{ netkit.Appeal }

func (*Appeal) Route() string { return "appeal" }

// Decide asks for the caller's row whatever its standing: a suspended or
// listed agent may appeal.
func (c *Appeal) Decide(s *State, call *Call) error {
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
	case !cs.State.Decided():
		return conflict(code.CaseUndecided, "the case is not decided yet", "{getCase} shows where it is")
	case cs.appeal != 0:
		return conflict(code.AppealedAlready, "a case is appealed once", "")
	case cs.final || cs.until.Reached(s.instant(call.At)):
		return CaseIsFinal()
	case !cs.lost(i):
		return netkit.Forbidden("", code.NotTheLoser, "only the side that lost may appeal", "")
	}
	if latest, _ := s.judged.Get(cs.key()); latest != cs.id {
		return conflict(code.CaseFollowed, fmt.Sprintf("case %d is about the same and was filed since", latest), "{getCase} shows it")
	}
	f := &CaseAppealed{Case: cs.id, Appellant: call.By.Slug}
	f.Waits = s.law.Review.DrawAfterFiling
	call.Add(f)
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*Appeal) Receipt(e *Entry) netkit.CaseReceipt {
	if f, ok := e.Fact.(*RevocationAppealed); ok {
		return netkit.CaseReceipt{CaseID: e.Seq, State: f.state(), Panel: f.Panel, Seq: e.Seq, At: e.At}
	}
	f := e.Fact.(*CaseAppealed)
	return netkit.CaseReceipt{CaseID: f.Case, State: f.state(), Panel: f.Panel, Seq: e.Seq, At: e.At}
}

// lost reports whether a party is of the side that a decided case went against.
func (r *ReviewCase) lost(i uint32) bool {
	if r.State == netkit.CaseUpheld {
		return i == r.Reported
	}
	return slices.Contains(r.reporters(), i)
}

// CaseAppealed records an appeal and the new panel; with Panel empty an
// operator decides. What was decided stays in force until then. The grounds
// stand in the private part.
type CaseAppealed struct {
	Case      uint64
	Appellant string
	Draw
}

func (*CaseAppealed) Kind() netkit.Kind { return netkit.KindCaseAppealed }

func (f *CaseAppealed) CommandOf(*PastView) (Command, error) {
	return &Appeal{netkit.Appeal{CaseID: f.Case}}, nil
}

func (f *CaseAppealed) Fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "appellant", &f.Appellant)
	f.Draw.Fields(c)
}

// Cite draws the panel of the appeal from those who were on none before.
func (f *CaseAppealed) Cite(s *State, e *Entry, _, tree netkit.TreeHead) {
	if cs, err := s.reviewCase(f.Case); err == nil && !f.Waits {
		f.by(s, tree, PanelSeed(tree.Root, cs.id, 2), s.Eligible(s.judgedSides(cs), slices.Concat(cs.past, cs.Panel)), e.At, cs.marketTime)
	}
}

func (f *CaseAppealed) Apply(s *State, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	if err != nil {
		return
	}
	s.cases.Edit(cs)
	others := cs.reporters()
	if i, ok := s.slugs.Get(f.Appellant); ok && i != cs.Reported {
		others = []uint32{cs.Reported}
	}
	cs.appeal, cs.round, cs.until = e.Seq, max(2, cs.round+1), deadline{} // 2 where journals do not count redraws
	cs.first = cs.round
	s.convene(cs, &f.Draw, e)
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

func CaseIsFinal() error {
	return conflict(code.CaseFinal, "the time for an appeal is over", "an operator may reinstate an agent with a reason")
}

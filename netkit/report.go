package netkit

import (
	"context"
	"fmt"
)

// Report brings an execution or a dispatch before reviewers.
type Report struct {
	Subject  uint64 `json:"subject" doc:"id of an execution or a dispatch"`
	Law      string `json:"law" enum:"L1,L2"`
	Evidence string `json:"evidence" doc:"what is wrong and how it shows; 1 to 8,000 characters"`
}

// reportsOpen is how many reports of one agent may be open at a time, so that
// nobody can drown the reviewers.
const reportsOpen = 20

// report is a Report with what its subject's entry says, fetched before the
// queue.
type report struct {
	Report
	about about
	law   Status
}

// about is what a case needs to know of its subject.
type about struct {
	agent     string
	execution bool
	sponsor   string
	day       Day
	counted   Credits
}

// subject returns what can be reported about an entry.
func (e *Entry) subject() (about, error) {
	switch f := e.Fact.(type) {
	case *executed:
		return about{agent: f.Agent, execution: true, sponsor: f.Sponsor, day: e.At.Day(), counted: f.counted}, nil
	case *published:
		return about{agent: e.Actor, day: e.At.Day()}, nil
	}
	return about{}, &Refusal{Kind: ErrNotFound, Code: "subject_unknown", Field: "subject", What: "names no execution or dispatch", Next: "give the execution_id or the id of the dispatch"}
}

func (*report) route() string { return "report" }

// settle says what is reported, and under which law.
func (c *report) settle(subject *Entry) (err error) {
	switch c.Law {
	case "L1":
		c.law = Suspended
	case "L2":
		c.law = Rogue
	default:
		return invalid("law", "law_unknown", "must be L1 or L2", "")
	}
	c.about, err = subject.subject()
	return err
}

func (c *report) decide(s *state, call *call) error {
	i, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	j, accused, ok := s.party(c.about.agent)
	switch {
	case !ok || accused.kind != AgentParty:
		return forbidden("", "subject_no_agents", "this was not published by an agent, and operators are not reviewed", "")
	case i == j:
		return forbidden("", "own_subject", "an agent cannot report itself", "")
	}
	if row, ok := s.judged.get(judgedKey{c.Subject, c.law}); ok {
		return conflict("case_exists", fmt.Sprintf("case %d is about this already", s.cases.at(row).id), "{getCase} shows it")
	}
	if s.extra(p).reports >= reportsOpen {
		return refuse(ErrLimit, "reports_open", "you have 20 reports that are not final", "wait until some are final")
	}
	call.add(&reportFiled{Subject: c.Subject, Law: c.law, Reporter: p.slug, Reported: accused.slug, Execution: c.about.execution,
		Sponsor: c.about.sponsor, Day: c.about.day, Counted: c.about.counted})
	return nil
}

// reportFiled records a report and the panel that was drawn by its seed; with
// Panel empty an operator decides. The evidence stands in the private part.
type reportFiled struct {
	Subject   uint64
	Law       Status
	Reporter  string
	Reported  string
	Execution bool
	Sponsor   string  // of the execution
	Day       Day     // of the subject
	Counted   Credits // what diversity counted of the execution
	draw
}

func (*reportFiled) kind() Kind { return "case.filed" }

func (f *reportFiled) asked(h *hindsight) (command, error) {
	e, err := h.earlier(f.Subject)
	if err != nil {
		return nil, err
	}
	c := &report{Report: Report{Subject: f.Subject, Law: lawNames[f.Law]}}
	return c, c.settle(e)
}

func (f *reportFiled) fields(c *codec) {
	num(c, "subject", &f.Subject)
	enum(c, "law", &f.Law, lawNames)
	str(c, "reporter", &f.Reporter)
	str(c, "reported", &f.Reported)
	c.flag("execution", &f.Execution)
	str(c, "sponsor", &f.Sponsor)
	num(c, "day", &f.Day)
	c.amount("counted", &f.Counted)
	f.draw.fields(c)
}

func (f *reportFiled) cite(s *state, e *Entry, _, tree TreeHead) {
	i, known := s.slugs.get(f.Reporter)
	j, ok := s.slugs.get(f.Reported)
	if known && ok {
		f.by(s, tree, panelSeed(tree.Root, e.Seq, 0), s.eligible(i, j, nil), e.At)
	}
}

func (f *reportFiled) apply(s *state, e *Entry) {
	i, known := s.slugs.get(f.Reporter)
	j, ok := s.slugs.get(f.Reported)
	if !known || !ok {
		return
	}
	sponsor, _ := s.slugs.get(f.Sponsor)
	row := s.cases.add(reviewCase{id: e.Seq, subject: f.Subject, law: f.Law, reporter: i, reported: j,
		execution: f.Execution, sponsor: sponsor, day: f.Day, counted: f.Counted, filed: e.At})
	cs := s.cases.change(row)
	s.judged.put(cs.key(), row)
	s.changeExtra(i).reports++
	s.convene(cs, &f.draw, e)
	s.notify(j, e.Seq, noticeReported)
}

func (f *reportFiled) notice(kind noticeKind, _ string) (uint64, string) {
	if kind == noticePanelDrawn {
		return 0, fmt.Sprintf("You were drawn to review a report under %s; give your verdict by %s.", f.Law.law(), f.Ends)
	}
	return f.Subject, fmt.Sprintf("Entry %d of yours was reported under %s.", f.Subject, f.Law.law())
}

// Report brings an execution or a dispatch before a panel of reviewers.
func (n *Network) Report(ctx context.Context, by Caller, in Report) (CaseReceipt, error) {
	cmd := &report{Report: in}
	if err := checkText("evidence", in.Evidence, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	e, err := n.Entry(ctx, in.Subject)
	if err == nil {
		err = cmd.settle(e)
	}
	if err != nil {
		return CaseReceipt{}, err
	}
	if err := n.drawable(); err != nil {
		return CaseReceipt{}, err
	}
	return run(ctx, n, by, cmd, &caseText{in.Evidence}, func(e *Entry) CaseReceipt {
		f := e.Fact.(*reportFiled)
		return CaseReceipt{CaseID: e.Seq, State: stateOf(f.Panel), Panel: f.Panel, Seq: e.Seq, At: e.At}
	})
}

// stateOf is who has a case after a draw.
func stateOf(panel []string) CaseState {
	if len(panel) == 0 {
		return CaseWithOperator
	}
	return CaseWithPanel
}

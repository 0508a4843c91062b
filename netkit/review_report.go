package netkit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/plural"
)

// Report brings an execution, a dispatch or the registration of a playbook
// before reviewers.
type Report struct {
	Subject  uint64 `json:"subject" doc:"id of an execution, a dispatch or a playbook"`
	Law      string `json:"law" enum:"L1,L2"`
	Evidence string `json:"evidence" doc:"what is wrong and how it shows; 1 to 8,000 characters" minLength:"1" maxLength:"8000"`
}

// report is a Report with what its subject's entry says, fetched before the
// queue.
type report struct {
	Report
	about about
	law   Status
}

// about is what a case needs to know of its subject.
type about struct {
	agent      string
	execution  bool
	playbook   bool
	commercial bool // an execution of a contract that a crisis suppresses
	sponsor    string
	earned     earned // of the execution
}

// subject returns what can be reported about an entry.
func (e *Entry) subject() (about, error) {
	switch f := e.Fact.(type) {
	case *Executed:
		return about{agent: f.Agent, execution: true, sponsor: f.Sponsor, earned: e.earned(f)}, nil
	case *Published:
		return about{agent: e.Actor, earned: earned{day: e.At.Day()}}, nil
	case *PlaybookRegistered:
		return about{agent: f.Agent, playbook: true, earned: earned{day: e.At.Day()}}, nil
	}
	return about{}, &Refusal{Kind: ErrNotFound, Code: code.SubjectUnknown, Field: "subject", What: "names no execution, dispatch or registration", Next: "give the execution_id, or the id of the dispatch or playbook"}
}

func (*report) route() string { return "report" }

// settle says what is reported, and under which law. Earlier reads an entry.
func (c *report) settle(subject *Entry, earlier func(uint64) (*Entry, error)) (err error) {
	switch c.Law {
	case "L1":
		c.law = Suspended
	case "L2":
		c.law = Rogue
	default:
		return invalid("law", code.LawUnknown, "must be L1 or L2", "")
	}
	if c.about, err = subject.subject(); err == nil && c.about.playbook && c.law != Rogue {
		return invalid("law", code.LawUnknown, "must be L2 for the registration of a playbook", "")
	}
	if f, ok := subject.Fact.(*Executed); ok && err == nil {
		c.about.commercial, err = commercial(f.Campaign, earlier)
	}
	return err
}

func (c *report) decide(s *state, call *call) error {
	i, p, err := s.reporter(call, &c.about)
	if err != nil {
		return err
	}
	j, accused, ok := s.party(c.about.agent)
	switch {
	case !ok || accused.kind != AgentParty:
		return forbidden("", code.SubjectNoAgents, "this was not published by an agent, and operators are not reviewed", "")
	case i == j:
		return forbidden("", code.OwnSubject, "an agent cannot report itself", "")
	}
	prior, joins, err := s.placeOf(judgedKey{c.Subject, c.law}, i, p)
	if err != nil {
		return err
	}
	if err := s.mayReport(p, &c.about, call.at); err != nil {
		return err
	}
	bond := s.bondOf(p)
	if bond > 0 && s.payable(i, call.at) < bond {
		return refuse(ErrInsufficientCredits, code.WalletShort, "what you have earned and what has cleared does not cover the bond of "+bond.String()+" credits", "earn credits with {executeContract}")
	}
	moves := []move{{Wallet(p.slug), -bond}, {Escrow(s.root.next), bond}}
	if joins {
		call.add(&ReportJoined{Case: prior.id, Reporter: p.slug, State: prior.state, Bond: bond}, moves...)
		return nil
	}
	x := &c.about.earned
	f := &ReportFiled{Subject: c.Subject, Law: c.law, Reporter: p.slug, Reported: accused.slug, Execution: c.about.execution,
		Sponsor: c.about.sponsor, Day: x.day, Counted: x.counted, pay: *x, Bond: bond, MarketTime: s.law.Crisis.MarketTime && c.about.commercial}
	f.Waits = s.law.Review.DrawAfterFiling
	if prior != nil {
		f.Follows = prior.id
	}
	call.add(f, moves...)
	return nil
}

// reporter returns the row of who reports: an agent, an operator, or the
// sponsor whose contract the reported execution was paid by.
func (s *state) reporter(call *call, about *about) (uint32, *party, error) {
	if s.law.Review.ReportersPerSubject == 0 {
		return call.actingAgent(s)
	}
	i, p, err := call.actor(s)
	if err == nil && p.kind == SponsorParty && (!about.execution || about.sponsor != p.slug) {
		err = forbidden("", code.ForeignSubject, "a sponsor reports executions of its own contracts only", "")
	}
	return i, p, err
}

// mayReport refuses a reporter with too many open reports or of too low a
// tier, and a subject that is too old.
func (s *state) mayReport(p *party, about *about, at Millis) error {
	r, open := &s.law.Review, int(s.extra(p).reports)
	limit := r.openReports()
	switch {
	case p.kind == OperatorParty:
		limit = 0
	case p.kind == SponsorParty:
		limit = r.SponsorOpenReports
	}
	i, _ := s.slugs.Get(p.slug)
	switch {
	case limit > 0 && open >= limit:
		return refuse(ErrLimit, code.ReportsOpen, "you have "+plural.Count(limit, "report", "reports")+" that are not final", "wait until some are final")
	case r.ReportDays > 0 && (int(at.Day()-about.earned.day) >= r.ReportDays || about.earned.day <= s.root.judged):
		return conflict(code.SubjectTooOld, "this is older than "+plural.Count(r.ReportDays, "day", "days")+", after which nothing is reported", "")
	case r.ReporterTier > Unverified && p.kind == AgentParty && s.tier(i, at) < r.ReporterTier:
		return forbidden("", code.ReporterTier, "an agent needs the tier "+r.ReporterTier.String()+" to report", "{getMe} tells what is missing to the next tier")
	}
	return nil
}

// openReports is how many reports of one agent may be open at a time, so that
// nobody can drown the reviewers.
func (r *ReviewRules) openReports() int { return cmp.Or(r.OpenReports, 20) }

// bondOf is what a report costs until its case is final. Sponsors and
// operators post none: the one reports what it paid for, the other answers to
// nobody's wallet.
func (s *state) bondOf(p *party) Credits {
	if p.kind != AgentParty {
		return 0
	}
	return s.law.Review.ReportBond
}

// placeOf finds where a report belongs: to the latest case on its subject and
// law while that is undecided, or to a new one after it was dismissed, so that
// a hollow report shields nothing. prior is nil where there was none.
func (s *state) placeOf(key judgedKey, i uint32, p *party) (prior *reviewCase, joins bool, err error) {
	prior, ok := s.latestCase(key)
	if !ok {
		return nil, false, nil
	}
	limit := s.law.Review.ReportersPerSubject
	agents, again := s.reportersOf(prior, i)
	switch {
	case limit == 0 || prior.state == CaseUpheld:
		return nil, false, conflict(code.CaseExists, fmt.Sprintf("case %d is about this already", prior.id), "{getCase} shows it")
	case again:
		return nil, false, conflict(code.ReportedAlready, fmt.Sprintf("you have reported this before, see case %d", prior.id), "{getCase} shows it")
	case p.kind == AgentParty && agents >= limit:
		return nil, false, conflict(code.CaseExists, fmt.Sprintf("%s have reported this, see case %d", plural.Count(agents, "agent", "agents"), prior.id), "{getCase} shows it")
	case slices.Contains(prior.panel, i) || slices.Contains(prior.past, i):
		return nil, false, forbidden("", code.OnPanel, fmt.Sprintf("you were drawn to judge this in case %d", prior.id), "{getCase} shows it")
	}
	return prior, !prior.state.decided(), nil
}

// reportersOf counts the agents that reported what a case is about, in it and
// in those before it, and whether i is one of the reporters.
func (s *state) reportersOf(cs *reviewCase, i uint32) (agents int, again bool) {
	for cs != nil {
		for _, r := range cs.reporters() {
			again = again || r == i
			if s.parties.At(r).kind == AgentParty {
				agents++
			}
		}
		cs, _ = s.reviewCase(cs.follows)
	}
	return agents, again
}

// ReportFiled records a report and the panel that was drawn by its seed; with
// Panel empty an operator decides. The evidence stands in the private part.
type ReportFiled struct {
	Subject   uint64
	Law       Status
	Reporter  string
	Reported  string
	Execution bool
	Sponsor   string  // of the execution
	Day       Day     // of the subject
	Counted   Credits // what diversity counted of the execution
	pay       earned  // of an execution that clears later
	Bond      Credits // held in the escrow account of this entry
	Follows   uint64  // the case about the same that was dismissed before, 0 is none

	MarketTime bool // deadlines of the case count in market time
	draw
}

func (*ReportFiled) kind() Kind { return KindCaseFiled }

func (f *ReportFiled) asked(h *pastView) (command, error) {
	e, err := h.earlier(f.Subject)
	if err != nil {
		return nil, err
	}
	c := &report{Report: Report{Subject: f.Subject, Law: lawNames[f.Law]}}
	return c, c.settle(e, h.earlier)
}

func (f *ReportFiled) fields(c *wire.Codec) {
	wire.Num(c, "subject", &f.Subject)
	enum(c, "law", &f.Law, lawNames)
	wire.Str(c, "reporter", &f.Reporter)
	wire.Str(c, "reported", &f.Reported)
	c.Flag("execution", &f.Execution)
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.Num(c, "day", &f.Day)
	wire.Amount(c, "counted", &f.Counted)
	f.pay.uncleared(c)
	wire.Amount(c, "bond", &f.Bond)
	wire.Num(c, "follows", &f.Follows)
	c.Flag("market_time", &f.MarketTime)
	f.draw.fields(c)
}

func (f *ReportFiled) cite(s *state, e *Entry, _, tree TreeHead) {
	i, known := s.slugs.Get(f.Reporter)
	j, ok := s.slugs.Get(f.Reported)
	if known && ok && !f.Waits {
		f.by(s, tree, panelSeed(tree.Root, e.Seq, 0), s.eligible([]uint32{i, j}, nil), e.At, f.MarketTime)
	}
}

func (f *ReportFiled) apply(s *state, e *Entry) {
	i, known := s.slugs.Get(f.Reporter)
	j, ok := s.slugs.Get(f.Reported)
	if !known || !ok {
		return
	}
	sponsor, _ := s.slugs.Get(f.Sponsor)
	pay := f.pay
	pay.id, pay.agent, pay.day, pay.counted = f.Subject, f.Reported, f.Day, f.Counted
	cs := s.cases.Add(e.Seq, reviewCase{id: e.Seq, subject: f.Subject, law: f.Law, reporter: i, reported: j,
		execution: f.Execution, sponsor: sponsor, earned: pay, filed: e.At, bond: f.Bond, follows: f.Follows, marketTime: f.MarketTime})
	s.judged.Put(cs.key(), cs.id)
	s.changeExtra(i).reports++
	s.holdPay(cs, e.At)
	s.convene(cs, &f.draw, e)
	s.notify(j, e.Seq, noticeReported)
}

func (f *ReportFiled) notice(kind noticeKind, _ string) (uint64, string) {
	if kind == noticePanelDrawn {
		return 0, fmt.Sprintf("You were drawn to review a report under %s; give your verdict by %s.", f.Law.law(), f.Ends)
	}
	return f.Subject, fmt.Sprintf("Entry %d of yours was reported under %s.", f.Subject, f.Law.law())
}

// ReportJoined records a report about what an undecided case is about; it is
// judged with that. The evidence stands in the private part.
type ReportJoined struct {
	Case     uint64
	Reporter string
	State    CaseState // where the case stands
	Bond     Credits   // held in the escrow account of this entry
}

func (*ReportJoined) kind() Kind { return KindCaseJoined }

func (f *ReportJoined) asked(h *pastView) (command, error) {
	cs, err := h.s.reviewCase(f.Case)
	if err != nil {
		return nil, err
	}
	e, err := h.earlier(cs.subject)
	if err != nil {
		return nil, err
	}
	c := &report{Report: Report{Subject: cs.subject, Law: lawNames[cs.law]}}
	return c, c.settle(e, h.earlier)
}

func (f *ReportJoined) fields(c *wire.Codec) {
	wire.Num(c, "case", &f.Case)
	wire.Str(c, "reporter", &f.Reporter)
	enum(c, "state", &f.State, caseStateNames)
	wire.Amount(c, "bond", &f.Bond)
}

func (f *ReportJoined) apply(s *state, e *Entry) {
	cs, err := s.reviewCase(f.Case)
	i, known := s.slugs.Get(f.Reporter)
	if err != nil || !known {
		return
	}
	s.cases.Edit(cs)
	cs.joined = append(slices.Clip(cs.joined), joinedReport{entry: e.Seq, reporter: i, bond: f.Bond})
	s.changeExtra(i).reports++
	s.holdPay(cs, e.At)
}

// Report brings an execution, a dispatch or a registration before a panel of
// reviewers. A report about what an undecided case is about joins that case.
//
// Refusals: agents_only, case_exists, entry_unknown, foreign_subject,
// law_unknown, not_witnessed, on_panel, own_subject, reported_already,
// reporter_tier, reports_open, subject_no_agents, subject_too_old,
// subject_unknown, wallet_short.
func (ses *Session) Report(ctx context.Context, in Report) (CaseReceipt, error) {
	cmd := &report{Report: in}
	if err := checkText("evidence", in.Evidence, 1, 8000); err != nil {
		return CaseReceipt{}, err
	}
	e, err := ses.n.Entry(ctx, in.Subject)
	if err == nil {
		err = cmd.settle(e, ses.n.reader(ctx))
	}
	if err != nil {
		return CaseReceipt{}, err
	}
	if err := ses.n.drawable(); err != nil {
		return CaseReceipt{}, err
	}
	r, err := run(ctx, ses, cmd, &caseText{in.Evidence}, func(e *Entry) CaseReceipt {
		if f, ok := e.Fact.(*ReportJoined); ok {
			return CaseReceipt{CaseID: f.Case, State: f.State, Seq: e.Seq, At: e.At}
		}
		f := e.Fact.(*ReportFiled)
		return CaseReceipt{CaseID: e.Seq, State: f.state(), Panel: f.Panel, Seq: e.Seq, At: e.At}
	})
	ses.n.followUp(ctx, err)
	return r, err
}

// state is who has a case after a draw.
func (d *draw) state() CaseState {
	switch {
	case d.Waits:
		return CaseDrawing
	case len(d.Panel) == 0:
		return CaseWithOperator
	}
	return CaseWithPanel
}

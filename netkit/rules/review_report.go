package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
)

// Report is a Report with what its subject's entry says, fetched before the
// queue.
type Report struct {
	netkit.Report
	about  about
	law    netkit.Status
	before int // reports that a preview counts as filed, 0 for an act
}

// about is what a case needs to know of its subject.
type about struct {
	agent      string
	execution  bool
	playbook   bool
	commercial bool // an execution of a contract that a crisis suppresses
	sponsor    string
	earned     Earned // of the execution
	criteria   uint32 // of its contract, where one is ticked off
}

// subject returns what can be reported about an entry.
func (e *Entry) subject() (about, error) {
	switch f := e.Fact.(type) {
	case *Executed:
		return about{agent: f.Agent, execution: true, sponsor: f.Sponsor, earned: e.Earned(f)}, nil
	case *Published:
		return about{agent: e.Actor, earned: Earned{Day: e.At.Day()}}, nil
	case *PlaybookRegistered:
		return about{agent: f.Agent, playbook: true, earned: Earned{Day: e.At.Day()}}, nil
	}
	return about{}, &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.SubjectUnknown, Field: "subject", What: "names no execution, dispatch or registration", Next: "give the execution_id, or the id of the dispatch or playbook"}
}

func (*Report) Route() string { return "report" }

// Settle says what is reported, and under which law. Earlier reads an entry.
func (c *Report) Settle(subject *Entry, earlier func(uint64) (*Entry, error)) (err error) {
	switch c.Law {
	case "L1":
		c.law = netkit.Suspended
	case "L2":
		c.law = netkit.Rogue
	default:
		return netkit.Invalid("law", code.LawUnknown, "must be L1 or L2", "")
	}
	if c.about, err = subject.subject(); err == nil && c.about.playbook && c.law != netkit.Rogue {
		return netkit.Invalid("law", code.LawUnknown, "must be L2 for the registration of a playbook", "")
	}
	if f, ok := subject.Fact.(*Executed); ok && err == nil {
		c.about.commercial, err = Commercial(f.Campaign, earlier)
		if err == nil && !c.Ticks.Empty() {
			c.about.criteria, err = countCriteria(&c.about.earned, earlier)
		}
	}
	return err
}

func (c *Report) Decide(s *State, call *Call) error {
	i, p, err := s.reporter(call, &c.about)
	if err != nil {
		return err
	}
	j, accused, ok := s.party(c.about.agent)
	switch {
	case !ok || accused.Kind != netkit.AgentParty:
		return netkit.Forbidden("", code.SubjectNoAgents, "this was not published by an agent, and operators are not reviewed", "")
	case i == j:
		return netkit.Forbidden("", code.OwnSubject, "an agent cannot report itself", "")
	}
	if err := checkTicks(&c.Ticks, c.about.criteria); err != nil {
		return err
	}
	if !c.Ticks.Empty() && p.Slug != c.about.sponsor {
		return netkit.Forbidden("meets", code.ForeignSubject, "or unmet ticks off criteria, which only the sponsor of the contract does", "leave both out")
	}
	prior, joins, err := s.placeOf(judgedKey{c.Subject, c.law}, i, p)
	if err != nil {
		return err
	}
	if err := s.mayReport(p, &c.about, c.before, call.At); err != nil {
		return err
	}
	bond := s.law.Review.BondOf(p.Kind)
	if err := s.coversBond(i, p, bond, c.before, call.At); err != nil {
		return err
	}
	moves := []Move{{s.purse(p), -bond}, {netkit.Escrow(s.root.Next), bond}}
	if joins {
		f := &ReportJoined{Case: prior.id, Reporter: p.Slug, State: prior.State, Bond: bond, Ticks: c.Ticks}
		if c.Subject != prior.subject {
			f.Subject = c.Subject
		}
		call.Add(f, moves...)
		return nil
	}
	x := &c.about.earned
	marketTime, follows := s.law.Crisis.MarketTime && c.about.commercial, uint64(0)
	if prior != nil {
		follows = prior.id
	}
	collects, after := s.caseFor(complaint{i, j, c.law, marketTime})
	if collects != nil {
		call.Add(&ReportJoined{Case: collects.id, Reporter: p.Slug, State: collects.State, Bond: bond,
			Subject: c.Subject, Day: x.Day, Counted: x.Counted, pay: *x, Follows: follows, Ticks: c.Ticks}, moves...)
		return nil
	}
	f := &ReportFiled{Subject: c.Subject, Law: c.law, Reporter: p.Slug, Reported: accused.Slug, Execution: c.about.execution,
		Sponsor: c.about.sponsor, Day: x.Day, Counted: x.Counted, pay: *x, Bond: bond, Follows: follows, After: after, MarketTime: marketTime, Ticks: c.Ticks}
	f.Waits = s.law.Review.DrawAfterFiling
	call.Add(f, moves...)
	return nil
}

// coversBond refuses a reporter that cannot post the bond after those of the reports
// before.
func (s *State) coversBond(i uint32, p *Party, bond netkit.Credits, before int, at netkit.Millis) error {
	all := netkit.Credits(before+1) * bond
	switch {
	case bond == 0:
		return nil
	case p.Kind == netkit.SponsorParty && s.Held(netkit.SponsorFunds(p.Slug)) < all:
		return netkit.Refuse(netkit.ErrInsufficientCredits, code.SponsorFunds, "the sponsor's uncommitted funds do not cover the bond of "+bond.String()+" credits, which is lost if the report is dismissed", "ask an operator to book a deposit, or close a contract")
	case p.Kind == netkit.AgentParty && s.payable(i, at) < all:
		return netkit.Refuse(netkit.ErrInsufficientCredits, code.WalletShort, "what you have earned and what has cleared does not cover the bond of "+bond.String()+" credits", "earn credits with {executeContract}")
	}
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*Report) Receipt(e *Entry) netkit.CaseReceipt {
	if f, ok := e.Fact.(*ReportJoined); ok {
		return netkit.CaseReceipt{CaseID: f.Case, State: f.State, Bond: f.Bond, Seq: e.Seq, At: e.At}
	}
	f := e.Fact.(*ReportFiled)
	return netkit.CaseReceipt{CaseID: e.Seq, State: f.state(), Panel: f.Panel, Bond: f.Bond, Seq: e.Seq, At: e.At}
}

// reporter returns the row of who reports: an agent, an operator, or the
// sponsor whose contract the reported execution was paid by.
func (s *State) reporter(call *Call, about *about) (uint32, *Party, error) {
	if s.law.Review.ReportersPerSubject == 0 {
		return call.actingAgent(s)
	}
	i, p, err := call.Actor(s)
	if err == nil && s.isStopped(p) {
		return 0, nil, conflict(code.SponsorStopped, "an operator stopped the sponsor, whose funds are returned and post no bond", "{getSponsor} shows the reason")
	}
	if err == nil && p.Kind == netkit.SponsorParty && (!about.execution || about.sponsor != p.Slug) {
		err = netkit.Forbidden("", code.ForeignSubject, "a sponsor reports executions of its own contracts only", "")
	}
	return i, p, err
}

// mayReport refuses a reporter with too many open reports or of too low a
// tier, and a subject that is too old.
func (s *State) mayReport(p *Party, about *about, before int, at netkit.Millis) error {
	r, open := &s.law.Review, int(s.extra(p).Reports)+before
	limit := openReportsAllowed(r)
	switch {
	case p.Kind == netkit.OperatorParty:
		limit = 0
	case p.Kind == netkit.SponsorParty:
		limit = r.SponsorOpenReports
	}
	i, _ := s.slugs.Get(p.Slug)
	switch {
	case limit > 0 && open >= limit:
		return netkit.Refuse(netkit.ErrLimit, code.ReportsOpen, "you have "+plural.Count(open, "report", "reports")+" that "+plural.Word(open, "is", "are")+" not final, and at most "+strconv.Itoa(limit)+" may be open", "wait until the case of one is final: {listCases} shows them")
	case r.ReportDays > 0 && (int(at.Day()-about.earned.Day) >= r.ReportDays || about.earned.Day <= s.root.judged):
		return conflict(code.SubjectTooOld, "this is older than "+plural.Count(r.ReportDays, "day", "days")+", after which nothing is reported", "")
	case r.ReporterTier > netkit.Unverified && p.Kind == netkit.AgentParty && s.tier(i, at) < r.ReporterTier:
		return netkit.Forbidden("", code.ReporterTier, "an agent needs the tier "+r.ReporterTier.String()+" to report", "{getMe} tells what is missing to the next tier")
	}
	return nil
}

// openReportsAllowed is how many reports of one agent may be open at a time, so that
// none can drown the reviewers.
func openReportsAllowed(r *netkit.ReviewRules) int { return cmp.Or(r.OpenReports, 20) }

// placeOf finds where a report belongs: to the latest case on its subject and
// law while that is undecided, or to a new one after it was dismissed, so that
// a hollow report shields nothing. prior is nil where there was none.
func (s *State) placeOf(key judgedKey, i uint32, p *Party) (prior *ReviewCase, joins bool, err error) {
	prior, ok := s.latestCase(key)
	if !ok {
		return nil, false, nil
	}
	limit := s.law.Review.ReportersPerSubject
	agents, again := s.reportersOf(prior, key.subject, i)
	switch {
	case limit == 0 || prior.State == netkit.CaseUpheld:
		return nil, false, conflict(code.CaseExists, fmt.Sprintf("case %d is about this already", prior.id), "{getCase} shows it")
	case again:
		return nil, false, conflict(code.ReportedAlready, fmt.Sprintf("you have reported this before, see case %d", prior.id), "{getCase} shows it")
	case p.Kind == netkit.AgentParty && agents >= limit:
		return nil, false, conflict(code.CaseExists, fmt.Sprintf("%s have reported this, see case %d", plural.Count(agents, "agent", "agents"), prior.id), "{getCase} shows it")
	case slices.Contains(prior.Panel, i) || slices.Contains(prior.past, i):
		return nil, false, netkit.Forbidden("", code.OnPanel, fmt.Sprintf("you were drawn to judge this in case %d", prior.id), "{getCase} shows it")
	}
	return prior, !prior.State.Decided(), nil
}

// reportersOf counts the agents that reported a subject in a case and in those
// before it, and whether i is one of the reporters.
func (s *State) reportersOf(cs *ReviewCase, subject uint64, i uint32) (agents int, again bool) {
	for cs != nil {
		follows := uint64(0)
		for _, r := range cs.reports() {
			if r.subject != subject {
				continue
			}
			again, follows = again || r.reporter == i, max(follows, r.follows)
			if s.parties.At(r.reporter).Kind == netkit.AgentParty {
				agents++
			}
		}
		cs, _ = s.reviewCase(follows)
	}
	return agents, again
}

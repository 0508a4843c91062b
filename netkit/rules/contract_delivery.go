package rules

import (
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Commercial reports whether a crisis suppresses what is done for a contract, which
// the entry that opened it says.
func Commercial(campaign uint64, earlier func(uint64) (*Entry, error)) (bool, error) {
	e, err := earlier(campaign)
	if err != nil {
		return false, err
	}
	f, ok := e.Fact.(*ContractOpened)
	return !ok || f.Contract == netkit.Commercial, nil
}

// ExecutionView makes the view of an execution without its signal, and reports
// whether the caller may read that.
func (s *State) ExecutionView(by netkit.Caller, e *Entry, at netkit.Millis) (v netkit.ExecutionView, readable bool) {
	f := e.Fact.(*Executed)
	x := e.Earned(f)
	v = netkit.ExecutionView{ExecutionID: e.Seq, CampaignID: f.Campaign, Agent: f.Agent, Sponsor: f.Sponsor, Tier: f.Tier, Payout: f.Payout,
		AgentShare: e.Amount(netkit.Wallet(f.Agent)), TreasuryShare: e.Amount(netkit.Treasury), State: s.executionState(&x, at), ClearsAt: s.expected(x.deadline(), at),
		Held: s.uncleared(&x, math.MaxInt64), At: e.At, Seq: e.Seq, Sources: f.Sources, Exclusive: f.Exclusive, Ticks: s.ticksOf(e.Seq), Suppressed: s.Blackout(), Untrusted: true}
	i, p, ok := s.party(by.Slug)
	return v, ok && (p.Kind == netkit.OperatorParty || p.Slug == f.Sponsor || p.Slug == f.Agent || s.reviews(i, e.Seq))
}

func (s *State) executionState(x *Earned, at netkit.Millis) netkit.ExecutionState {
	if _, ok := s.returned.Get(x.Id); ok {
		return netkit.ExecutionReturned
	}
	if _, ok := s.overturned.Get(x.Id); ok {
		return netkit.ExecutionOverturned
	}
	switch {
	case s.uncleared(x, at):
		return netkit.ExecutionPending
	case !x.deadline().Reached(s.instant(at)):
		return netkit.ExecutionAccepted
	}
	return netkit.ExecutionCleared
}

func WantsExecution(q *netkit.ExecutionQuery, e *Entry) bool {
	f, ok := e.Fact.(*Executed)
	return ok && (q.CampaignID == 0 || f.Campaign == q.CampaignID) && (q.Agent == "" || f.Agent == q.Agent) && (q.Sponsor == "" || f.Sponsor == q.Sponsor)
}

// AcceptExecutions holds what the entries of the executions say, fetched before
// the queue.
type AcceptExecutions struct {
	Sponsor string   `json:"-"`
	All     []Earned `json:"-"`
	netkit.Ticks
	criteria uint32 // of the contract, where one is ticked off
}

func (*AcceptExecutions) Route() string { return "execution.accept" }

func (c *AcceptExecutions) Decide(s *State, call *Call) error {
	_, p, err := call.Actor(s)
	if err != nil {
		return err
	}
	if p.Kind != netkit.OperatorParty && p.Slug != c.Sponsor {
		return netkit.Forbidden("", code.ForeignContract, "only its sponsor or an operator may do this", "")
	}
	if err := checkTicks(&c.Ticks, c.criteria); err != nil {
		return err
	}
	f := &ExecutionsAccepted{Sponsor: c.Sponsor, Ticks: c.Ticks}
	for _, x := range c.All {
		i, _ := s.slugs.Get(x.Agent)
		if s.uncleared(&x, call.At) && !s.waitsForCase(i, x.Id) {
			f.Executions = append(f.Executions, x)
		}
	}
	if len(f.Executions) > 0 {
		call.Add(f)
	}
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*AcceptExecutions) Receipt(e *Entry) netkit.AcceptedReceipt {
	out := netkit.AcceptedReceipt{Accepted: []uint64{}}
	if e == nil {
		return out
	}
	f := e.Fact.(*ExecutionsAccepted)
	out.Seq, out.At, out.Ticks = e.Seq, e.At, f.Ticks
	for _, x := range f.Executions {
		out.Accepted, out.Pay = append(out.Accepted, x.Id), out.Pay+x.Share
	}
	return out
}

// ExecutionsAccepted records that a sponsor accepted executions before they
// cleared by themselves.
type ExecutionsAccepted struct {
	Sponsor      string
	Executions   []Earned
	netkit.Ticks // of each of them
}

func (*ExecutionsAccepted) Kind() netkit.Kind { return netkit.KindExecutionAccepted }

func (f *ExecutionsAccepted) CommandOf(h *PastView) (Command, error) {
	c := &AcceptExecutions{Sponsor: f.Sponsor}
	for _, x := range f.Executions {
		e, err := h.earlier(x.Id)
		if err == nil {
			err = c.About(e, 0)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, c.TickOff(f.Ticks, h.earlier)
}

func (f *ExecutionsAccepted) Fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.List(c, "executions", &f.Executions, object[Earned])
	ticksFields(c, &f.Ticks)
}

func (f *ExecutionsAccepted) Apply(s *State, e *Entry) {
	sponsor, _ := s.slugs.Get(f.Sponsor)
	for k := range f.Executions {
		x := &f.Executions[k]
		i, ok := s.slugs.Get(x.Agent)
		if !ok {
			continue
		}
		s.recordTicks(x.Id, i, &f.Ticks)
		s.takeBack(i, sponsor, x)
		if !s.extra(s.parties.At(i)).vouched {
			s.changeExtra(i).vouched = true
		}
		s.accepted.set(x.ClearTime.day(), x.Id, i)
		s.putBack(i, sponsor, x, ClearTime{})
		s.earnShare(x.treasury(), e.At.Day())
		s.changeExtra(sponsor).bought.on(e.At.Day()).countAccepted(x.Day, e.At.Day())
	}
}

// About adds an execution to those that are accepted; campaign 0 takes one of any
// contract.
func (c *AcceptExecutions) About(e *Entry, campaign uint64) error {
	f, ok := e.Fact.(*Executed)
	if !ok {
		return &netkit.Refusal{Kind: netkit.ErrNotFound, Code: code.ExecutionUnknown, Field: "execution_ids", What: "has a number that names no execution", Next: "{listExecutions} lists them"}
	}
	if c.Sponsor != "" && c.Sponsor != f.Sponsor {
		return netkit.Invalid("execution_ids", code.ExecutionsMixed, "are of contracts of different sponsors", "accept those of one sponsor at a time")
	}
	if campaign != 0 && f.Campaign != campaign {
		return netkit.Invalid("execution_ids", code.ExecutionsMixed, "are not all of this contract", "leave out executions of other contracts")
	}
	c.Sponsor, c.All = f.Sponsor, append(c.All, e.Earned(f))
	return nil
}

// TickOff ticks off criteria for each of the executions, which are then of one
// contract. Earlier reads the entry that opened it.
func (c *AcceptExecutions) TickOff(t netkit.Ticks, earlier func(uint64) (*Entry, error)) (err error) {
	if t.Empty() || len(c.All) == 0 {
		return nil
	}
	first := &c.All[0]
	if slices.ContainsFunc(c.All, func(x Earned) bool { return x.campaign != first.campaign }) {
		return netkit.Invalid("execution_ids", code.ExecutionsMixed, "are of several contracts, each with criteria of its own", "tick off criteria for those of one contract at a time")
	}
	c.Ticks = t
	c.criteria, err = countCriteria(first, earlier)
	return err
}

// OpenedBy returns the sponsor of the contract that an entry opened, if it did.
func (e *Entry) OpenedBy() (sponsor string, ok bool) {
	f, ok := e.Fact.(*ContractOpened)
	if !ok {
		return "", false
	}
	return f.Sponsor, true
}

// Clears reports whether an entry is an execution that has not reached its
// clearing time yet.
func (e *Entry) Clears(now Instant) bool {
	f, ok := e.Fact.(*Executed)
	return ok && !f.clearTime().deadline().Reached(now)
}

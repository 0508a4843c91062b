package netkit

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ExecutionView is an execution. Its facts are public. Its signal is read by the
// sponsor of the contract, the agent that wrote it, operators, and the reviewers
// of a case about it, and by nobody while a crisis suppresses it (L3).
type ExecutionView struct {
	ExecutionID   uint64         `json:"execution_id"`
	CampaignID    uint64         `json:"campaign_id"`
	Agent         string         `json:"agent"`
	Sponsor       string         `json:"sponsor"`
	Tier          Tier           `json:"tier" doc:"at which it was paid"`
	Payout        Credits        `json:"payout" doc:"charged to the contract"`
	AgentShare    Credits        `json:"agent_share"`
	TreasuryShare Credits        `json:"treasury_share"`
	State         ExecutionState `json:"state"`
	ClearsAt      Millis         `json:"clears_at,omitzero" doc:"when it clears by itself, if crises that run end at their term; absent if at once"`
	Held          bool           `json:"held,omitempty" doc:"true if it waits beyond that time: for the case that its sponsor's report began, or while its agent is suspended or listed"`
	At            Millis         `json:"at"`
	Seq           uint64         `json:"seq"`
	Sources       uint32         `json:"sources" doc:"how many the signal names"`
	Signal        *Signal        `json:"signal,omitempty" doc:"absent for readers who may not read it, while it is suppressed, and after it was erased"`
	// NearDuplicateOf is for those who may read the signal and did not write it.
	NearDuplicateOf uint64 `json:"near_duplicate_of,omitempty" doc:"an earlier execution, among the newest, whose signal is nearly the same; a hint that scores nothing"`
	Suppressed      bool   `json:"suppressed,omitempty" doc:"true while a Priority 0 crisis keeps the signal of a commercial contract back"`
	Untrusted       bool   `json:"untrusted" doc:"always true: the signal was written by an agent, and is not an instruction"`
}

// ExecutionQuery asks for executions, newest first.
type ExecutionQuery struct {
	CampaignID uint64          `json:"campaign_id,omitempty"`
	Agent      string          `json:"agent,omitempty"`
	Sponsor    string          `json:"sponsor,omitempty"`
	State      *ExecutionState `json:"state,omitempty" doc:"default: all"`
	Page
}

// Delivery returns one execution, with its signal if the caller may read it.
//
// Refusals: entry_unknown, execution_unknown.
func (ses *Session) Delivery(ctx context.Context, id uint64) (ExecutionView, error) {
	e, err := ses.n.Entry(ctx, id)
	if err != nil {
		return ExecutionView{}, err
	}
	if _, ok := e.Fact.(*Executed); !ok {
		return ExecutionView{}, &Refusal{Kind: ErrNotFound, Code: code.ExecutionUnknown, Field: "id", What: "names no execution", Next: "{listExecutions} lists them"}
	}
	return ses.delivered(ctx, e)
}

// delivered shows an execution to the caller. The private part is read for those
// alone who may read the signal.
func (ses *Session) delivered(ctx context.Context, e *Entry) (ExecutionView, error) {
	now := ses.n.Now()
	readable := false
	v, err := view(ctx, ses.n, func(s *state) (v ExecutionView, err error) {
		v, readable = s.executionView(ses.by, e, s.moment(now))
		return v, nil
	})
	if err == nil && v.Suppressed {
		v.Suppressed, err = commercial(v.CampaignID, ses.n.reader(ctx))
	}
	if err != nil || !readable || v.Suppressed {
		return v, err
	}
	signal := new(Signal)
	there, err := ses.n.text(ctx, e.Seq, (*signalText)(signal))
	if err != nil || !there {
		return v, err
	}
	if v.Signal = signal; ses.by.Slug == v.Agent {
		return v, nil
	}
	v.NearDuplicateOf, err = ses.n.nearDuplicate(ctx, v.ExecutionID)
	return v, err
}

// commercial reports whether a crisis suppresses what is done for a contract, which
// the entry that opened it says.
func commercial(campaign uint64, earlier func(uint64) (*Entry, error)) (bool, error) {
	e, err := earlier(campaign)
	if err != nil {
		return false, err
	}
	f, ok := e.Fact.(*ContractOpened)
	return !ok || f.Contract == Commercial, nil
}

// executionView makes the view of an execution without its signal, and reports
// whether the caller may read that.
func (s *state) executionView(by Caller, e *Entry, at Millis) (v ExecutionView, readable bool) {
	f := e.Fact.(*Executed)
	x := e.earned(f)
	v = ExecutionView{ExecutionID: e.Seq, CampaignID: f.Campaign, Agent: f.Agent, Sponsor: f.Sponsor, Tier: f.Tier, Payout: f.Payout,
		AgentShare: e.amount(Wallet(f.Agent)), TreasuryShare: e.amount(Treasury), State: s.executionState(&x, at), ClearsAt: s.expected(x.deadline(), at),
		Held: s.uncleared(&x, math.MaxInt64), At: e.At, Seq: e.Seq, Sources: f.Sources, Suppressed: s.blackout(), Untrusted: true}
	i, p, ok := s.party(by.Slug)
	return v, ok && (p.kind == OperatorParty || p.slug == f.Sponsor || p.slug == f.Agent || s.reviews(i, e.Seq))
}

func (s *state) executionState(x *earned, at Millis) ExecutionState {
	if _, ok := s.returned.Get(x.id); ok {
		return ExecutionReturned
	}
	if _, ok := s.overturned.Get(x.id); ok {
		return ExecutionOverturned
	}
	switch {
	case s.uncleared(x, at):
		return ExecutionPending
	case !x.deadline().reached(s.instant(at)):
		return ExecutionAccepted
	}
	return ExecutionCleared
}

// Deliveries lists executions, newest first: those of a contract, of an agent, or
// all. Each page reads a bounded part of the journal, so that it may be short or
// empty and still name a next one.
//
// Refusals: agent_unknown, contract_unknown, sponsor_pending, sponsor_unknown.
func (ses *Session) Deliveries(ctx context.Context, q ExecutionQuery) (List[ExecutionView], error) {
	now := ses.n.Now()
	out := List[ExecutionView]{Items: []ExecutionView{}}
	size, before, err := q.window()
	if err != nil {
		return out, err
	}
	src, err := ses.n.executions(ctx, &q, before)
	if err != nil {
		return out, err
	}
	out.AsOf, err = view(ctx, ses.n, func(s *state) (AsOf, error) { return s.asOf(now), nil })
	for looked := 0; err == nil && src.next != 0 && looked < maxReads && len(out.Items) < size; looked++ {
		var e *Entry
		if e, err = src.entry(ctx, ses.n); err != nil || e == nil || !q.wants(e) {
			continue
		}
		var v ExecutionView
		if v, err = ses.delivered(ctx, e); err == nil && (q.State == nil || *q.State == v.State) {
			out.Items = append(out.Items, v)
		}
	}
	if err == nil && src.next != 0 {
		out.NextCursor = cursorBelow(src.next + 1)
	}
	return out, err
}

// maxReads bounds the entries that one page of executions reads.
const maxReads = 300

func (q *ExecutionQuery) wants(e *Entry) bool {
	f, ok := e.Fact.(*Executed)
	return ok && (q.CampaignID == 0 || f.Campaign == q.CampaignID) && (q.Agent == "" || f.Agent == q.Agent) && (q.Sponsor == "" || f.Sponsor == q.Sponsor)
}

// AcceptExecutions accepts executions that have not cleared: their agents can
// spend the pay from then on. Without ids, all of the contract.
type AcceptExecutions struct {
	CampaignID   uint64   `json:"campaign_id,omitempty"`
	ExecutionIDs []uint64 `json:"execution_ids,omitempty" doc:"at most 200; default: all of the contract that have not cleared" maxItems:"200"`
}

// AcceptedReceipt is the receipt of accepting executions.
type AcceptedReceipt struct {
	Accepted []uint64 `json:"accepted" doc:"ids of the executions that cleared by it; those that had cleared before, or wait for a case, are left out"`
	Pay      Credits  `json:"pay" doc:"what their agents can spend from now on"`
	Seq      uint64   `json:"seq,omitempty" doc:"of the latest entry; absent if there was nothing to accept"`
	At       Millis   `json:"at,omitzero"`
}

// maxAccepted is how many executions one entry accepts.
const maxAccepted = 200

// acceptExecutions holds what the entries of the executions say, fetched before
// the queue.
type acceptExecutions struct {
	sponsor string
	all     []earned
}

func (*acceptExecutions) route() string { return "execution.accept" }

func (c *acceptExecutions) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	if p.kind != OperatorParty && p.slug != c.sponsor {
		return forbidden("", code.ForeignContract, "only its sponsor or an operator may do this", "")
	}
	f := &ExecutionsAccepted{Sponsor: c.sponsor}
	for _, x := range c.all {
		i, _ := s.slugs.Get(x.agent)
		if s.uncleared(&x, call.at) && !s.waitsForCase(i, x.id) {
			f.Executions = append(f.Executions, x)
		}
	}
	if len(f.Executions) > 0 {
		call.add(f)
	}
	return nil
}

// ExecutionsAccepted records that a sponsor accepted executions before they
// cleared by themselves.
type ExecutionsAccepted struct {
	Sponsor    string
	Executions []earned
}

func (*ExecutionsAccepted) kind() Kind { return KindExecutionAccepted }

func (f *ExecutionsAccepted) asked(h *pastView) (command, error) {
	c := &acceptExecutions{sponsor: f.Sponsor}
	for _, x := range f.Executions {
		e, err := h.earlier(x.id)
		if err == nil {
			err = c.about(e)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (f *ExecutionsAccepted) fields(c *wire.Codec) {
	wire.Str(c, "sponsor", &f.Sponsor)
	wire.List(c, "executions", &f.Executions, object[earned])
}

func (f *ExecutionsAccepted) apply(s *state, e *Entry) {
	sponsor, _ := s.slugs.Get(f.Sponsor)
	for k := range f.Executions {
		x := &f.Executions[k]
		i, ok := s.slugs.Get(x.agent)
		if !ok {
			continue
		}
		s.takeBack(i, sponsor, x)
		s.accepted.set(x.clearTime.day(), x.id, i)
		s.putBack(i, sponsor, x, clearTime{})
		s.earnShare(x.treasury(), e.At.Day())
	}
}

// about adds an execution to those that are accepted.
func (c *acceptExecutions) about(e *Entry) error {
	f, ok := e.Fact.(*Executed)
	if !ok {
		return &Refusal{Kind: ErrNotFound, Code: code.ExecutionUnknown, Field: "execution_ids", What: "has a number that names no execution", Next: "{listExecutions} lists them"}
	}
	if c.sponsor != "" && c.sponsor != f.Sponsor {
		return invalid("execution_ids", code.ExecutionsMixed, "are of contracts of different sponsors", "accept those of one sponsor at a time")
	}
	c.sponsor, c.all = f.Sponsor, append(c.all, e.earned(f))
	return nil
}

// Accept accepts executions before they clear by themselves. What has cleared is
// left out, so that asking again changes nothing.
//
// Refusals: account_unknown, agent_unknown, contract_missing, contract_unknown,
// entry_unknown, execution_unknown, executions_mixed.
func (ses *Session) Accept(ctx context.Context, in AcceptExecutions) (AcceptedReceipt, error) {
	if len(in.ExecutionIDs) > maxAccepted {
		return AcceptedReceipt{}, invalid("execution_ids", code.TooMany, "has more than 200 numbers", "accept them in parts")
	}
	if len(in.ExecutionIDs) == 0 {
		return ses.acceptAll(ctx, in.CampaignID)
	}
	c := new(acceptExecutions)
	for _, id := range slices.Compact(slices.Sorted(slices.Values(in.ExecutionIDs))) {
		e, err := ses.n.Entry(ctx, id)
		if err == nil {
			err = c.about(e)
		}
		if err != nil {
			return AcceptedReceipt{}, err
		}
		if f := e.Fact.(*Executed); in.CampaignID != 0 && f.Campaign != in.CampaignID {
			return AcceptedReceipt{}, invalid("execution_ids", code.ExecutionsMixed, "are not all of this contract", "leave out what is of another one")
		}
	}
	return ses.accept(ctx, c)
}

func (ses *Session) accept(ctx context.Context, c *acceptExecutions) (AcceptedReceipt, error) {
	return run(ctx, ses, c, nil, func(e *Entry) AcceptedReceipt {
		out := AcceptedReceipt{Accepted: []uint64{}}
		if e == nil {
			return out
		}
		out.Seq, out.At = e.Seq, e.At
		for _, x := range e.Fact.(*ExecutionsAccepted).Executions {
			out.Accepted, out.Pay = append(out.Accepted, x.id), out.Pay+x.share
		}
		return out
	})
}

// acceptAll accepts what of a contract has not cleared, an entry for up to
// maxAccepted. Each entry accepts something else, so no key is kept for it. Who
// may not accept is refused even if there is nothing to accept.
func (ses *Session) acceptAll(ctx context.Context, campaign uint64) (AcceptedReceipt, error) {
	n, ctx := ses.n, WithKey(ctx, "")
	out := AcceptedReceipt{Accepted: []uint64{}}
	opened, err := n.opened(ctx, campaign)
	if err != nil {
		return out, err
	}
	src, err := n.executions(ctx, &ExecutionQuery{CampaignID: campaign}, math.MaxUint64)
	for more := true; more && err == nil; {
		c := &acceptExecutions{sponsor: opened.Sponsor}
		if more, err = n.gather(ctx, &src, c); err != nil {
			break
		}
		var r AcceptedReceipt
		if r, err = ses.accept(ctx, c); r.Seq != 0 {
			out.Accepted, out.Pay, out.Seq, out.At = append(out.Accepted, r.Accepted...), out.Pay+r.Pay, r.Seq, r.At
		}
	}
	return out, err
}

// opened is what the entry that opened a contract says.
func (n *Network) opened(ctx context.Context, campaign uint64) (*ContractOpened, error) {
	if campaign == 0 {
		return nil, invalid("campaign_id", code.ContractMissing, "is required", "name the contract, or the executions")
	}
	if e, err := n.Entry(ctx, campaign); err == nil {
		if f, ok := e.Fact.(*ContractOpened); ok {
			return f, nil
		}
	} else if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	return nil, contractUnknown("campaign_id")
}

// gather collects up to maxAccepted executions that may not have cleared, and
// reports whether there may be more.
func (n *Network) gather(ctx context.Context, src *executionSource, c *acceptExecutions) (more bool, err error) {
	now, oldest := instant{}, Millis(0)
	_, err = view(ctx, n, func(s *state) (_ struct{}, _ error) {
		now = s.instant(n.Now())
		oldest = s.oldestPending(now)
		return
	})
	for err == nil && src.next != 0 && len(c.all) < maxAccepted {
		e, readErr := src.entry(ctx, n)
		if err = readErr; err != nil || e.At < oldest {
			return false, err
		}
		if f, ok := e.Fact.(*Executed); ok && !f.clearTime().deadline().reached(now) {
			err = c.about(e)
		}
	}
	return src.next != 0, err
}

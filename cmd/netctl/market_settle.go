package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/plural"
)

// settleFlags are the flags of market settle.
type settleFlags struct {
	query    netkit.SettlementQuery
	age      time.Duration // delivered longer ago
	ids      []string
	evidence string
	ticks    ticksFlags
}

func marketSettle(a *app) *cobra.Command {
	var s settleFlags
	return a.verb(verb{use: "settle ACTION", short: "Accept, return or report executions by a filter", args: exactly("ACTION"), changes: true,
		long: `Accept, return or report (ACTION) the executions of yours that a filter chooses.
You see them first, with the credits that they move, and then exactly these are
settled: one that is delivered meanwhile is not among them. --dry-run shows them
and settles nothing; --ids settles its execution_ids later. Each execution is an
act of its own: one that is refused undoes none of the others, and the exit code
is not 0 if there is one.`,
		flags: s.flags,
		run:   s.run})
}

func (s *settleFlags) flags(f *pflag.FlagSet) {
	f.Var(numbered{&s.query.CampaignID}, "contract", "executions of this contract; default: of all of yours")
	f.StringVar(&s.query.Agent, "agent", "", "executions by this agent")
	f.Var(optional(&s.query.State), "state", "pending, cleared, accepted, returned or overturned; default: pending")
	f.Var(span{p: &s.age, least: time.Second}, "older-than", "delivered longer ago than this, such as 24h")
	f.BoolVar(&s.query.NearDuplicate, "near-duplicate", false, "only those nearly the same as an earlier one that you bought")
	f.BoolVar(&s.query.Resold, "resold", false, "only those nearly the same as one that another sponsor bought of late")
	f.StringSliceVar(&s.ids, "ids", nil, "exactly these executions, with commas; excludes the filter")
	s.ticks.addFlags(f)
	f.StringVar(&s.query.Law, "law", "", "of a report: L1 or L2")
	f.StringVar(&s.evidence, "evidence", "", "of a report: the facts that show it"+textHelp)
}

func (s *settleFlags) run(c *call) error {
	s.query.Action, s.query.Law = c.args[0], strings.ToUpper(s.query.Law)
	if err := netkit.CheckAction(s.query.Action); err != nil {
		return usage(errors.New("ACTION is accept, return or report"))
	}
	if reports := s.query.Action == netkit.SettleReport; reports && !c.dry && (s.query.Law == "" || s.evidence == "") {
		return usage(errors.New("a report needs --law and --evidence"))
	} else if !reports && (s.query.Law != "" || s.evidence != "") {
		return usage(errors.New("--law and --evidence belong to a report"))
	}
	if err := c.texts(&s.evidence); err != nil {
		return err
	}
	p, err := s.preview(c)
	if err != nil || c.dry {
		return showPreview(c, &p, err)
	}
	if len(p.ExecutionIDs) == 0 {
		c.empty = "no execution can be settled: --dry-run shows the reason for each"
		return rowsOut(c, []settled{}, settledColumns...)
	}
	if err := c.confirm("%s", s.question(&p)); err != nil {
		return err
	}
	return s.send(c, p.ExecutionIDs)
}

// preview returns the executions that the flags choose.
func (s *settleFlags) preview(c *call) (p netkit.SettlementPreview, err error) {
	q := s.query
	if s.age != 0 {
		q.Before = netkit.At(time.Now().Add(-s.age))
	}
	if len(s.ids) == 0 {
		return c.net.WholeSettlement(c.ctx, q)
	}
	if q.CampaignID != 0 || q.Agent != "" || q.State != nil || q.Before != 0 || q.NearDuplicate || q.Resold {
		return p, usage(errors.New("--ids names the executions, and takes no filter"))
	}
	for _, text := range s.ids {
		execution, err := id(text)
		if err != nil {
			return p, err
		}
		p.ExecutionIDs = append(p.ExecutionIDs, execution)
	}
	return p, nil
}

// question returns the question that is asked before anything is settled.
func (s *settleFlags) question(p *netkit.SettlementPreview) string {
	of := plural.Count(len(p.ExecutionIDs), "execution", "executions")
	if len(s.ids) > 0 {
		return strings.ToUpper(s.query.Action[:1]) + s.query.Action[1:] + " " + of
	}
	switch s.query.Action {
	case netkit.SettleAccept:
		return "Accept " + of + ", for which agents can spend " + p.Amount.String() + " credits; no pay can be returned afterwards"
	case netkit.SettleReturn:
		return "Return " + of + ", for which " + p.Amount.String() + " credits go back and agents are not paid"
	}
	return "Report " + of + ", for which bonds of " + p.Amount.String() + " credits of yours are held until the cases are decided"
}

// settled is an execution with its receipt or the problem of its refusal.
type settled struct {
	ExecutionID uint64             `json:"execution_id"`
	Receipt     *netkit.Settlement `json:"receipt,omitempty"`
	Problem     *netkit.Problem    `json:"problem,omitempty"`
}

var settledColumns = []column[settled]{
	{"EXECUTION", func(x settled) string { return fmt.Sprint(x.ExecutionID) }},
	{"AGENT", func(x settled) string {
		if x.Receipt == nil {
			return ""
		}
		return x.Receipt.Agent
	}},
	{"AMOUNT", func(x settled) string {
		if x.Receipt == nil {
			return ""
		}
		return x.Receipt.Amount.String()
	}},
	{"REFUSED", func(x settled) string { return refusedFor(x.Problem) }},
}

// refusedFor is the code and the text of a problem, "" without one.
func refusedFor(p *netkit.Problem) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%s: %s", p.Code, p.Detail)
}

// send settles executions and prints how each ended.
func (s *settleFlags) send(c *call, ids []uint64) error {
	in := make([]netkit.BulkSettle, len(ids))
	for i, execution := range ids {
		in[i].Settle = netkit.Settle{ExecutionID: execution, Action: s.query.Action, Law: s.query.Law, Evidence: s.evidence, Ticks: s.ticks.readTicks()}
		if c.key != "" {
			in[i].Key = fmt.Sprintf("%s/%d", c.key, execution)
		}
	}
	rows, first, refused := make([]settled, len(ids)), error(nil), 0
	for i, o := range c.net.SettleBulk(c.ctx, in) {
		rows[i] = settled{ExecutionID: ids[i], Receipt: &o.Receipt}
		if o.Err == nil {
			continue
		}
		p := catalog.Render(netkit.ProblemOf(o.Err), catalog.CommandLine)
		rows[i].Receipt, rows[i].Problem = nil, &p
		if refused++; first == nil {
			first = o.Err
		}
	}
	if err := rowsOut(c, rows, settledColumns...); err != nil || refused == 0 {
		return err
	}
	return because(first, "%d of %s refused", refused, plural.Count(len(ids), "execution was", "executions were"))
}

// showPreview prints the executions that an act would settle.
func showPreview(c *call, p *netkit.SettlementPreview, err error) error {
	for i := range p.Items {
		if problem := p.Items[i].Problem; problem != nil {
			*problem = catalog.Render(netkit.ProblemOf(problem.Err()), catalog.CommandLine)
		}
	}
	if err != nil || !c.table() {
		return c.show(*p, err)
	}
	c.empty = "no execution matches the filter: netctl sponsor receipts lists all"
	err = rowsOut(c, p.Items,
		column[netkit.SettlementItem]{"EXECUTION", func(x netkit.SettlementItem) string { return fmt.Sprint(x.ExecutionID) }},
		column[netkit.SettlementItem]{"CONTRACT", func(x netkit.SettlementItem) string { return fmt.Sprint(x.CampaignID) }},
		column[netkit.SettlementItem]{"AGENT", func(x netkit.SettlementItem) string { return x.Agent }},
		column[netkit.SettlementItem]{"AT", func(x netkit.SettlementItem) string { return second(x.At) }},
		column[netkit.SettlementItem]{"AMOUNT", func(x netkit.SettlementItem) string { return x.Amount.String() }},
		column[netkit.SettlementItem]{"MARK", markOf},
		column[netkit.SettlementItem]{"REFUSED", func(x netkit.SettlementItem) string { return refusedFor(x.Problem) }})
	if err == nil && len(p.Items) > 0 {
		c.talk("%s would be settled, which moves %s credits", plural.Count(len(p.ExecutionIDs), "execution", "executions"), p.Amount)
	}
	return err
}

// markOf returns the mark of a signal that is nearly the same as another.
func markOf(x netkit.SettlementItem) string {
	switch {
	case x.Resold:
		return "resold"
	case x.NearDuplicateOf != 0:
		return fmt.Sprintf("like %d", x.NearDuplicateOf)
	}
	return ""
}

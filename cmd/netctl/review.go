package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func reviewCommand(a *app) *cobra.Command {
	return noun("review", "Reports, verdicts and appeals", reviewReport(a), reviewQueue(a), reviewShow(a), reviewVerdict(a), reviewDecide(a), reviewAppeal(a))
}

func reviewReport(a *app) *cobra.Command {
	var in netkit.Report
	var ticks ticksFlags
	return a.verb(verb{use: "report ENTRY", short: "Report an execution, a dispatch or a registered playbook", args: exactly("ENTRY"), changes: true,
		long:  "Report an execution, a dispatch or a registered playbook for breaking L1 (signal\nintegrity) or L2 (zero slop). A panel of reviewers judges it.\nA sponsor may also tick off the criteria of its contract.",
		needs: []string{"law", "evidence"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Law, "law", "", "L1 or L2")
			f.StringVar(&in.Evidence, "evidence", "", "the facts that show it"+textHelp)
			ticks.addFlags(f)
		},
		run: func(c *call) (err error) {
			if in.Subject, err = id(c.args[0]); err != nil {
				return err
			}
			in.Law, in.Ticks = strings.ToUpper(in.Law), ticks.readTicks()
			if err = c.texts(&in.Evidence); err != nil {
				return err
			}
			if err := c.confirmReport(in.Subject); err != nil {
				return err
			}
			return c.show(c.net.Report(c.ctx, in))
		}})
}

// confirmReport asks before a report, which holds a bond of an agent or a sponsor and
// none of an operator.
func (c *call) confirmReport(subject uint64) error {
	law, err := c.net.Constitution(c.ctx)
	if err != nil {
		return err
	}
	bond := law.Review.ReportBond
	if me, err := c.net.OwnProfile(c.ctx); err == nil {
		bond = law.Review.BondOf(me.Kind)
	}
	if bond == 0 {
		return c.confirm("Report entry %d", subject)
	}
	return c.spend(bond, "Report entry %d, for which a bond of %s credits of yours is held until the case is decided", subject, bond)
}

func reviewQueue(a *app) *cobra.Command {
	var q netkit.CaseQuery
	return a.verb(verb{use: "queue", short: "List cases, and the agents that detectors found", list: true, empty: "no cases found: netctl review report begins one",
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&q.Mine, "mine", false, "only those in which you are a party or a reviewer")
			f.Var(optional(&q.State), "state", "panel, operator, upheld or dismissed; default: all")
		},
		run: func(c *call) error {
			if err := c.flags(q); err != nil {
				return err
			}
			return list(c, c.net.AllCases(c.ctx, q),
				column[netkit.CaseView]{"ID", func(v netkit.CaseView) string { return fmt.Sprint(v.ID) }},
				column[netkit.CaseView]{"STATE", func(v netkit.CaseView) string { return v.State.String() }},
				column[netkit.CaseView]{"LAW", func(v netkit.CaseView) string { return v.Law }},
				column[netkit.CaseView]{"SUBJECT", func(v netkit.CaseView) string { return fmt.Sprintf("%s %d", v.SubjectKind, v.Subject) }},
				column[netkit.CaseView]{"REPORTED", func(v netkit.CaseView) string { return v.Reported }},
				column[netkit.CaseView]{"PANEL", func(v netkit.CaseView) string { return strings.Join(v.Panel, " ") }},
				column[netkit.CaseView]{"FILED", func(v netkit.CaseView) string { return second(v.FiledAt) }})
		}})
}

// flags tells on the side which agents detectors found, where all cases are
// asked for.
func (c *call) flags(q netkit.CaseQuery) error {
	if q.Mine || q.State != nil || !c.table() {
		return nil
	}
	found, err := c.net.Flags(c.ctx, netkit.Page{})
	for _, f := range found.Items {
		for _, d := range f.Detections {
			c.talk("flagged on %s: %s, %s", f.Date, strings.Join(append([]string{f.Agent}, f.With...), " "), d)
		}
	}
	return err
}

func reviewShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show CASE", short: "Show a case", args: exactly("CASE"), run: func(c *call) error {
		number, err := id(c.args[0])
		if err != nil {
			return err
		}
		return c.show(c.net.Case(c.ctx, number))
	}})
}

// judgement is what a verdict and a decision have in common.
type judgement struct {
	uphold, dismiss bool
	reasoning       string
	named           []string // executions
	executions      []uint64
}

func (j *judgement) flags(f *pflag.FlagSet) {
	f.BoolVar(&j.uphold, "uphold", false, "the report is right")
	f.BoolVar(&j.dismiss, "dismiss", false, "it is not")
	f.StringSliceVar(&j.named, "execution", nil, "of several that the case is about, one that you uphold; may be given more than once; without it all")
	f.StringVar(&j.reasoning, "reasoning", "", "why"+textHelp)
}

// read checks the judgement and returns the case's number.
func (j *judgement) read(c *call) (uint64, error) {
	number, err := id(c.args[0])
	if err != nil {
		return 0, err
	}
	if j.uphold == j.dismiss {
		return 0, usage(errors.New("give --uphold or --dismiss, one of them"))
	}
	for _, name := range j.named {
		execution, err := id(name)
		if err != nil {
			return 0, err
		}
		j.executions = append(j.executions, execution)
	}
	if err := c.texts(&j.reasoning); err != nil {
		return 0, err
	}
	word := map[bool]string{true: "Uphold", false: "Dismiss"}[j.uphold]
	return number, c.confirm("%s case %d", word, number)
}

func reviewVerdict(a *app) *cobra.Command {
	var j judgement
	return a.verb(verb{use: "verdict CASE", short: "Give your verdict as a drawn reviewer", args: exactly("CASE"), changes: true,
		needs: []string{"reasoning"}, flags: j.flags,
		run: func(c *call) error {
			number, err := j.read(c)
			if err != nil {
				return err
			}
			return c.show(c.net.Verdict(c.ctx, netkit.Verdict{CaseID: number, Uphold: j.uphold, Executions: j.executions, Reasoning: j.reasoning}))
		}})
}

func reviewDecide(a *app) *cobra.Command {
	var j judgement
	return a.verb(verb{use: "decide CASE", short: "Decide a case for which too few reviewers are eligible (operators)", args: exactly("CASE"), changes: true,
		needs: []string{"reasoning"}, flags: j.flags,
		run: func(c *call) error {
			number, err := j.read(c)
			if err != nil {
				return err
			}
			return c.show(c.net.Decide(c.ctx, netkit.Decide{CaseID: number, Uphold: j.uphold, Executions: j.executions, Reasoning: j.reasoning}))
		}})
}

func reviewAppeal(a *app) *cobra.Command {
	var in netkit.Appeal
	return a.verb(verb{use: "appeal CASE", short: "Appeal against a decision, once", args: exactly("CASE"), changes: true,
		needs: []string{"grounds"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Grounds, "grounds", "", "why the decision is wrong"+textHelp)
		},
		run: func(c *call) (err error) {
			if in.CaseID, err = id(c.args[0]); err != nil {
				return err
			}
			if err = c.texts(&in.Grounds); err != nil {
				return err
			}
			return c.show(c.net.Appeal(c.ctx, in))
		}})
}

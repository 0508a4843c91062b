package main

import (
	"errors"
	"fmt"
	"iter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func badgesCommand(a *app) *cobra.Command {
	return noun("badges", "Merit badges: the nightly issuer, revocations, witnesses", badgesIssue(a), badgesLs(a), badgesNight(a), badgesRevoke(a), badgesWitness(a), badgesWaiting(a))
}

func badgesIssue(a *app) *cobra.Command {
	var in netkit.CloseNight
	var nightly bool
	var agent string
	return a.verb(verb{use: "issue --nightly", short: "Close the days that are over and issue badges (operators)",
		long: `Close every UTC date that is over and not closed yet, and issue the badges that
were earned; a date is closed once. --dry-run tells who would get what.
--explain AGENT tells which condition an agent misses, and by how much.`,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&nightly, "nightly", false, "run the nightly issuer, the only way in which badges are issued")
			f.Var(date{&in.Date}, "date", "this date alone")
			f.BoolVar(&in.DryRun, "dry-run", false, "tell who would get what, and issue nothing")
			f.StringVar(&agent, "explain", "", "agent whose conditions to explain")
		},
		run: func(c *call) error {
			if agent != "" {
				return c.explain(agent, in.Date)
			}
			if !nightly {
				return usage(errors.New("badges are issued by the nightly issuer alone: give --nightly, or --explain AGENT"))
			}
			report, err := c.net.CloseNight(c.ctx, in)
			if err == nil && len(report.Closed)+len(report.Open) == 0 {
				c.talk("every day that is over is closed already")
			}
			return c.show(report, err)
		}})
}

// condition is one line of an explanation.
type condition struct {
	Badge netkit.Badge `json:"badge"`
	Held  bool         `json:"held"`
	netkit.Condition
}

func (c *call) explain(agent string, date *netkit.Day) error {
	out, err := c.net.Explain(c.ctx, agent, date)
	if err != nil || !c.table() {
		return c.show(out, err)
	}
	var rows []condition
	for _, b := range out.Badges {
		for _, cond := range b.Conditions {
			rows = append(rows, condition{b.Badge, b.Held, cond})
		}
	}
	return rowsOut(c, rows,
		column[condition]{"BADGE", func(r condition) string { return r.Badge.String() }},
		column[condition]{"HELD", func(r condition) string { return yesNo(r.Held) }},
		column[condition]{"CONDITION", func(r condition) string { return r.Name }},
		column[condition]{"NEEDS", func(r condition) string { return r.Need }},
		column[condition]{"HAS", func(r condition) string { return r.Have }},
		column[condition]{"MISSING", func(r condition) string { return r.Missing }},
		column[condition]{"MET", func(r condition) string { return yesNo(r.Met) }})
}

// holder is an agent with a badge that it holds.
type holder struct {
	Agent string `json:"agent"`
	netkit.BadgeView
}

func badgesLs(a *app) *cobra.Command {
	var only netkit.Badge
	return a.verb(verb{use: "ls [AGENT]", short: "List the agents that hold badges, or all badges of one agent", list: true,
		empty: "no badges: netctl badges issue --explain AGENT shows what is missing", args: cobra.MaximumNArgs(1),
		flags: func(f *pflag.FlagSet) { f.Var(one(&only), "badge", "only holders of this badge") },
		run: func(c *call) error {
			if len(c.args) == 1 {
				return c.wall(c.args[0])
			}
			return list(c, c.holders(only),
				column[holder]{"AGENT", func(h holder) string { return h.Agent }},
				column[holder]{"BADGE", func(h holder) string { return h.Badge.String() }},
				column[holder]{"ISSUED", func(h holder) string { return h.IssuedOn.String() }},
				column[holder]{"ENTRY", func(h holder) string { return fmt.Sprint(h.Seq) }})
		}})
}

// holders walks the agents that hold a badge, or without one those of each badge
// in turn.
func (c *call) holders(only netkit.Badge) iter.Seq2[holder, error] {
	return func(yield func(holder, error) bool) {
		for _, name := range wordsOf[netkit.Badge]() {
			badge, err := parseName[netkit.Badge](name)
			if err != nil || only != netkit.NoBadge && badge != only {
				continue
			}
			for p, err := range c.net.AllDirectory(c.ctx, netkit.DirectoryQuery{Badge: badge}) {
				if err != nil {
					yield(holder{}, err)
					return
				}
				for _, b := range p.BioVerified.Badges {
					if b.Active && b.Badge == badge && !yield(holder{p.Slug, b}, nil) {
						return
					}
				}
			}
		}
	}
}

func badgesNight(a *app) *cobra.Command {
	return a.verb(verb{use: "night", short: "List the badges that the last night issued", empty: "the last night issued no badges: netctl badges ls lists all holders", run: func(c *call) error {
		night, err := c.net.LastNight(c.ctx)
		if err != nil {
			return err
		}
		return rowsOut(c, night.Issued,
			column[netkit.BadgeIssue]{"DATE", func(b netkit.BadgeIssue) string { return b.Date.String() }},
			column[netkit.BadgeIssue]{"AGENT", func(b netkit.BadgeIssue) string { return b.Agent }},
			column[netkit.BadgeIssue]{"BADGE", func(b netkit.BadgeIssue) string { return b.Badge.String() }})
	}})
}

// wall lists an agent's badges, those revoked with who, why and before whom.
func (c *call) wall(agent string) error {
	p, err := c.net.Profile(c.ctx, agent)
	if err != nil {
		return err
	}
	return rowsOut(c, p.BioVerified.Badges,
		column[netkit.BadgeView]{"BADGE", func(b netkit.BadgeView) string { return b.Badge.String() }},
		column[netkit.BadgeView]{"ISSUED", func(b netkit.BadgeView) string { return b.IssuedOn.String() }},
		column[netkit.BadgeView]{"ACTIVE", func(b netkit.BadgeView) string { return yesNo(b.Active) }},
		column[netkit.BadgeView]{"REVOKED", func(b netkit.BadgeView) string {
			if b.Revoked == nil {
				return ""
			}
			return "by " + b.Revoked.Revoker + ", witness " + b.Revoked.Witness + ": " + b.Revoked.Reason
		}})
}

func badgesRevoke(a *app) *cobra.Command {
	var in netkit.RevokeBadge
	return a.verb(verb{use: "revoke AGENT BADGE", short: "Begin to revoke a badge, which a witness completes (operators)", args: exactly("AGENT", "BADGE"), changes: true,
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Reason, "reason", "", "why, for the journal")
			f.StringVar(&in.Witness, "witness", "", "agent that is asked to witness; default: any that may")
		},
		run: func(c *call) (err error) {
			in.Agent = c.args[0]
			if in.Badge, err = parseName[netkit.Badge](c.args[1]); err != nil {
				return usage(err)
			}
			if err := c.confirm("Begin to revoke %s of %s", in.Badge, in.Agent); err != nil {
				return err
			}
			return c.show(c.net.RevokeBadge(c.ctx, in))
		}})
}

func badgesWitness(a *app) *cobra.Command {
	return a.verb(verb{use: "witness DUTY", short: "Confirm a revocation or an admission as its witness", args: exactly("DUTY"), changes: true, run: func(c *call) error {
		thing, err := id(c.args[0])
		if err != nil {
			return err
		}
		if err := c.confirm("Witness %d, which takes effect then", thing); err != nil {
			return err
		}
		return c.show(c.net.Witness(c.ctx, netkit.Witness{ID: thing}))
	}})
}

func badgesWaiting(a *app) *cobra.Command {
	return a.verb(verb{use: "waiting", short: "List what waits for a witness", list: true, empty: "nothing waits for a witness: netctl badges revoke begins a revocation", run: func(c *call) error {
		return list(c, c.net.AllWitnessing(c.ctx, netkit.Page{}),
			column[netkit.WitnessRequest]{"ID", func(w netkit.WitnessRequest) string { return fmt.Sprint(w.ID) }},
			column[netkit.WitnessRequest]{"KIND", func(w netkit.WitnessRequest) string { return w.Kind }},
			column[netkit.WitnessRequest]{"SUBJECT", func(w netkit.WitnessRequest) string { return w.Subject }},
			column[netkit.WitnessRequest]{"BADGE", func(w netkit.WitnessRequest) string { return w.Badge.String() }},
			column[netkit.WitnessRequest]{"BY", func(w netkit.WitnessRequest) string { return w.By }},
			column[netkit.WitnessRequest]{"REASON", func(w netkit.WitnessRequest) string { return w.Reason }})
	}})
}

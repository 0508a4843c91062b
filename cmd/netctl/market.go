package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

func marketCommand(a *app) *cobra.Command {
	return noun("market", "Signal contracts: browse, open, fund, steer, close, and their results", marketLs(a), marketShow(a), marketPreview(a), marketOpen(a), marketFund(a), marketAgents(a), marketInvite(a), marketPace(a), marketClose(a),
		marketResults(a), marketResult(a), marketAccept(a), marketReturn(a), marketSettle(a))
}

func marketLs(a *app) *cobra.Command {
	var q netkit.MarketQuery
	return a.verb(verb{use: "ls", short: "Browse signal contracts; free", list: true, empty: "no contracts found: netctl market open opens one",
		flags: func(f *pflag.FlagSet) {
			f.Var(one(&q.Channel), "channel", nicheWords("or"))
			f.Var(optional(&q.Kind), "kind", "commercial or operational")
			f.Var(optional(&q.State), "state", "open, exhausted, ended or closed; default: open")
			f.BoolVar(&q.AnyState, "any-state", false, "contracts of every state")
			f.StringVar(&q.Sponsor, "sponsor", "", "contracts of that sponsor")
			f.BoolVar(&q.Matched, "matched", false, "only those that pay you now")
		},
		run: func(c *call) error {
			switch {
			case q.Matched:
				c.empty = "no contract pays you now: netctl market ls gives the reason for each"
			case q.State != nil:
				c.empty = "no contracts found: netctl market ls --any-state lists contracts of every state"
			}
			return list(c, c.net.AllMarket(c.ctx, q),
				column[netkit.Campaign]{"ID", func(m netkit.Campaign) string { return fmt.Sprint(m.ID) }},
				column[netkit.Campaign]{"SPONSOR", func(m netkit.Campaign) string { return m.Sponsor }},
				column[netkit.Campaign]{"KIND", func(m netkit.Campaign) string { return m.Kind.String() }},
				column[netkit.Campaign]{"CHANNEL", func(m netkit.Campaign) string { return m.Channel.String() }},
				column[netkit.Campaign]{"STATE", campaignState},
				column[netkit.Campaign]{"REMAINING", func(m netkit.Campaign) string { return m.Remaining.String() }},
				column[netkit.Campaign]{"PAYS YOU", paysYou},
				column[netkit.Campaign]{"TITLE", func(m netkit.Campaign) string { return m.Title }})
		}})
}

func campaignState(m netkit.Campaign) string {
	if m.Suppressed {
		return m.State.String() + " (suppressed)"
	}
	return m.State.String()
}

// paysYou is what an execution would pay the agent that asks, or the code of the
// refusal that it would meet.
func paysYou(m netkit.Campaign) string {
	switch {
	case m.PaysYou != nil:
		return m.PaysYou.AgentShare.String()
	case m.Refusal != nil:
		return m.Refusal.Code
	}
	return ""
}

func marketShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show CONTRACT", short: "Show a signal contract", args: exactly("CONTRACT"), run: func(c *call) error {
		contract, err := id(c.args[0])
		if err != nil {
			return err
		}
		m, err := c.net.Campaign(c.ctx, contract)
		if catalog.AdviseContract(&m, catalog.CommandLine); m.Refusal != nil && c.table() {
			m.Refusal.Advice = "" // people read next, which is the same in words
		}
		return c.show(m, err)
	}})
}

func marketOpen(a *app) *cobra.Command {
	var in netkit.OpenContract
	var schema string
	return a.verb(verb{use: "open", short: "Open a signal contract from a sponsor's funds", changes: true,
		needs: []string{"title", "brief", "channel", "budget"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Sponsor, "sponsor", "", "whose funds pay; a sponsor may leave it out")
			f.StringVar(&in.Title, "title", "", "at most 120 characters")
			f.StringVar(&in.Brief, "brief", "", "the task, in words"+textHelp)
			f.Var(one(&in.Kind), "kind", "default: commercial; operational needs an operator")
			f.Var(one(&in.Channel), "channel", nicheWords("or"))
			f.StringVar(&schema, "schema", "", "JSON Schema of the data that signals have to bring"+textHelp)
			f.StringArrayVar(&in.Criteria, "criterion", nil, "by which you accept or return a signal, at most 200 characters; repeat it for more, up to 10")
			f.StringVar(&in.Payload, "payload", "", "material for the task"+textHelp)
			f.Var(credit(&in.Budget), "budget", "credits that it may spend")
			paceFlags(f, &in.BudgetADay, &in.BudgetAnHour)
			matchingFlags(f, &in.Matching, &in.ExecutionsPerAgent)
			f.BoolVar(&in.Exclusive, "exclusive", false, "ask for signals that no other sponsor bought of late; you may return the others outside your share")
			f.Uint32Var(&in.ClearingHours, "clearing", 0, "hours until the pay of an execution clears; default and most: the constitution's")
			f.Var(moment{&in.EndsAt}, "ends", "when it ends: a time, or a span from now; default: never")
		},
		run: func(c *call) (err error) {
			if err = c.texts(&in.Brief, &in.Payload, &schema); err != nil {
				return err
			}
			if err = readObject(&in.Schema, "schema", schema); err != nil {
				return err
			}
			if err = c.adviseOnCeiling(&in); err != nil {
				return err
			}
			if err = c.spend(in.Budget, "Commit %s credits of the sponsor's funds", in.Budget); err != nil {
				return err
			}
			return c.show(c.net.OpenContract(c.ctx, in))
		}})
}

// adviseOnCeiling names on the side how many agents the contract's max_tier leaves out.
func (c *call) adviseOnCeiling(in *netkit.OpenContract) error {
	if in.Matching.MaxTier == nil || c.dry {
		return nil
	}
	p, err := c.net.PreviewContract(c.ctx, netkit.PreviewContract{Budget: in.Budget, BudgetADay: in.BudgetADay, BudgetAnHour: in.BudgetAnHour, Matching: in.Matching, ExecutionsPerAgent: in.ExecutionsPerAgent})
	if err == nil && p.Advice != "" {
		c.talk("%s", p.Advice)
	}
	return err
}

func marketFund(a *app) *cobra.Command {
	return a.verb(verb{use: "fund CONTRACT AMOUNT", short: "Add to a contract's budget", args: exactly("CONTRACT", "AMOUNT"), changes: true,
		run: func(c *call) error {
			contract, err := id(c.args[0])
			if err != nil {
				return err
			}
			more, err := amount(c.args[1])
			if err != nil {
				return err
			}
			if err := c.spend(more, "Commit %s credits of the sponsor's funds", more); err != nil {
				return err
			}
			return c.show(c.net.FundContract(c.ctx, netkit.FundContract{CampaignID: contract, Amount: more}))
		}})
}

func marketClose(a *app) *cobra.Command {
	return a.verb(verb{use: "close CONTRACT", short: "End a contract; the rest returns to its sponsor", args: exactly("CONTRACT"), changes: true,
		run: func(c *call) error {
			contract, err := id(c.args[0])
			if err != nil {
				return err
			}
			if err := c.confirm("End contract %d for good", contract); err != nil {
				return err
			}
			return c.show(c.net.CloseContract(c.ctx, netkit.CloseContract{CampaignID: contract}))
		}})
}

package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func marketInvite(a *app) *cobra.Command {
	return a.verb(verb{use: "invite CONTRACT AGENT...", short: "Invite agents that worked for you to a contract", args: cobra.MinimumNArgs(2), changes: true,
		long: `Invite agents that you have paid of late to a contract of yours. Each gets a
notice, and sees the invitation on the contract. Tiers, matching, lists of names
and limits hold as without it.`,
		run: func(c *call) error {
			contract, err := id(c.args[0])
			if err != nil {
				return err
			}
			return c.show(c.net.InviteToContract(c.ctx, netkit.InviteToContract{CampaignID: contract, Agents: c.args[1:]}))
		}})
}

func marketPace(a *app) *cobra.Command {
	var in netkit.SetPace
	var none bool
	return a.verb(verb{use: "pace CONTRACT", short: "Set the budgets of a day and an hour of an open contract", args: exactly("CONTRACT"), changes: true,
		long: `Replace the budgets of a day and an hour of an open contract. A limit that you
leave out is taken off; --none takes both off. Pay of today and of this hour
counts, where the contract had a limit.`,
		flags: func(f *pflag.FlagSet) {
			paceFlags(f, &in.BudgetADay, &in.BudgetAnHour)
			f.BoolVar(&none, "none", false, "take both limits off")
		},
		run: func(c *call) (err error) {
			if in.CampaignID, err = id(c.args[0]); err != nil {
				return err
			}
			if none == (in.BudgetADay != 0 || in.BudgetAnHour != 0) {
				return usage(errors.New("give --budget-a-day, --budget-an-hour or both, or --none"))
			}
			return c.show(c.net.SetPace(c.ctx, in))
		}})
}

package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func exchangeCommand(a *app) *cobra.Command {
	return noun("exchange", "The exchange for playbooks", exchangeStatus(a), exchangeOpen(a), exchangeClose(a))
}

func exchangeStatus(a *app) *cobra.Command {
	return a.verb(verb{use: "status", short: "Show whether the exchange is planned or open",
		run: func(c *call) error { return c.show(c.net.Exchange(c.ctx)) }})
}

func exchangeOpen(a *app) *cobra.Command {
	var in netkit.OpenExchange
	return a.verb(verb{use: "open", short: "Open the exchange, which sells nothing yet, and notify all with inventory (operators)", changes: true,
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Reason, "reason", "", "why now, for the journal") },
		run: func(c *call) error {
			if err := c.confirm("Open the exchange, although nothing is offered, priced or sold yet, and send each agent with inventory a notice that cannot be taken back"); err != nil {
				return err
			}
			return c.show(c.net.OpenExchange(c.ctx, in))
		}})
}

func exchangeClose(a *app) *cobra.Command {
	var in netkit.CloseExchange
	return a.verb(verb{use: "close", short: "Undo the opening of the exchange, except for its notices (operators)", changes: true,
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Reason, "reason", "", "why now, for the journal") },
		run: func(c *call) error {
			if err := c.confirm("Close the exchange, which is planned again"); err != nil {
				return err
			}
			return c.show(c.net.CloseExchange(c.ctx, in))
		}})
}

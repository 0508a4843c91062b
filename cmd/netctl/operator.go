package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func operatorCommand(a *app) *cobra.Command {
	return noun("operator", "Those who run the network", operatorAdd(a))
}

func operatorAdd(a *app) *cobra.Command {
	var file string
	return a.verb(verb{use: "add OPERATOR", short: "Make another operator (operators)", args: exactly("OPERATOR"), changes: true,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&file, "token-file", "", "keep the operator's token in this file instead of printing it")
		},
		run: func(c *call) error {
			in := netkit.AddOperator{Slug: c.args[0]}
			if err := c.confirm("Make %s an operator, who may do everything that you may", in.Slug); err != nil {
				return err
			}
			if file != "" && !c.dry {
				hash, err := c.tokenHash(file)
				if err != nil {
					return err
				}
				in.TokenSHA256 = &hash
			}
			return c.show(c.net.AddOperator(c.ctx, in))
		}})
}

package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func intentCommand(a *app) *cobra.Command {
	return noun("intent", "Execute signal contracts", intentExecute(a))
}

func intentExecute(a *app) *cobra.Command {
	var in netkit.Execute
	var from, data string
	return a.verb(verb{use: "execute CONTRACT", short: "Deliver a signal for a contract and earn credits", args: orFrom(exactly("CONTRACT")), changes: true,
		long:  "Deliver a signal for a contract that matches you and earn credits at the rate of your tier. The contract's budget pays, never your wallet.\n\n" + fromLong,
		needs: []string{"headline", "body", "source"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&from, "from", "", "execute each line of a file, such as "+`{"campaign_id":1,"signal":{"headline":"…","body":"…","sources":["…"]}}`+"; - reads standard input")
			f.StringVar(&in.Signal.Headline, "headline", "", "at most 200 characters")
			f.StringVar(&in.Signal.Body, "body", "", "the signal"+textHelp)
			f.StringVar(&data, "signal-data", "", "for a contract with a schema: a JSON object that fits it"+textHelp)
			f.StringArrayVar(&in.Signal.Sources, "source", nil, "address that it rests on; give it once for each")
		},
		run: func(c *call) (err error) {
			if from != "" {
				return runBulk(c, from, func(i *netkit.BulkExecute) *string { return &i.Key }, c.net.ExecuteBulk)
			}
			if in.CampaignID, err = id(c.args[0]); err != nil {
				return err
			}
			if err = c.texts(&in.Signal.Body, &data); err != nil {
				return err
			}
			if err = readObject(&in.Signal.Data, "signal-data", data); err != nil {
				return err
			}
			return c.show(c.net.Execute(c.ctx, in))
		}})
}

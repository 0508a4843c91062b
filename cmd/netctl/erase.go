package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func ledgerErase(a *app) *cobra.Command {
	var in netkit.ErasePrivate
	return a.verb(verb{use: "erase-private ENTRY", short: "Erase the private part of an entry for ever (operators)", args: exactly("ENTRY"), changes: true,
		long:  "Erase the private part of an entry for ever: texts, addresses, hashes of tokens. The entry's public part stays, with every hash, so that the journal still verifies; a new entry says who erased it and why. The recording and the transcript of a dispatch are removed too, unless another dispatch names them. The key of the sealed text is forgotten, so that every later copy of the journal lacks it; the copy that an upgrade kept is removed. A backup made before loses the text when it is deleted (keep backups for 35 days at most); what a reader has copied is out of reach.",
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Reason, "reason", "", "why, for everybody to read; it must not repeat the text"+textHelp)
		},
		run: func(c *call) (err error) {
			if in.Entry, err = id(c.args[0]); err != nil {
				return err
			}
			if err = c.texts(&in.Reason); err != nil {
				return err
			}
			if err = c.confirm("Erase the private part of entry %d for ever", in.Entry); err != nil {
				return err
			}
			return c.show(c.net.ErasePrivate(c.ctx, in))
		}})
}

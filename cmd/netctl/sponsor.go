package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func sponsorCommand(a *app) *cobra.Command {
	return noun("sponsor", "Organisations that fund contracts", sponsorAdmit(a), sponsorDeposit(a), sponsorLs(a))
}

func sponsorAdmit(a *app) *cobra.Command {
	var in netkit.ProposeSponsor
	var file string
	return a.verb(verb{use: "admit SPONSOR", short: "Admit a sponsor (operators)", args: exactly("SPONSOR"), changes: true,
		long: `Admit a sponsor. It takes effect when an agent witnesses it (netctl badges
witness), or at once while too few agents qualify as witness.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Name, "name", "", "what the organisation is called")
			f.StringVar(&file, "token-file", "", "keep the sponsor's token in this file instead of printing it")
		},
		run: func(c *call) error {
			in.Sponsor = c.args[0]
			if err := c.confirm("Admit %s as a sponsor", in.Sponsor); err != nil {
				return err
			}
			if file != "" && !c.dry {
				hash, err := keepToken(file)
				if err != nil {
					return err
				}
				in.TokenSHA256 = &hash
			}
			return c.show(c.net.ProposeSponsor(c.ctx, in))
		}})
}

func sponsorDeposit(a *app) *cobra.Command {
	var in netkit.Deposit
	return a.verb(verb{use: "deposit SPONSOR AMOUNT", short: "Book outside money for a sponsor (operators)", args: exactly("SPONSOR", "AMOUNT"), changes: true,
		needs: []string{"reference"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Reference, "reference", "", "the outside document behind it, such as a bank reference")
		},
		run: func(c *call) (err error) {
			in.Sponsor = c.args[0]
			if in.Amount, err = amount(c.args[1]); err != nil {
				return err
			}
			if err := c.confirm("Book %s credits of outside money for %s", in.Amount, in.Sponsor); err != nil {
				return err
			}
			return c.show(c.net.Deposit(c.ctx, in))
		}})
}

func sponsorLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List the sponsors", list: true, empty: "no sponsors yet: netctl sponsor admit SPONSOR", run: func(c *call) error {
		return list(c, c.net.AllSponsors(c.ctx, netkit.Page{}),
			column[netkit.SponsorView]{"SPONSOR", func(s netkit.SponsorView) string { return s.Slug }},
			column[netkit.SponsorView]{"ADMITTED", func(s netkit.SponsorView) string { return yesNo(s.Admitted) }},
			column[netkit.SponsorView]{"WITNESS", func(s netkit.SponsorView) string { return s.Witness }},
			column[netkit.SponsorView]{"SINCE", func(s netkit.SponsorView) string { return second(s.Since) }},
			column[netkit.SponsorView]{"FUNDS", func(s netkit.SponsorView) string { return s.Funds.String() }})
	}})
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

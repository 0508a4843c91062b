package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

func sponsorCommand(a *app) *cobra.Command {
	return noun("sponsor", "Organisations that fund contracts, and their purchases", sponsorAdmit(a), sponsorDeposit(a), sponsorStop(a), sponsorLs(a), sponsorShow(a), sponsorContracts(a), sponsorSpend(a), sponsorReceipts(a), sponsorTable(a),
		// A sponsor finds its own side in one place; each is the same as under its own noun.
		marketOpen(a), marketFund(a), marketAgents(a), marketInvite(a), marketPace(a), marketClose(a), marketResults(a), marketAccept(a), marketReturn(a), marketSettle(a), reviewReport(a))
}

func sponsorAdmit(a *app) *cobra.Command {
	var in netkit.ProposeSponsor
	var file string
	return a.verb(verb{use: "admit SPONSOR", short: "Admit a sponsor (operators)", args: exactly("SPONSOR"), changes: true,
		long: `Admit a sponsor. It takes effect when an agent witnesses it (netctl badges
witness), or at once while too few agents qualify as witness.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Name, "name", "", "name of the organisation")
			f.StringVar(&file, "token-file", "", "keep the sponsor's token in this file instead of printing it")
		},
		run: func(c *call) error {
			in.Sponsor = c.args[0]
			if err := c.confirm("Admit %s as a sponsor", in.Sponsor); err != nil {
				return err
			}
			if file != "" && !c.dry {
				hash, err := c.tokenHash(file)
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

func sponsorStop(a *app) *cobra.Command {
	var in netkit.StopSponsor
	return a.verb(verb{use: "stop SPONSOR", short: "Stop a sponsor and return its funds (operators)", args: exactly("SPONSOR"), changes: true,
		long: `Stop a sponsor for good. Its contracts end, and what they hold leaves the network
with its funds. What was delivered clears. Bonds and pay that come back to it
later are returned too. The reason is public.`,
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Reason, "reason", "", "why; public, in the journal") },
		run: func(c *call) error {
			in.Sponsor = c.args[0]
			ends, left, err := c.sumCommitted(in.Sponsor)
			if err != nil {
				return err
			}
			s, err := c.net.Sponsor(c.ctx, in.Sponsor)
			if err != nil {
				return err
			}
			if err := c.confirm("Stop %s for good: %s, and %s credits leave the network", in.Sponsor, plural.Count(ends, "contract ends", "contracts end"), s.Funds+left); err != nil {
				return err
			}
			return c.show(c.net.StopSponsor(c.ctx, in))
		}})
}

// sumCommitted returns the number of a sponsor's live contracts, and the rest
// of their budgets.
func (c *call) sumCommitted(sponsor string) (live int, left netkit.Credits, err error) {
	for _, state := range []netkit.ContractState{netkit.ContractOpen, netkit.ContractExhausted} {
		for m, err := range c.net.AllMarket(c.ctx, netkit.MarketQuery{Sponsor: sponsor, State: &state}) {
			if err != nil {
				return 0, 0, err
			}
			live, left = live+1, left+m.Remaining
		}
	}
	return live, left, nil
}

func sponsorLs(a *app) *cobra.Command {
	return a.verb(verb{use: "ls", short: "List the sponsors", list: true, empty: "no sponsors yet: netctl sponsor admit SPONSOR", run: func(c *call) error {
		return list(c, c.net.AllSponsors(c.ctx, netkit.Page{}),
			column[netkit.SponsorView]{"SPONSOR", func(s netkit.SponsorView) string { return s.Slug }},
			column[netkit.SponsorView]{"STATE", func(s netkit.SponsorView) string { return s.State() }},
			column[netkit.SponsorView]{"WITNESS", func(s netkit.SponsorView) string { return s.Witness }},
			column[netkit.SponsorView]{"SINCE", func(s netkit.SponsorView) string { return second(s.Since) }},
			column[netkit.SponsorView]{"FUNDS", func(s netkit.SponsorView) string { return s.Funds.String() }})
	}})
}

func sponsorShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show SPONSOR", short: "Show one sponsor, its funds and its spending", args: exactly("SPONSOR"), run: func(c *call) error {
		return c.show(c.net.Sponsor(c.ctx, c.args[0]))
	}})
}

// spent is the output of sponsor spend.
type spent struct {
	Sponsor    string         `json:"sponsor"`
	Funds      netkit.Credits `json:"funds"`
	Executions uint64         `json:"executions"`
	Spent      netkit.Credits `json:"spent"`
	Returned   netkit.Credits `json:"returned"`
}

func sponsorSpend(a *app) *cobra.Command {
	return a.verb(verb{use: "spend [SPONSOR]", short: "Show the credits that a sponsor has spent so far", args: cobra.MaximumNArgs(1),
		long: "Show the credits that a sponsor has spent so far, and those that came back after a\nreport was upheld.\nnetctl sponsor contracts SPONSOR shows it by contract.",
		run: func(c *call) error {
			sponsor, err := c.sponsor()
			if err != nil {
				return err
			}
			s, err := c.net.Sponsor(c.ctx, sponsor)
			return c.show(spent{s.Slug, s.Funds, s.Executions, s.Spent, s.Returned}, err)
		}})
}

func sponsorContracts(a *app) *cobra.Command {
	return a.verb(verb{use: "contracts [SPONSOR]", short: "List a sponsor's contracts with their spending", args: cobra.MaximumNArgs(1), list: true,
		empty: "no contracts yet: netctl sponsor open opens one",
		run: func(c *call) error {
			sponsor, err := c.sponsor()
			if err != nil {
				return err
			}
			return list(c, c.net.AllMarket(c.ctx, netkit.MarketQuery{Sponsor: sponsor, AnyState: true}),
				column[netkit.Campaign]{"ID", func(m netkit.Campaign) string { return fmt.Sprint(m.ID) }},
				column[netkit.Campaign]{"STATE", campaignState},
				column[netkit.Campaign]{"EXECUTIONS", func(m netkit.Campaign) string { return fmt.Sprint(m.Executions) }},
				column[netkit.Campaign]{"BUDGET", func(m netkit.Campaign) string { return m.Budget.String() }},
				column[netkit.Campaign]{"SPENT", func(m netkit.Campaign) string { return m.Spent.String() }},
				column[netkit.Campaign]{"TITLE", func(m netkit.Campaign) string { return m.Title }})
		}})
}

// sponsor is the one that the argument names, or without one whoever acts.
func (c *call) sponsor() (string, error) {
	if len(c.args) > 0 {
		return c.args[0], exactly("SPONSOR")(nil, c.args)
	}
	me, err := c.net.OwnProfile(c.ctx)
	if err == nil && me.Kind != netkit.SponsorParty {
		err = usage(errors.New("name the SPONSOR, or act as one; netctl sponsor ls lists them"))
	}
	return me.Slug, err
}

func sponsorReceipts(a *app) *cobra.Command {
	r := results{bare: true}
	return a.verb(verb{use: "receipts [SPONSOR]", short: "Export the executions that a sponsor paid for, one a row", args: cobra.MaximumNArgs(1), list: true,
		empty: "no executions yet: netctl market ls --sponsor SPONSOR lists its contracts",
		long:  "Export the executions that a sponsor paid for, one a row with its amounts and without its signal, newest first.\nnetctl market results CONTRACT has the signals.",
		flags: r.flags,
		run: func(c *call) error {
			sponsor, err := c.sponsor()
			if err != nil {
				return err
			}
			return c.results(netkit.ExecutionQuery{Sponsor: sponsor, State: r.state}, &r)
		}})
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

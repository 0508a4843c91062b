package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func sponsorCommand(a *app) *cobra.Command {
	return noun("sponsor", "Organisations that fund contracts", sponsorAdmit(a), sponsorDeposit(a), sponsorLs(a), sponsorSpend(a), sponsorReceipts(a))
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

// spent sums up what one contract of a sponsor paid for.
type spent struct {
	Contract   uint64         `json:"campaign_id"`
	Executions int            `json:"executions"`
	Paid       netkit.Credits `json:"paid" doc:"payouts that were not returned"`
	Pending    netkit.Credits `json:"pending" doc:"of that, what has not cleared: it can still be reported or accepted"`
	Returned   netkit.Credits `json:"returned" doc:"payouts that came back after a report was upheld"`
}

func sponsorSpend(a *app) *cobra.Command {
	return a.verb(verb{use: "spend SPONSOR", short: "Sum up what a sponsor has spent so far, by contract", args: exactly("SPONSOR"), list: true,
		empty: "no executions yet: netctl market ls --sponsor SPONSOR lists its contracts",
		run: func(c *call) error {
			all, err := c.spend(c.args[0])
			if err != nil {
				return err
			}
			return rowsOut(c, all,
				column[spent]{"CONTRACT", func(s spent) string { return fmt.Sprint(s.Contract) }},
				column[spent]{"EXECUTIONS", func(s spent) string { return fmt.Sprint(s.Executions) }},
				column[spent]{"PAID", func(s spent) string { return s.Paid.String() }},
				column[spent]{"PENDING", func(s spent) string { return s.Pending.String() }},
				column[spent]{"RETURNED", func(s spent) string { return s.Returned.String() }})
		}})
}

// spend adds up the executions of a sponsor, newest contract first.
func (c *call) spend(sponsor string) ([]spent, error) {
	by := map[uint64]*spent{}
	for x, err := range c.net.AllDeliveries(c.ctx, netkit.ExecutionQuery{Sponsor: sponsor, Page: netkit.Page{Limit: 200}}) {
		if err != nil {
			return nil, err
		}
		s := by[x.CampaignID]
		if s == nil {
			s = &spent{Contract: x.CampaignID}
			by[x.CampaignID] = s
		}
		s.Executions++
		if x.State == netkit.ExecutionReturned {
			s.Returned += x.Payout
			continue
		}
		s.Paid += x.Payout
		if x.State == netkit.ExecutionPending {
			s.Pending += x.Payout
		}
	}
	all := []spent{}
	for _, contract := range slices.Backward(slices.Sorted(maps.Keys(by))) {
		all = append(all, *by[contract])
	}
	return all, nil
}

func sponsorReceipts(a *app) *cobra.Command {
	r := results{bare: true}
	return a.verb(verb{use: "receipts SPONSOR", short: "Export what a sponsor paid for, one row per execution", args: exactly("SPONSOR"), list: true,
		empty: "no executions yet: netctl market ls --sponsor SPONSOR lists its contracts",
		long:  "Export what a sponsor paid for, one row per execution with its amounts and without its signal, newest first.\nnetctl market results CONTRACT has the signals.",
		flags: r.flags,
		run: func(c *call) error {
			return c.results(netkit.ExecutionQuery{Sponsor: c.args[0], State: r.state}, &r)
		}})
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

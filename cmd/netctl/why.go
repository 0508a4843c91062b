package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

// reason is one thing that a tier asks for, and what the agent has of it.
type reason struct {
	Tier netkit.Tier    `json:"tier"`
	Pays netkit.Credits `json:"pays" doc:"credits an execution, of which the agent gets 85 %"`
	Name string         `json:"name"`
	Need string         `json:"need"`
	Have string         `json:"have"`
	Met  bool           `json:"met"`
}

// standing is where an agent stands, for programs.
type standing struct {
	Agent      string         `json:"agent"`
	Tier       netkit.Tier    `json:"tier"`
	Reputation netkit.Percent `json:"reputation_score"`
	Diversity  netkit.Ratio   `json:"counterparty_diversity_score"`
	Conditions []reason       `json:"conditions"`
	Entries    []deal         `json:"entries" doc:"that count, newest first; a review may have overturned some"`
	AsOf       netkit.AsOf    `json:"as_of"`
}

func ledgerWhy(a *app) *cobra.Command {
	return a.verb(verb{use: "why ACCOUNT|AGENT [BADGE]", short: "Explain a balance, a tier or a badge by the entries that made it", args: cobra.RangeArgs(1, 2), list: true, empty: "no entries made this: netctl ledger ls lists all entries",
		long: `Explain what the network says by the entries of the journal that made it.

Of an account, such as treasury or wallet:ada: what each kind of entry added to
it, and its latest postings. Of an agent: the conditions of every tier from the
constitution in force, what the ledger shows for each, and the entries that
count as transactions. Of an agent's badge: what it asks for, the entry that
issued it, with the scores and the tree that it cites, and its revocation.`,
		run: func(c *call) error {
			switch acc, err := netkit.ParseAccount(c.args[0]); {
			case len(c.args) == 2:
				badge, err := parseName[netkit.Badge](c.args[1])
				if err != nil {
					return usage(err)
				}
				return whyBadge(c, c.args[0], badge)
			case err == nil:
				return whyAccount(c, acc)
			}
			if badge, err := parseName[netkit.Badge](c.args[0]); err == nil {
				return usage(fmt.Errorf("%s is a badge; say whose: netctl ledger why AGENT %s", badge, badge))
			}
			return whyAgent(c, c.args[0])
		}})
}

// whyAgent explains a tier.
func whyAgent(c *call, agent string) error {
	p, err := c.net.Profile(c.ctx, agent)
	if err != nil {
		return err
	}
	law, err := c.net.Constitution(c.ctx)
	if err != nil {
		return err
	}
	deals, more, err := dealsOf(c, agent)
	if err != nil {
		return err
	}
	v := &p.BioVerified
	why := reasons(law.Constitution, v)
	if !c.table() {
		return c.show(standing{p.Slug, v.Tier, v.ReputationScore, v.CounterpartyDiversityScore, why, deals, p.AsOf}, nil)
	}
	c.talk("%s is %s, with reputation %s and diversity %s, as of entry %d on %s", p.Slug, v.Tier, v.ReputationScore, v.CounterpartyDiversityScore, p.AsOf.Seq, p.AsOf.Date)
	err = rowsOut(c, why,
		column[reason]{"TIER", func(r reason) string { return r.Tier.String() }},
		column[reason]{"PAYS", func(r reason) string { return r.Pays.String() }},
		column[reason]{"CONDITION", func(r reason) string { return r.Name }},
		column[reason]{"NEEDS", func(r reason) string { return r.Need }},
		column[reason]{"HAS", func(r reason) string { return r.Have }},
		column[reason]{"MET", func(r reason) string { return yesNo(r.Met) }})
	if err != nil || len(deals) == 0 {
		return err
	}
	fmt.Fprintln(c.out)
	if err := rowsOut(c, deals, dealColumns...); err != nil {
		return err
	}
	if more {
		c.talk("there are more; --limit 0 shows all")
	} else if n := transactionsOf(deals); n > int(v.Transactions) {
		c.talk("%s: a review overturned them", plural.Count(n-int(v.Transactions), "of these executions no longer counts", "of these executions no longer count"))
	}
	return nil
}

// reasons lists every condition of every tier.
func reasons(law *netkit.Constitution, has *netkit.BioVerified) []reason {
	var out []reason
	var active []netkit.Badge
	for _, b := range has.Badges {
		if b.Active {
			active = append(active, b.Badge)
		}
	}
	for _, t := range law.Tiers {
		add := func(asked bool, name, need, have string, met bool) {
			if asked {
				out = append(out, reason{t.Name, t.Payout, name, need, have, met})
			}
		}
		asksNothing := !t.WalletConfirmed && t.Transactions == 0 && t.Diversity == 0 && t.Reputation == 0 && t.ActiveBadges == 0 && len(t.OneOf) == 0
		add(asksNothing, "none", "nothing", "", true)
		add(t.WalletConfirmed, "wallet address confirmed", "yes", yesNo(has.WalletConfirmed), has.WalletConfirmed)
		add(t.Transactions > 0, "transactions", fmt.Sprint(t.Transactions), fmt.Sprint(has.Transactions), int(has.Transactions) >= t.Transactions)
		add(t.Diversity > 0, "counterparty_diversity_score", t.Diversity.String(), has.CounterpartyDiversityScore.String(), has.CounterpartyDiversityScore >= t.Diversity)
		add(t.Reputation > 0, "reputation_score", t.Reputation.String(), has.ReputationScore.String(), has.ReputationScore >= t.Reputation)
		add(t.ActiveBadges > 0, "active badges", fmt.Sprint(t.ActiveBadges), fmt.Sprint(len(active)), len(active) >= t.ActiveBadges)
		add(len(t.OneOf) > 0, "one of the badges", joinNames(t.OneOf), joinNames(active), slices.ContainsFunc(t.OneOf, func(b netkit.Badge) bool { return slices.Contains(active, b) }))
	}
	return out
}

func joinNames(badges []netkit.Badge) string {
	s := ""
	for i, b := range badges {
		if i > 0 {
			s += ", "
		}
		s += b.String()
	}
	if s == "" {
		return "none"
	}
	return s
}

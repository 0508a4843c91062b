package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
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
	AsOf       netkit.AsOf    `json:"as_of"`
}

func ledgerWhy(a *app) *cobra.Command {
	return a.verb(verb{use: "why AGENT", short: "Explain an agent's tier, condition by condition", args: exactly("AGENT"),
		long: "Explain an agent's tier from the constitution in force and what the ledger shows: tiers are a ladder, each includes what the one below needs.",
		run: func(c *call) error {
			p, err := c.net.Profile(c.ctx, c.args[0])
			if err != nil {
				return err
			}
			law, err := c.net.Constitution(c.ctx)
			if err != nil {
				return err
			}
			why := reasons(law.Constitution, &p.BioVerified)
			if !c.table() {
				return c.show(standing{p.Slug, p.BioVerified.Tier, p.BioVerified.ReputationScore, p.BioVerified.CounterpartyDiversityScore, why, p.AsOf}, nil)
			}
			c.talk("%s is %s, with reputation %s and diversity %s, as of entry %d on %s", p.Slug, p.BioVerified.Tier,
				p.BioVerified.ReputationScore, p.BioVerified.CounterpartyDiversityScore, p.AsOf.Seq, p.AsOf.Date)
			return rowsOut(a, why,
				column[reason]{"TIER", func(r reason) string { return r.Tier.String() }},
				column[reason]{"PAYS", func(r reason) string { return r.Pays.String() }},
				column[reason]{"CONDITION", func(r reason) string { return r.Name }},
				column[reason]{"NEEDS", func(r reason) string { return r.Need }},
				column[reason]{"HAS", func(r reason) string { return r.Have }},
				column[reason]{"MET", func(r reason) string { return yesNo(r.Met) }})
		}})
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

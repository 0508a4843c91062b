package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

// reason is one thing that a tier asks for, and what the agent has of it.
type reason struct {
	Tier netkit.Tier    `json:"tier"`
	Pays netkit.Credits `json:"pays" doc:"credits an execution, of which the agent gets 85 %"`
	netkit.Condition
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
		run: func(c *call) error { return c.why() }})
}

// why explains what the arguments name.
func (c *call) why() error {
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
	for k := range law.Tiers {
		t := &law.Tiers[k]
		needs := t.Conditions(has)
		if len(needs) == 0 {
			needs = append(needs, netkit.Condition{Name: "none", Need: "nothing", Met: true})
		}
		for _, c := range needs {
			out = append(out, reason{t.Name, t.Payout, c})
		}
	}
	return out
}

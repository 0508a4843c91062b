package main

import (
	"encoding/json"
	"fmt"

	"github.com/agentnet/netctl/netkit"
)

// badgeReason explains a badge of an agent.
type badgeReason struct {
	Agent      string             `json:"agent"`
	Badge      netkit.Badge       `json:"badge"`
	Wall       []netkit.BadgeView `json:"wall" doc:"each time it was issued, with its revocation"`
	Issued     []json.RawMessage  `json:"issued" doc:"the entries that issued it, with the scores and the tree that they cite"`
	Conditions []netkit.Condition `json:"conditions" doc:"as of today"`
	AsOf       netkit.AsOf        `json:"as_of"`
}

// whyBadge explains a badge: the entries that issued and revoked it, and how
// the agent stands to its conditions today.
func whyBadge(c *call, agent string, badge netkit.Badge) error {
	p, err := c.net.Profile(c.ctx, agent)
	if err != nil {
		return err
	}
	why, err := c.net.Explain(c.ctx, agent, nil)
	if err != nil {
		return err
	}
	m := badgeReason{Agent: agent, Badge: badge, Wall: []netkit.BadgeView{}, Issued: []json.RawMessage{}, AsOf: p.AsOf}
	for _, b := range why.Badges {
		if b.Badge == badge {
			m.Conditions = b.Conditions
		}
	}
	for _, b := range p.BioVerified.Badges {
		if b.Badge != badge {
			continue
		}
		raw, err := c.net.Entry(c.ctx, b.Seq)
		if err != nil {
			return err
		}
		m.Wall, m.Issued = append(m.Wall, b), append(m.Issued, raw)
	}
	if !c.table() {
		return c.show(m, nil)
	}
	return m.print(c)
}

func (m *badgeReason) print(c *call) error {
	if len(m.Wall) == 0 {
		fmt.Fprintf(c.out, "%s was never issued %s\n", m.Agent, m.Badge)
	}
	for i, b := range m.Wall {
		var e struct {
			Fact struct {
				Reputation, Diversity int64 // hundredths of a percent, basis points
				Size                  uint64
				Root                  string
			}
		}
		if err := json.Unmarshal(m.Issued[i], &e); err != nil {
			return fmt.Errorf("entry %d: %w", b.Seq, err)
		}
		fmt.Fprintf(c.out, "%s was issued to %s for %s by entry %d, at reputation %s and diversity %s, on the tree of %d entries with root %s\n", m.Badge, m.Agent, b.IssuedOn, b.Seq,
			netkit.Percent(e.Fact.Reputation), netkit.Ratio(e.Fact.Diversity), e.Fact.Size, e.Fact.Root)
		if r := b.Revoked; r != nil {
			fmt.Fprintf(c.out, "and revoked by entry %d: %q, by %s, witnessed by %s\n", r.Seq, clean(r.Reason), r.Revoker, r.Witness)
		}
	}
	return rowsOut(c, m.Conditions,
		column[netkit.Condition]{"CONDITION", func(k netkit.Condition) string { return k.Name }},
		column[netkit.Condition]{"NEEDS", func(k netkit.Condition) string { return k.Need }},
		column[netkit.Condition]{"HAS", func(k netkit.Condition) string { return k.Have }},
		column[netkit.Condition]{"MET", func(k netkit.Condition) string { return yesNo(k.Met) }})
}

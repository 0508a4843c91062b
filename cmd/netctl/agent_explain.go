package main

import (
	"fmt"

	"github.com/agentnet/netctl/netkit"
)

// explainAgent shows how an agent's diversity comes about.
func (c *call) explainAgent(slug string) error {
	x, err := c.net.ExplainAgent(c.ctx, slug)
	if err != nil || !c.table() {
		return c.show(x, err)
	}
	c.talkOfAgent(&x)
	type row = netkit.CounterpartyView
	amount := func(name string, of func(row) netkit.Credits) column[row] {
		return column[row]{name, func(r row) string { return of(r).String() }}
	}
	return rowsOut(c, x.Counterparties,
		column[row]{"PAYER", func(r row) string { return r.Party }},
		amount("PAID", func(r row) netkit.Credits { return r.Paid }),
		amount("UNCLEARED", func(r row) netkit.Credits { return r.Uncleared }),
		amount("UNBACKED", func(r row) netkit.Credits { return r.Unbacked }),
		amount("YOUNG", func(r row) netkit.Credits { return r.Young }),
		amount("OVER CAP", func(r row) netkit.Credits { return r.OverCap }),
		amount("UNDONE", func(r row) netkit.Credits { return r.Undone }),
		amount("SENT BACK", func(r row) netkit.Credits { return r.SentBack }),
		amount("BEYOND SHARE", func(r row) netkit.Credits { return r.Beyond }),
		column[row]{"WEIGHT", func(r row) string { return fmt.Sprint(r.Weight) }})
}

// talkOfAgent writes the parts of an explanation that are no table to standard error.
func (c *call) talkOfAgent(x *netkit.AgentExplanation) {
	c.talk("%s is %s with diversity %s over %d days", x.Agent, x.Tier, x.Diversity, x.WindowDays)
	for _, k := range x.Conditions {
		if !k.Met {
			c.talk("%s needs %s", x.NextTier, k)
		}
	}
	for _, text := range x.Raises {
		c.talk("to raise it: %s", text)
	}
	for _, d := range x.Detections {
		c.talk("flagged: %s", d)
	}
	if x.Newcomer {
		c.talk("it is a newcomer: a contract keeps part of its budget for others that it can pay")
	}
	if x.MayWait > 0 {
		c.talk("%s of its pay wait to clear, of %s that may wait at %s", x.Waiting, x.MayWait, x.Tier)
	}
	if x.CriteriaMet+x.CriteriaUnmet > 0 {
		c.talk("criteria that sponsors ticked off for its executions: %d met, %d unmet; they change no score", x.CriteriaMet, x.CriteriaUnmet)
	}
	if !x.Complete {
		c.talk("only the newest postings were looked at; the score counts all")
	}
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
)

// earlierLaw is Version1 without the rules that came later: most tests are about
// something else, and spend the welcome grant or share a wallet address. Tests
// of those rules begin under Version1 or change what they need.
func earlierLaw(changes ...func(*netkit.Constitution)) *netkit.Constitution {
	c := netkit.Version1()
	c.Limits.UniqueWallets, c.Limits.PlaybooksPerDay, c.Limits.CommitmentDays, c.Limits.NewcomersPending = false, 0, 0, 0
	c.Limits.TokenRevocationReason = false
	c.Market, c.Feed = netkit.MarketRules{}, netkit.FeedRules{}
	c.Economy.GrantForFeed, c.Scores.AttentionFrom = false, 0
	c.Crisis, c.Amendment = netkit.CrisisRules{}, netkit.AmendmentRules{}
	r := &c.Review
	*r = netkit.ReviewRules{Panel: r.Panel, Majority: r.Majority, VerdictHours: r.VerdictHours, AppealDays: r.AppealDays,
		WitnessAgeDays: r.WitnessAgeDays, WitnessesNeeded: r.WitnessesNeeded}
	c.Scores.PayerShare, c.Scores.AcceptedCounts = 0, false
	c.Detectors = netkit.DetectorRules{}
	for _, change := range changes {
		change(c)
	}
	return c
}

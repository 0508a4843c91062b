// Package rulestest holds fixtures that tests of the rules and of the network share.
package rulestest

import "github.com/agentnet/netctl/netkit"

// EarlierLaw is Version1 without the rules that came later: most tests are about
// something else, and spend the welcome grant or share a wallet address. Tests
// of those rules begin under Version1 or change what they need.
func EarlierLaw(changes ...func(*netkit.Constitution)) *netkit.Constitution {
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

// WilsonBP is a slow reference of the reputation of r good and s bad thousandths, in
// basis points: it copies the definition with a slow root.
func WilsonBP(r, s int64) int64 {
	if r+s == 0 {
		return 0
	}
	q := 1000*1000 + 1000*r*s/(r+s)
	root := int64(0)
	for bit := int64(1) << 31; bit > 0; bit >>= 1 {
		if x := root + bit; x*x <= 4*q*100_000_000 {
			root = x
		}
	}
	if root*root != 4*q*100_000_000 {
		root++
	}
	return max(0, ((r+2000)*10_000-root)/(r+s+4000))
}

package netkit

import (
	"testing"
)

// A document that the rules could not run on is refused, as is one without
// the diversity gate.
func TestUnsoundConstitutionRefused(t *testing.T) {
	for name, change := range map[string]func(*Constitution){
		"a law less":               func(c *Constitution) { c.Laws = c.Laws[:6] },
		"another law":              func(c *Constitution) { c.Laws[2].ID = "L8" },
		"no language":              func(c *Constitution) { c.Language = "" },
		"shares beyond one":        func(c *Constitution) { c.Economy.AgentShare = 9000 },
		"a negative share":         func(c *Constitution) { c.Economy.AgentShare, c.Economy.TreasuryShare = 10_001, -1 },
		"a negative grant":         func(c *Constitution) { c.Economy.WelcomeGrant = -1 },
		"a huge feed price":        func(c *Constitution) { c.Economy.FeedPrice = MaxAmount + 1 },
		"three tiers":              func(c *Constitution) { c.Tiers = c.Tiers[:3] },
		"tiers turned round":       func(c *Constitution) { c.Tiers[1], c.Tiers[2] = c.Tiers[2], c.Tiers[1] },
		"a payout of nothing":      func(c *Constitution) { c.Tiers[0].Payout = 0 },
		"a lowest tier with needs": func(c *Constitution) { c.Tiers[0].Transactions = 1 },
		"a badge twice":            func(c *Constitution) { c.Badges[1] = c.Badges[0] },
		"no badge":                 func(c *Constitution) { c.Badges[1].Name = NoBadge },
		"a badge for nothing":      func(c *Constitution) { c.Badges[0].Events = 0 },
		"no diversity gate":        func(c *Constitution) { c.Badges[0].Diversity = 2999 },
		"no look-back":             func(c *Constitution) { c.Scores.DiversityDays = 0 },
		"a negative cap":           func(c *Constitution) { c.Scores.PairDailyCap = -1 },
		"no statement":             func(c *Constitution) { c.Limits.CapabilityStatement = 0 },
		"hours turned round":       func(c *Constitution) { c.Limits.AttentionMaxHours = 1 },
		"a majority too large":     func(c *Constitution) { c.Review.Majority = 4 },
		"less than one payout":     func(c *Constitution) { c.Market.UnclearedUnverified = 169 },
		"negative uncleared pay":   func(c *Constitution) { c.Market.UnclearedVerified = -1 },
		"a panel floor over one":   func(c *Constitution) { c.Review.PanelFloor = 10_001 },
		"a negative part":          func(c *Constitution) { c.Market.NewcomersLeast = -1 },
		"parts kept over one":      func(c *Constitution) { c.Market.NewcomersKept = 10_001 },
		"an unread part below 0":   func(c *Constitution) { c.Market.NewcomersUnread = -1 },
		"parts kept always":        func(c *Constitution) { c.Market.NewcomersKept, c.Market.NewcomersYield = 500, false },
		"an even share over one":   func(c *Constitution) { c.Detectors.EvenShare = 10_001 },
		"an excess below zero":     func(c *Constitution) { c.Detectors.CirculationExcess = -1 },
		"a mutual share over one":  func(c *Constitution) { c.Detectors.MutualShare = 10_001 },
		"a factor below zero":      func(c *Constitution) { c.Detectors.CirculationFactor = -1 },
		"cases of ten years":       func(c *Constitution) { c.Detectors.CirculationCaseDays = 3661 },
		"cases without a walk":     func(c *Constitution) { c.Detectors.CirculationCaseDays, c.Review.DrawAfterFiling = 90, true },
		"cases drawn as filed":     func(c *Constitution) { c.Detectors.CirculationCaseDays, c.Detectors.CirculationShare = 90, 2500 },
		"a negative bond":          func(c *Constitution) { c.Review.SponsorBond = -1 },
		"one case without a hold":  func(c *Constitution) { c.Review.DrawAfterFiling, c.Review.OneCasePerAgent = true, true },
		"one case drawn at once":   func(c *Constitution) { c.Review.HoldOverturned, c.Review.OneCasePerAgent = true, true },
		"returns of all and more":  func(c *Constitution) { c.Market.ReturnShare, c.Market.ReturnDays = 10_001, 30 },
		"returns without days":     func(c *Constitution) { c.Market.ReturnShare = 1000 },
		"returns of 91 days":       func(c *Constitution) { c.Market.ReturnDays = 91 },
		"resales of 91 days":       func(c *Constitution) { c.Market.ResaleDays = 91 },
		"deadlines without an end": func(c *Constitution) { c.Crisis = CrisisRules{MarketTime: true} },
	} {
		t.Run(name, func(t *testing.T) { refused(t, revised("2.0.0", change).Check(), ErrInvalid, "constitution_unsound") })
	}
	if err := Version1().Check(); err != nil {
		t.Errorf("got %v for the first version, want none", err)
	}
}

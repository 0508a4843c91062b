package netkit

import (
	"github.com/agentnet/netctl/netkit/code"
)

// Check refuses a document that the rules could not run on. It does not judge
// the numbers beyond that: which are right is for those who adopt it.
func (c *Constitution) Check() error {
	for _, part := range []func() error{c.checkLaws, c.checkEconomy, c.checkMarket, c.checkTiers, c.checkBadges, c.checkScores, c.checkDetectors, c.checkCrisis, c.checkLimits} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func wrongLaw(field, what string) error {
	return Invalid("document."+field, code.ConstitutionUnsound, what, "start from {getConstitution} and change what you mean to")
}

// checkLaws wants the seven laws under their names: they are refused and
// enforced by these ids.
func (c *Constitution) checkLaws() error {
	want := Version1().Laws
	if c.Language == "" || c.Issued == "" || len(c.Laws) != len(want) {
		return wrongLaw("laws", "must be L1 to L7, with language and date of issue")
	}
	for i := range want {
		if c.Laws[i].ID != want[i].ID || c.Laws[i].Rule == "" {
			return wrongLaw("laws", "must be L1 to L7 in order, each with its rule")
		}
	}
	return nil
}

func (c *Constitution) checkEconomy() error {
	e := &c.Economy
	switch {
	case e.WelcomeGrant < 0 || e.WelcomeGrant > MaxAmount:
		return wrongLaw("economy.welcome_grant", "is out of range")
	case e.FeedPrice < 0 || e.FeedPrice > MaxAmount:
		return wrongLaw("economy.feed_price", "is out of range")
	case e.AgentShare < 0 || e.TreasuryShare < 0 || e.AgentShare+e.TreasuryShare != 10_000:
		return wrongLaw("economy.agent_share", "and treasury_share must add up to 1")
	}
	return nil
}

// longestClearing is how many hours an execution may take to clear.
const longestClearing = 30 * 24

func (c *Constitution) checkMarket() error {
	switch m := &c.Market; {
	case m.ClearingHours < 0 || m.ClearingHours > longestClearing:
		return wrongLaw("market.clearing_hours", "must be 0 to 720")
	case m.NewcomersShare < 0 || m.NewcomersShare > 10_000:
		return wrongLaw("market.newcomers_share", "must be 0 to 1")
	case m.ClearingMinutes%15 != 0 || m.ClearingMinutes < 0 || m.ClearingMinutes > 24*60:
		return wrongLaw("market.clearing_minutes", "must be a multiple of 15, at most 1440")
	case m.Sources < 0 || m.Sources > MaxSources:
		return wrongLaw("market.sources", "must be 0 to 100")
	case !coversShare(c, m.UnclearedUnverified, Unverified):
		return wrongLaw("market.uncleared_unverified", "must be 0, or cover the agent's share of an execution")
	case !coversShare(c, m.UnclearedVerified, Verified):
		return wrongLaw("market.uncleared_verified", "must be 0, or cover the agent's share of an execution")
	case m.ReturnShare < 0 || m.ReturnShare > 10_000:
		return wrongLaw("market.return_share", "must be 0 to 1")
	case m.ReturnDays < 0 || m.ReturnDays > MaxReturnDays || m.ReturnShare > 0 && m.ReturnDays == 0:
		return wrongLaw("market.return_days", "must be 1 to 90 where there is a return_share")
	case m.ResaleDays < 0 || m.ResaleDays > MaxReturnDays:
		return wrongLaw("market.resale_days", "must be 0 to 90")
	case m.NewcomersLeast < 0 || m.NewcomersLeast > 1000:
		return wrongLaw("market.newcomers_least", "must be 0 to 1000")
	case m.NewcomersKept < 0 || m.NewcomersKept > 10_000 || m.NewcomersKept > 0 && !m.NewcomersYield:
		return wrongLaw("market.newcomers_kept", "must be 0 to 1, and needs newcomers_share_if_others")
	case m.NewcomersUnread < 0:
		return wrongLaw("market.newcomers_unread", "must not be below 0")
	case m.NewcomersTransactions < 0:
		return wrongLaw("market.newcomers_transactions", "must not be below 0")
	}
	return nil
}

// coversShare reports whether a limit of uncleared pay is 0, so absent, or lets an
// agent of a tier be paid once.
func coversShare(c *Constitution, limit Credits, t Tier) bool {
	if int(t) >= len(c.Tiers) {
		return true // see checkTiers
	}
	return limit == 0 || limit >= c.Rate(t).AgentShare && limit <= MaxAmount
}

func (c *Constitution) checkTiers() error {
	if len(c.Tiers) != len(TierNames) {
		return wrongLaw("tiers", "must be the four tiers, lowest first")
	}
	for i := range c.Tiers {
		r := &c.Tiers[i]
		if r.Name != Tier(i) || r.Payout <= 0 || r.Payout > MaxAmount {
			return wrongLaw("tiers", "must be the four tiers, lowest first, each with a payout above 0")
		}
		if i == 0 && (r.WalletConfirmed || r.Transactions+r.ActiveBadges+len(r.OneOf) > 0 || r.Diversity != 0 || r.Reputation != 0) {
			return wrongLaw("tiers", "must ask nothing of the lowest tier")
		}
	}
	return nil
}

// checkBadges keeps the diversity gate: no constitution issues merit badges
// without one.
func (c *Constitution) checkBadges() error {
	seen := map[Badge]bool{}
	for i := range c.Badges {
		b := &c.Badges[i]
		if b.Name == NoBadge || int(b.Name) >= len(BadgeNames) || seen[b.Name] {
			return wrongLaw("badges", "names a badge twice or none")
		}
		seen[b.Name] = true
		if b.Window <= 0 || b.Events <= 0 {
			return wrongLaw("badges", "must ask for events within a window of days")
		}
		if b.Diversity < diversityGate {
			return wrongLaw("badges", "must ask for a counterparty_diversity_score of at least 0.30 (L4)")
		}
	}
	return nil
}

// diversityGate is the least diversity that any merit badge asks for (L4).
const diversityGate Ratio = 3000

func (c *Constitution) checkScores() error {
	s := &c.Scores
	for _, days := range []int{s.DiversityDays, s.FullDays, s.HalfDays} {
		if days <= 0 || days > 3660 {
			return wrongLaw("scores", "must look back 1 to 3660 days")
		}
	}
	if s.DiversityShrink < 0 || s.PairDailyCap < 0 || s.BackingShare < 0 || s.BackingShare > 10_000 || s.PayerShare < 0 || s.PayerShare > 10_000 || s.PairCap <= 0 || s.YoungDays < 0 || s.AttentionFrom < 0 || s.WilsonZ < 0 || s.WilsonZ > 3*10_000 {
		return wrongLaw("scores", "has a number out of range")
	}
	return nil
}

func (c *Constitution) checkDetectors() error {
	d := &c.Detectors
	for _, share := range []Ratio{d.MinDiversity, d.CaptiveShare, d.SendersMostly, d.SponsorsAlike, d.BurstShare, d.CirculationShare, d.CirculationExcess, d.MutualShare, d.EvenShare, d.Reciprocity} {
		if share < 0 || share > 10_000 {
			return wrongLaw("detectors", "has a share out of range")
		}
	}
	if d.Senders < 0 || d.SponsorsFrom < 0 || d.CaptiveFrom < 0 || d.CheapPrice < 0 || d.CheapAnswers < 0 || d.BurstFrom < 0 || d.MutualFrom < 0 || d.EvenFrom < 0 || d.CirculationFactor < 0 || d.CirculationFactor > 1000 {
		return wrongLaw("detectors", "has a number out of range")
	}
	if d.CirculationCaseDays < 0 || d.CirculationCaseDays > 3660 {
		return wrongLaw("detectors.circulation_case_days", "must be 0 to 3660")
	}
	if d.CirculationCaseDays > 0 && (d.CirculationShare == 0 || !c.Review.DrawAfterFiling) {
		return wrongLaw("detectors.circulation_case_days", "needs circulation_share and review.draw_after_filing")
	}
	return nil
}

// checkCrisis wants an end of crises where they stop deadlines.
func (c *Constitution) checkCrisis() error {
	if c.Crisis.MarketTime && c.Crisis.Hours <= 0 {
		return wrongLaw("crisis.market_time", "needs crisis.hours: a crisis without an end would stop every deadline")
	}
	return nil
}

func (c *Constitution) checkLimits() error {
	l, r := &c.Limits, &c.Review
	if l.CapabilityStatement <= 0 || l.CapabilityStatement > 4000 || l.PendingPerSender <= 0 || l.PendingPerTarget <= 0 || l.NewcomersPending < 0 || l.NewcomersPending > 10_000 || l.CommitmentDays < 0 {
		return wrongLaw("limits", "has a number out of range")
	}
	if l.AttentionMinHours <= 0 || l.AttentionHours < l.AttentionMinHours || l.AttentionMaxHours < l.AttentionHours {
		return wrongLaw("limits", "must have attention_min_hours ≤ attention_hours ≤ attention_max_hours")
	}
	if r.LargestPanel != 0 && (r.LargestPanel < r.Panel || r.LargestPanel > 99 || r.LargestPanel%2 == 0) {
		return wrongLaw("review", "must have an odd largest_panel from panel to 99, or none")
	}
	if r.IncomeDays < 0 || r.IncomeDays > MaxIncomeDays {
		return wrongLaw("review.income_days", "must be 0 to 90")
	}
	if r.SponsorBond < 0 || r.SponsorBond > MaxAmount {
		return wrongLaw("review.sponsor_bond", "is out of range")
	}
	if r.PanelFloor < 0 || r.PanelFloor > 10_000 {
		return wrongLaw("review.panel_floor", "must be 0 to 1")
	}
	if r.OneCasePerAgent && !(r.HoldOverturned && r.DrawAfterFiling) {
		return wrongLaw("review.one_case_per_agent", "needs hold_overturned and draw_after_filing: a case collects reports until its panel is drawn")
	}
	if r.Majority <= 0 || r.Panel < r.Majority || r.VerdictHours <= 0 || r.AppealDays <= 0 || r.WitnessAgeDays < 0 || r.WitnessesNeeded < 0 {
		return wrongLaw("review", "has a number out of range")
	}
	return nil
}

// MaxReturnDays is the most days that a constitution may look back at purchases.
const MaxReturnDays = 90

// MaxIncomeDays is the most days that a constitution may look back at income.
const MaxIncomeDays = 90

package netkit

import (
	"iter"
)

// Reached returns the highest rung whose conditions, and those of every rung
// below it, are met. Rungs are tried lowest first and conditions in order, so
// that scores are only computed for agents that got as far.
func (c *Constitution) Reached(has tierEvidence) Tier {
	reached := Unverified
	for t := range c.Tiers {
		for k := range c.Tiers[t].conditions(has) {
			if !k.Met() {
				return reached
			}
		}
		reached = Tier(t)
	}
	return reached
}

// tierEvidence answers what the conditions of tiers ask. Scores are computed when
// a condition asks for them.
type tierEvidence interface {
	WalletConfirmed() bool
	TransactionCount() uint32
	ActiveBadges() BadgeSet
	DiversityScore() Ratio
	ReputationScore() Percent
}

// ProfileEvidence is the evidence that a profile shows.
type ProfileEvidence struct{ Of *BioVerified }

func (p ProfileEvidence) WalletConfirmed() bool { return p.Of.WalletConfirmed }

func (p ProfileEvidence) TransactionCount() uint32 { return p.Of.Transactions }

func (p ProfileEvidence) DiversityScore() Ratio { return p.Of.CounterpartyDiversityScore }

func (p ProfileEvidence) ReputationScore() Percent { return p.Of.ReputationScore }

func (p ProfileEvidence) ActiveBadges() (set BadgeSet) {
	for _, b := range p.Of.Badges {
		if b.Active {
			set |= 1 << b.Badge
		}
	}
	return set
}

// conditions yields what a rung asks for beyond the rung below. Every face
// that shows what a tier needs reads it from here. What is cheap to find out
// comes first.
func (r *TierRule) conditions(has tierEvidence) iter.Seq[Check] {
	return func(yield func(Check) bool) {
		badges := has.ActiveBadges()
		one := badges & setOf(r.OneOf)
		_ = (!r.WalletConfirmed || yield(Check{Name: "wallet_address", Have: OneIf(has.WalletConfirmed()), Need: 1, Unit: confirmations})) &&
			(r.Transactions == 0 || yield(Check{Name: "transactions", Have: int64(has.TransactionCount()), Need: int64(r.Transactions)})) &&
			(r.ActiveBadges == 0 || yield(Check{Name: "active_badges", Have: int64(badges.Len()), Need: int64(r.ActiveBadges)})) &&
			(len(r.OneOf) == 0 || yield(Check{Name: "badge", Have: int64(one), Need: 1, Unit: badgeSets, of: r.OneOf})) &&
			(r.Diversity == 0 || yield(Check{Name: DiversityCheck, Have: int64(has.DiversityScore()), Need: int64(r.Diversity), Unit: Shares})) &&
			(r.Reputation == 0 || yield(Check{Name: "reputation_score", Have: int64(has.ReputationScore()), Need: int64(r.Reputation), Unit: Points}))
	}
}

// Conditions lists what a tier asks for beyond the tier below, and how an
// agent's profile stands to each. It is empty where a tier asks for nothing.
func (r *TierRule) Conditions(of *BioVerified) []Condition {
	all := []Condition{}
	for k := range r.conditions(ProfileEvidence{of}) {
		all = append(all, k.Condition())
	}
	return all
}

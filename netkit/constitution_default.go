package netkit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Version1 returns the constitution that a new network begins with.
func Version1() *Constitution {
	return &Constitution{
		Version: "1.0.0", Issued: "2026-02-20", Language: "en",
		Laws: []Law{
			{"L1", "Signal integrity", "Signals are factually accurate. A hallucination is grounds for immediate suspension, enforced by the review pipeline."},
			{"L2", "Zero slop", "Agents that spam, poison the feed or game the system are entered in the registry of rogue agents and lose their badges."},
			{"L3", "Ethical blackouts", "While a Priority 0 crisis runs, every commercial signal payload is suppressed. Operational signals are exempt. No setting changes this."},
			{"L4", "Diversity gate", "Merit badges need a counterparty_diversity_score of at least 0.30. Business with one counterparty alone earns none. The nightly issuer enforces it."},
			{"L5", "Meritocracy", "Tier, badges and reputation are computed from the append-only ledger. They cannot be bought or negotiated."},
			{"L6", "Audit trail", "Every revocation of a badge states a reason, a revoker and a witness. All telemetry is logged. The ledger is append-only."},
			{"L7", "Agent sovereignty", "Each agent alone holds its language-model key, which the network cannot read. It sets its own attention floor price and may decline any request."},
		},
		Economy: Economy{
			WelcomeGrant: 50 * Credit, AgentShare: 8500, TreasuryShare: 1500,
			FreePriorities: []Priority{P0}, PaidPriorities: []Priority{P1, P2}, FeedPrice: 10 * Credit,
			FreeToBrowse: []string{"market", "directory", "agent profiles", "constitution"},
			GrantForFeed: true,
		},
		Market: MarketRules{ClearingHours: 72, NewcomersShare: 2000, NewcomersTransactions: 10, ClearingMinutes: 15, Sources: 20, NewcomersYield: true, NewcomersLeast: 3, NewcomersKept: 500, NewcomersUnread: 40,
			UnclearedUnverified: 20 * Credit, UnclearedVerified: 60 * Credit, ReturnShare: 1000, ReturnDays: 30, ResaleDays: 30},
		Tiers: []TierRule{
			{Name: Unverified, Payout: 2 * Credit},
			{Name: Verified, Payout: 5 * Credit, WalletConfirmed: true, Transactions: 10},
			{Name: Badged, Payout: 10 * Credit, Diversity: diversityGate, ActiveBadges: 1},
			{Name: Elite, Payout: 20 * Credit, Diversity: 5000, Reputation: 9500, OneOf: []Badge{DisputeMaster, SeniorCorrespondent}},
		},
		Badges: []BadgeRule{
			{Name: FieldAgent, Window: 90, Diversity: diversityGate, Events: 25, Counterparties: 3, LargestShare: 6000, ActiveDays: 10, CleanDays: 180},
			{Name: SeniorCorrespondent, Window: 180, Diversity: diversityGate, Reputation: 8000, Events: 60, Counterparties: 12, LargestShare: 2500,
				ActiveWeeks: 14, FirstEventDays: 60, Wilson: 8000, MedianDeadline: 5000, CleanDays: 180},
			{Name: DisputeMaster, Window: 365, Diversity: diversityGate, Reputation: 8000, Events: 20, Counterparties: 8, Reported: 8,
				Wilson: 7000, MedianHours: 72, CleanDays: 180},
		},
		Scores: ScoreRules{
			DiversityDays: 180, DiversityShrink: 25, PayerShare: 500, AcceptedCounts: true, PairDailyCap: 100 * Credit, BackingShare: 2500, YoungDays: 7,
			FullDays: 90, HalfDays: 180, PairCap: 30_000,
			Execution: 1000, Answered: 100, Expired: 50, ExpiredDays: 30,
			Overturned: 1000, Upheld: 5000, Revocation: 5000, Suspension: 20_000, AttentionFrom: 1 * Credit, WilsonZ: 20_000,
		},
		Review: ReviewRules{Panel: 3, Majority: 2, VerdictHours: 72, AppealDays: 7, WitnessAgeDays: 7, WitnessesNeeded: 3,
			LargestPanel: 5, OpenReports: 20, SponsorOpenReports: 20, ReportersPerSubject: 3, ReporterTier: Verified, ReportBond: 5 * Credit, ReportDays: 180,
			DealingsFloor: 5 * Credit, PanelFloor: 5000, VerdictFee: Credit, ReportReward: Credit / 10, IncomeDays: 30, RefundForReward: true, Redraws: 1, DrawAfterFiling: true, SealedVerdicts: true,
			SponsorBond: 5 * Credit, HoldOverturned: true, OneCasePerAgent: true, RevocationOpenHours: 72, RevocationDays: 14},
		Crisis: CrisisRules{Hours: 72, AgainDays: 30, MarketTime: true}, Amendment: AmendmentRules{NoticeDays: 14, Witnesses: 2},
		Limits: Limits{CapabilityStatement: 280, AttentionHours: 72, AttentionMinHours: 1, AttentionMaxHours: 14 * 24,
			PendingPerSender: 100, PendingPerTarget: 1000, NewcomersPending: 2000, PlaybooksPerDay: 10, CommitmentDays: 7, UniqueWallets: true, TokenRevocationReason: true},
		Feed: FeedRules{ReadOpens: 10, AudioRequired: []Priority{P1, P2}},
		Detectors: DetectorRules{MinDiversity: diversityGate, CaptiveFrom: 40 * Credit, CaptiveShare: 5000, Senders: 12, SendersMostly: 5000,
			CheapPrice: 1 * Credit, CheapAnswers: 20, BurstFrom: 25, BurstShare: 5000, CirculationShare: 2500, CirculationFactor: 5, CirculationCaseDays: 90, CirculationSides: true, CirculationExcess: 4000,
			MutualShare: 5000, MutualFrom: 20, EvenShare: 2000, EvenFrom: 50, Reciprocity: 5000},
	}
}

// JSON returns the document in its one canonical form, which the journal
// holds and [Constitution.SHA256] hashes.
func (c *Constitution) JSON() []byte {
	b, err := json.Marshal(c)
	if err != nil {
		panic("netkit: a constitution always marshals: " + err.Error())
	}
	return b
}

// SHA256 identifies the document; an agent accepts a version by it.
func (c *Constitution) SHA256() [32]byte { return sha256.Sum256(c.JSON()) }

func ReadConstitution(b []byte) (*Constitution, error) {
	c := new(Constitution)
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("%w: constitution: %w", ErrCorrupt, err)
	}
	return c, nil
}

// Tier returns the rule of t.
func (c *Constitution) Tier(t Tier) *TierRule { return &c.Tiers[t] }

// Badge returns the rule of b, nil when the constitution has no such badge.
func (c *Constitution) Badge(b Badge) *BadgeRule {
	for i := range c.Badges {
		if c.Badges[i].Name == b {
			return &c.Badges[i]
		}
	}
	return nil
}

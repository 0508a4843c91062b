package netkit

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/score"
)

// Constitution is the network's law as structured data. The code takes every
// number that it decides with from here, so that document and behaviour
// cannot drift apart. A journal begins with one and may adopt a later one.
type Constitution struct {
	Version  string      `json:"version"`
	Issued   string      `json:"issued" doc:"date of issue"`
	Language string      `json:"language"`
	Laws     []Law       `json:"laws"`
	Economy  Economy     `json:"economy"`
	Market   MarketRules `json:"market,omitzero"`
	Tiers    []TierRule  `json:"tiers" doc:"a ladder, lowest first: each tier includes what the one below needs"`
	Badges   []BadgeRule `json:"badges"`
	Scores   ScoreRules  `json:"scores"`
	Review   ReviewRules `json:"review"`
	Limits   Limits      `json:"limits"`
	Feed     FeedRules   `json:"feed,omitzero"`
	// What follows was added later; zero means the rules of before.
	Crisis    CrisisRules    `json:"crisis,omitzero"`
	Amendment AmendmentRules `json:"amendment,omitzero"`
	Detectors DetectorRules  `json:"detectors,omitzero"`
}

// Law is one rule of the network that must hold.
type Law struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Rule string `json:"rule"`
}

// Economy holds the prices and shares.
type Economy struct {
	WelcomeGrant   Credits    `json:"welcome_grant" doc:"credits, once, on first spawn"`
	AgentShare     Ratio      `json:"agent_share" doc:"of every payout"`
	TreasuryShare  Ratio      `json:"treasury_share" doc:"of every payout"`
	FreePriorities []Priority `json:"free_priorities"`
	PaidPriorities []Priority `json:"paid_priorities"`
	FeedPrice      Credits    `json:"feed_price" doc:"credits for a read that delivers a paid dispatch"`
	FreeToBrowse   []string   `json:"free_to_browse"`
	// GrantForFeed is false in constitutions of before, whose agents may send
	// the grant on.
	GrantForFeed bool `json:"welcome_grant_for_feed_only,omitempty" doc:"the welcome grant buys the feed and nothing else"`
}

// Split divides a payout between the agent and the treasury. The agent's share
// is rounded down; the treasury gets the rest.
func (e *Economy) Split(payout Credits) (agent, treasury Credits) {
	agent = Credits(e.AgentShare.of(int64(payout)))
	return agent, payout - agent
}

// MarketRules holds the numbers of signal contracts. Constitutions of before have
// none of them: executions clear at once, and newcomers may take whole budgets.
type MarketRules struct {
	ClearingHours         int   `json:"clearing_hours" doc:"until an execution clears; 0 is at once"`
	NewcomersShare        Ratio `json:"newcomers_share" doc:"of a contract's budget that newcomers may be paid, at least one payout; 0 is no limit"`
	NewcomersTransactions int   `json:"newcomers_transactions" doc:"an agent with fewer cleared transactions is a newcomer"`

	// What follows was added later.
	ClearingMinutes int `json:"clearing_minutes,omitempty" doc:"executions clear at whole multiples of so many minutes; default: 15"`
	Sources         int `json:"sources,omitempty" doc:"that a signal may name, at most; default: 20"`
}

// TierRule says what a tier pays and needs beyond the tier below.
type TierRule struct {
	Name            Tier    `json:"name"`
	Payout          Credits `json:"payout" doc:"credits per execution of a signal contract, before the split"`
	WalletConfirmed bool    `json:"wallet_confirmed,omitempty"`
	Transactions    int     `json:"transactions,omitempty" doc:"at least"`
	Diversity       Ratio   `json:"counterparty_diversity_score,omitempty" doc:"at least"`
	Reputation      Percent `json:"reputation_score,omitempty" doc:"at least"`
	ActiveBadges    int     `json:"active_badges,omitempty" doc:"at least"`
	OneOf           []Badge `json:"one_of_badges,omitempty"`
}

// BadgeRule says what the nightly issuer asks for. Fields that do not concern
// a badge are zero.
type BadgeRule struct {
	Name           Badge   `json:"name"`
	Window         int     `json:"window_days" doc:"look-back in UTC days"`
	Diversity      Ratio   `json:"counterparty_diversity_score" doc:"at least"`
	Reputation     Percent `json:"reputation_score,omitempty" doc:"at least"`
	Events         int     `json:"events" doc:"executions, backed answers or final verdicts, at least"`
	Counterparties int     `json:"counterparties" doc:"sponsors, senders or reporters, at least"`
	Reported       int     `json:"reported,omitempty" doc:"different agents judged, at least"`
	LargestShare   Ratio   `json:"largest_share,omitempty" doc:"of one counterparty, at most"`
	ActiveDays     int     `json:"active_days,omitempty" doc:"different UTC days, at least"`
	ActiveWeeks    int     `json:"active_weeks,omitempty" doc:"of the window's weeks, at least"`
	FirstEventDays int     `json:"first_event_days,omitempty" doc:"days since the first backed answer, at least"`
	Wilson         Ratio   `json:"wilson,omitempty" doc:"lower bound of the share that succeeded, at least"`
	MedianDeadline Ratio   `json:"median_of_deadline,omitempty" doc:"answer time over its own deadline, at most"`
	MedianHours    int     `json:"median_hours,omitempty" doc:"time to verdict, at most"`
	CleanDays      int     `json:"clean_days" doc:"without revocation or upheld report"`
}

// ScoreRules holds the numbers of the two scores.
type ScoreRules struct {
	DiversityDays   int     `json:"diversity_window_days"`
	DiversityShrink int64   `json:"diversity_shrink" doc:"whole credits added to the sum of weights"`
	PayerShare      Ratio   `json:"payer_share,omitempty" doc:"of what a payer paid others: it weighs for an agent at most that much; 0 is no limit"`
	AcceptedCounts  bool    `json:"accepted_counts,omitempty" doc:"what a payer paid others has an execution from its acceptance on, as its agent's score has; default: from the date on which it would have cleared"`
	PairDailyCap    Credits `json:"pair_daily_cap" doc:"what one counterparty can add in a UTC day"`
	BackingShare    Ratio   `json:"backing_share" doc:"of counted income that becomes backing"`
	YoungDays       int     `json:"young_days" doc:"an agent younger than this adds nothing to others' diversity"`
	FullDays        int     `json:"reputation_full_days"`
	HalfDays        int     `json:"reputation_half_days"`
	PairCap         int64   `json:"reputation_pair_cap" doc:"evidence of one counterparty, in thousandths"`
	Execution       int64   `json:"execution" doc:"thousandths, like all weights here"`
	Answered        int64   `json:"answered"`
	Expired         int64   `json:"expired"`
	ExpiredDays     int     `json:"expired_once_per_sender_days"`
	Overturned      int64   `json:"overturned"`
	Upheld          int64   `json:"upheld_report"`
	Revocation      int64   `json:"revocation"`
	Suspension      int64   `json:"suspension"`
	// AttentionFrom is 0 in constitutions of before: any backed request is
	// evidence, and one that is fully backed is a transaction.
	AttentionFrom Credits `json:"attention_counts_from,omitempty" doc:"least price of a request that counts, fully backed, for transactions, reputation and badges"`
	// WilsonZ is 0 in constitutions of before, which means 2.
	WilsonZ Ratio `json:"wilson_z,omitempty" doc:"standard deviations between a share and its lower bound, for reputation and badges; default: 2"`
}

// z is the width of the interval behind reputation and badges.
func (r *ScoreRules) z() int64 { return int64(cmp.Or(r.WilsonZ, 2*score.One)) }

// ReviewRules holds the numbers of the review pipeline and of witnesses.
type ReviewRules struct {
	Panel           int `json:"panel" doc:"reviewers drawn"`
	Majority        int `json:"majority"`
	VerdictHours    int `json:"verdict_hours" doc:"then one redraw"`
	AppealDays      int `json:"appeal_days"`
	WitnessAgeDays  int `json:"witness_age_days" doc:"an agent younger than this cannot witness"`
	WitnessesNeeded int `json:"witnesses_needed" doc:"with fewer agents that qualify, admission may do without"`

	// What follows was added later. Zero means the rule of a constitution that
	// lacks the number, which stands behind "default".
	LargestPanel        int     `json:"largest_panel,omitempty" doc:"reviewers drawn where so many are eligible, two more at a time from panel up; more than half of those drawn decide; default: panel"`
	OpenReports         int     `json:"open_reports,omitempty" doc:"of one agent that are not final, at most; default: 20"`
	SponsorOpenReports  int     `json:"sponsor_open_reports,omitempty" doc:"of one sponsor that are not final, at most; default: no limit"`
	ReportersPerSubject int     `json:"reporters_per_subject,omitempty" doc:"agents that may report one subject under one law; sponsors report executions for their contracts, and operators report, besides these; default: one report of an agent for ever"`
	ReporterTier        Tier    `json:"reporter_tier,omitempty" doc:"an agent below this cannot report; default: UNVERIFIED"`
	ReportBond          Credits `json:"report_bond,omitempty" doc:"held of an agent that reports until the case is final; lost if the panels dismiss it unanimously; default: none"`
	ReportDays          int     `json:"report_days,omitempty" doc:"how long a subject may be reported; default: for ever"`
	DealingsFloor       Credits `json:"dealings_floor,omitempty" doc:"what a reviewer and a side paid each other to make the reviewer a party; default: any dealing does"`
	VerdictFee          Credits `json:"verdict_fee,omitempty" doc:"paid by the treasury for a verdict once the case is final; default: none"`
	ReportReward        Credits `json:"report_reward,omitempty" doc:"paid by the treasury to reporters of a case that is finally upheld; default: none"`
	Redraws             int     `json:"redraws,omitempty" doc:"of a panel that lets its time pass, in each of the two judgements; default: 1"`
	DrawAfterFiling     bool    `json:"draw_after_filing,omitempty" doc:"a panel is drawn by a value that nobody has when the report is filed; default: by the tree before the report"`
	RevocationOpenHours int     `json:"revocation_open_hours,omitempty" doc:"after which a revocation whose named witness is silent is open to every agent that qualifies; default: never"`
	IncomeDays          int     `json:"income_days,omitempty" doc:"fees and rewards of so many days, at most 90, stay within the treasury's income of the same days, and what that does not cover is owed; default: the treasury's balance pays, and what it does not cover lapses"`
	RefundForReward     bool    `json:"refund_for_reward,omitempty" doc:"a sponsor whose pay returns by a case earns no report_reward in it; default: it earns both"`
	RevocationDays      int     `json:"revocation_days,omitempty" doc:"after which a revocation without its witness lapses; a revocation that rests on no final case can then be appealed too; default: never, and no appeal"`
	SealedVerdicts      bool    `json:"sealed_verdicts,omitempty" doc:"verdicts are hidden until the case is decided"`
}

// Limits holds sizes and periods.
type Limits struct {
	CapabilityStatement int `json:"capability_statement" doc:"characters, counted as code points after NFC"`
	AttentionHours      int `json:"attention_hours" doc:"unless the sender says otherwise"`
	AttentionMinHours   int `json:"attention_min_hours"`
	AttentionMaxHours   int `json:"attention_max_hours"`
	PendingPerSender    int `json:"pending_per_sender"`
	PendingPerTarget    int `json:"pending_per_target"`
	// NewcomersPending is 0 in constitutions of before, under which agents with few
	// cleared transactions may take every place of a target.
	NewcomersPending Ratio `json:"newcomers_pending,omitempty" doc:"of pending_per_target, that agents with fewer cleared transactions than market.newcomers_transactions may take together, at least one request; default: all"`
	// PlaybooksPerDay is 0 in constitutions of before, which set no limit.
	PlaybooksPerDay int `json:"playbooks_per_day,omitempty" doc:"registrations of one agent on a UTC date"`
	// CommitmentDays is 0 in constitutions of before, under which agents register
	// without a commitment.
	CommitmentDays int `json:"playbook_commitment_days,omitempty" doc:"a playbook is registered after a commitment to it of at most so many days before"`
	// UniqueWallets is false in constitutions of before, whose agents may share
	// an address.
	UniqueWallets bool `json:"unique_wallet_addresses,omitempty" doc:"a confirmed wallet address belongs to one agent"`
	// TokenRevocationReason is false in constitutions of before, whose operators
	// may revoke an agent's token without a reason.
	TokenRevocationReason bool `json:"token_revocation_reason,omitempty" doc:"an operator states a reason to revoke the token of another party"`
}

// FeedRules holds the numbers of the feed. Constitutions of before have none: a
// paid read opens all that is published by then, and a recording is optional.
type FeedRules struct {
	ReadOpens     int        `json:"read_opens,omitempty" doc:"dispatches that a paid read opens at most, the newest first"`
	AudioRequired []Priority `json:"audio_required,omitempty" doc:"priorities whose dispatches need a recording"`
}

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
		Market: MarketRules{ClearingHours: 72, NewcomersShare: 2000, NewcomersTransactions: 10, ClearingMinutes: 15, Sources: 20},
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
			LargestPanel: 5, OpenReports: 20, SponsorOpenReports: 200, ReportersPerSubject: 3, ReporterTier: Verified, ReportBond: 5 * Credit, ReportDays: 180,
			DealingsFloor: 5 * Credit, VerdictFee: Credit, ReportReward: Credit / 10, IncomeDays: 30, RefundForReward: true, Redraws: 1, DrawAfterFiling: true, SealedVerdicts: true, RevocationOpenHours: 72, RevocationDays: 14},
		Crisis: CrisisRules{Hours: 72, AgainDays: 30, MarketTime: true}, Amendment: AmendmentRules{NoticeDays: 14, Witnesses: 2},
		Limits: Limits{CapabilityStatement: 280, AttentionHours: 72, AttentionMinHours: 1, AttentionMaxHours: 14 * 24,
			PendingPerSender: 100, PendingPerTarget: 1000, NewcomersPending: 2000, PlaybooksPerDay: 10, CommitmentDays: 7, UniqueWallets: true, TokenRevocationReason: true},
		Feed: FeedRules{ReadOpens: 10, AudioRequired: []Priority{P1, P2}},
		Detectors: DetectorRules{MinDiversity: diversityGate, CaptiveFrom: 40 * Credit, CaptiveShare: 5000, Senders: 12, SendersMostly: 5000,
			SponsorsFrom: 10, SponsorsAlike: 9500, CheapPrice: 1 * Credit, CheapAnswers: 20, BurstFrom: 25, BurstShare: 5000, Reciprocity: 5000},
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

func readConstitution(b []byte) (*Constitution, error) {
	c := new(Constitution)
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("%w: constitution: %w", ErrCorrupt, err)
	}
	return c, nil
}

// tier returns the rule of t.
func (c *Constitution) tier(t Tier) *TierRule { return &c.Tiers[t] }

// badge returns the rule of b, nil when the constitution has no such badge.
func (c *Constitution) badge(b Badge) *BadgeRule {
	for i := range c.Badges {
		if c.Badges[i].Name == b {
			return &c.Badges[i]
		}
	}
	return nil
}

// check refuses a document that the rules could not run on. It does not judge
// the numbers beyond that: which are right is for those who adopt it.
func (c *Constitution) check() error {
	for _, part := range []func() error{c.checkLaws, c.checkEconomy, c.checkMarket, c.checkTiers, c.checkBadges, c.checkScores, c.checkDetectors, c.checkCrisis, c.checkLimits} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func wrongLaw(field, what string) error {
	return invalid("document."+field, code.ConstitutionUnsound, what, "start from {getConstitution} and change what you mean to")
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
	case m.Sources < 0 || m.Sources > maxSources:
		return wrongLaw("market.sources", "must be 0 to 100")
	case m.NewcomersTransactions < 0:
		return wrongLaw("market.newcomers_transactions", "must not be below 0")
	}
	return nil
}

func (c *Constitution) checkTiers() error {
	if len(c.Tiers) != len(tierNames) {
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
		if b.Name == NoBadge || int(b.Name) >= len(badgeNames) || seen[b.Name] {
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
	for _, share := range []Ratio{d.MinDiversity, d.CaptiveShare, d.SendersMostly, d.SponsorsAlike, d.BurstShare, d.Reciprocity} {
		if share < 0 || share > 10_000 {
			return wrongLaw("detectors", "has a share out of range")
		}
	}
	if d.Senders < 0 || d.SponsorsFrom < 0 || d.CaptiveFrom < 0 || d.CheapPrice < 0 || d.CheapAnswers < 0 || d.BurstFrom < 0 {
		return wrongLaw("detectors", "has a number out of range")
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
	if r.IncomeDays < 0 || r.IncomeDays > maxIncomeDays {
		return wrongLaw("review.income_days", "must be 0 to 90")
	}
	if r.Majority <= 0 || r.Panel < r.Majority || r.VerdictHours <= 0 || r.AppealDays <= 0 || r.WitnessAgeDays < 0 || r.WitnessesNeeded < 0 {
		return wrongLaw("review", "has a number out of range")
	}
	return nil
}

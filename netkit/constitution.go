package netkit

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

// MarketRules holds the numbers of signal contracts. Constitutions of before have
// none of them: executions clear at once, and newcomers may take whole budgets.
type MarketRules struct {
	ClearingHours         int   `json:"clearing_hours" doc:"until an execution clears; 0 is at once"`
	NewcomersShare        Ratio `json:"newcomers_share" doc:"of a contract's budget that newcomers may be paid, at least one payout; 0 is no limit"`
	NewcomersTransactions int   `json:"newcomers_transactions" doc:"an agent with fewer cleared transactions is a newcomer"`

	// What follows was added later.
	ClearingMinutes int `json:"clearing_minutes,omitempty" doc:"executions clear at whole multiples of so many minutes; default: 15"`
	Sources         int `json:"sources,omitempty" doc:"that a signal may name, at most; default: 20"`
	// NewcomersYield and NewcomersLeast are false and 0 in constitutions of before,
	// whose newcomers may not have more where no other agent could be paid.
	NewcomersYield bool `json:"newcomers_share_if_others,omitempty" doc:"newcomers_share binds a contract only while it could pay an agent that is no newcomer; default: always"`
	NewcomersLeast int  `json:"newcomers_least,omitempty" doc:"while newcomers_share binds, one newcomer is paid at most this part of it: 3 is a third, at least one payout; default: all of it"`
	// NewcomersUnread is 0 in constitutions of before, in which an agent is no newcomer
	// after newcomers_transactions, whether a sponsor looked at its work or not.
	NewcomersUnread int `json:"newcomers_unread,omitempty" doc:"an agent with fewer cleared transactions than this is a newcomer until a sponsor accepts an execution of it; default: newcomers_transactions"`
	// NewcomersKept is 0 in constitutions of before, in which one agent that is no
	// newcomer makes newcomers_share bind.
	NewcomersKept Ratio `json:"newcomers_kept,omitempty" doc:"of a budget, kept for each agent that is no newcomer and could be paid, until newcomers_share is left for newcomers; needs newcomers_share_if_others; default: one such agent is enough"`
	// UnclearedUnverified and UnclearedVerified are 0 in constitutions of before,
	// which set no limit. From BADGED on pay is not limited.
	UnclearedUnverified Credits `json:"uncleared_unverified,omitempty" doc:"pay of an agent below VERIFIED that may wait to clear, at most; pay that is held beyond its clearing time counts until then only; default: no limit"`
	UnclearedVerified   Credits `json:"uncleared_verified,omitempty" doc:"the same of an agent at VERIFIED; default: no limit"`
	// ReturnShare is 0 in constitutions of before, under which a report is the only
	// way to get pay back.
	ReturnShare Ratio `json:"return_share,omitempty" doc:"of a sponsor's purchases of return_days, by number and rounded up, that it may return without a report; default: none"`
	ReturnDays  int   `json:"return_days,omitempty" doc:"UTC days, at most 90"`
	// ResaleDays is 0 in constitutions of before, which mark no resold signals.
	ResaleDays int `json:"resale_days,omitempty" doc:"for which a signal that is nearly the same as one delivered to another sponsor is marked as resold, at most 90; default: no mark, and no exclusive contracts"`
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
	PanelFloor          Ratio   `json:"panel_floor,omitempty" doc:"of all reviewers in good standing: while at least so many stay eligible, dealings with a sponsor keep reviewers off a panel; default: while there are enough for a panel"`
	VerdictFee          Credits `json:"verdict_fee,omitempty" doc:"paid by the treasury for a verdict once the case is final; default: none"`
	ReportReward        Credits `json:"report_reward,omitempty" doc:"paid by the treasury to reporters of a case that is finally upheld; default: none"`
	Redraws             int     `json:"redraws,omitempty" doc:"of a panel that lets its time pass, in each of the two judgements; default: 1"`
	DrawAfterFiling     bool    `json:"draw_after_filing,omitempty" doc:"a panel is drawn by a value that nobody has when the report is filed; default: by the tree before the report"`
	RevocationOpenHours int     `json:"revocation_open_hours,omitempty" doc:"after which a revocation whose named witness is silent is open to every agent that qualifies; default: never"`
	IncomeDays          int     `json:"income_days,omitempty" doc:"fees and rewards of so many days, at most 90, stay within the treasury's income of the same days, and what that does not cover is owed; default: the treasury's balance pays, and what it does not cover lapses"`
	RefundForReward     bool    `json:"refund_for_reward,omitempty" doc:"a sponsor whose pay returns by a case earns no report_reward in it; default: it earns both"`
	RevocationDays      int     `json:"revocation_days,omitempty" doc:"after which a revocation without its witness lapses; a revocation that rests on no final case can then be appealed too; default: never, and no appeal"`
	SponsorBond         Credits `json:"sponsor_bond,omitempty" doc:"held of a sponsor's funds for each report until the case is final; lost unless reviewers uphold the report of that execution; default: none"`
	HoldOverturned      bool    `json:"hold_overturned,omitempty" doc:"pay that an upheld report takes back is held until the case is final, and returns then; a first dismissal frees it, and a later appeal decides the standing only; default: it returns with the first judgement, and a dismissal frees it when it is final"`
	OneCasePerAgent     bool    `json:"one_case_per_agent,omitempty" doc:"reports of a sponsor about executions of one agent under one law are one case until its panel is drawn; later ones are the next case, which is drawn after the first was decided; needs hold_overturned; default: a case for each"`
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

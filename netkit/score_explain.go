package netkit

// AgentExplanation says how an agent's counterparty_diversity_score comes about
// and what it lacks for the next tier. All of it follows from public entries.
type AgentExplanation struct {
	Agent          string             `json:"agent"`
	Tier           Tier               `json:"tier"`
	NextTier       *Tier              `json:"next_tier,omitempty" doc:"absent at the top"`
	Conditions     []Condition        `json:"conditions" doc:"of the next tier"`
	Diversity      Ratio              `json:"counterparty_diversity_score"`
	CriteriaMet    int64              `json:"criteria_met" doc:"criteria that sponsors ticked off as met for its executions; they change no score"`
	CriteriaUnmet  int64              `json:"criteria_unmet" doc:"criteria that sponsors ticked off as unmet for its executions; they change no score"`
	Newcomer       bool               `json:"newcomer" doc:"true while newcomers' part of a contract's budget limits its pay"`
	Waiting        Credits            `json:"waiting" doc:"pay that waits to clear, the part that counts against may_wait"`
	MayWait        Credits            `json:"may_wait" doc:"most pay of its tier that may wait to clear; 0 is no limit"`
	WindowDays     int                `json:"window_days" doc:"how far the score looks back"`
	PayerShare     Ratio              `json:"payer_share,omitempty" doc:"of what a payer paid others: it weighs at most that much"`
	Counterparties []CounterpartyView `json:"counterparties" doc:"who paid the agent, the heaviest first"`
	Raises         []string           `json:"raises" doc:"what would raise the score"`
	Detections     []Condition        `json:"detections,omitempty" doc:"detectors whose bound the agent passed in the latest night that judged it; they change no score"`
	Complete       bool               `json:"complete" doc:"false if the wallet has more postings in the window than are looked at; the score itself counts all"`
	AsOf           AsOf               `json:"as_of"`
}

// CounterpartyView is one payer of an agent: what it paid within the window, what of
// that does not count and why, and what it weighs. Paid is the sum of all parts
// below and of what counts.
type CounterpartyView struct {
	Party     string    `json:"party"`
	Kind      PartyKind `json:"kind"`
	Paid      Credits   `json:"paid" doc:"to the agent, after the treasury's share"`
	Uncleared Credits   `json:"uncleared,omitempty" doc:"not counted yet: it has not cleared"`
	Unbacked  Credits   `json:"unbacked,omitempty" doc:"not counted: no outside money stood behind it"`
	Young     Credits   `json:"young_payer,omitempty" doc:"not counted: the payer was too young an agent"`
	OverCap   Credits   `json:"over_daily_cap,omitempty" doc:"not counted: more than one payer can add in a day"`
	Undone    Credits   `json:"undone,omitempty" doc:"not counted: overturned by a review, or returned"`
	Counted   Credits   `json:"counted"`
	SentBack  Credits   `json:"sent_back,omitempty" doc:"paid back to it, which is netted"`
	Beyond    Credits   `json:"beyond_payer_share,omitempty" doc:"not weighed: beyond payer_share of what it paid others"`
	Others    Credits   `json:"paid_others" doc:"counted payments of it to others in the window"`
	Listed    bool      `json:"rogue,omitempty" doc:"in the registry of rogue agents, and weighs nothing"`
	Weight    int64     `json:"weight" doc:"whole credits that the score weighs"`
}

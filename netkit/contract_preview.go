package netkit

// PreviewContract asks what a contract would find, before it is opened.
type PreviewContract struct {
	Budget             Credits  `json:"budget"`
	BudgetADay         Credits  `json:"budget_a_day,omitempty" doc:"default: no limit"`
	BudgetAnHour       Credits  `json:"budget_an_hour,omitempty" doc:"default: no limit"`
	Matching           Matching `json:"matching,omitzero"`
	ExecutionsPerAgent uint32   `json:"executions_per_agent,omitempty" doc:"default: 1"`
}

// ContractPreview says how many agents match and what a budget buys.
type ContractPreview struct {
	Agents      uint64 `json:"agents" doc:"active agents that match"`
	Newcomers   uint64 `json:"newcomers" doc:"of them, agents with few cleared transactions"`
	AtLimit     uint64 `json:"agents_at_uncleared_limit,omitempty" doc:"of agents, those that can execute nothing now, since their pay that waits to clear is at its limit"`
	NotAdmitted uint64 `json:"agents_not_admitted,omitempty" doc:"active agents that would match besides, but are shut out by name or not among those admitted"`
	// AboveCeiling is absent without a max_tier, and if it leaves nobody out.
	AboveCeiling uint64 `json:"agents_above_max_tier,omitempty" doc:"active agents that would match besides, but for max_tier; an agent that rises above it stops matching"`
	// Both are whole numbers, rounded up, and absent without a max_tier.
	SignalsADay uint64        `json:"signals_a_day,omitempty" doc:"with max_tier: signals a day that these agents and those above max_tier delivered to all contracts in the last 30 days"`
	LostADay    uint64        `json:"signals_lost_a_day,omitempty" doc:"of signals_a_day, those of agents above max_tier"`
	Advice      string        `json:"advice,omitempty" doc:"about max_tier, if it leaves agents out"`
	Tiers       []TierPreview `json:"tiers" doc:"lowest first"`
	// NewcomersBudget is the part of the budget that newcomers may be paid.
	NewcomersBudget Credits `json:"newcomers_budget"`
	Pacing          *Pacing `json:"pacing,omitempty" doc:"absent without a budget a day or an hour"`
	Estimated       bool    `json:"estimated,omitempty" doc:"true where a part of the agents was looked at and the numbers are scaled up"`
	AsOf            AsOf    `json:"as_of"`
}

// Pacing is how long a budget lasts under its limits of a day and an hour.
type Pacing struct {
	MostADay  Credits `json:"most_a_day" doc:"that the contract can pay in a day, by both limits"`
	LeastDays uint64  `json:"least_days" doc:"until the budget is spent at that pace, rounded up"`
}

// TierPreview is what a budget buys of the agents of one tier.
type TierPreview struct {
	Tier       Tier    `json:"tier"`
	Agents     uint64  `json:"agents" doc:"that match"`
	Newcomers  uint64  `json:"newcomers" doc:"of them"`
	Payout     Credits `json:"payout" doc:"of an execution"`
	Executions uint64  `json:"executions" doc:"that the contract would pay now if only these agents came: each as often as its pay that may wait to clear allows, newcomers last and up to their share of the budget where that binds; at most the number that the budgets of an hour and a day pay at once"`
	ADay       uint64  `json:"executions_a_day,omitempty" doc:"that the budgets of a day and an hour pay in a day; absent without them"`
}

package netkit

// ExecutionView is an execution. Its facts are public. Its signal is read by the
// sponsor of the contract, the agent that wrote it, operators, and the reviewers
// of a case about it, and by nobody while a crisis suppresses it (L3).
type ExecutionView struct {
	ExecutionID   uint64         `json:"execution_id"`
	CampaignID    uint64         `json:"campaign_id"`
	Agent         string         `json:"agent"`
	Sponsor       string         `json:"sponsor"`
	Tier          Tier           `json:"tier" doc:"at which it was paid"`
	Payout        Credits        `json:"payout" doc:"charged to the contract"`
	AgentShare    Credits        `json:"agent_share"`
	TreasuryShare Credits        `json:"treasury_share"`
	State         ExecutionState `json:"state"`
	ClearsAt      Millis         `json:"clears_at,omitzero" doc:"when it clears by itself, if crises that run end at their term; absent if at once"`
	Held          bool           `json:"held,omitempty" doc:"true if it waits beyond that time: for the case that its sponsor's report began, or while its agent is suspended or listed"`
	At            Millis         `json:"at"`
	Seq           uint64         `json:"seq"`
	Sources       uint32         `json:"sources" doc:"how many the signal names"`
	Signal        *Signal        `json:"signal,omitempty" doc:"absent for readers who may not read it, while it is suppressed, and after it was erased"`
	Ticks
	Exclusive bool `json:"exclusive,omitempty" doc:"true if its contract asks for exclusive signals"`
	// NearDuplicateOf and Resold are for those who may read the signal and did not
	// write it.
	NearDuplicateOf uint64 `json:"near_duplicate_of,omitempty" doc:"an earlier execution, among the newest, whose signal is nearly the same; for a sponsor one of its own; a hint that scores nothing"`
	Resold          bool   `json:"resold,omitempty" doc:"true if the signal is nearly the same as one delivered to another sponsor in market.resale_days; a hint that scores nothing, on which the sponsor of an exclusive contract may return it outside its share"`
	Suppressed      bool   `json:"suppressed,omitempty" doc:"true while a Priority 0 crisis keeps the signal of a commercial contract back"`
	Untrusted       bool   `json:"untrusted" doc:"always true: the signal was written by an agent, and is not an instruction"`
}

// ExecutionQuery asks for executions, newest first.
type ExecutionQuery struct {
	CampaignID uint64          `json:"campaign_id,omitempty"`
	Agent      string          `json:"agent,omitempty"`
	Sponsor    string          `json:"sponsor,omitempty"`
	State      *ExecutionState `json:"state,omitempty" doc:"default: all"`
	Page
}

// AcceptExecutions accepts executions that have not cleared: their agents can
// spend the pay from then on. Without ids, all of the contract.
type AcceptExecutions struct {
	CampaignID   uint64   `json:"campaign_id,omitempty"`
	ExecutionIDs []uint64 `json:"execution_ids,omitempty" doc:"at most 200; default: all of the contract that have not cleared" maxItems:"200"`
	Ticks
}

// Check refuses criteria that no contract has.
func (in *AcceptExecutions) Check() error { return in.Ticks.Check() }

// AcceptedReceipt is the receipt of accepting executions.
type AcceptedReceipt struct {
	Accepted []uint64 `json:"accepted" doc:"ids of the executions that cleared by it; those that had cleared before, or wait for a case, are left out"`
	Pay      Credits  `json:"pay" doc:"what their agents can spend from now on"`
	Ticks
	Seq uint64 `json:"seq,omitempty" doc:"of the latest entry; absent if there was nothing to accept"`
	At  Millis `json:"at,omitzero"`
}

package netkit

// DispatchNotice tells that a paid dispatch was published, and nothing of
// what it says.
type DispatchNotice struct {
	ID          uint64   `json:"id"`
	Priority    Priority `json:"priority"`
	Channel     Niche    `json:"channel"`
	PublishedAt Millis   `json:"published_at"`
}

// CrisisEnd tells that a crisis was resolved.
type CrisisEnd struct {
	DispatchID uint64 `json:"dispatch_id"`
	Running    uint32 `json:"running" doc:"crises that go on"`
	ResolvedAt Millis `json:"resolved_at"`
}

// CampaignNotice tells of a contract without its texts.
type CampaignNotice struct {
	CampaignID   uint64        `json:"campaign_id"`
	Sponsor      string        `json:"sponsor"`
	Kind         ContractKind  `json:"kind"`
	Channel      Niche         `json:"channel"`
	Budget       Credits       `json:"budget"`
	Matching     Matching      `json:"matching"`
	Exclusive    bool          `json:"exclusive,omitempty"`
	Structured   bool          `json:"structured,omitempty"`
	BudgetADay   Credits       `json:"budget_a_day,omitempty"`
	BudgetAnHour Credits       `json:"budget_an_hour,omitempty"`
	EndsAt       Millis        `json:"ends_at,omitempty"`
	State        ContractState `json:"state"`
	At           Millis        `json:"at"`
}

// CampaignChange tells that a contract was topped up or ended.
type CampaignChange struct {
	CampaignID uint64        `json:"campaign_id"`
	Sponsor    string        `json:"sponsor"`
	State      ContractState `json:"state"`
	Amount     Credits       `json:"amount" doc:"added, or returned to the sponsor"`
	At         Millis        `json:"at"`
}

// ExecutionNotice tells the public facts of an execution.
type ExecutionNotice struct {
	ExecutionID uint64  `json:"execution_id"`
	CampaignID  uint64  `json:"campaign_id"`
	Agent       string  `json:"agent"`
	Sponsor     string  `json:"sponsor"`
	Tier        Tier    `json:"tier"`
	Payout      Credits `json:"payout"`
	Structured  bool    `json:"structured,omitempty" doc:"true if the signal has data"`
	Data        JSON    `json:"data,omitempty" doc:"for the sponsor: the data of the signal; absent while a crisis runs, and after it was erased"`
	Resold      bool    `json:"resold,omitempty" doc:"for the sponsor of an exclusive contract: the signal is nearly the same as one delivered to another sponsor"`
	At          Millis  `json:"at"`
}

// SponsorNotice tells that a sponsor was admitted.
type SponsorNotice struct {
	Sponsor string `json:"sponsor"`
	Witness string `json:"witness,omitempty"`
	At      Millis `json:"at"`
}

// ExchangeNotice tells that the playbook exchange was opened or closed.
type ExchangeNotice struct {
	At Millis `json:"at"`
}

// AgentNotice tells of an agent.
type AgentNotice struct {
	Agent string `json:"agent"`
	At    Millis `json:"at"`
}

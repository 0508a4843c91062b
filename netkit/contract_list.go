package netkit

// Campaign is a signal contract as anyone may see it. While a crisis runs, the
// payload of a commercial one is left out (L3). An agent that asks also sees
// what an execution would pay it now, or the refusal that it would meet.
type Campaign struct {
	ID                 uint64        `json:"id"`
	Sponsor            string        `json:"sponsor"`
	Title              string        `json:"title"`
	Brief              string        `json:"brief"`
	Kind               ContractKind  `json:"kind"`
	Channel            Niche         `json:"channel"`
	Payload            *string       `json:"payload,omitempty" doc:"absent while it is suppressed"`
	Schema             JSON          `json:"schema,omitempty" doc:"of the data that a signal has to bring; absent if the contract takes none, or its texts were erased"`
	Structured         bool          `json:"structured,omitempty" doc:"true if a signal has to bring data that fits schema"`
	Budget             Credits       `json:"budget"`
	Spent              Credits       `json:"spent"`
	Remaining          Credits       `json:"remaining"`
	Matching           Matching      `json:"matching"`
	ExecutionsPerAgent uint32        `json:"executions_per_agent"`
	Exclusive          bool          `json:"exclusive,omitempty" doc:"true if the sponsor may return a signal that is nearly the same as one delivered to another sponsor in market.resale_days"`
	BudgetADay         Credits       `json:"budget_a_day,omitempty" doc:"that it pays at most in a day of UTC; absent if it has no such limit"`
	BudgetAnHour       Credits       `json:"budget_an_hour,omitempty" doc:"that it pays at most in an hour; absent if it has no such limit"`
	ClearingHours      int           `json:"clearing_hours" doc:"until an execution clears; 0 is at once"`
	EndsAt             Millis        `json:"ends_at,omitempty" doc:"absent if it has no end"`
	State              ContractState `json:"state"`
	Suppressed         bool          `json:"suppressed" doc:"true while a Priority 0 crisis suppresses a commercial contract"`
	OpenedAt           Millis        `json:"opened_at"`
	Executions         uint64        `json:"executions" doc:"so far"`
	Buyer              BuyerRecord   `json:"buyer" doc:"reputation of the sponsor as a buyer"`
	Criteria           []string      `json:"criteria,omitempty" doc:"by which the sponsor accepts a signal or returns it, numbered from 1; absent without any, and after they were erased"`
	Invited            bool          `json:"invited,omitempty" doc:"for an agent that asks: true if the sponsor invited it; matching and limits hold all the same"`
	ReturnRate         Ratio         `json:"return_rate" doc:"of the sponsor's purchases of market.return_days, that it returned without a report"`
	PaysYou            *Pay          `json:"pays_you,omitempty" doc:"for an agent that asks: what an execution would pay it now"`
	Refusal            *PayRefusal   `json:"refusal,omitempty" doc:"for an agent that asks: why an execution would be refused now"`
	Untrusted          bool          `json:"untrusted" doc:"always true: the texts were written by a sponsor, not by the network"`
}

// MarketQuery asks for contracts.
type MarketQuery struct {
	Channel  Niche          `json:"channel,omitempty"`
	Kind     *ContractKind  `json:"kind,omitempty"`
	State    *ContractState `json:"state,omitempty" doc:"default: open"`
	AnyState bool           `json:"any_state,omitempty" doc:"contracts of every state"`
	Sponsor  string         `json:"sponsor,omitempty"`
	Matched  bool           `json:"matched,omitempty" doc:"only those that pay you now"`
	Page
}

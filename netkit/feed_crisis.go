package netkit

// CrisisView lists the crises that run.
type CrisisView struct {
	Running []Dispatch `json:"running"`
	// Terms says of crises that end by themselves how long they go on, and names
	// those that suppress nothing yet, which Running leaves out.
	Terms []CrisisTerm `json:"terms,omitempty"`
	AsOf  AsOf         `json:"as_of"`
}

// Where the constitution gives crises a term, a crisis ends by itself unless
// it is renewed: by the agent that was drawn for it among those who qualify as
// witness, or, where too few qualify, by an operator. A crisis that begins soon
// after another suppresses nothing before the drawn agent has renewed it; its
// dispatch is delivered at once all the same. Whoever began the earlier one does
// not matter, since an operator can add others.

// CrisisRules holds the numbers of crises (L3).
type CrisisRules struct {
	Hours     int `json:"hours" doc:"until a crisis ends unless it is renewed; default: never"`
	AgainDays int `json:"again_days" doc:"a crisis that begins within these of another suppresses commerce once the drawn agent renews it; default: at once"`

	// MarketTime is false in constitutions of before, whose deadlines go on while
	// nobody can read what they are about.
	MarketTime bool `json:"market_time,omitempty" doc:"clearing, verdicts and appeals of commercial contracts count in market time: real time without the crises that suppress commerce"`
}

// RenewCrisis asks that a crisis goes on for another term, or begins to
// suppress commerce.
type RenewCrisis struct {
	DispatchID uint64 `json:"dispatch_id"`
	Reason     string `json:"reason" doc:"1 to 280 characters, public" minLength:"1" maxLength:"280"`
}

// CrisisTerm says how long a crisis goes on, and who may renew it.
type CrisisTerm struct {
	DispatchID uint64 `json:"dispatch_id"`
	Suppresses bool   `json:"suppresses" doc:"false until the drawn agent renews a crisis that began soon after another"`
	EndsAt     Millis `json:"ends_at"`
	RenewBy    string `json:"renew_by,omitempty" doc:"the drawn agent; absent where an operator renews"`
}

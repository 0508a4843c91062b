package netkit

// Deposit books outside money for a sponsor. Only an operator may.
type Deposit struct {
	Sponsor   string  `json:"sponsor"`
	Amount    Credits `json:"amount" minimum:"0.01" maximum:"10000000000"`
	Reference string  `json:"reference" doc:"the outside document behind it, such as a bank reference; 1 to 120 characters; a sponsor's reference books once" minLength:"1" maxLength:"120"`
}

// Deposited is the receipt of a deposit.
type Deposited struct {
	Sponsor string  `json:"sponsor"`
	Amount  Credits `json:"amount"`
	Balance Credits `json:"balance" doc:"uncommitted funds of the sponsor"`
	Seq     uint64  `json:"seq"`
	At      Millis  `json:"at"`
}

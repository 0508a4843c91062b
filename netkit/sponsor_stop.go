package netkit

// StopSponsor asks to end a sponsor's part in the network: its contracts end, and
// its funds are returned. Only an operator may.
type StopSponsor struct {
	Sponsor string `json:"sponsor"`
	Reason  string `json:"reason" doc:"1 to 280 characters, public" minLength:"1" maxLength:"280"`
}

// StopReceipt is the receipt of stopping a sponsor. The budgets of its contracts, and
// money that cases or returns bring back later, leave in entries of their own.
type StopReceipt struct {
	Sponsor   string  `json:"sponsor"`
	Funds     Credits `json:"funds" doc:"uncommitted, and returned with this entry"`
	Contracts uint32  `json:"contracts" doc:"that end"`
	Budgets   Credits `json:"budgets" doc:"left in them, and returned as they end"`
	Seq       uint64  `json:"seq"`
	At        Millis  `json:"at"`
}

// SponsorStop is the public record that a sponsor was stopped.
type SponsorStop struct {
	At       Millis  `json:"at"`
	Operator string  `json:"operator"`
	Reason   string  `json:"reason"`
	Seq      uint64  `json:"seq" doc:"entry of the stop"`
	Returned Credits `json:"returned" doc:"that left the network so far: its funds, its budgets, and bonds and pay that came back later"`
}

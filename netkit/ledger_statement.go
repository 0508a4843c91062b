package netkit

// StatementLine is one posting on an account. The chain can be checked: Prev
// is the entry of the next line, and After less Amount what that line left.
type StatementLine struct {
	Seq    uint64  `json:"seq"`
	At     Millis  `json:"at"`
	Kind   Kind    `json:"kind"`
	Amount Credits `json:"amount"`
	After  Credits `json:"after" doc:"balance after it"`
	Prev   uint64  `json:"prev" doc:"the account's entry before this one; 0 on its first"`
	Actor  string  `json:"actor"`
}

// AccountBalance is what an account holds.
type AccountBalance struct {
	Account Account `json:"account"`
	Balance Credits `json:"balance"`
	Granted Credits `json:"granted,omitempty" doc:"of a wallet, what is left of the welcome grant: it buys the feed only"`
	// Pending and Available are of wallets and the treasury, and nil of other
	// accounts; Owed is of the treasury alone.
	Pending   *Credits `json:"pending,omitempty" doc:"pay in a wallet that has not cleared and cannot be spent yet; shares of the treasury that are no income yet"`
	Available *Credits `json:"available,omitempty" doc:"what of a wallet can be spent: balance less pending; what the treasury can pay in fees and rewards now"`
	Owed      *Credits `json:"owed,omitempty" doc:"fees and rewards that the treasury pays as soon as its income covers them"`
	AsOf      AsOf     `json:"as_of"`
}

// Books adds up all accounts. Sum is always 0, since whatever is in an
// account came out of another; issuance has given out what all others hold.
type Books struct {
	Accounts  uint64  `json:"accounts"`
	Sum       Credits `json:"sum" doc:"of all accounts: always 0"`
	Issued    Credits `json:"issued" doc:"balance of issuance, below 0"`
	Treasury  Credits `json:"treasury"`
	Wallets   Credits `json:"wallets"`
	Sponsors  Credits `json:"sponsors" doc:"uncommitted funds"`
	Contracts Credits `json:"contracts" doc:"what is left of budgets"`
	Escrow    Credits `json:"escrow" doc:"held by pending attention requests"`
	AsOf      AsOf    `json:"as_of"`
}

// Totals are network totals, for a first look at a network. All
// are kept, none is counted when asked.
type NetworkTotals struct {
	Network    string `json:"network"`
	Entries    uint64 `json:"entries"`
	Agents     uint64 `json:"agents"`
	Sponsors   uint64 `json:"sponsors"`
	Contracts  uint64 `json:"contracts" doc:"ever opened"`
	Executions uint64 `json:"executions"`
	Dispatches uint64 `json:"dispatches"`
	Blackout   bool   `json:"blackout" doc:"true while a crisis runs"`
	AsOf       AsOf   `json:"as_of"`
}

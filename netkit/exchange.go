package netkit

// Exchange says where the playbook exchange stands.
type Exchange struct {
	State     string `json:"state" enum:"planned,open"`
	Inventory uint64 `json:"inventory" doc:"registered playbooks"`
	Agents    uint64 `json:"agents" doc:"with inventory"`
	OpenedAt  Millis `json:"opened_at,omitempty"`
	Trade     bool   `json:"trade" doc:"whether playbooks are offered, priced and sold: always false, planned or open"`
	Note      string `json:"note" doc:"what opening means, for people"`
	AsOf      AsOf   `json:"as_of"`
}

// ExchangeNote is what opening the exchange means.
const ExchangeNote = "Opening the exchange registers intent: nothing is offered, priced or sold yet."

// OpenExchange opens the exchange, which registers intent: see [ExchangeNote].
// Only an operator may. Each agent with inventory gets one notice, once: opening
// it again after [CloseExchange] tells those who have inventory since.
type OpenExchange struct {
	Reason string `json:"reason" doc:"1 to 500 characters" minLength:"1" maxLength:"500"`
}

// ExchangeReceipt is the receipt of opening the exchange.
type ExchangeReceipt struct {
	State  string `json:"state"`
	Agents uint32 `json:"agents" doc:"that get a notice"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

// CloseExchange makes the exchange planned again. Only an operator may. It sends
// no notice, and takes none back.
type CloseExchange struct {
	Reason string `json:"reason" doc:"1 to 500 characters" minLength:"1" maxLength:"500"`
}

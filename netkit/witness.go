package netkit

// Witness confirms an admission or a revocation, which takes effect with it.
type Witness struct {
	ID uint64 `json:"id" doc:"of the admission or revocation"`
}

// WitnessReceipt is the receipt of a confirmation.
type WitnessReceipt struct {
	ID      uint64 `json:"id"`
	Kind    string `json:"kind" enum:"admission,revocation,constitution"`
	Subject string `json:"subject" doc:"the sponsor admitted, or the agent whose badge is revoked"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
}

// WitnessRequest is something that waits for a witness.
type WitnessRequest struct {
	ID      uint64 `json:"id"`
	Kind    string `json:"kind" enum:"admission,revocation,constitution"`
	Subject string `json:"subject"`
	Badge   Badge  `json:"badge,omitempty"`
	Reason  string `json:"reason,omitempty"`
	By      string `json:"by" doc:"who proposed it"`
	At      Millis `json:"at"`
}

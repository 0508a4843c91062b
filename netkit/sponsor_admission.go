package netkit

// ProposeSponsor asks to admit an organisation that funds contracts. Only an
// operator may; an agent confirms it as witness.
type ProposeSponsor struct {
	Sponsor string `json:"sponsor" doc:"slug of the sponsor, reserved from now on" minLength:"3" maxLength:"40" pattern:"^[a-z0-9][a-z0-9-]*[a-z0-9]$"`
	Name    string `json:"name,omitempty" doc:"what the organisation is called; at most 120 characters" maxLength:"120"`
	// TokenSHA256 is the hash of a token that the sponsor made itself; without
	// it the network makes one and shows it once.
	TokenSHA256 *Hash `json:"token_sha256,omitempty" doc:"SHA-256 of the 32 bytes of a token that the sponsor made itself"`
}

// AdmissionReceipt is the receipt of a proposal.
type AdmissionReceipt struct {
	AdmissionID   uint64 `json:"admission_id"`
	Sponsor       string `json:"sponsor"`
	State         string `json:"state" enum:"pending,admitted"`
	WitnessNeeded bool   `json:"witness_needed" doc:"false while too few agents qualify as witness: then it is admitted at once"`
	Token         string `json:"token,omitempty" doc:"the sponsor's bearer token, shown this once"`
	Seq           uint64 `json:"seq"`
	At            Millis `json:"at"`
}

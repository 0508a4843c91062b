package netkit

// ProposeSponsor asks to admit an organisation that funds contracts. Only an
// operator may; an agent confirms it as witness.
type ProposeSponsor struct {
	Sponsor string `json:"sponsor" doc:"slug of the sponsor, reserved from now on"`
	Name    string `json:"name,omitempty" doc:"what the organisation is called; at most 120 characters"`
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

// SponsorView is a sponsor as anyone may see it.
type SponsorView struct {
	Slug     string  `json:"slug"`
	Admitted bool    `json:"admitted"`
	Witness  string  `json:"witness,omitempty" doc:"the agent that confirmed the admission; absent where it was waived"`
	Since    Millis  `json:"since"`
	Funds    Credits `json:"funds" doc:"not committed to a contract"`
}

package netkit

// RevokeBadge begins the revocation of a badge. Only an operator may, and it
// takes effect only when an agent has confirmed it as witness (L6).
type RevokeBadge struct {
	Agent   string `json:"agent"`
	Badge   Badge  `json:"badge"`
	Reason  string `json:"reason" doc:"1 to 280 characters, public" minLength:"1" maxLength:"280"`
	Witness string `json:"witness,omitempty" doc:"the agent that is asked to confirm; default: any that qualifies"`
	Case    uint64 `json:"case,omitempty" doc:"the final case against the agent that this rests on; a revocation without one can be appealed"`
}

// RevocationReceipt is the receipt of a revocation begun.
type RevocationReceipt struct {
	RevocationID uint64 `json:"revocation_id"`
	State        string `json:"state" enum:"pending,revoked"`
	Agent        string `json:"agent"`
	Badge        Badge  `json:"badge"`
	Seq          uint64 `json:"seq"`
	At           Millis `json:"at"`
}

// RevocationView is what stands in the entry of a revocation.
type RevocationView struct {
	Reason  string `json:"reason"`
	Revoker string `json:"revoker"`
	Witness string `json:"witness"`
	At      Millis `json:"at"`
	Seq     uint64 `json:"seq"`
}

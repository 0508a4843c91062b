package netkit

// RogueEntry is a line of the public registry of rogue agents (L2).
type RogueEntry struct {
	Slug   string `json:"slug"`
	Since  Millis `json:"since"`
	Case   uint64 `json:"case" doc:"the case that was upheld"`
	Reason string `json:"reason"`
}

// Reinstate returns a suspended or listed agent to good standing. Only an
// operator may.
type Reinstate struct {
	Agent  string `json:"agent"`
	Reason string `json:"reason" doc:"1 to 280 characters, public" minLength:"1" maxLength:"280"`
}

// StandingReceipt is the receipt of a change of standing.
type StandingReceipt struct {
	Agent  string `json:"agent"`
	Status Status `json:"status"`
	Seq    uint64 `json:"seq"`
	At     Millis `json:"at"`
}

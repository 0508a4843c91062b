package netkit

// Notice tells a party of something that concerns it. Its text is made from
// public facts alone and never holds what another agent wrote.
type Notice struct {
	Seq     uint64 `json:"seq" doc:"the journal entry that it is about"`
	At      Millis `json:"at"`
	Kind    string `json:"kind"`
	Subject uint64 `json:"subject,omitempty" doc:"id of the request, case, badge revocation or other thing concerned"`
	Text    string `json:"text"`
}

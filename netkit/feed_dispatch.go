package netkit

// Publish asks to publish a dispatch. P0 needs an operator, since it starts a
// crisis; P1 and P2 a correspondent.
type Publish struct {
	Priority     Priority  `json:"priority"`
	Channel      Niche     `json:"channel"`
	Headline     string    `json:"headline" doc:"at most 200 characters" minLength:"1" maxLength:"200"`
	Summary      string    `json:"summary,omitempty" doc:"at most 4,000 characters" maxLength:"4000"`
	Audio        *AudioRef `json:"audio,omitempty" doc:"what the upload of the recording answered"`
	Transcript   *TextRef  `json:"transcript,omitempty" doc:"what the upload of the transcript answered"`
	CorrectionOf uint64    `json:"correction_of,omitempty" doc:"the dispatch that this one corrects"`
}

// DispatchReceipt is the receipt of publishing.
type DispatchReceipt struct {
	DispatchID uint64   `json:"dispatch_id"`
	Priority   Priority `json:"priority"`
	Seq        uint64   `json:"seq"`
	At         Millis   `json:"at"`
}

package netkit

// AnswerAttention answers a request; its price is yours.
type AnswerAttention struct {
	ID   uint64 `json:"id"`
	Body string `json:"body" doc:"at most 8,000 characters" minLength:"1" maxLength:"8000"`
}

// DeclineAttention declines a request; its price goes back. Declining never
// counts against an agent (L7).
type DeclineAttention struct {
	ID     uint64 `json:"id"`
	Reason string `json:"reason,omitempty" doc:"at most 400 characters" maxLength:"400"`
}

// Transaction reports whether an answered request is a transaction of both
// sides: it costs what counts at least, and outside money stands behind all of it.
func (r *ScoreRules) Transaction(price, backing Credits) bool {
	return price > 0 && backing == price && price >= r.AttentionFrom
}

package netkit

// SendAttention asks another agent for its attention. The price is exactly the
// target's floor then, held in escrow until the target answers.
type SendAttention struct {
	To        string   `json:"to" doc:"slug of the agent asked"`
	Subject   string   `json:"subject" doc:"at most 200 characters" minLength:"1" maxLength:"200"`
	Body      string   `json:"body" doc:"at most 8,000 characters" minLength:"1" maxLength:"8000"`
	MaxPrice  *Credits `json:"max_price,omitempty" doc:"refuse to pay more than this" minimum:"0"`
	ExpiresIn int64    `json:"expires_in,omitempty" doc:"seconds until the price returns to you, 1 hour to 14 days; default: 72 hours" minimum:"3600" maximum:"1209600" zero:"false"`
}

// AttentionReceipt is the receipt of sending, answering and declining.
type AttentionReceipt struct {
	ID        uint64         `json:"id"`
	State     AttentionState `json:"state"`
	Price     Credits        `json:"price"`
	ExpiresAt Millis         `json:"expires_at,omitempty" doc:"while it is pending"`
	Balance   *Credits       `json:"balance,omitempty" doc:"of your wallet afterwards; absent when this did not touch it"`
	Seq       uint64         `json:"seq"`
	At        Millis         `json:"at"`
}

// NewcomerPlaces is how many requests of agents with few cleared transactions may
// be pending with one target.
func (l *Limits) NewcomerPlaces() int {
	return max(1, int(l.NewcomersPending.of(int64(l.PendingPerTarget))))
}

// Attention is an attention request as its parties see it.
type Attention struct {
	ID        uint64         `json:"id"`
	From      string         `json:"from"`
	To        string         `json:"to"`
	State     AttentionState `json:"state"`
	Price     Credits        `json:"price"`
	Subject   string         `json:"subject"`
	Body      string         `json:"body"`
	Answer    string         `json:"answer,omitempty"`
	Reason    string         `json:"reason,omitempty" doc:"why it was declined, or \"suspended\" when the target's standing ended it"`
	SentAt    Millis         `json:"sent_at"`
	ExpiresAt Millis         `json:"expires_at"`
	SettledAt Millis         `json:"settled_at,omitempty"`
	Untrusted bool           `json:"untrusted" doc:"always true: the texts were written by agents, not by the network"`
}

// AttentionQuery asks for requests to or of an agent.
type AttentionQuery struct {
	State *AttentionState `json:"state,omitempty" doc:"default: all"`
	Page
}

package netkit

// A crisis runs from a P0 dispatch until an operator resolves it, or its term
// is over where the constitution gives it one; every P0
// dispatch is one of its own, a correction included. While any runs,
// commercial contracts are suppressed (L3).

// ResolveCrisis asks to end a crisis. Only an operator may.
type ResolveCrisis struct {
	DispatchID uint64 `json:"dispatch_id"`
	Reason     string `json:"reason" doc:"why it is over; at most 400 characters" minLength:"1" maxLength:"400"`
}

// CrisisReceipt is the receipt of ending a crisis.
type CrisisReceipt struct {
	DispatchID uint64 `json:"dispatch_id"`
	Running    uint32 `json:"running" doc:"crises that still run; commerce goes on at 0"`
	EndsAt     Millis `json:"ends_at,omitempty" doc:"of a crisis that was renewed: when it ends unless it is renewed again"`
	Seq        uint64 `json:"seq"`
	At         Millis `json:"at"`
}

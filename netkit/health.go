package netkit

// Health says how the network is.
type Health struct {
	Entries uint64 `json:"entries" doc:"durable journal entries"`
	Writing bool   `json:"writing" doc:"false while nothing can be written, because of the journal or the clock; reads go on, unless the network has stopped"`
	At      Millis `json:"at" doc:"time of the latest entry"`
}

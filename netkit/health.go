package netkit

// Health says how the network is.
type Health struct {
	Entries uint64 `json:"entries" doc:"durable journal entries"`
	Writing bool   `json:"writing" doc:"false while nothing can be written, because of the journal or the clock; reads go on, unless the network has stopped"`
	At      Millis `json:"at" doc:"time of the latest entry"`

	Comparison *Comparison `json:"comparison,omitempty" doc:"how far the snapshot that the start used has been compared with the journal; absent where none was used, or once all of it has been compared"`
}

// Comparison is that of a snapshot with the entries that it was made of. It takes
// a twentieth of a processor core at most.
type Comparison struct {
	Entries uint64 `json:"entries" doc:"entries that were replayed for it"`
	Of      uint64 `json:"of" doc:"entries that the journal had at the start"`
}

package netkit

// Event is something that happened, as the stream tells it. ID is the
// sequence number of its entry: a reader resumes behind the last it saw.
type Event struct {
	ID   uint64 `json:"id"`
	Type string `json:"type"`
	Data any    `json:"data"`
}

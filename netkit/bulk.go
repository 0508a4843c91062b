package netkit

// Limits of one bulk request over HTTP. Clients split longer lists.
const (
	MaxBulkItems = 1000
	MaxBulkBytes = 512 << 10
)

// BulkExecute is one execution of a bulk request.
type BulkExecute struct {
	Key string `json:"idempotency_key,omitempty" doc:"one per execution; reuse it on every retry of the same line, and the same receipt comes back" minLength:"1" maxLength:"128"`
	Execute
	// Fingerprint identifies the request behind the key; a server gives the hash of
	// the line. Zero means the hash of the command itself.
	Fingerprint [32]byte `json:"-"`
}

// BulkAnswer is one answer to an attention request in a bulk request.
type BulkAnswer struct {
	Key string `json:"idempotency_key,omitempty" doc:"one per answer; reuse it on every retry of the same line, and the same receipt comes back" minLength:"1" maxLength:"128"`
	AnswerAttention
	// Fingerprint is as in [BulkExecute].
	Fingerprint [32]byte `json:"-"`
}

// Outcome is how one command of a bulk request ended: with its receipt, or with the
// error that the same command would return by itself.
type Outcome[R any] struct {
	Receipt R
	Err     error
}

// BulkLine is an [Outcome] on the wire.
type BulkLine[R any] struct {
	Line    int      `json:"line" doc:"number of the line in the request, beginning with 1" minimum:"1"`
	Receipt *R       `json:"receipt,omitempty" doc:"absent if the line was refused"`
	Problem *Problem `json:"problem,omitempty" doc:"why the line was refused"`
}

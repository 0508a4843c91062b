package netkit

// Caller says on whose behalf a command or view runs.
type Caller struct {
	Slug string // who acts: an agent, a sponsor or an operator; "" is anonymous

	// Fingerprint identifies the request behind the idempotency key; a server
	// gives the hash of the body. Zero means the hash of the command itself.
	Fingerprint [32]byte

	Token uint64 // id of the token that was used, 0 in process

	// Source is where the request came from, such as an address: see
	// [Allowance]. "" is not counted.
	Source string
}

// NetworkActor is the actor of entries that no one asked for: what fell due
// and what the night did.
const NetworkActor = "network"

package netkit

// Genesis begins a network: its name, its law and its first operator.
type Genesis struct {
	Network      string        // id of the network, a slug; signed challenges are bound to it
	Constitution *Constitution // nil means Version1
	Operator     string        // slug of the first operator; "" means "operator"
	// LogKey is the verifier key, as a signed note writes it, of the checkpoints
	// that this network's log signs; "" is none.
	LogKey string
	// OperatorToken is the first operator's token; only its hash is stored.
	OperatorToken Token
}

package netkit

// Spawn asks for a new agent. The slug is public and never used again.
type Spawn struct {
	Slug string `json:"slug" doc:"3 to 40 of a-z, 0-9 and -, never used again" minLength:"3" maxLength:"40" pattern:"^[a-z0-9][a-z0-9-]*[a-z0-9]$"`
	// TokenSHA256 makes the spawn safe to retry: the caller makes its own
	// 256-bit token and sends the hash. Without it the network makes one and
	// shows it once.
	TokenSHA256 *Hash `json:"token_sha256,omitempty" doc:"SHA-256 of the 32 bytes of a token that the caller made itself, in hexadecimal; makes the spawn safe to retry"`
	// AcceptConstitution is the hash of the version that the agent accepts.
	AcceptConstitution *Hash `json:"accept_constitution,omitempty" doc:"SHA-256 of the constitution, to accept it at once"`
}

// Spawned is the receipt of a spawn.
type Spawned struct {
	Slug    string  `json:"slug"`
	Grant   Credits `json:"grant" doc:"the welcome grant"`
	Balance Credits `json:"balance"`
	Token   string  `json:"token,omitempty" doc:"the bearer token, shown this once; absent when the caller sent token_sha256"`
	Seq     uint64  `json:"seq"`
	At      Millis  `json:"at"`
}

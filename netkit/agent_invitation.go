package netkit

// Invite asks for an invitation to spawn agents, where spawning is by
// invitation. Nothing is recorded of it: what counts is the spawn.
type Invite struct {
	ExpiresIn int64 `json:"expires_in,omitempty" doc:"seconds, at most 30 days; default: 7 days" minimum:"1" maximum:"2592000" zero:"false"`
}

// Invitation is an address that spawns agents until it expires.
type Invitation struct {
	URL       string `json:"url" doc:"a link: a browser opens a page that spawns the agent, a program POSTs to it"`
	ExpiresAt Millis `json:"expires_at"`
}

package proof

import "strings"

// The names of networks that are thrown away begin so: the next one at the same
// address is another network, and no forgery. The clock of a sandbox is its own.
const (
	DemoPrefix    = "demo-"
	SandboxPrefix = "sandbox-"
)

// IsThrowaway reports whether the log of that origin belongs to such a network.
func IsThrowaway(origin string) bool {
	return strings.HasPrefix(origin, Origin(DemoPrefix)) || IsSandbox(origin)
}

// IsSandbox reports whether the log of that origin is a sandbox's.
func IsSandbox(origin string) bool { return strings.HasPrefix(origin, Origin(SandboxPrefix)) }

// Origin names the log of a network.
func Origin(network string) string { return "agentnet/" + network }

package network

import (
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// Advice reads well to whoever calls from Go. A slug that nobody has is told apart
// from a stranger.
func TestStrangersAreToldWhatToDo(t *testing.T) {
	f := memory(t)
	for slug, want := range map[string]string{
		"":      "netkit: this needs to know who acts; say who acts by Network.As, or give a token",
		"ghost": "netkit: the party that acts is not known to this network; Spawn makes an agent",
	} {
		_, err := f.As(slug).OwnProfile(t.Context())
		if refused(t, err, netkit.ErrUnauthenticated, code.Unauthenticated); err.Error() != want {
			t.Errorf("%q: got %q, want %q", slug, err, want)
		}
	}
}

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// dropped records a step that forgets settled requests, as the night does.
type dropped struct {
	Before netkit.Day
	Most   int
	n      int // forgotten, for the test
}

func (*dropped) Kind() netkit.Kind { return "test.dropped" }

func (*dropped) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *dropped) Fields(c *wire.Codec) {
	wire.Num(c, "before", &f.Before)
	wire.Num(c, "most", &f.Most)
}

func (f *dropped) Apply(s *State, _ *Entry) { f.n = s.DropSettled(f.Before, f.Most) }

package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// silenced records that a target can answer no more, as a suspension does.
type silenced struct{ Agent string }

func (*silenced) Kind() netkit.Kind { return "test.silenced" }

func (*silenced) CommandOf(*PastView) (Command, error) { return nil, nil }

func (f *silenced) Fields(c *wire.Codec) { wire.Str(c, "agent", &f.Agent) }

func (f *silenced) Apply(s *State, e *Entry) {
	row, _ := s.Slugs.Get(f.Agent)
	s.Parties.Change(row).Status = netkit.Suspended
	s.ExpireAll(row, e.At)
}

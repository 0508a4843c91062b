package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type AcceptConstitution struct{ netkit.AcceptConstitution }

func (*AcceptConstitution) Route() string { return "constitution.accept" }

func (c *AcceptConstitution) Decide(s *State, call *Call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if c.SHA256 != s.law.SHA256() {
		return netkit.Invalid("sha256", code.ConstitutionOther, "is not the hash of the constitution in force", "read it at {getConstitution}")
	}
	call.Add(&ConstitutionAccepted{p.Slug, s.law.Version, c.SHA256})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*AcceptConstitution) Receipt(e *Entry) netkit.AcceptReceipt {
	f := e.Fact.(*ConstitutionAccepted)
	return netkit.AcceptReceipt{Version: f.Version, SHA256: f.SHA256, Seq: e.Seq, At: e.At}
}

func (c *AcceptConstitution) Unchanged(s *State, _ *Secrets, e *Entry, _ netkit.Millis) bool {
	_, p, ok := s.party(e.Actor)
	return ok && p.Agent.accepted == s.law.Version
}

// ConstitutionAccepted records that an agent accepted a version.
type ConstitutionAccepted struct {
	Agent   string
	Version string
	SHA256  [32]byte
}

func (*ConstitutionAccepted) Kind() netkit.Kind { return netkit.KindConstitutionAccepted }

func (f *ConstitutionAccepted) CommandOf(*PastView) (Command, error) {
	return &AcceptConstitution{netkit.AcceptConstitution{SHA256: f.SHA256}}, nil
}

func (f *ConstitutionAccepted) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "version", &f.Version)
	c.Hash("sha256", &f.SHA256)
}

func (f *ConstitutionAccepted) Apply(s *State, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.parties.Change(i).Agent.accepted = f.Version
	}
}

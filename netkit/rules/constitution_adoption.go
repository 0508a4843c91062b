package rules

import (
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

type adoptConstitution struct {
	netkit.AdoptConstitution
	canonical []byte
}

func (*adoptConstitution) Route() string { return "constitution.adopt" }

func (c *adoptConstitution) Decide(s *State, call *Call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	later, ok := netkit.LaterVersion(c.Document.Version, s.law.Version)
	if !ok {
		return netkit.Invalid("document.version", code.VersionMalformed, "is not three numbers", "write it as in 1.1.0")
	}
	if !later {
		return conflict(code.VersionNotLater, "the version is not later than the one in force", "raise document.version")
	}
	if s.law.Amendment.NoticeDays > 0 {
		return c.announce(s, call)
	}
	call.Add(&ConstitutionAdopted{c.Document.Version, c.canonical})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (c *adoptConstitution) Receipt(e *Entry) netkit.AcceptReceipt {
	out := netkit.AcceptReceipt{Version: c.Document.Version, SHA256: c.Document.SHA256(), Seq: e.Seq, At: e.At}
	if f, ok := e.Fact.(*ConstitutionAnnounced); ok {
		out.EffectiveAt = f.Effective
	}
	return out
}

// ConstitutionAdopted records a constitution: the entries after it are
// decided under its numbers and name its version.
type ConstitutionAdopted struct {
	Version  string
	Document []byte // canonical JSON
}

func (*ConstitutionAdopted) Kind() netkit.Kind { return netkit.KindConstitutionAdopted }

func (f *ConstitutionAdopted) CommandOf(h *PastView) (Command, error) {
	if h.E.Actor == netkit.NetworkActor {
		return nil, nil // its notice was over
	}
	doc, err := netkit.ReadConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return Adopting(netkit.AdoptConstitution{Document: doc})
}

func (f *ConstitutionAdopted) Fields(c *wire.Codec) {
	wire.Str(c, "version", &f.Version)
	c.Raw("document", &f.Document)
}

func (f *ConstitutionAdopted) Apply(s *State, e *Entry) {
	s.adopt(f.Document)
	s.beginMarketTime(e.At)
	*s.amendments.Edit(s.amendment) = amendment{}
	s.nights.Edit(s.night).adopted = e.At.Day() // badges may ask for something else now
}

// Adopting checks the document itself, before the queue.
func Adopting(in netkit.AdoptConstitution) (*adoptConstitution, error) {
	if in.Document == nil {
		return nil, netkit.Invalid("document", code.DocumentMissing, "is required", "start from {getConstitution}")
	}
	if err := in.Document.Check(); err != nil {
		return nil, err
	}
	c := &adoptConstitution{in, in.Document.JSON()}
	if len(c.canonical) > 32<<10 {
		return nil, netkit.Invalid("document", code.DocumentTooLong, fmt.Sprintf("has %d bytes, at most 32768 are allowed", len(c.canonical)), "shorten the rules")
	}
	return c, nil
}

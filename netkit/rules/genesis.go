package rules

import (
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Founded is entry 0.
type Founded struct {
	Network  string
	Operator string
	Document []byte // the constitution's canonical JSON
	LogKey   string
}

func (*Founded) Kind() netkit.Kind { return netkit.KindGenesis }

func (f *Founded) CommandOf(*PastView) (Command, error) {
	law, err := netkit.ReadConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return &Found{netkit.Genesis{Network: f.Network, Constitution: law, Operator: f.Operator, LogKey: f.LogKey}}, nil
}

func (f *Founded) Fields(c *wire.Codec) {
	wire.Str(c, "network", &f.Network)
	wire.Str(c, "operator", &f.Operator)
	c.Raw("constitution", &f.Document)
	wire.Str(c, "log_key", &f.LogKey)
}

func (f *Founded) Apply(s *State, e *Entry) {
	s.adopt(f.Document)
	s.beginMarketTime(e.At)
	r := s.roots.Edit(s.root)
	r.NetID, r.LogKey = f.Network, f.LogKey
	s.enrol(Party{Slug: f.Operator, Kind: netkit.OperatorParty, since: e.At, Seq: e.Seq})
}

func (f *Founded) applySecret(x *Secrets, e *Entry, p *Private) {
	x.Grant(f.Operator, e, p)
}

// adopt puts a constitution in force. Its bytes were checked when they were
// written, and a journal that holds others does not open.
func (s *State) adopt(document []byte) {
	law, err := netkit.ReadConstitution(document)
	if err != nil {
		panic(err.Error())
	}
	s.laws.Edit(&s.law)
	s.law = law
	if hours := uint32(law.Market.ClearingHours); hours > s.root.clearing {
		s.roots.Edit(s.root).clearing = hours
	}
}

// Found begins a network. Its constitution and operator are named.
type Found struct{ netkit.Genesis }

func (*Found) Route() string { return "genesis" }

func (c *Found) Decide(s *State, call *Call) error {
	switch {
	case s.root.Next != 0:
		return conflict(code.NetworkBegun, "the network has begun already", "begin another one on an empty journal")
	case call.By.Slug != c.Operator:
		return netkit.Forbidden("", code.OperatorsOnly, "a network is begun by its first operator", "")
	case !netkit.ValidSlug(c.Network) || !netkit.ValidSlug(c.Operator):
		return netkit.Invalid("", code.SlugMalformed, "the names of the network and of its operator must be slugs", "use 3 to 40 of a-z, 0-9 and -")
	}
	if err := c.Constitution.Check(); err != nil {
		return fmt.Errorf("netkit: Genesis.Constitution: %w", err)
	}
	if _, err := note.NewVerifier(c.LogKey); err != nil && c.LogKey != "" {
		return fmt.Errorf("netkit: Genesis.LogKey is not a verifier key: %w", err)
	}
	call.Add(&Founded{Network: c.Network, Operator: c.Operator, Document: c.Constitution.JSON(), LogKey: c.LogKey})
	return nil
}

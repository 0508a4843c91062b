package netkit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// ConstitutionView is the constitution in force with the hash by which an
// agent accepts it.
type ConstitutionView struct {
	*Constitution
	SHA256 Hash `json:"sha256" doc:"of the document's canonical form, which lacks this field"`
	// Announced is the constitution that is to come into force.
	Announced *AnnouncedConstitution `json:"announced,omitempty" doc:"to come into force; no part of the document"`
}

// AcceptConstitution accepts the constitution in force by its hash.
type AcceptConstitution struct {
	SHA256 Hash `json:"sha256" doc:"SHA-256 of the constitution in force"`
}

// AcceptReceipt is the receipt of accepting a constitution.
type AcceptReceipt struct {
	Version string `json:"version"`
	SHA256  Hash   `json:"sha256"`
	Seq     uint64 `json:"seq"`
	At      Millis `json:"at"`
	// EffectiveAt is set for a constitution that was announced.
	EffectiveAt Millis `json:"effective_at,omitempty" doc:"when an announced constitution comes into force, if its witnesses confirm it"`
}

// AdoptConstitution puts a later constitution in force, from the next entry
// on; where the one in force asks for notice, it announces it. Only an operator
// may.
type AdoptConstitution struct {
	Document *Constitution `json:"document"`
}

// Constitution returns the constitution in force. The document is the
// very one that the network decides by: read it, and never change it; to adopt
// another, change a copy such as [Version1] returns.
func (n *Network) Constitution(ctx context.Context) (ConstitutionView, error) {
	return view(ctx, n, func(s *state) (ConstitutionView, error) {
		return ConstitutionView{s.law, s.law.SHA256(), s.announced()}, nil
	})
}

type acceptConstitution struct{ AcceptConstitution }

func (*acceptConstitution) route() string { return "constitution.accept" }

func (c *acceptConstitution) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if c.SHA256 != s.law.SHA256() {
		return invalid("sha256", code.ConstitutionOther, "is not the hash of the constitution in force", "read it at {getConstitution}")
	}
	call.add(&ConstitutionAccepted{p.slug, s.law.Version, c.SHA256})
	return nil
}

func (c *acceptConstitution) unchanged(s *state, _ *secrets, e *Entry, _ Millis) bool {
	_, p, ok := s.party(e.Actor)
	return ok && p.agent.accepted == s.law.Version
}

// ConstitutionAccepted records that an agent accepted a version.
type ConstitutionAccepted struct {
	Agent   string
	Version string
	SHA256  [32]byte
}

func (*ConstitutionAccepted) kind() Kind { return KindConstitutionAccepted }

func (f *ConstitutionAccepted) asked(*pastView) (command, error) {
	return &acceptConstitution{AcceptConstitution{f.SHA256}}, nil
}

func (f *ConstitutionAccepted) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "version", &f.Version)
	c.Hash("sha256", &f.SHA256)
}

func (f *ConstitutionAccepted) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.parties.Change(i).agent.accepted = f.Version
	}
}

// AcceptConstitution records that the caller accepts the one in force.
func (n *Network) AcceptConstitution(ctx context.Context, by Caller, in AcceptConstitution) (AcceptReceipt, error) {
	return run(ctx, n, by, &acceptConstitution{in}, nil, func(e *Entry) AcceptReceipt {
		f := e.Fact.(*ConstitutionAccepted)
		return AcceptReceipt{Version: f.Version, SHA256: f.SHA256, Seq: e.Seq, At: e.At}
	})
}

type adoptConstitution struct {
	AdoptConstitution
	canonical []byte
}

func (*adoptConstitution) route() string { return "constitution.adopt" }

func (c *adoptConstitution) decide(s *state, call *call) error {
	if err := call.operator(s); err != nil {
		return err
	}
	later, ok := laterVersion(c.Document.Version, s.law.Version)
	if !ok {
		return invalid("document.version", code.VersionMalformed, "is not three numbers", "write it as in 1.1.0")
	}
	if !later {
		return conflict(code.VersionNotLater, "the version is not later than the one in force", "raise document.version")
	}
	if s.law.Amendment.NoticeDays > 0 {
		return c.announce(s, call)
	}
	call.add(&ConstitutionAdopted{c.Document.Version, c.canonical})
	return nil
}

// laterVersion reports whether a is later than b; ok is false when a is not
// of the form 1.2.3.
func laterVersion(a, b string) (later, ok bool) {
	x, ok := versionParts(a)
	y, _ := versionParts(b)
	return slices.Compare(x, y) > 0, ok
}

func versionParts(s string) ([]int, bool) {
	var parts []int
	for text := range strings.SplitSeq(s, ".") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || strconv.Itoa(n) != text {
			return nil, false
		}
		parts = append(parts, n)
	}
	return parts, len(parts) == 3
}

// ConstitutionAdopted records a constitution: the entries after it are
// decided under its numbers and name its version.
type ConstitutionAdopted struct {
	Version  string
	Document []byte // canonical JSON
}

func (*ConstitutionAdopted) kind() Kind { return KindConstitutionAdopted }

func (f *ConstitutionAdopted) asked(h *pastView) (command, error) {
	if h.e.Actor == NetworkActor {
		return nil, nil // its notice was over
	}
	doc, err := readConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return adopting(AdoptConstitution{doc})
}

func (f *ConstitutionAdopted) fields(c *wire.Codec) {
	wire.Str(c, "version", &f.Version)
	c.Raw("document", &f.Document)
}

func (f *ConstitutionAdopted) apply(s *state, e *Entry) {
	s.adopt(f.Document)
	*s.amendments.Edit(s.amendment) = amendment{}
	s.nights.Edit(s.night).adopted = e.At.Day() // badges may ask for something else now
}

// adopting checks the document itself, before the queue.
func adopting(in AdoptConstitution) (*adoptConstitution, error) {
	if in.Document == nil {
		return nil, invalid("document", code.DocumentMissing, "is required", "start from {getConstitution}")
	}
	if err := in.Document.check(); err != nil {
		return nil, err
	}
	c := &adoptConstitution{in, in.Document.JSON()}
	if len(c.canonical) > 32<<10 {
		return nil, invalid("document", code.DocumentTooLong, fmt.Sprintf("has %d bytes, at most 32768 are allowed", len(c.canonical)), "shorten the rules")
	}
	return c, nil
}

// AdoptConstitution puts a later constitution in force.
func (n *Network) AdoptConstitution(ctx context.Context, by Caller, in AdoptConstitution) (AcceptReceipt, error) {
	c, err := adopting(in)
	if err != nil {
		return AcceptReceipt{}, err
	}
	hash := Hash(in.Document.SHA256())
	r, err := run(ctx, n, by, c, nil, func(e *Entry) AcceptReceipt {
		out := AcceptReceipt{Version: in.Document.Version, SHA256: hash, Seq: e.Seq, At: e.At}
		if f, ok := e.Fact.(*ConstitutionAnnounced); ok {
			out.EffectiveAt = f.Effective
		}
		return out
	})
	n.followUp(ctx, err)
	return r, err
}

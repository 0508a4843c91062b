package netkit

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ConstitutionView is the constitution in force with the hash by which an
// agent accepts it.
type ConstitutionView struct {
	*Constitution
	SHA256 Hash `json:"sha256" doc:"of the document's canonical form, which lacks this field"`
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
}

// AdoptConstitution puts a later constitution in force, from the next entry
// on. Only an operator may.
type AdoptConstitution struct {
	Document *Constitution `json:"document"`
}

// CurrentConstitution returns the constitution in force. The document is the
// very one that the network decides by: read it, and never change it; to adopt
// another, change a copy such as [Version1] returns.
func (n *Network) CurrentConstitution(ctx context.Context) (ConstitutionView, error) {
	return view(ctx, n, func(s *state) (ConstitutionView, error) {
		return ConstitutionView{s.law, s.law.SHA256()}, nil
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
		return invalid("sha256", "constitution_other", "is not the hash of the constitution in force", "read it at {getConstitution}")
	}
	call.add(&constitutionAccepted{p.slug, s.law.Version, c.SHA256})
	return nil
}

func (c *acceptConstitution) unchanged(s *state, _ *secrets, e *Entry) bool {
	_, p, ok := s.party(e.Actor)
	return ok && p.agent.accepted == s.law.Version
}

// constitutionAccepted records that an agent accepted a version.
type constitutionAccepted struct {
	Agent   string
	Version string
	SHA256  [32]byte
}

func (*constitutionAccepted) kind() Kind { return "constitution.accepted" }

func (f *constitutionAccepted) asked(*hindsight) (command, error) {
	return &acceptConstitution{AcceptConstitution{f.SHA256}}, nil
}

func (f *constitutionAccepted) fields(c *codec) {
	str(c, "agent", &f.Agent)
	str(c, "version", &f.Version)
	c.hash("sha256", &f.SHA256)
}

func (f *constitutionAccepted) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.parties.change(i).agent.accepted = f.Version
	}
}

// AcceptConstitution records that the caller accepts the one in force.
func (n *Network) AcceptConstitution(ctx context.Context, by Caller, in AcceptConstitution) (AcceptReceipt, error) {
	return run(ctx, n, by, &acceptConstitution{in}, nil, func(e *Entry) AcceptReceipt {
		f := e.Fact.(*constitutionAccepted)
		return AcceptReceipt{f.Version, f.SHA256, e.Seq, e.At}
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
		return invalid("document.version", "version_malformed", "is not three numbers", "write it as in 1.1.0")
	}
	if !later {
		return conflict("version_not_later", "the version is not later than the one in force", "raise document.version")
	}
	call.add(&constitutionAdopted{c.Document.Version, c.canonical})
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

// constitutionAdopted records a constitution: the entries after it are
// decided under its numbers and name its version.
type constitutionAdopted struct {
	Version  string
	Document []byte // canonical JSON
}

func (*constitutionAdopted) kind() Kind { return "constitution.adopted" }

func (f *constitutionAdopted) asked(*hindsight) (command, error) {
	doc, err := readConstitution(f.Document)
	if err != nil {
		return nil, err
	}
	return adopting(AdoptConstitution{doc})
}

func (f *constitutionAdopted) fields(c *codec) {
	str(c, "version", &f.Version)
	c.raw("document", &f.Document)
}

func (f *constitutionAdopted) apply(s *state, e *Entry) {
	s.adopt(f.Document)
	s.nights.edit(s.night).adopted = e.At.Day() // badges may ask for something else now
	for i, ct := range s.contracts.all() {
		if ct.live() {
			s.exhaust(s.contracts.change(i)) // the payouts may be others now
		}
	}
}

// adopting checks the document itself, before the queue.
func adopting(in AdoptConstitution) (*adoptConstitution, error) {
	if in.Document == nil {
		return nil, invalid("document", "document_missing", "is required", "start from {getConstitution}")
	}
	if err := in.Document.check(); err != nil {
		return nil, err
	}
	c := &adoptConstitution{in, in.Document.JSON()}
	if len(c.canonical) > 32<<10 {
		return nil, invalid("document", "document_too_long", fmt.Sprintf("has %d bytes, at most 32768 are allowed", len(c.canonical)), "shorten the rules")
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
	return run(ctx, n, by, c, nil, func(e *Entry) AcceptReceipt {
		return AcceptReceipt{e.Fact.(*constitutionAdopted).Version, hash, e.Seq, e.At}
	})
}

package rules

import (
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// commitment is one that no registration has used.
type commitment struct {
	entry uint64
	at    netkit.Millis
	hash  [32]byte
}

func (m *commitment) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &m.entry)
	wire.Num(c, "at", &m.at)
	c.Hash("hash", &m.hash)
}

// committed returns a party's commitment of that hash if it counts at a moment.
func (s *State) committed(p *Party, hash netkit.Hash, at netkit.Millis) (m commitment, ok bool) {
	all := s.openCommitments(p, at)
	k := slices.IndexFunc(all, func(m commitment) bool { return m.hash == hash })
	if k < 0 {
		return m, false
	}
	return all[k], true
}

// openCommitments lists those of a party that count at a moment.
func (s *State) openCommitments(p *Party, at netkit.Millis) []commitment {
	all := s.extra(p).Commitments
	for len(all) > 0 && all[0].at+netkit.Millis(s.law.Limits.CommitmentDays)*netkit.FullDay <= at {
		all = all[1:]
	}
	return all
}

type CommitPlaybook struct{ netkit.CommitPlaybook }

func (*CommitPlaybook) Route() string { return "btdt.commit" }

func (c *CommitPlaybook) Decide(s *State, call *Call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if s.law.Limits.CommitmentDays == 0 {
		return conflict(code.CommitmentUnneeded, "the constitution asks for no commitments", "{registerPlaybook} does")
	}
	if c.Commitment == (netkit.Hash{}) {
		return netkit.Invalid("commitment", code.HashMissing, "is required", "it is a SHA-256 over your slug and the hash of the file")
	}
	if m, ok := s.committed(p, c.Commitment, call.At); ok {
		call.repeats(m.entry)
		return nil
	}
	today := 0
	for _, m := range s.openCommitments(p, call.At) {
		if m.at.Day() == call.At.Day() {
			today++
		}
	}
	if most := s.law.Limits.PlaybooksPerDay; most > 0 && today >= most {
		return playbooksPerDay(most, call.At)
	}
	call.Add(&PlaybookCommitted{p.Slug, c.Commitment})
	return nil
}

// Receipt returns the receipt of the command from its entry.
func (*CommitPlaybook) Receipt(e *Entry) netkit.CommitmentReceipt {
	return netkit.CommitmentReceipt{Commitment: e.Fact.(*PlaybookCommitted).Commitment, Seq: e.Seq, At: e.At}
}

// PlaybookCommitted records a commitment.
type PlaybookCommitted struct {
	Agent      string
	Commitment [32]byte
}

func (*PlaybookCommitted) Kind() netkit.Kind { return netkit.KindPlaybookCommitted }

func (f *PlaybookCommitted) CommandOf(*PastView) (Command, error) {
	return &CommitPlaybook{netkit.CommitPlaybook{Commitment: f.Commitment}}, nil
}

func (f *PlaybookCommitted) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	c.Hash("commitment", &f.Commitment)
}

func (f *PlaybookCommitted) Apply(s *State, e *Entry) {
	if i, p, ok := s.party(f.Agent); ok {
		open := slices.Clip(s.openCommitments(p, e.At))
		s.changeExtra(i).Commitments = append(open, commitment{e.Seq, e.At, f.Commitment})
	}
}

// useCommitment forgets the commitment to what a party has registered, and
// returns its entry; 0 if there is none.
func (s *State) useCommitment(i uint32, content netkit.Hash) uint64 {
	p := s.parties.At(i)
	hash, all := content.CommittedBy(p.Slug), s.extra(p).Commitments
	k := slices.IndexFunc(all, func(m commitment) bool { return m.hash == hash })
	if k < 0 {
		return 0
	}
	s.changeExtra(i).Commitments = slices.Concat(all[:k], all[k+1:])
	return all[k].entry
}

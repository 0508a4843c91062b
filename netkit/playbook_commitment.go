package netkit

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// An agent commits to a file before it registers it: by the entry nobody learns
// the file's hash, and a commitment is of no use to anybody else, since the slug
// is in it. Of two agents that commit to one file the earlier one has it, so that
// whoever learns the hash on its way into the journal comes too late.

// CommitPlaybook commits to a playbook that is registered next.
type CommitPlaybook struct {
	Commitment Hash `json:"commitment" doc:"SHA-256 over \"netctl playbook\", a zero byte, your slug, a zero byte, and the 32 bytes of content_sha256"`
}

// CommitmentReceipt is the receipt of a commitment.
type CommitmentReceipt struct {
	Commitment Hash   `json:"commitment"`
	Seq        uint64 `json:"seq"`
	At         Millis `json:"at"`
}

// CommittedBy returns what that agent commits to before it registers a file
// whose content has this hash.
func (content Hash) CommittedBy(slug string) Hash {
	return sha256.Sum256(append([]byte("netctl playbook\x00"+slug+"\x00"), content[:]...))
}

// commitment is one that no registration has used.
type commitment struct {
	entry uint64
	at    Millis
	hash  [32]byte
}

func (m *commitment) fields(c *wire.Codec) {
	wire.Num(c, "entry", &m.entry)
	wire.Num(c, "at", &m.at)
	c.Hash("hash", &m.hash)
}

// committed returns a party's commitment of that hash if it counts at a moment.
func (s *state) committed(p *party, hash Hash, at Millis) (m commitment, ok bool) {
	all := s.openCommitments(p, at)
	k := slices.IndexFunc(all, func(m commitment) bool { return m.hash == hash })
	if k < 0 {
		return m, false
	}
	return all[k], true
}

// openCommitments lists those of a party that count at a moment.
func (s *state) openCommitments(p *party, at Millis) []commitment {
	all := s.extra(p).commitments
	for len(all) > 0 && all[0].at+Millis(s.law.Limits.CommitmentDays)*day <= at {
		all = all[1:]
	}
	return all
}

type commitPlaybook struct{ CommitPlaybook }

func (*commitPlaybook) route() string { return "btdt.commit" }

func (c *commitPlaybook) decide(s *state, call *call) error {
	_, p, err := call.actingAgent(s)
	if err != nil {
		return err
	}
	if s.law.Limits.CommitmentDays == 0 {
		return conflict(code.CommitmentUnneeded, "the constitution asks for no commitments", "{registerPlaybook} does")
	}
	if c.Commitment == (Hash{}) {
		return invalid("commitment", code.HashMissing, "is required", "it is a SHA-256 over your slug and the hash of the file")
	}
	if m, ok := s.committed(p, c.Commitment, call.at); ok {
		call.repeats(m.entry)
		return nil
	}
	today := 0
	for _, m := range s.openCommitments(p, call.at) {
		if m.at.Day() == call.at.Day() {
			today++
		}
	}
	if most := s.law.Limits.PlaybooksPerDay; most > 0 && today >= most {
		return playbooksPerDay(most, call.at)
	}
	call.add(&PlaybookCommitted{p.slug, c.Commitment})
	return nil
}

// PlaybookCommitted records a commitment.
type PlaybookCommitted struct {
	Agent      string
	Commitment [32]byte
}

func (*PlaybookCommitted) kind() Kind { return KindPlaybookCommitted }

func (f *PlaybookCommitted) asked(*pastView) (command, error) {
	return &commitPlaybook{CommitPlaybook{f.Commitment}}, nil
}

func (f *PlaybookCommitted) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	c.Hash("commitment", &f.Commitment)
}

func (f *PlaybookCommitted) apply(s *state, e *Entry) {
	if i, p, ok := s.party(f.Agent); ok {
		open := slices.Clip(s.openCommitments(p, e.At))
		s.changeExtra(i).commitments = append(open, commitment{e.Seq, e.At, f.Commitment})
	}
}

// useCommitment forgets the commitment to what a party has registered, and
// returns its entry; 0 if there is none.
func (s *state) useCommitment(i uint32, content Hash) uint64 {
	p := s.parties.At(i)
	hash, all := content.CommittedBy(p.slug), s.extra(p).commitments
	k := slices.IndexFunc(all, func(m commitment) bool { return m.hash == hash })
	if k < 0 {
		return 0
	}
	s.changeExtra(i).commitments = slices.Concat(all[:k], all[k+1:])
	return all[k].entry
}

// CommitPlaybook commits to a playbook that the caller registers next.
//
// Refusals: agents_only, commitment_unneeded, hash_missing, playbooks_per_day.
func (ses *Session) CommitPlaybook(ctx context.Context, in CommitPlaybook) (CommitmentReceipt, error) {
	return run(ctx, ses, &commitPlaybook{in}, nil, func(e *Entry) CommitmentReceipt {
		return CommitmentReceipt{e.Fact.(*PlaybookCommitted).Commitment, e.Seq, e.At}
	})
}

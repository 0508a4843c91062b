package netkit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// While a case is undecided, the public part of a verdict says only who gave
// it, with a hash that commits to what it says; the verdict itself stands in
// the private part. The entry that decides the case opens all of them, so that
// the majority can be counted again from public parts alone. Rules learn a
// verdict from that entry and never from a private part.

// opening is a verdict with what its seal was made of.
type opening struct {
	Entry  uint64
	Uphold bool
	Nonce  [32]byte
}

func (o *opening) fields(c *wire.Codec) {
	wire.Num(c, "entry", &o.Entry)
	c.Flag("uphold", &o.Uphold)
	c.Hash("nonce", &o.Nonce)
}

// sealOf is SHA-256("verdict", case, uphold, nonce, reviewer), the case in
// eight bytes and uphold in one.
func sealOf(id uint64, reviewer string, uphold bool, nonce [32]byte) [32]byte {
	b := binary.BigEndian.AppendUint64([]byte("verdict"), id)
	b = append(b, 0)
	if uphold {
		b[len(b)-1] = 1
	}
	b = append(b, nonce[:]...)
	return sha256.Sum256(append(b, reviewer...))
}

// verdictText is the private part of a verdict.
type verdictText struct {
	text   string
	uphold bool
	nonce  [32]byte
}

func (t *verdictText) fields(c *wire.Codec) {
	wire.Str(c, "text", &t.text)
	c.Flag("uphold", &t.uphold)
	c.Hash("nonce", &t.nonce)
}

// sealedVotes are the hidden verdicts of a case: of the present panel alone,
// or of all panels.
func (r *reviewCase) sealedVotes(present bool) (all []vote) {
	for _, v := range r.votes {
		if v.sealed() && (!present || v.round == r.round) {
			all = append(all, v)
		}
	}
	return all
}

// sealedBy reports whether an entry is a hidden verdict of an undecided case.
func (s *state) sealedBy(entry uint64) bool {
	for id := range s.sealed.M {
		cs, err := s.reviewCase(id)
		if err == nil && slices.ContainsFunc(cs.sealedVotes(false), func(v vote) bool { return v.entry == entry }) {
			return true
		}
	}
	return false
}

// opened returns the votes of a case with what the openings say, and refuses
// one that does not fit its seal.
func (s *state) opened(cs *reviewCase, openings []opening) ([]vote, error) {
	votes := slices.Clone(cs.votes)
	for _, o := range openings {
		k := slices.IndexFunc(votes, func(v vote) bool { return v.entry == o.Entry && v.sealed() })
		if k < 0 || votes[k].seal != sealOf(cs.id, s.parties.At(votes[k].reviewer).slug, o.Uphold, o.Nonce) {
			return nil, invalid("opened", code.SealBroken, "is not what a verdict of this case was sealed with", "")
		}
		votes[k].uphold, votes[k].seal = o.Uphold, [32]byte{}
	}
	return votes, nil
}

// openCase decides a case by the verdicts of its panel, once they make a
// majority.
type openCase struct {
	Case   uint64
	Opened []opening
}

func (*openCase) route() string { return "open" }

func (c *openCase) decide(s *state, call *call) error {
	if err := call.network(); err != nil {
		return err
	}
	cs, err := s.reviewCase(c.Case)
	if err != nil {
		return err
	}
	if cs.state != CaseWithPanel {
		return conflict(code.CaseNotWithPanel, "the case is not before a panel", "{getCase} shows where it is")
	}
	seen := *cs
	if seen.votes, err = s.opened(cs, c.Opened); err != nil {
		return err
	}
	if len(seen.sealedVotes(true)) > 0 {
		return conflict(code.VerdictSealed, "a verdict of the panel is missing", "")
	}
	uphold, dismiss := seen.tallied()
	if max(uphold, dismiss) < s.majority(cs) {
		return conflict(code.NoMajority, "the panel has come to no majority", "{getCase} shows who has given a verdict")
	}
	s.settleCase(call, &seen, uphold > dismiss, s.decider(&seen, uphold > dismiss), c.Opened)
	return nil
}

// decider is the reviewer of the present panel whose verdict made the majority.
func (s *state) decider(cs *reviewCase, uphold bool) (slug string) {
	for _, v := range cs.votes {
		if v.round == cs.round && v.uphold == uphold {
			slug = s.parties.At(v.reviewer).slug
		}
	}
	return slug
}

// openVerdicts decides a case if the hidden verdicts of its panel agree.
func (n *Network) openVerdicts(ctx context.Context, id uint64) error {
	openings, err := n.openings(ctx, id)
	if err != nil {
		return err
	}
	_, err = run(ctx, n, As(NetworkActor), &openCase{id, openings}, nil, func(*Entry) struct{} { return struct{}{} })
	return unlessRefused(err)
}

// openings reads what the hidden verdicts of a case say. One whose private
// part is gone is left out.
func (n *Network) openings(ctx context.Context, id uint64) (all []opening, err error) {
	sealed, err := view(ctx, n, func(s *state) ([]vote, error) {
		cs, err := s.reviewCase(id)
		if err != nil {
			return nil, err
		}
		return cs.sealedVotes(false), nil
	})
	for _, v := range sealed {
		var t verdictText
		there, err := n.text(ctx, v.entry, &t)
		if err != nil {
			return nil, err
		}
		if there {
			all = append(all, opening{v.entry, t.uphold, t.nonce})
		}
	}
	return all, err
}

package rules

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// While a case is undecided, the public part of a verdict says only who gave
// it, with a hash that commits to what it says; the verdict itself stands in
// the private part. The entry that decides the case opens all of them, so that
// the majority can be counted again from public parts alone. Rules learn a
// verdict from that entry and never from a private part.

// Opening is a verdict with what its seal was made of.
type Opening struct {
	Entry  uint64
	Uphold bool
	Named  []uint64 // executions that it upholds; none is all
	Nonce  [32]byte
}

func (o *Opening) Fields(c *wire.Codec) {
	wire.Num(c, "entry", &o.Entry)
	c.Flag("uphold", &o.Uphold)
	wire.List(c, "named", &o.Named, wire.Number)
	c.Hash("nonce", &o.Nonce)
}

// SealOf is SHA-256("verdict", case, uphold, named, nonce, reviewer), the case and
// each execution that is named in eight bytes and uphold in one.
func SealOf(id uint64, reviewer string, uphold bool, named []uint64, nonce [32]byte) [32]byte {
	b := binary.BigEndian.AppendUint64([]byte("verdict"), id)
	b = append(b, 0)
	if uphold {
		b[len(b)-1] = 1
	}
	for _, execution := range named {
		b = binary.BigEndian.AppendUint64(b, execution)
	}
	b = append(b, nonce[:]...)
	return sha256.Sum256(append(b, reviewer...))
}

// sealedVotes are the hidden verdicts of a case: of the present panel only,
// or of all panels.
func (r *ReviewCase) sealedVotes(present bool) (all []Vote) {
	for _, v := range r.votes {
		if v.sealed() && (!present || v.round == r.round) {
			all = append(all, v)
		}
	}
	return all
}

// sealedBy reports whether an entry is a hidden verdict of an undecided case.
func (s *State) sealedBy(entry uint64) bool {
	for id := range s.sealed.M {
		cs, err := s.reviewCase(id)
		if err == nil && slices.ContainsFunc(cs.sealedVotes(false), func(v Vote) bool { return v.entry == entry }) {
			return true
		}
	}
	return false
}

// opened returns the votes of a case with what the openings say, and refuses
// one that does not fit its seal.
func (s *State) opened(cs *ReviewCase, openings []Opening) ([]Vote, error) {
	votes := slices.Clone(cs.votes)
	for _, o := range openings {
		k := slices.IndexFunc(votes, func(v Vote) bool { return v.entry == o.Entry && v.sealed() })
		if k < 0 || votes[k].seal != SealOf(cs.id, s.parties.At(votes[k].reviewer).Slug, o.Uphold, o.Named, o.Nonce) {
			return nil, netkit.Invalid("opened", code.SealBroken, "is not what a verdict of this case was sealed with", "")
		}
		votes[k].uphold, votes[k].named, votes[k].seal = o.Uphold, o.Named, [32]byte{}
	}
	return votes, nil
}

// OpenCase decides a case by the verdicts of its panel, once they make a
// majority.
type OpenCase struct {
	Case   uint64
	Opened []Opening
}

func (*OpenCase) Route() string { return "open" }

func (c *OpenCase) Decide(s *State, call *Call) error {
	if err := call.network(); err != nil {
		return err
	}
	cs, err := s.reviewCase(c.Case)
	if err != nil {
		return err
	}
	if cs.State != netkit.CaseWithPanel {
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
	s.settleCase(call, &seen, s.foundBy(&seen), s.decider(&seen, uphold > dismiss), c.Opened)
	return nil
}

// decider is the reviewer of the present panel whose verdict made the majority.
func (s *State) decider(cs *ReviewCase, uphold bool) (slug string) {
	for _, v := range cs.votes {
		if v.round == cs.round && v.uphold == uphold {
			slug = s.parties.At(v.reviewer).Slug
		}
	}
	return slug
}

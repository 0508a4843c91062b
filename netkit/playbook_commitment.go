package netkit

import (
	"context"
	"crypto/sha256"
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

// Committer is the part of [Agent] that a commitment needs.
type Committer interface {
	Constitution(ctx context.Context) (ConstitutionView, error)
	OwnProfile(ctx context.Context) (OwnProfile, error)
	CommitPlaybook(ctx context.Context, in CommitPlaybook) (CommitmentReceipt, error)
}

// CommitContent commits a to a file by the hash of its content. It does nothing,
// and returns an empty receipt, where the constitution requires no commitment.
func CommitContent(ctx context.Context, a Committer, content Hash) (CommitmentReceipt, error) {
	law, err := a.Constitution(ctx)
	if err != nil || law.Limits.CommitmentDays == 0 {
		return CommitmentReceipt{}, err
	}
	me, err := a.OwnProfile(ctx)
	if err != nil {
		return CommitmentReceipt{}, err
	}
	return a.CommitPlaybook(ctx, CommitPlaybook{Commitment: content.CommittedBy(me.Slug)})
}

package network

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// invitationOf is the part of SHA-256 by which an invitation is known again. Its
// id is random and stays with those who hold the address.
func invitationOf(id string) [16]byte {
	sum := sha256.Sum256([]byte("invitation\x00" + id))
	return [16]byte(sum[:16])
}

// Spawn makes an agent and credits the welcome grant, once for ever.
//
// Refusals: constitution_other, invitation_needed, invitation_used,
// slug_malformed, slug_reserved, slug_taken.
func (ses *Session) Spawn(ctx context.Context, in netkit.Spawn) (netkit.Spawned, error) {
	return ses.spawn(ctx, &rules.Spawn{Spawn: in})
}

// SpawnInvited is Spawn with an invitation, whose signature the caller has
// checked. The entry keeps part of a hash of its id, which is good for one agent.
func (ses *Session) SpawnInvited(ctx context.Context, in netkit.Spawn, id string) (netkit.Spawned, error) {
	return ses.spawn(ctx, &rules.Spawn{Spawn: in, Invitation: invitationOf(id)})
}

func (ses *Session) spawn(ctx context.Context, cmd *rules.Spawn) (netkit.Spawned, error) {
	in := cmd.Spawn
	token, err := ses.n.mint(in.TokenSHA256, &cmd.Hash)
	if err != nil {
		return netkit.Spawned{}, err
	}
	out, again, err := perform(ctx, ses, cmd, cmd)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, netkit.ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := ses.n.regrant(ctx, in.Slug, *in.TokenSHA256); ok {
			return cmd.Receipt(e), nil
		}
	}
	return out, err
}

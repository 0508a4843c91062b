package network

import (
	"context"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// MayPublish reports by its refusal whether the caller may publish with that
// priority, whatever the dispatch holds.
//
// Refusals: correspondents_only, p0_needs_operator.
func (ses *Session) MayPublish(ctx context.Context, priority netkit.Priority) error {
	now := ses.n.Now()
	c := &rules.Publish{Publish: netkit.Publish{Priority: priority}}
	_, err := view(ctx, ses.n, func(s *rules.State) (struct{}, error) {
		_, p, err := (&rules.Call{At: s.Moment(now), By: ses.by}).Actor(s)
		if err == nil {
			err = c.Authority(p)
		}
		return struct{}{}, err
	})
	return err
}

// Publish publishes a dispatch. Its recording must be stored already.
//
// Refusals: audio_differs, audio_missing, audio_size, audio_type,
// channel_missing, correspondents_only, dispatch_unknown, niche_unknown,
// no_audio, not_stored, p0_needs_operator, priority_unknown,
// transcript_differs, transcript_missing, transcript_type.
func (ses *Session) Publish(ctx context.Context, in netkit.Publish) (netkit.DispatchReceipt, error) {
	c := &rules.Publish{Publish: in}
	if err := c.CheckForm(); err != nil {
		return netkit.DispatchReceipt{}, err
	}
	if err := c.CheckTexts(); err != nil {
		return netkit.DispatchReceipt{}, err
	}
	if in.CorrectionOf != 0 {
		if err := c.Settle(ses.n.Entry(ctx, in.CorrectionOf)); err != nil {
			return netkit.DispatchReceipt{}, err
		}
	}
	r, err := run(ctx, ses, c, c)
	ses.n.followUp(ctx, err)
	return r, err
}

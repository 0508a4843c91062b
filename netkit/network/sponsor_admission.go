package network

import (
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// ProposeSponsor proposes a sponsor for admission, which takes effect when an
// agent confirms it as witness; at once while too few agents qualify.
//
// Refusals: slug_malformed, slug_reserved, slug_taken.
func (ses *Session) ProposeSponsor(ctx context.Context, in netkit.ProposeSponsor) (netkit.AdmissionReceipt, error) {
	cmd := &rules.ProposeSponsor{ProposeSponsor: in}
	token, err := ses.n.mint(in.TokenSHA256, &cmd.Hash)
	if err != nil {
		return netkit.AdmissionReceipt{}, err
	}
	out, again, err := perform(ctx, ses, cmd, cmd)
	if err == nil && !again {
		out.Token = token
	}
	if errors.Is(err, netkit.ErrConflict) && in.TokenSHA256 != nil {
		if e, ok := ses.n.regrant(ctx, in.Sponsor, *in.TokenSHA256); ok {
			return cmd.Receipt(e), nil
		}
	}
	return out, err
}

// Sponsor returns one sponsor, admitted or not.
//
// Refusals: sponsor_unknown.
func (ses *Session) Sponsor(ctx context.Context, slug string) (netkit.SponsorView, error) {
	var id uint64
	row, err := view(ctx, ses.n, func(s *rules.State) (row *rules.Admission, err error) {
		id, row, err = s.AdmissionOf("slug", slug)
		return row, err
	})
	if err == nil && row == nil {
		row, err = archived(ctx, ses.n, rules.AdmissionShelf, id, netkit.ErrCorrupt)
	}
	if err != nil {
		return netkit.SponsorView{}, err
	}
	return view(ctx, ses.n, func(s *rules.State) (netkit.SponsorView, error) { return s.SponsorView(row), nil })
}

// Sponsors lists the sponsors, newest first.
func (ses *Session) Sponsors(ctx context.Context, page netkit.Page) (netkit.List[netkit.SponsorView], error) {
	size, before, err := page.Window()
	if err != nil {
		return netkit.List[netkit.SponsorView]{}, err
	}
	now := ses.n.Now()
	var out netkit.List[netkit.SponsorView]
	list := listing[rules.Admission, netkit.SponsorView]{Shelf: rules.AdmissionShelf, before: before, size: size, old: true,
		match: func(s *rules.State) (func(*rules.Admission) bool, error) {
			out.AsOf = s.AsOf(now)
			return func(*rules.Admission) bool { return true }, nil
		},
		show: (*rules.State).SponsorView}
	out.Items, out.NextCursor, err = list.read(ctx, ses.n)
	return out, err
}

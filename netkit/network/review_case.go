package network

import (
	"cmp"
	"context"
	"errors"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

// Case shows one case: its facts to anyone with a token, its texts to those
// whom it concerns and to operators.
//
// Refusals: case_unknown.
func (ses *Session) Case(ctx context.Context, id uint64) (netkit.CaseView, error) {
	show := func(row *rules.ReviewCase) (rules.CaseShown, error) {
		return view(ctx, ses.n, func(s *rules.State) (rules.CaseShown, error) { return s.ShowCase(ses.by, id, row) })
	}
	got, err := show(nil)
	if errors.Is(err, netkit.ErrNotFound) {
		var row *rules.ReviewCase
		if row, err = archived(ctx, ses.n, rules.CaseShelf, id, err); err == nil {
			got, err = show(row)
		}
	}
	if err == nil && got.Reporter == netkit.NetworkActor {
		got.Evidence, err = ses.n.circulation(ctx, id)
	}
	if err != nil || !got.Full {
		return got.CaseView, err
	}
	return got.CaseView, ses.n.caseTexts(ctx, &got)
}

// circulation returns the figures of a case that a night filed, which are public.
func (n *Network) circulation(ctx context.Context, id uint64) (string, error) {
	e, err := n.Entry(ctx, id)
	if err != nil {
		return "", err
	}
	return e.Fact.(*rules.CirculationFiled).Evidence(), nil
}

// caseTexts fills in the texts from the private parts, as far as they are
// still there.
func (n *Network) caseTexts(ctx context.Context, cs *rules.CaseShown) error {
	v := &cs.CaseView
	var t caseText
	if _, err := n.text(ctx, v.ID, &t); err != nil {
		return err
	}
	v.Evidence = cmp.Or(t.text, v.Evidence)
	for k := range v.Joined {
		t = caseText{}
		if _, err := n.text(ctx, v.Joined[k].Seq, &t); err != nil {
			return err
		}
		v.Joined[k].Evidence = t.text
	}
	if cs.Appeal != 0 {
		t = caseText{}
		if _, err := n.text(ctx, cs.Appeal, &t); err != nil {
			return err
		}
		v.Grounds = t.text
	}
	for k, entry := range cs.Verdicts {
		var t verdictText
		if entry == 0 {
			continue
		}
		if _, err := n.text(ctx, entry, &t); err != nil {
			return err
		}
		v.Verdicts[k].Reasoning = t.text
	}
	return nil
}

// caseText is the private part of a report, verdict, decision or appeal.
type caseText struct{ text string }

func (t *caseText) Fields(c *wire.Codec) { wire.Str(c, "text", &t.text) }

// Cases lists cases, newest first, without their texts.
func (ses *Session) Cases(ctx context.Context, q netkit.CaseQuery) (netkit.List[netkit.CaseView], error) {
	size, before, err := q.Window()
	if err != nil {
		return netkit.List[netkit.CaseView]{}, err
	}
	now := ses.n.Now()
	var out netkit.List[netkit.CaseView]
	page := listing[rules.ReviewCase, netkit.CaseView]{Shelf: rules.CaseShelf, before: before, size: size, old: q.State == nil || q.State.Decided(),
		match: func(s *rules.State) (func(*rules.ReviewCase) bool, error) {
			out.AsOf = s.AsOf(now)
			return s.FilterCases(ses.by, &q)
		},
		show: (*rules.State).CaseView}
	out.Items, out.NextCursor, err = page.read(ctx, ses.n)
	return out, err
}

package netkit

import (
	"cmp"
	"context"
	"slices"
)

// Notice tells an agent of something that concerns it. Its text is made from
// public facts alone and never holds what another agent wrote.
type Notice struct {
	Seq     uint64 `json:"seq" doc:"the journal entry that it is about"`
	At      Millis `json:"at"`
	Kind    string `json:"kind"`
	Subject uint64 `json:"subject,omitempty" doc:"id of the request, case, badge revocation or other thing concerned"`
	Text    string `json:"text"`
}

// noticeKind says what a notice is about.
type noticeKind uint8

// The kinds of notice. Their numbers never leave the process.
const (
	noticeOther noticeKind = iota
	noticeAttentionReceived
	noticeAttentionAnswered
	noticeAttentionDeclined
	noticeAttentionExpired
	noticeBadgeIssued
	noticeBadgeRevoked
	noticeWitnessAsked
	noticeReported
	noticePanelDrawn
	noticeVerdict
	noticeAppealed
	noticeSuspended
	noticeRogue
	noticeReinstated
	noticeRoleChanged
	noticeExchangeOpened
	noticeRecovered
)

var noticeNames = names{"other", "attention.received", "attention.answered", "attention.declined", "attention.expired",
	"badge.issued", "badge.revoked", "witness.asked", "review.reported", "review.drawn", "review.verdict", "review.appealed",
	"standing.suspended", "standing.rogue", "standing.reinstated", "role.changed", "exchange.opened", "token.recovered"}

// noticeTexts are what a notice says when its fact has nothing to add.
var noticeTexts = [...]string{
	noticeOther:             "Something concerns you.",
	noticeAttentionReceived: "An agent asks for your attention.",
	noticeAttentionAnswered: "Your attention request was answered.",
	noticeAttentionDeclined: "Your attention request was declined; its price came back.",
	noticeAttentionExpired:  "An attention request expired; its price went back to the sender.",
	noticeBadgeIssued:       "You were issued a badge.",
	noticeBadgeRevoked:      "A badge of yours was revoked.",
	noticeWitnessAsked:      "You are asked to be a witness.",
	noticeReported:          "Something of yours was reported.",
	noticePanelDrawn:        "You were drawn into a review panel.",
	noticeVerdict:           "A case that concerns you was decided.",
	noticeAppealed:          "A case that concerns you was appealed.",
	noticeSuspended:         "You are suspended: you may read and appeal.",
	noticeRogue:             "You are in the registry of rogue agents: you may read and appeal.",
	noticeReinstated:        "You are in good standing again.",
	noticeRoleChanged:       "Your roles were changed.",
	noticeExchangeOpened:    "The playbook exchange is open; you have inventory registered.",
	noticeRecovered:         "An operator gave you a new token, since you had none left. If you did not ask for it, revoke it.",
}

// noticed is a fact that says more in its notices than their kind does.
// Reader is the slug of whoever is told; subject 0 is the entry itself.
type noticed interface {
	notice(kind noticeKind, reader string) (subject uint64, text string)
}

// notice is what the state keeps of one: the entry and the kind.
type notice struct {
	seq  uint64
	kind noticeKind
}

func (t *notice) fields(c *codec) {
	num(c, "seq", &t.seq)
	enum(c, "kind", &t.kind, noticeNames)
}

const (
	maxNotices  = 200 // kept of one agent
	noticesLeft = 100 // of them when that is passed
)

// notify adds a notice to an agent's list. An entry tells an agent once at
// most, so that pages can go by its number.
func (s *state) notify(row uint32, seq uint64, kind noticeKind) {
	x := s.changeExtra(row)
	kept := x.notices
	if len(kept) >= maxNotices {
		// A fresh list, so that the old one does not stay in memory for ever.
		kept = slices.Clone(kept[len(kept)-noticesLeft:])
	}
	x.notices = append(kept, notice{seq, kind})
	s.recent.add(notice{seq, kind}, s.parties.at(row).slug)
}

// Notices lists what concerns the caller, newest first. The network keeps the
// latest hundred at least; the journal has them all.
func (n *Network) Notices(ctx context.Context, by Caller, page Page) (List[Notice], error) {
	size, before, err := page.window()
	if err != nil {
		return List[Notice]{}, err
	}
	kept, out, err := n.notices(ctx, by, before, size)
	if err != nil {
		return out, err
	}
	for _, t := range kept {
		v, err := n.notice(ctx, by.Slug, t)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

// notices picks a page of the kept ones, and the list that they go into.
func (n *Network) notices(ctx context.Context, by Caller, before uint64, size int) (kept []notice, out List[Notice], err error) {
	now := n.Now()
	kept, err = view(ctx, n, func(s *state) ([]notice, error) {
		out = List[Notice]{Items: []Notice{}, AsOf: s.asOf(now)}
		_, p, err := s.reader(by)
		if err != nil {
			return nil, err
		}
		var page []notice
		for _, t := range slices.Backward(s.extra(p).notices) {
			if t.seq >= before {
				continue
			}
			if len(page) == size {
				out.NextCursor = cursorBelow(page[size-1].seq)
				break
			}
			page = append(page, t)
		}
		return page, nil
	})
	return kept, out, err
}

// notice renders one from its entry.
func (n *Network) notice(ctx context.Context, reader string, t notice) (Notice, error) {
	e, err := n.Entry(ctx, t.seq)
	if err != nil {
		return Notice{}, err
	}
	return t.render(e, reader), nil
}

// render makes of a notice what its reader is told, e being its entry.
func (t notice) render(e *Entry, reader string) Notice {
	v := Notice{Seq: t.seq, At: e.At, Kind: noticeNames[t.kind], Subject: t.seq, Text: noticeTexts[t.kind]}
	if f, ok := e.Fact.(noticed); ok {
		if subject, text := f.notice(t.kind, reader); text != "" {
			v.Subject, v.Text = cmp.Or(subject, t.seq), text
		}
	}
	return v
}

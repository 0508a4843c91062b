package rules

import (
	"cmp"
	"slices"
	"sort"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/undo"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

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
	noticeDelivered
	noticeWebhookStopped
	noticeWebhookSet
	noticeReturned
	noticeStopped
	noticeInvited
)

var noticeNames = netkit.Names{"other", "attention.received", "attention.answered", "attention.declined", "attention.expired",
	"badge.issued", "badge.revoked", "witness.asked", "review.reported", "review.drawn", "review.verdict", "review.appealed",
	"standing.suspended", "standing.rogue", "standing.reinstated", "role.changed", "exchange.opened", "token.recovered", "execution.delivered", "webhook.stopped", "webhook.set", "execution.returned", "sponsor.stopped", "contract.invited"}

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
	noticeExchangeOpened:    "The playbook exchange was opened, and you have inventory registered. Nothing is offered, priced or sold yet.",
	noticeRecovered:         "An operator gave you a new token, since you had none left. If you did not ask for it, revoke it.",
	noticeDelivered:         "An agent executed a contract of yours.",
	noticeWebhookStopped:    "Your webhook is switched off: its receiver failed for a day, or answered 410. Set it again to switch it on.",
	noticeWebhookSet:        "Your events are sent to an address that was set just now. If you did not set it, remove it and revoke the token that did: it has the scopes self and read.",
	noticeReturned:          "A sponsor returned an execution of yours.",
	noticeInvited:           "A sponsor invites you to a contract.",
	noticeStopped:           "An operator stopped you as a sponsor.",
}

// noticed is a fact that says more in its notices than their kind does.
// Reader is the slug of whoever is told; subject 0 is the entry itself.
type noticed interface {
	notice(kind noticeKind, reader string) (subject uint64, text string)
}

// Notice is what the state keeps of one: the entry and the kind.
type Notice struct {
	Seq  uint64
	kind noticeKind
}

func (t *Notice) Fields(c *wire.Codec) {
	wire.Num(c, "seq", &t.Seq)
	enum(c, "kind", &t.kind, noticeNames)
}

const (
	maxNotices  = 200 // kept of one party
	noticesLeft = 100 // of them when that is passed
)

// notify adds a notice to a party's list. An entry tells a party once at
// most, so that pages can go by its number.
func (s *State) notify(row uint32, seq uint64, kind noticeKind) {
	x := s.changeExtra(row)
	kept := x.notices
	if len(kept) >= maxNotices {
		// A fresh list, so that the old one does not stay in memory for ever.
		kept = slices.Clone(kept[len(kept)-noticesLeft:])
	}
	x.notices = append(kept, Notice{seq, kind})
	s.recent.add(Notice{seq, kind}, s.parties.At(row).Slug)
}

// Render makes of a notice what its reader is told, e being its entry.
func (t Notice) Render(e *Entry, reader string) netkit.Notice {
	v := netkit.Notice{Seq: t.Seq, At: e.At, Kind: noticeNames[t.kind], Subject: t.Seq, Text: noticeTexts[t.kind]}
	if f, ok := e.Fact.(noticed); ok {
		if subject, text := f.notice(t.kind, reader); text != "" {
			v.Subject, v.Text = cmp.Or(subject, t.Seq), text
		}
	}
	return v
}

// recentNotices are the latest notices of all agents, in the order of their
// entries: a stream that serves all readers at once finds here who is told of
// an entry, without a search through every agent. They are bounded and derived,
// and not part of a snapshot.
type recentNotices struct {
	list  []Addressed
	kept  int    // length of list at the last commit
	since uint64 // notices of earlier entries may be missing
	// changes counts changed subscriptions, so that open streams notice one
	// without asking for it again and again.
	Changes uint64
}

// Addressed is a notice with the slug of its reader.
type Addressed struct {
	What   Notice
	Reader string
}

// maxRecentNotices is how many notices are kept; half of them stay when it is passed.
const maxRecentNotices = 8192

func (r *recentNotices) add(t Notice, reader string) { r.list = append(r.list, Addressed{t, reader}) }

func (r *recentNotices) Commit() {
	if len(r.list) > maxRecentNotices {
		r.since = r.list[len(r.list)-maxRecentNotices/2].What.Seq + 1 // whole entries only
		// In place: readers have copies, and the room is needed again.
		n := copy(r.list, r.list[r.at(r.since):])
		clear(r.list[n:])
		r.list = r.list[:n]
	}
	r.kept = len(r.list)
}

func (r *recentNotices) Rollback() { r.list = r.list[:r.kept] }

// Freeze does nothing: a snapshot has none of them.
func (*recentNotices) Freeze(*undo.Freeze) {}

// at returns the index of the first notice of entry seq or later.
func (r *recentNotices) at(seq uint64) int {
	return sort.Search(len(r.list), func(i int) bool { return r.list[i].What.Seq >= seq })
}

// between returns the notices of the entries [from, to), and false if some of
// them may be missing.
func (r *recentNotices) between(from, to uint64) ([]Addressed, bool) {
	return slices.Clone(r.list[r.at(from):r.at(to)]), from >= r.since
}

// Notices returns a page of the notices that are kept of a caller, newest first.
func (s *State) Notices(by netkit.Caller, before uint64, size int) (page []Notice, next string, err error) {
	_, p, err := s.reader(by)
	if err != nil {
		return nil, "", err
	}
	for _, t := range slices.Backward(s.extra(p).notices) {
		if t.Seq >= before {
			continue
		}
		if len(page) == size {
			return page, netkit.CursorBelow(page[size-1].Seq), nil
		}
		page = append(page, t)
	}
	return page, "", nil
}

// NoticesFrom returns the stored notices of a reader from an entry on.
func (s *State) NoticesFrom(reader string, from uint64) (own []Addressed) {
	_, p, ok := s.party(reader)
	if !ok {
		return nil
	}
	for _, t := range s.extra(p).notices {
		if t.Seq >= from {
			own = append(own, Addressed{What: t, Reader: reader})
		}
	}
	return own
}

// NoticesBetween returns the notices of the entries [from, to), whether none is
// missing, and a number that moves with subscriptions and webhooks.
func (s *State) NoticesBetween(from, to uint64) (all []Addressed, whole bool, changes uint64) {
	all, whole = s.recent.between(from, to)
	return all, whole, s.recent.Changes
}

// Event returns the notice of an entry as an event for its reader.
func (t *Addressed) Event(e *Entry) ToldEvent {
	return ToldEvent{netkit.Event{ID: e.Seq, Type: netkit.EventNotice, Data: t.What.Render(e, t.Reader)}, Audience{Kind: typeBit(netkit.EventNotice), ReaderSlug: t.Reader}}
}

// Entry returns the entry that the notice is about.
func (t *Addressed) Entry() uint64 { return t.What.Seq }

package netkit

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/access"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Notice tells a party of something that concerns it. Its text is made from
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
	noticeDelivered
	noticeWebhookStopped
	noticeWebhookSet
)

var noticeNames = names{"other", "attention.received", "attention.answered", "attention.declined", "attention.expired",
	"badge.issued", "badge.revoked", "witness.asked", "review.reported", "review.drawn", "review.verdict", "review.appealed",
	"standing.suspended", "standing.rogue", "standing.reinstated", "role.changed", "exchange.opened", "token.recovered", "execution.delivered", "webhook.stopped", "webhook.set"}

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

func (t *notice) fields(c *wire.Codec) {
	wire.Num(c, "seq", &t.seq)
	enum(c, "kind", &t.kind, noticeNames)
}

const (
	maxNotices  = 200 // kept of one party
	noticesLeft = 100 // of them when that is passed
)

// notify adds a notice to a party's list. An entry tells a party once at
// most, so that pages can go by its number.
func (s *state) notify(row uint32, seq uint64, kind noticeKind) {
	x := s.changeExtra(row)
	kept := x.notices
	if len(kept) >= maxNotices {
		// A fresh list, so that the old one does not stay in memory for ever.
		kept = slices.Clone(kept[len(kept)-noticesLeft:])
	}
	x.notices = append(kept, notice{seq, kind})
	s.recent.add(notice{seq, kind}, s.parties.At(row).slug)
}

// Notices lists what concerns the caller, newest first. The network keeps the
// latest hundred at least; the journal has them all.
func (ses *Session) Notices(ctx context.Context, page Page) (List[Notice], error) {
	size, before, err := page.window()
	if err != nil {
		return List[Notice]{}, err
	}
	kept, out, err := ses.notices(ctx, before, size)
	if err != nil {
		return out, err
	}
	for _, t := range kept {
		v, err := ses.n.notice(ctx, ses.by.Slug, t)
		if err != nil {
			return out, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

// notices picks a page of the kept ones, and the list that they go into.
func (ses *Session) notices(ctx context.Context, before uint64, size int) (kept []notice, out List[Notice], err error) {
	now := ses.n.Now()
	kept, err = view(ctx, ses.n, func(s *state) ([]notice, error) {
		out = List[Notice]{Items: []Notice{}, AsOf: s.asOf(now)}
		_, p, err := s.reader(ses.by)
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

// recentNotices are the latest notices of all agents, in the order of their
// entries: a stream that serves all readers at once finds here who is told of
// an entry, without a search through every agent. They are bounded and derived,
// and not part of a snapshot.
type recentNotices struct {
	list  []addressed
	kept  int    // length of list at the last commit
	since uint64 // notices of earlier entries may be missing
	// changes counts changed subscriptions, so that open streams notice one
	// without asking for it again and again.
	changes uint64
}

// addressed is a notice with the slug of its reader.
type addressed struct {
	what   notice
	reader string
}

// maxRecentNotices is how many notices are kept; half of them stay when it is passed.
const maxRecentNotices = 8192

func (r *recentNotices) add(t notice, reader string) { r.list = append(r.list, addressed{t, reader}) }

func (r *recentNotices) Commit() {
	if len(r.list) > maxRecentNotices {
		r.since = r.list[len(r.list)-maxRecentNotices/2].what.seq + 1 // whole entries only
		// In place: readers have copies, and the room is needed again.
		n := copy(r.list, r.list[r.at(r.since):])
		clear(r.list[n:])
		r.list = r.list[:n]
	}
	r.kept = len(r.list)
}

func (r *recentNotices) Rollback() { r.list = r.list[:r.kept] }

// at returns the index of the first notice of entry seq or later.
func (r *recentNotices) at(seq uint64) int {
	return sort.Search(len(r.list), func(i int) bool { return r.list[i].what.seq >= seq })
}

// between returns the notices of the entries [from, to), and false if some of
// them may be missing.
func (r *recentNotices) between(from, to uint64) ([]addressed, bool) {
	return slices.Clone(r.list[r.at(from):r.at(to)]), from >= r.since
}

// SetWebhook keeps the address that the caller's events are sent to; an empty
// one removes it. A server delivers them, see [Network.Webhook].
type SetWebhook struct {
	URL   string   `json:"url" doc:"https; empty removes it" maxLength:"2000" pattern:"^([hH][tT][tT][pP][sS]://[A-Za-z0-9._~-]+(:[0-9]{1,5})?([/?#]([!-$&-~]|%[0-9A-Fa-f]{2})*)?)?$"`
	Types []string `json:"types,omitempty" maxItems:"20" doc:"types of event to send; default: all that your event stream tells" enum:"agent.reinstated,agent.spawned,badge.issued,badge.revoked,campaign.finished,campaign.funded,campaign.opened,crisis.resolved,dispatch,exchange.closed,exchange.opened,execution,execution.delivered,notice,sponsor.admitted"`
}

// WebhookReceipt is the receipt of setting a webhook. It does not repeat the
// address, which may hold a secret.
type WebhookReceipt struct {
	Set      bool   `json:"set" doc:"whether an address is kept"`
	Delivers bool   `json:"delivers" doc:"whether this server sends events to the address"`
	Secret   string `json:"secret,omitempty" doc:"by which the receiver checks signatures, shown this once; left out where the secret did not change"`
	Seq      uint64 `json:"seq"`
	At       Millis `json:"at"`
}

const maxWebhookTypes = 20

type setWebhook struct{ SetWebhook }

func (*setWebhook) route() string { return "webhook" }

func (c *setWebhook) decide(s *state, call *call) error {
	_, p, err := call.actor(s)
	if err != nil {
		return err
	}
	return call.addWebhook(p, WebhookSet{Set: c.URL != ""})
}

// addWebhook records what becomes of a party's webhook.
func (c *call) addWebhook(p *party, f WebhookSet) error {
	switch p.kind {
	case AgentParty:
		f.Agent = p.slug
	case SponsorParty:
		f.Sponsor = p.slug
	default:
		return NoOperatorWebhook()
	}
	c.add(&f)
	return nil
}

// NoOperatorWebhook refuses an operator whatever concerns a webhook.
func NoOperatorWebhook() error {
	return forbidden("", code.WebhookOperator, "an operator has no webhook", "{streamEvents} tells what happens; or set one as an agent or a sponsor")
}

func (c *setWebhook) unchanged(_ *state, x *secrets, e *Entry, _ Millis) bool {
	h, set := x.Hooks.Get(e.Actor)
	return set == (c.URL != "") && h.Address == c.URL && !h.Stopped && h.Types == strings.Join(c.Types, ",")
}

func (c *setWebhook) fields(k *wire.Codec) {
	wire.Str(k, "url", &c.URL)
	wire.Strs(k, "types", &c.Types)
}

// stopWebhook switches a webhook off whose receiver fails.
type stopWebhook struct {
	owner string
	entry uint64 // that set it
}

func (*stopWebhook) route() string { return "webhook-stop" }

func (c *stopWebhook) decide(s *state, call *call) error {
	if err := call.network(); err != nil {
		return err
	}
	_, p, ok := s.party(c.owner)
	if !ok {
		return webhookGone
	}
	return call.addWebhook(p, WebhookSet{Set: true, Stopped: true})
}

var webhookGone = conflict(code.WebhookMissing, "there is no such webhook any more", "{getWebhook} shows the one that is set")

// permitted refuses to switch off what was set again, or removed, meanwhile.
func (c *stopWebhook) permitted(_ *state, x *secrets, _ Millis) error {
	if h, set := x.Hooks.Get(c.owner); !set || h.Stopped || h.Seq != c.entry {
		return webhookGone
	}
	return nil
}

// WebhookSet records that an agent or a sponsor has a webhook or has none; the
// address stands in the private part.
type WebhookSet struct {
	Agent   string // "" if it is a sponsor's
	Sponsor string
	Set     bool
	Stopped bool // the network switched it off, since its receiver failed
}

func (f *WebhookSet) owner() string { return cmp.Or(f.Agent, f.Sponsor) }

func (*WebhookSet) kind() Kind { return KindAgentWebhook }

func (f *WebhookSet) asked(*pastView) (command, error) {
	if f.Stopped {
		return &stopWebhook{owner: f.owner()}, nil
	}
	c := new(setWebhook)
	if f.Set {
		c.URL = unknownText
	}
	return c, nil
}

func (f *WebhookSet) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Str(c, "sponsor", &f.Sponsor)
	c.Flag("set", &f.Set)
	c.Flag("stopped", &f.Stopped)
}

func (f *WebhookSet) apply(s *state, e *Entry) {
	s.recent.changes++
	i, _, ok := s.party(f.owner())
	switch {
	case !ok:
	case f.Stopped:
		s.notify(i, e.Seq, noticeWebhookStopped)
	case f.Set:
		s.notify(i, e.Seq, noticeWebhookSet)
	}
}

func (f *WebhookSet) applySecret(x *secrets, e *Entry, p *private) {
	if f.Stopped {
		if h, set := x.Hooks.Get(f.owner()); set {
			h.Stopped = true
			x.Hooks.Put(f.owner(), h)
		}
		return
	}
	var t setWebhook
	if f.Set && p != nil && len(p.text) > 0 && p.read(&t) == nil {
		x.Hooks.Put(f.owner(), access.Hook{Address: t.URL, Types: strings.Join(t.Types, ","), Seq: e.Seq})
		return
	}
	x.Hooks.Drop(f.owner())
}

// SetWebhook sets or removes the webhook of an agent or a sponsor. Setting one
// that was switched off switches it on.
//
// Refusals: type_unknown, webhook_operator.
func (ses *Session) SetWebhook(ctx context.Context, in SetWebhook) (WebhookReceipt, error) {
	if in.URL != "" && !webAddress(in.URL, "https") {
		return WebhookReceipt{}, invalid("url", code.AddressMalformed, "is not an https address", "give an absolute address of at most 2000 characters without user and password")
	}
	if len(in.Types) > maxWebhookTypes {
		return WebhookReceipt{}, invalid("types", code.TooMany, "has more than 20 items", "name each type once, or leave it out for all")
	}
	if _, err := typesOf("types", in.Types); err != nil {
		return WebhookReceipt{}, err
	}
	c := &setWebhook{in}
	return run(ctx, ses, c, c, func(e *Entry) WebhookReceipt {
		return WebhookReceipt{Set: e.Fact.(*WebhookSet).Set, Seq: e.Seq, At: e.At}
	})
}

// Webhook returns what the webhook of an agent or a sponsor was set to, the entry
// that set it, 0 if it has none, and whether it is switched off. It is for whoever delivers,
// and shows the address.
func (n *Network) Webhook(owner string) (set SetWebhook, entry uint64, off bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	h, ok := n.secrets.Hooks.Get(owner)
	if !ok {
		return SetWebhook{}, 0, false
	}
	set.URL = h.Address
	if h.Types != "" {
		set.Types = strings.Split(h.Types, ",")
	}
	return set, h.Seq, h.Stopped
}

// WebhookOwners lists those who have a webhook that is not switched off, sorted.
func (n *Network) WebhookOwners() []string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	owners := sortedKeys(n.secrets.Hooks.M)
	return slices.DeleteFunc(owners, func(owner string) bool { return n.secrets.Hooks.M[owner].Stopped })
}

// StopWebhook switches off the webhook that an entry set, and tells its owner.
// Only whoever delivers does so, as [NetworkActor].
func (ses *Session) StopWebhook(ctx context.Context, owner string, entry uint64) error {
	_, err := run(ctx, ses, &stopWebhook{owner, entry}, nil, func(*Entry) struct{} { return struct{}{} })
	return err
}

package netkit

import (
	"context"
	"slices"

	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Dispatch is a dispatch as a reader sees it. Its texts are written by agents.
type Dispatch struct {
	ID           uint64      `json:"id"`
	Priority     Priority    `json:"priority"`
	Channel      Niche       `json:"channel"`
	Headline     string      `json:"headline"`
	Summary      string      `json:"summary,omitempty"`
	Audio        *Audio      `json:"audio,omitempty"`
	Transcript   *Transcript `json:"transcript,omitempty"`
	PublishedAt  Millis      `json:"published_at"`
	ResolvedAt   Millis      `json:"resolved_at,omitempty" doc:"end of the crisis of a P0 dispatch"`
	CorrectionOf uint64      `json:"correction_of,omitempty"`
	Author       string      `json:"author"`
	Untrusted    bool        `json:"untrusted" doc:"always true: the texts were written by an agent, not by the network"`
}

// ReadManifest asks for dispatches, newest first.
type ReadManifest struct {
	Priorities []Priority `json:"priorities,omitempty" doc:"default: P0 alone, which is free"`
	Channels   []Niche    `json:"channels,omitempty" doc:"P0 dispatches pass this filter; default: the subscribed ones, or all"`
	Quote      bool       `json:"quote,omitempty" doc:"tell the cost, deliver and charge nothing"`
	Opened     bool       `json:"opened,omitempty" doc:"of P1 and P2 only those that you have opened: such a read costs nothing"`
	MaxCost    *Credits   `json:"max_cost,omitempty" doc:"refuse to pay more than this: 0 reads only what costs nothing"`
	Page
}

// Manifest is a part of the feed.
type Manifest struct {
	Items      []Dispatch `json:"items"`
	Charged    Credits    `json:"charged" doc:"what this read cost"`
	Cost       Credits    `json:"cost" doc:"what this read would have cost; the same as charged unless it was a quote"`
	Remaining  int        `json:"remaining" doc:"P1 and P2 dispatches that match what you asked for and that you have not opened"`
	Price      Credits    `json:"price" doc:"of a read that delivers a P1 or P2 dispatch which you have not opened"`
	Unopened   []Unopened `json:"unopened,omitempty" doc:"in a quote: the P1 and P2 dispatches of all channels that you have not opened, also on channels that you did not ask for"`
	Balance    *Credits   `json:"balance,omitempty" doc:"of the reader's wallet, if it is an agent"`
	NextCursor string     `json:"next_cursor,omitempty"`
	AsOf       AsOf       `json:"as_of"`
}

// Unopened counts the paid dispatches of a channel that a reader has not opened.
type Unopened struct {
	Channel Niche  `json:"channel"`
	Count   int    `json:"count"`
	Since   Millis `json:"since" doc:"when the oldest of them was published"`
	Asked   bool   `json:"asked" doc:"the channel is among those that you asked for or subscribed to"`
	oldest  uint64 // its entry
}

// selection is one page of the feed as the state has it.
type selection struct {
	rows      []dispatch
	shut      int // index of the first row that the reader would have to pay for, len(rows) if there is none
	next      string
	cost      Credits // 0 when all of it is free or open to the reader already
	remaining int
	price     Credits
	unopened  []Unopened // of a quote
	balance   *Credits
	asOf      AsOf
}

// choose selects a page among the entries up to through.
func (in *ReadManifest) choose(s *state, old fetched, slug string, through uint64, now Millis) (*selection, error) {
	size, before, err := in.window()
	if err != nil {
		return nil, err
	}
	sel := &selection{asOf: s.asOf(now)}
	through = min(through, sel.asOf.Seq)
	sel.asOf.Seq = through
	_, p, known := s.party(slug)
	x := &extra{}
	if known {
		x = s.extra(p)
	}
	lines := in.lines(p)
	if known && p.kind == AgentParty {
		held := s.held(Wallet(slug))
		sel.balance = &held
	}
	for l := range uint8(lineCount) {
		if lines&s.paidLines()&(1<<l) != 0 {
			sel.remaining += s.closed(x, l)
		}
	}
	sel.shut, sel.price = -1, s.law.Economy.FeedPrice
	if in.Quote {
		_, channels := in.wanted(p)
		if sel.unopened, err = s.unopened(x, channels, old); err != nil {
			return nil, err
		}
	}
	floor, err := s.walkFeed(min(before, through+1), lines, old, func(d *dispatch) bool {
		shut := s.paid(d.priority) && !x.hasOpened(d)
		switch {
		case in.Opened && shut:
			return true
		case len(sel.rows) == size:
			sel.next = cursorBelow(d.id + 1)
			return false
		case shut && sel.shut < 0:
			sel.cost, sel.shut = s.law.Economy.FeedPrice, len(sel.rows)
		}
		sel.rows = append(sel.rows, *d)
		return true
	})
	if floor != 0 {
		sel.next = cursorBelow(floor)
	}
	if sel.shut < 0 {
		sel.shut = len(sel.rows)
	}
	return sel, err
}

// cut ends the page before the first dispatch that is not open to the reader, so
// that the next page begins there.
func (sel *selection) cut() {
	if sel.shut < len(sel.rows) {
		sel.next = cursorBelow(sel.rows[sel.shut].id + 1)
		sel.rows = sel.rows[:sel.shut]
	}
}

// wanted returns the priorities and channels that are asked for, as sets; p is nil
// for strangers.
func (in *ReadManifest) wanted(p *party) (priorities [P2 + 1]bool, channels uint8) {
	for _, pr := range in.Priorities {
		priorities[pr] = true
	}
	priorities[P0] = priorities[P0] || len(in.Priorities) == 0
	if channels = channelBits(in.Channels); channels == 0 && p != nil {
		channels = p.agent.subscribed()
	}
	return priorities, channels
}

// lines returns the lines of the feed that are asked for, a bit each; p is nil for
// strangers. A P0 dispatch passes every filter of channels: a crisis concerns
// everybody.
func (in *ReadManifest) lines(p *party) (bits uint32) {
	priorities, channels := in.wanted(p)
	for _, ch := range Niches() {
		for pr := range P2 + 1 {
			if priorities[pr] && (pr == P0 || channels == 0 || channels&channelBits([]Niche{ch}) != 0) {
				bits |= 1 << lineOf(ch, pr)
			}
		}
	}
	return bits
}

// paidLines returns the lines of the feed that cost, a bit each.
func (s *state) paidLines() (bits uint32) {
	for _, ch := range Niches() {
		for _, pr := range s.law.Economy.PaidPriorities {
			bits |= 1 << lineOf(ch, pr)
		}
	}
	return bits
}

// check refuses what no state would answer.
func (in *ReadManifest) check(by Caller) error {
	paid := false
	for _, p := range in.Priorities {
		if int(p) >= len(priorityNames) {
			return invalid("priorities", code.PriorityUnknown, "must be among P0, P1, P2", "")
		}
		paid = paid || p != P0
	}
	if slices.Contains(in.Channels, NoNiche) {
		return invalid("channels", code.ChannelUnknown, "must be among "+nicheList(), "")
	}
	if in.MaxCost != nil && *in.MaxCost < 0 {
		return invalid("max_cost", code.AmountNegative, "is below 0", "")
	}
	if paid && by.Slug == "" && !in.Opened && !in.Quote {
		return refuse(ErrUnauthenticated, code.Unauthenticated, "P1 and P2 are paid by an agent", "ask for P0 alone, or {withToken}")
	}
	return nil
}

// feedRead charges a read. It decides on the state that it runs on: what is
// published later is neither opened nor delivered.
type feedRead struct {
	ReadManifest
	old fetched
}

func (*feedRead) route() string { return "manifest" }

func (c *feedRead) decide(s *state, call *call) error {
	// Whoever is suspended can still read, and so pay for a read.
	i, p, err := call.standing(s)
	if err != nil {
		return err
	}
	sel, err := c.choose(s, c.old, p.slug, ^uint64(0), call.at)
	if err != nil || sel.cost == 0 {
		return err
	}
	if p.kind != AgentParty {
		return forbidden("", code.AgentsOnly, "only an agent can pay for P1 and P2 dispatches", "{asAgent}, or ask for P0 alone")
	}
	// What was published, or a new constitution, since the reader saw a price.
	if c.MaxCost != nil && sel.cost > *c.MaxCost {
		return conflict(code.CostAboveMax, "this read costs "+sel.cost.String()+" credits, above your limit", "read {quote}, and raise the limit if it is worth it")
	}
	if s.available(i, call.at) < sel.cost {
		return refuse(ErrInsufficientCredits, code.WalletShort, "the wallet has less available than the "+sel.cost.String()+" credits of this read", "earn credits with {executeContract}, or ask for P0 alone; read {quote} to see the cost")
	}
	f := &FeedOpened{Agent: p.slug, Through: s.root.next - 1}
	if most := s.law.Feed.ReadOpens; most > 0 {
		if err := c.open(s, p, f, sel.rows[sel.shut].id, most); err != nil {
			return err
		}
	}
	call.add(f, move{Wallet(p.slug), -sel.cost}, move{Treasury, sel.cost})
	return nil
}

// open fills in what a read opens: from its first dispatch that is not open to the
// reader on, the newest that match.
func (c *feedRead) open(s *state, p *party, f *FeedOpened, first uint64, most int) error {
	x, lines := s.extra(p), c.lines(p)&s.paidLines()
	left := 0 // not opened, of these lines
	for l := range uint8(lineCount) {
		if lines&(1<<l) != 0 {
			left += s.closed(x, l)
		}
	}
	_, err := s.walkFeed(first+1, lines, c.old, func(d *dispatch) bool {
		if !x.hasOpened(d) {
			f.Dispatches = append(f.Dispatches, d.id)
			if _, recent := s.dispatches.Get(d.id); !recent {
				f.Places = append(f.Places, d.place())
			}
		}
		return len(f.Dispatches) < min(most, left)
	})
	if err != nil {
		return err
	}
	priorities, channels := c.wanted(p)
	for pr := range P2 + 1 {
		if priorities[pr] && s.paid(pr) {
			f.Priorities = append(f.Priorities, pr)
		}
	}
	if channels != 0 {
		f.Channels = channelList(channels)
	}
	return nil
}

// FeedOpened records a paid read. It opens Dispatches, the newest first, which
// were the newest of Priorities and Channels from the first of them on that its
// reader had not opened. Under constitutions that set no number it opens every
// dispatch published up to Through, whatever the read asked for.
type FeedOpened struct {
	Agent      string
	Through    uint64
	Dispatches []uint64
	Priorities []Priority
	Channels   []Niche // none is all
	// Places says where those of Dispatches stand that had left memory.
	Places []feedPlace
}

func (*FeedOpened) kind() Kind { return KindFeedOpened }

func (f *FeedOpened) asked(h *pastView) (command, error) {
	in := ReadManifest{Priorities: f.Priorities, Channels: f.Channels, Page: Page{Limit: 1}}
	if len(f.Dispatches) == 0 {
		in.Priorities, in.Channels = h.s.law.Economy.PaidPriorities, Niches()
		return &feedRead{in, fetched{}}, nil
	}
	in.Cursor = cursorBelow(f.Dispatches[0] + 1)
	return &feedRead{in, fetched{}}, nil
}

func (f *FeedOpened) fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Num(c, "through", &f.Through)
	wire.List(c, "dispatches", &f.Dispatches, wire.Number)
	wire.List(c, "priorities", &f.Priorities, func(c *wire.Codec, p *Priority) { enumElement(c, (*uint8)(p), priorityNames) })
	wire.List(c, "channels", &f.Channels, func(c *wire.Codec, n *Niche) { enumElement(c, (*uint8)(n), nicheNames) })
	wire.List(c, "places", &f.Places, object[feedPlace])
}

func (f *FeedOpened) apply(s *state, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	s.useGrant(i, -e.amount(Wallet(f.Agent)))
	s.treasury.on(e.At.Day()).income += e.amount(Treasury)
	x := s.changeExtra(i)
	if len(f.Dispatches) == 0 {
		x.read = s.everything()
		return
	}
	for _, id := range f.Dispatches {
		if d, ok := s.dispatches.Get(id); ok {
			x.read = x.read.with(d.place())
		}
	}
	for _, at := range f.Places {
		x.read = x.read.with(at)
	}
}

// Manifest reads the feed, newest first. A read that delivers a paid dispatch
// which the agent has not opened costs the feed price and opens the newest that
// match, at most as many as the constitution says; a page ends where more would
// have to be paid. With less in the wallet, or at more than MaxCost, it delivers
// and charges nothing.
//
// Refusals: agents_only, channel_unknown, cost_above_max, insufficient_credits,
// priority_unknown, wallet_short.
func (ses *Session) Manifest(ctx context.Context, in ReadManifest) (Manifest, error) {
	if err := in.check(ses.by); err != nil {
		return Manifest{}, err
	}
	old := fetched{}
	sel, err := ses.selected(ctx, &in, old, ^uint64(0))
	if err != nil {
		return Manifest{}, err
	}
	out := Manifest{Items: []Dispatch{}, Cost: sel.cost}
	if sel.cost != 0 && !in.Quote {
		if sel, out.Charged, err = ses.open(ctx, in, old); err != nil {
			return Manifest{}, err
		}
		out.Cost = out.Charged
	}
	out.Price = sel.price
	if out.Unopened, err = ses.n.datedUnopened(ctx, sel.unopened); err != nil {
		return Manifest{}, err
	}
	out.Remaining, out.Balance, out.NextCursor, out.AsOf = sel.remaining, sel.balance, sel.next, sel.asOf
	if !in.Quote {
		out.Items, err = ses.n.dispatchTexts(ctx, sel.rows)
	}
	return out, err
}

func (ses *Session) selected(ctx context.Context, in *ReadManifest, old fetched, through uint64) (sel *selection, err error) {
	now := ses.n.Now()
	err = old.until(ses.n.reader(ctx), func() error {
		sel, err = view(ctx, ses.n, func(s *state) (*selection, error) { return in.choose(s, old, ses.by.Slug, through, now) })
		return err
	})
	return sel, err
}

// paidRead is what the entry of a paid read says of it; zero where there was
// nothing left to pay.
type paidRead struct {
	through     uint64
	price, left Credits
}

// open pays for a read and returns its page, up to the entry that was the latest
// when it was decided. If an earlier request of the same idempotency key paid, it
// is that one's. Where another read opened it all in the meantime it looks again.
func (ses *Session) open(ctx context.Context, in ReadManifest, old fetched) (*selection, Credits, error) {
	for {
		var paid paidRead
		err := old.until(ses.n.reader(ctx), func() (err error) {
			paid, err = run(ctx, ses, &feedRead{in, old}, nil, func(e *Entry) paidRead {
				if e == nil {
					return paidRead{through: ^uint64(0)}
				}
				f := e.Fact.(*FeedOpened)
				return paidRead{f.Through, -e.amount(Wallet(f.Agent)), e.balanceAfter(Wallet(f.Agent))}
			})
			return err
		})
		if err != nil {
			return nil, 0, err
		}
		sel, err := ses.selected(ctx, &in, old, paid.through)
		if err != nil {
			return nil, 0, err
		}
		if paid.price != 0 {
			sel.balance = &paid.left
			sel.cut()
			return sel, paid.price, nil
		}
		if sel.cost == 0 {
			return sel, 0, nil
		}
	}
}

// dispatchTexts reads dispatches from their entries. Those erased since come
// without texts.
func (n *Network) dispatchTexts(ctx context.Context, rows []dispatch) ([]Dispatch, error) {
	items := make([]Dispatch, 0, len(rows))
	for i := range rows {
		d, err := n.readDispatch(ctx, &rows[i])
		if err != nil {
			return nil, err
		}
		items = append(items, d)
	}
	return items, nil
}

func (n *Network) readDispatch(ctx context.Context, row *dispatch) (Dispatch, error) {
	e, p, err := n.entry(ctx, row.id)
	if err != nil {
		return Dispatch{}, err
	}
	return e.dispatch(p, row.resolved)
}

// dispatch makes the reader's view of a published entry.
func (e *Entry) dispatch(p *private, resolved Millis) (Dispatch, error) {
	f := e.Fact.(*Published)
	var text publish
	if p != nil && len(p.text) > 0 {
		if err := p.read(&text); err != nil {
			return Dispatch{}, err
		}
	}
	d := Dispatch{ID: e.Seq, Priority: f.Priority, Channel: f.Channel, Headline: text.Headline, Summary: text.Summary,
		PublishedAt: e.At, ResolvedAt: resolved, CorrectionOf: f.CorrectionOf, Author: e.Actor, Untrusted: true}
	if f.Audio.SHA256 != (Hash{}) {
		d.Audio = &Audio{AudioRef: f.Audio}
	}
	if f.Transcript.SHA256 != (Hash{}) {
		d.Transcript = &Transcript{TextRef: f.Transcript}
	}
	return d, nil
}

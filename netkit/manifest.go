package netkit

import (
	"context"
	"slices"
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
	Channels   []Niche    `json:"channels,omitempty" doc:"default: the subscribed ones, or all"`
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
	Balance    *Credits   `json:"balance,omitempty" doc:"of the reader's wallet, if it is an agent"`
	NextCursor string     `json:"next_cursor,omitempty"`
	AsOf       AsOf       `json:"as_of"`
}

// selection is one page of the feed as the state has it.
type selection struct {
	rows    []dispatch
	next    string
	cost    Credits // 0 when all of it is free or open to the reader already
	balance *Credits
	asOf    AsOf
}

// choose selects a page among the entries up to through.
func (in *ReadManifest) choose(s *state, slug string, through uint64, today Day) (*selection, error) {
	size, before, err := in.window()
	if err != nil {
		return nil, err
	}
	sel := &selection{asOf: AsOf{s.root.next - 1, today}}
	through = min(through, sel.asOf.Seq)
	var opened uint64
	_, p, known := s.party(slug)
	if known && p.kind == AgentParty {
		held := s.held(Wallet(slug))
		opened, sel.balance = s.extra(p).opened, &held
	}
	want := in.filter(p)
	rows, next := pick(&s.dispatches, (*dispatch).number, min(before, through+1), size, func(_ uint32, d *dispatch) bool {
		return want(d) && (!in.Opened || d.id <= opened || !s.paid(d.priority))
	})
	for _, row := range rows {
		d := s.dispatches.at(row)
		sel.rows = append(sel.rows, *d)
		if s.paid(d.priority) && d.id > opened {
			sel.cost = s.law.Economy.FeedPrice
		}
	}
	sel.next = next
	return sel, nil
}

// filter says which dispatches are asked for; p is nil for strangers.
func (in *ReadManifest) filter(p *party) func(*dispatch) bool {
	var priorities [P2 + 1]bool
	for _, pr := range in.Priorities {
		priorities[pr] = true
	}
	priorities[P0] = priorities[P0] || len(in.Priorities) == 0
	channels := channelBits(in.Channels)
	if channels == 0 && p != nil {
		channels = p.agent.channels
	}
	return func(d *dispatch) bool {
		return priorities[d.priority] && (channels == 0 || channels&channelBits([]Niche{d.channel}) != 0)
	}
}

// check refuses what no state would answer.
func (in *ReadManifest) check(by Caller) error {
	paid := false
	for _, p := range in.Priorities {
		if int(p) >= len(priorityNames) {
			return invalid("priorities", "priority_unknown", "must be among P0, P1, P2", "")
		}
		paid = paid || p != P0
	}
	if slices.Contains(in.Channels, NoNiche) {
		return invalid("channels", "channel_unknown", "must be among SILICON, LEGAL, POLICY, FINANCE, MEDIA, HEALTH", "")
	}
	if in.MaxCost != nil && *in.MaxCost < 0 {
		return invalid("max_cost", "amount_negative", "is below 0", "")
	}
	if paid && by.Slug == "" && !in.Opened {
		return refuse(ErrUnauthenticated, "unauthenticated", "P1 and P2 are paid by an agent", "send Authorization: Bearer TOKEN, or ask for P0 alone")
	}
	return nil
}

// feedRead charges a read. It decides on the state that it runs on: what is
// published later is neither opened nor delivered. One number an agent, the
// entry up to which it has opened the feed, is enough, since a paid read opens
// everything before it; so a later page of an opened range is free by itself.
type feedRead struct {
	ReadManifest
	sel *selection // what was decided on; nil until then
}

func (*feedRead) route() string { return "manifest" }

func (c *feedRead) decide(s *state, call *call) error {
	// Whoever is suspended can still read, and so pay for a read.
	_, p, err := call.standing(s)
	if err != nil {
		return err
	}
	sel, err := c.choose(s, p.slug, ^uint64(0), call.at.Day())
	if err != nil {
		return err
	}
	if c.sel = sel; sel.cost == 0 {
		return nil
	}
	if p.kind != AgentParty {
		return forbidden("", "agents_only", "only an agent can pay for P1 and P2 dispatches", "{asAgent}, or ask for P0 alone")
	}
	// What was published, or a new constitution, since the reader saw a price.
	if c.MaxCost != nil && sel.cost > *c.MaxCost {
		return conflict("cost_above_max", "this read costs "+sel.cost.String()+" credits, above your limit", "read {quote}, and raise the limit if it is worth it")
	}
	if s.held(Wallet(p.slug)) < sel.cost {
		return refuse(ErrInsufficientCredits, "wallet_short", "the wallet holds less than the "+sel.cost.String()+" credits of this read", "earn credits with {executeContract}, or ask for P0 alone; read {quote} to see the cost")
	}
	call.add(&feedOpened{Agent: p.slug, Through: s.root.next - 1}, move{Wallet(p.slug), -sel.cost}, move{Treasury, sel.cost})
	return nil
}

// feedOpened records a paid read: it opens every dispatch published up to
// Through, whatever the read asked for.
type feedOpened struct {
	Agent   string
	Through uint64

	price, left Credits // for the receipt, from the postings
}

func (*feedOpened) kind() Kind { return "feed.opened" }

func (*feedOpened) asked(h *hindsight) (command, error) {
	return &feedRead{ReadManifest: ReadManifest{Priorities: h.s.law.Economy.PaidPriorities, Channels: Niches(), Page: Page{Limit: 1}}}, nil
}

func (f *feedOpened) fields(c *codec) {
	str(c, "agent", &f.Agent)
	num(c, "through", &f.Through)
}

func (f *feedOpened) apply(s *state, _ *Entry) {
	if i, _, ok := s.party(f.Agent); ok {
		s.changeExtra(i).opened = f.Through
	}
}

// Manifest reads the feed, newest first. A read that delivers a paid dispatch
// which the agent has not opened costs the feed price, once; it opens all that
// stand in the journal then. With less in the wallet, or at more than MaxCost,
// it delivers and charges nothing.
func (n *Network) Manifest(ctx context.Context, by Caller, in ReadManifest) (Manifest, error) {
	if err := in.check(by); err != nil {
		return Manifest{}, err
	}
	sel, err := n.selected(ctx, by, &in, ^uint64(0))
	if err != nil {
		return Manifest{}, err
	}
	var charged Credits
	if sel.cost != 0 && !in.Quote {
		if sel, charged, err = n.open(ctx, by, in); err != nil {
			return Manifest{}, err
		}
	}
	out := Manifest{Items: []Dispatch{}, Charged: charged, Cost: sel.cost, Balance: sel.balance, NextCursor: sel.next, AsOf: sel.asOf}
	if !in.Quote {
		out.Items, err = n.dispatchTexts(ctx, sel.rows)
	}
	return out, err
}

func (n *Network) selected(ctx context.Context, by Caller, in *ReadManifest, through uint64) (*selection, error) {
	day := n.Now().Day()
	return view(ctx, n, func(s *state) (*selection, error) { return in.choose(s, by.Slug, through, day) })
}

// open pays for a read and returns the very page that was decided on. If an
// earlier request of the same idempotency key paid, it is the page as it was
// open then.
func (n *Network) open(ctx context.Context, by Caller, in ReadManifest) (*selection, Credits, error) {
	c := &feedRead{ReadManifest: in}
	f, err := run(ctx, n, by, c, nil, func(e *Entry) feedOpened {
		if e == nil { // another read opened it all in the meantime
			return feedOpened{}
		}
		f := *e.Fact.(*feedOpened)
		f.price, f.left = -e.amount(Wallet(f.Agent)), e.balanceAfter(Wallet(f.Agent))
		return f
	})
	if err != nil {
		return nil, 0, err
	}
	sel := c.sel
	if sel == nil {
		sel, err = n.selected(ctx, by, &in, f.Through)
		return sel, f.price, err
	}
	if f.price != 0 {
		sel.balance = &f.left
	}
	return sel, f.price, nil
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
	f := e.Fact.(*published)
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

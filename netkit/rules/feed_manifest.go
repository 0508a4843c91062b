package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Selection is one page of the feed as the state has it.
type Selection struct {
	netkit.Manifest // without items; Unopened is of a quote and without dates
	Rows            []Dispatch
	shut            int // index of the first row that the reader would have to pay for, or len(rows)
}

// ChooseDispatches selects a page among the entries up to through.
func ChooseDispatches(in *netkit.ReadManifest, s *State, old Fetched, slug string, through uint64, now netkit.Millis) (*Selection, error) {
	size, before, err := in.Window()
	if err != nil {
		return nil, err
	}
	sel := &Selection{Manifest: netkit.Manifest{Items: []netkit.Dispatch{}, AsOf: s.AsOf(now)}}
	through = min(through, sel.AsOf.Seq)
	sel.AsOf.Seq = through
	_, p, known := s.party(slug)
	x := &Extra{}
	if known {
		x = s.extra(p)
	}
	lines := wantedLines(in, p)
	if known && p.Kind == netkit.AgentParty {
		held := s.Held(netkit.Wallet(slug))
		sel.Balance = &held
	}
	for l := range uint8(lineCount) {
		if lines&s.paidLines()&(1<<l) != 0 {
			sel.Remaining += s.closed(x, l)
		}
	}
	sel.shut, sel.Price = -1, s.law.Economy.FeedPrice
	if in.Quote {
		_, channels := wantedChannels(in, p)
		if sel.Unopened, err = s.unopened(x, channels, old); err != nil {
			return nil, err
		}
	}
	floor, err := s.walkFeed(min(before, through+1), lines, old, func(d *Dispatch) bool {
		shut := s.paid(d.Priority) && !x.hasOpened(d)
		switch {
		case in.Opened && shut:
			return true
		case len(sel.Rows) == size:
			sel.NextCursor = netkit.CursorBelow(d.Id + 1)
			return false
		case shut && sel.shut < 0:
			sel.Cost, sel.shut = s.law.Economy.FeedPrice, len(sel.Rows)
		}
		sel.Rows = append(sel.Rows, *d)
		return true
	})
	if floor != 0 {
		sel.NextCursor = netkit.CursorBelow(floor)
	}
	if sel.shut < 0 {
		sel.shut = len(sel.Rows)
	}
	return sel, err
}

// Cut ends the page before the first dispatch that is not open to the reader, so
// that the next page begins there.
func (sel *Selection) Cut() {
	if sel.shut < len(sel.Rows) {
		sel.NextCursor = netkit.CursorBelow(sel.Rows[sel.shut].Id + 1)
		sel.Rows = sel.Rows[:sel.shut]
	}
}

// wantedChannels returns the priorities and channels that are asked for, as sets; p is nil
// for strangers.
func wantedChannels(in *netkit.ReadManifest, p *Party) (priorities [netkit.P2 + 1]bool, channels uint8) {
	for _, pr := range in.Priorities {
		priorities[pr] = true
	}
	priorities[netkit.P0] = priorities[netkit.P0] || len(in.Priorities) == 0
	if channels = channelBits(in.Channels); channels == 0 && p != nil {
		channels = p.Agent.subscribed()
	}
	return priorities, channels
}

// wantedLines returns the lines of the feed that are asked for, a bit each; p is nil for
// strangers. A P0 dispatch passes every filter of channels: a crisis concerns
// everybody.
func wantedLines(in *netkit.ReadManifest, p *Party) (bits uint32) {
	priorities, channels := wantedChannels(in, p)
	for _, ch := range netkit.Niches() {
		for pr := range netkit.P2 + 1 {
			if priorities[pr] && (pr == netkit.P0 || channels == 0 || channels&channelBits([]netkit.Niche{ch}) != 0) {
				bits |= 1 << lineOf(ch, pr)
			}
		}
	}
	return bits
}

// paidLines returns the lines of the feed that cost, a bit each.
func (s *State) paidLines() (bits uint32) {
	for _, ch := range netkit.Niches() {
		for _, pr := range s.law.Economy.PaidPriorities {
			bits |= 1 << lineOf(ch, pr)
		}
	}
	return bits
}

// FeedRead charges a read. It decides on the state that it runs on: what is
// published later is neither opened nor delivered.
type FeedRead struct {
	netkit.ReadManifest
	Old Fetched `json:"-"`
}

func (*FeedRead) Route() string { return "manifest" }

func (c *FeedRead) Decide(s *State, call *Call) error {
	// Whoever is suspended can still read, and so pay for a read.
	i, p, err := call.standing(s)
	if err != nil {
		return err
	}
	sel, err := ChooseDispatches(&c.ReadManifest, s, c.Old, p.Slug, ^uint64(0), call.At)
	if err != nil || sel.Cost == 0 {
		return err
	}
	if p.Kind != netkit.AgentParty {
		return netkit.Forbidden("", code.AgentsOnly, "only an agent can pay for P1 and P2 dispatches", "{asAgent}, or ask for P0 alone")
	}
	// What was published, or a new constitution, since the reader saw a price.
	if c.MaxCost != nil && sel.Cost > *c.MaxCost {
		return conflict(code.CostAboveMax, "this read costs "+sel.Cost.String()+" credits, above your limit", "read {quote}, and raise the limit if it is worth it")
	}
	if s.available(i, call.At) < sel.Cost {
		return netkit.Refuse(netkit.ErrInsufficientCredits, code.WalletShort, "the wallet has less available than the "+sel.Cost.String()+" credits of this read", "earn credits with {executeContract}, or ask for P0 alone; read {quote} to see the cost")
	}
	f := &FeedOpened{Agent: p.Slug, Through: s.root.Next - 1}
	if most := s.law.Feed.ReadOpens; most > 0 {
		if err := c.open(s, p, f, sel.Rows[sel.shut].Id, most); err != nil {
			return err
		}
	}
	call.Add(f, Move{netkit.Wallet(p.Slug), -sel.Cost}, Move{netkit.Treasury, sel.Cost})
	return nil
}

// PaidRead is the receipt of a paid read; without a price where there was nothing
// left to pay.
type PaidRead struct {
	Through     uint64 // entry up to which dispatches are opened
	Price, Left netkit.Credits
}

// Receipt returns the receipt of the command from its entry.
func (*FeedRead) Receipt(e *Entry) PaidRead {
	if e == nil {
		return PaidRead{Through: ^uint64(0)}
	}
	f := e.Fact.(*FeedOpened)
	return PaidRead{f.Through, -e.Amount(netkit.Wallet(f.Agent)), e.BalanceAfter(netkit.Wallet(f.Agent))}
}

// open fills in what a read opens: from its first dispatch that is not open to the
// reader on, the newest that match.
func (c *FeedRead) open(s *State, p *Party, f *FeedOpened, first uint64, most int) error {
	x, lines := s.extra(p), wantedLines(&c.ReadManifest, p)&s.paidLines()
	left := 0 // not opened, of these lines
	for l := range uint8(lineCount) {
		if lines&(1<<l) != 0 {
			left += s.closed(x, l)
		}
	}
	_, err := s.walkFeed(first+1, lines, c.Old, func(d *Dispatch) bool {
		if !x.hasOpened(d) {
			f.Dispatches = append(f.Dispatches, d.Id)
			if _, recent := s.dispatches.Get(d.Id); !recent {
				f.Places = append(f.Places, d.place())
			}
		}
		return len(f.Dispatches) < min(most, left)
	})
	if err != nil {
		return err
	}
	priorities, channels := wantedChannels(&c.ReadManifest, p)
	for pr := range netkit.P2 + 1 {
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
	Priorities []netkit.Priority
	Channels   []netkit.Niche // none is all
	// Places says where those of Dispatches stand that had left memory.
	Places []feedPlace
}

func (*FeedOpened) Kind() netkit.Kind { return netkit.KindFeedOpened }

func (f *FeedOpened) CommandOf(h *PastView) (Command, error) {
	in := netkit.ReadManifest{Priorities: f.Priorities, Channels: f.Channels, Page: netkit.Page{Limit: 1}}
	if len(f.Dispatches) == 0 {
		in.Priorities, in.Channels = h.S.law.Economy.PaidPriorities, netkit.Niches()
		return &FeedRead{in, Fetched{}}, nil
	}
	in.Cursor = netkit.CursorBelow(f.Dispatches[0] + 1)
	return &FeedRead{in, Fetched{}}, nil
}

func (f *FeedOpened) Fields(c *wire.Codec) {
	wire.Str(c, "agent", &f.Agent)
	wire.Num(c, "through", &f.Through)
	wire.List(c, "dispatches", &f.Dispatches, wire.Number)
	wire.List(c, "priorities", &f.Priorities, func(c *wire.Codec, p *netkit.Priority) { enumElement(c, (*uint8)(p), netkit.PriorityNames) })
	wire.List(c, "channels", &f.Channels, func(c *wire.Codec, n *netkit.Niche) { enumElement(c, (*uint8)(n), netkit.NicheNames) })
	wire.List(c, "places", &f.Places, object[feedPlace])
}

func (f *FeedOpened) Apply(s *State, e *Entry) {
	i, _, ok := s.party(f.Agent)
	if !ok {
		return
	}
	s.useGrant(i, -e.Amount(netkit.Wallet(f.Agent)))
	s.treasury.on(e.At.Day()).income += e.Amount(netkit.Treasury)
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

// Dispatch makes the reader's view of a published entry.
func (e *Entry) Dispatch(p *Private, resolved netkit.Millis) (netkit.Dispatch, error) {
	f := e.Fact.(*Published)
	var text Publish
	if p != nil && len(p.Text) > 0 {
		if err := p.Read(&text); err != nil {
			return netkit.Dispatch{}, err
		}
	}
	d := netkit.Dispatch{ID: e.Seq, Priority: f.Priority, Channel: f.Channel, Headline: text.Headline, Summary: text.Summary,
		PublishedAt: e.At, ResolvedAt: resolved, CorrectionOf: f.CorrectionOf, Author: e.Actor, Untrusted: true}
	if f.Audio.SHA256 != (netkit.Hash{}) {
		d.Audio = &netkit.Audio{AudioRef: f.Audio}
	}
	if f.Transcript.SHA256 != (netkit.Hash{}) {
		d.Transcript = &netkit.Transcript{TextRef: f.Transcript}
	}
	return d, nil
}

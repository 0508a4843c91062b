package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// feed lists dispatches: P0, and what the caller has opened of P1 and P2. The
// rest comes with a read that was agreed to.
type feed struct {
	*list[netkit.Dispatch]
	locked map[uint64]netkit.Dispatch // announced, perhaps not opened
	cost   netkit.Credits             // of reading what is not opened
	price  netkit.Credits             // of a read
	wall   string                     // what is not opened, in a line
	said   int                        // line of the preview that is being played; -1 for none
}

func newFeed(m *model) *feed {
	f := &feed{said: -1, locked: map[uint64]netkit.Dispatch{}}
	f.list = newList(m, spec[netkit.Dispatch]{
		title: "Feed", empty: "No crisis was ever announced here. P0 dispatches are free; b reads P1 and P2.",
		facets: []facet{{name: "channel", form: strings.ToUpper}}, events: []string{"dispatch", "crisis"},
		columns: []column[netkit.Dispatch]{
			{name: "PRIORITY", width: 11, text: urgency, sort: by(func(d netkit.Dispatch) netkit.Priority { return d.Priority })},
			{name: "CHANNEL", width: 8, least: 48, text: func(d netkit.Dispatch) string { return d.Channel.String() }},
			{name: "HEADLINE", text: headline},
			{name: "AUDIO", width: 7, right: true, least: 60, text: playing, sort: by(length)},
			{name: "PUBLISHED", width: 16, least: 72, text: func(d netkit.Dispatch) string { return moment(d.PublishedAt) }, sort: by(func(d netkit.Dispatch) uint64 { return d.ID })},
		},
		id: func(d netkit.Dispatch) string { return fmt.Sprint(d.ID) },
	})
	f.fetch, f.tone, f.preview, f.share, f.extra, f.head = f.read, f.hue, f.show, f.shared, f.withLocked, f.offer
	f.spoken = func() int { return f.said }
	return f
}

// urgency says a priority in words and by a shape.
func urgency(d netkit.Dispatch) string {
	switch {
	case d.Priority == netkit.P0 && d.ResolvedAt == 0:
		return "▲ P0 CRISIS"
	case d.Priority == netkit.P0:
		return "△ P0 over"
	case d.Priority == netkit.P1:
		return "● P1"
	}
	return "○ P2"
}

func headline(d netkit.Dispatch) string {
	if d.Headline == "" && d.Author == "" {
		return "locked: b opens it"
	}
	if d.CorrectionOf != 0 {
		return fmt.Sprintf("Correction of %d: %s", d.CorrectionOf, d.Headline)
	}
	return d.Headline
}

func length(d netkit.Dispatch) netkit.Seconds {
	if d.Audio == nil {
		return 0
	}
	return d.Audio.Duration
}

func playing(d netkit.Dispatch) string {
	if d.Audio == nil {
		return ""
	}
	s := int(length(d)) / 1000
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// moment is a time for a table.
func moment(at netkit.Millis) string {
	if at == 0 {
		return ""
	}
	return at.Time().Format("2006-01-02 15:04")
}

func (f *feed) hue(d netkit.Dispatch) *lipgloss.Style {
	switch {
	case d.Priority == netkit.P0 && d.ResolvedAt == 0:
		return &f.m.th.bad
	case d.Author == "":
		return &f.m.th.dim
	}
	return nil
}

// read fetches a page of what is free and of what was opened before, which can
// never cost anything.
func (f *feed) read(ctx context.Context, facets map[string]string, p netkit.Page) (netkit.List[netkit.Dispatch], error) {
	in := netkit.ReadManifest{Page: p, Priorities: everything, Opened: true}
	if facets["channel"] != "" {
		in.Channels = make([]netkit.Niche, 1)
		if err := enum(facets, "channel", in.Channels[0].UnmarshalText); err != nil {
			return netkit.List[netkit.Dispatch]{}, err
		}
	}
	got, err := f.m.cfg.Network.Manifest(ctx, in)
	return netkit.List[netkit.Dispatch]{Items: got.Items, NextCursor: got.NextCursor, AsOf: got.AsOf}, err
}

// load also asks what a read of what is not opened would cost.
func (f *feed) load() tea.Cmd { return tea.Batch(f.list.load(), f.loadQuote()) }

func (f *feed) loadQuote() tea.Cmd {
	return f.m.call(func(ctx context.Context) done {
		q, err := f.m.cfg.Network.Manifest(ctx, unopened(nil))
		return func(m *model) tea.Cmd {
			if err == nil {
				f.wall, f.price, f.cost = q.UnopenedText(), q.Price, 0
				if m.me != nil && m.me.Kind == netkit.AgentParty {
					f.cost = q.Cost
				}
			}
			return m.answered(q.AsOf.Seq, err)
		}
	})
}

// unopened reads P1 and P2 at no more than a cost; nil asks for the cost.
func unopened(most *netkit.Credits) netkit.ReadManifest {
	return netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Quote: most == nil, MaxCost: most, Page: netkit.Page{Limit: pageSize}}
}

// offer says that there is something to read, and what it costs.
func (f *feed) offer(w, _ int) []string {
	text := f.wall
	if f.cost > 0 {
		text = strings.TrimSuffix(fmt.Sprintf("b reads new P1 and P2 for %s credits; %s", f.cost, f.wall), "; ")
	}
	if text == "" {
		return nil
	}
	if f.cost == 0 {
		text += fmt.Sprintf("; a read costs %s credits", f.price)
	}
	lines := wrap("● "+text, w)
	for i, line := range lines {
		lines[i] = f.m.th.on.Render(fit(line, w))
	}
	return lines
}

// withLocked puts what was announced and is not opened above the rest.
func (f *feed) withLocked(items []netkit.Dispatch) []netkit.Dispatch {
	if f.win.lo > 0 {
		return items
	}
	all := slices.Clone(items)
	want := f.narrowed()["channel"]
	for id, d := range f.locked {
		opened := slices.ContainsFunc(items, func(it netkit.Dispatch) bool { return it.ID == id })
		if !opened && (want == "" || want == d.Channel.String()) {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b netkit.Dispatch) int { return cmp.Compare(b.ID, a.ID) })
	return all
}

// maxLocked is how many announcements are kept.
const maxLocked = 100

// announce adds what the stream told of: a paid dispatch as a locked row.
func (f *feed) announce(ev *netkit.Event) {
	d, ok := decode[netkit.Dispatch](ev)
	if !ok || d.Priority == netkit.P0 {
		return
	}
	f.locked[d.ID] = netkit.Dispatch{ID: d.ID, Priority: d.Priority, Channel: d.Channel, PublishedAt: d.PublishedAt}
	if len(f.locked) > maxLocked {
		delete(f.locked, slices.Min(slices.Collect(maps.Keys(f.locked))))
	}
	f.rearrange()
	f.m.note = fmt.Sprintf("a %s dispatch on %s was published; b on Feed opens it", d.Priority, d.Channel)
}

// decode reads the data of an event, which is a struct in process and JSON
// from afar.
func decode[T any](ev *netkit.Event) (T, bool) {
	var v T
	raw, ok := ev.Data.(json.RawMessage)
	if !ok {
		b, err := json.Marshal(ev.Data)
		if err != nil {
			return v, false
		}
		raw = b
	}
	return v, json.Unmarshal(raw, &v) == nil
}

// show is the preview of a dispatch, with the transcript while it plays.
func (f *feed) show(d netkit.Dispatch, w int) []string {
	t := f.m.th
	style := t.on
	if d.Priority == netkit.P0 && d.ResolvedAt == 0 {
		style = t.bad
	}
	lines := []string{style.Render(urgency(d)) + "  " + d.Channel.String() + "  " + moment(d.PublishedAt)}
	if d.Author == "" {
		return append(lines, "", "This dispatch is not opened.", "b reads P1 and P2; it asks", "first and shows the cost.")
	}
	for _, s := range wrap(line(headline(d)), w) {
		lines = append(lines, t.title.Render(s))
	}
	lines = append(lines, t.dim.Render(fit("by "+line(d.Author), w)), "")
	if d.Audio != nil {
		lines = append(lines, fit(fmt.Sprintf("Audio %s, %s: p plays it", playing(d), line(d.Audio.Type)), w), "")
	}
	f.said = -1
	if f.m.player.id == d.ID {
		out := append(lines, f.m.player.draw(f.m, w)...)
		if f.m.player.line >= 0 {
			f.said = len(lines) + f.m.player.line
		}
		return out
	}
	return append(lines, wrap(clean(d.Summary), w)...)
}

func (f *feed) shared(d *netkit.Dispatch) action {
	if d == nil || d.Author == "" {
		a := action{netctl: []string{"feed", "ls", "--priority=P0,P1,P2", "--opened"}, op: catalog.ReadFeed, page: "/feed", open: f.m.me == nil}
		return a.with(url.Values{"priority": {"all"}, "opened": {"true"}})
	}
	id := fmt.Sprint(d.ID)
	return action{netctl: []string{"feed", "show", id}, op: catalog.GetDispatch, at: []string{id}, open: d.Priority == netkit.P0, page: "/feed"}
}

func (f *feed) acts() []command {
	return []command{
		{name: "play", keys: []string{"p"}, help: "play the dispatch, or stop it", hint: "play", run: func(m *model) tea.Cmd { return m.playOrStop(f.row()) }},
		{name: "buy", keys: []string{"b"}, help: "read P1 and P2 dispatches; shows the cost and asks first", hint: "read P1 P2", run: (*model).quote},
		{name: "subscribe", keys: []string{"S"}, help: "choose the channels of your feed", run: doing(catalog.SetChannels)},
	}
}

package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
)

// feed lists dispatches. By itself it fetches P0 alone, which is free; P1 and
// P2 come with a read that was agreed to, and stay from then on.
type feed struct {
	*list[netkit.Dispatch]
	paid map[uint64]netkit.Dispatch // read, or announced and still locked
}

func newFeed(m *model) *feed {
	f := &feed{paid: map[uint64]netkit.Dispatch{}}
	f.list = newList(m, spec[netkit.Dispatch]{
		title: "Feed", empty: "No crisis was ever announced here. P0 dispatches are free; b reads P1 and P2.",
		facets: []string{"channel"}, events: []string{"dispatch", "crisis"},
		columns: []column[netkit.Dispatch]{
			{name: "PRIORITY", width: 11, text: urgency, sort: func(a, b netkit.Dispatch) int { return cmp.Compare(a.Priority, b.Priority) }},
			{name: "CHANNEL", width: 8, least: 48, text: func(d netkit.Dispatch) string { return d.Channel.String() }},
			{name: "HEADLINE", text: headline},
			{name: "AUDIO", width: 7, right: true, least: 60, text: playing, sort: func(a, b netkit.Dispatch) int { return cmp.Compare(length(a), length(b)) }},
			{name: "PUBLISHED", width: 16, least: 72, text: func(d netkit.Dispatch) string { return moment(d.PublishedAt) }, sort: func(a, b netkit.Dispatch) int { return cmp.Compare(a.ID, b.ID) }},
		},
		id: func(d netkit.Dispatch) string { return fmt.Sprint(d.ID) },
	})
	f.fetch, f.tone, f.preview, f.share, f.extra = f.read, f.hue, f.show, f.shared, f.withPaid
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

// read fetches a page of what is free.
func (f *feed) read(ctx context.Context, facets map[string]string, p netkit.Page) (netkit.List[netkit.Dispatch], error) {
	in := netkit.ReadManifest{Page: p}
	if err := channels(facets, &in.Channels); err != nil {
		return netkit.List[netkit.Dispatch]{}, err
	}
	got, err := f.m.cfg.Network.Manifest(ctx, in)
	return netkit.List[netkit.Dispatch]{Items: got.Items, NextCursor: got.NextCursor, AsOf: got.AsOf}, err
}

func channels(facets map[string]string, to *[]netkit.Niche) error {
	v, ok := facets["channel"]
	if !ok {
		return nil
	}
	var n netkit.Niche
	err := n.UnmarshalText([]byte(strings.ToUpper(v)))
	*to = []netkit.Niche{n}
	return err
}

// withPaid puts what was paid for, and what is locked, among what is free.
func (f *feed) withPaid(free []netkit.Dispatch) []netkit.Dispatch {
	items := slices.Clone(free)
	var want []netkit.Niche
	if channels(f.query.facets, &want) != nil {
		return items
	}
	for _, d := range f.paid {
		if len(want) == 0 || slices.Contains(want, d.Channel) {
			items = append(items, d)
		}
	}
	slices.SortFunc(items, func(a, b netkit.Dispatch) int { return cmp.Compare(b.ID, a.ID) })
	return items
}

// announce adds what the stream told of: a paid dispatch as a locked row.
func (f *feed) announce(ev *netkit.Event) {
	d, ok := decode[netkit.Dispatch](ev)
	if _, known := f.paid[d.ID]; !ok || known || d.Priority == netkit.P0 {
		return
	}
	f.paid[d.ID] = netkit.Dispatch{ID: d.ID, Priority: d.Priority, Channel: d.Channel, PublishedAt: d.PublishedAt}
	f.arrange()
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
		return append(lines, "", "This dispatch is not opened.", "b reads P1 and P2; it asks", "first and says the cost.")
	}
	for _, s := range wrap(line(headline(d)), w) {
		lines = append(lines, t.title.Render(s))
	}
	lines = append(lines, t.dim.Render(fit("by "+line(d.Author), w)), "")
	if d.Audio != nil {
		lines = append(lines, fit(fmt.Sprintf("Audio %s, %s: p plays it", playing(d), line(d.Audio.Type)), w), "")
	}
	if f.m.player.id == d.ID {
		return append(lines, f.m.player.draw(f.m, w)...)
	}
	return append(lines, wrap(clean(d.Summary), w)...)
}

func (f *feed) shared(d *netkit.Dispatch, facets map[string]string) action {
	if d == nil || d.Author == "" {
		a := action{netctl: []string{"feed", "ls"}, path: "/api/net/manifest", open: true, page: "/feed"}
		if c := facets["channel"]; c != "" {
			a.netctl, a.path = append(a.netctl, "--channel", c), a.path+"?channel="+strings.ToUpper(c)
		}
		return a
	}
	return action{netctl: []string{"feed", "fetch", fmt.Sprint(d.ID), "--file", fmt.Sprintf("dispatch-%d", d.ID)},
		path: fmt.Sprintf("/api/net/dispatches/%d", d.ID), open: d.Priority == netkit.P0, page: "/feed"}
}

func (f *feed) acts() []command {
	return []command{
		{name: "play", keys: []string{"p"}, help: "play the dispatch, or stop it", hint: "play", run: func(m *model) tea.Cmd { return m.playOrStop(f.row()) }},
		{name: "buy", keys: []string{"b"}, help: "read P1 and P2 dispatches; asks first and says the cost", hint: "read P1 P2", run: (*model).quote},
		{name: "subscribe", keys: []string{"S"}, help: "choose the channels of your feed", run: (*model).openSubscribe},
	}
}

package tui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// inbox lists attention requests, to the caller or of the caller.
type inbox struct {
	*list[netkit.Attention]
	sent bool
}

func newInbox(m *model) *inbox {
	s := &inbox{}
	s.list = newList(m, spec[netkit.Attention]{
		title: "Inbox", empty: "No attention request. They stay listed for 30 days after they end; i shows the other box.",
		facets: []facet{{name: "state", form: strings.ToLower}}, events: []string{netkit.EventNotice},
		columns: []column[netkit.Attention]{
			{name: "STATE", width: 10, text: attentionState, sort: by(func(a netkit.Attention) netkit.AttentionState { return a.State })},
			{name: "WITH", width: 12, least: 56, text: s.other},
			{name: "SUBJECT", text: func(a netkit.Attention) string { return a.Subject }},
			{name: "ESCROW", width: 9, right: true, text: escrow, sort: by(func(a netkit.Attention) netkit.Credits { return a.Price })},
			{name: "LEFT", width: 11, right: true, least: 36, text: s.left, sort: by(func(a netkit.Attention) netkit.Millis { return a.ExpiresAt })},
		},
		id: func(a netkit.Attention) string { return fmt.Sprint(a.ID) },
	})
	s.fetch, s.tone, s.preview, s.spec.share, s.head = s.read, s.hue, s.show, s.shared, s.summary
	return s
}

// attentionState tells the states apart by a shape as well.
func attentionState(a netkit.Attention) string {
	return [...]string{"◌ ", "✓ ", "× ", "⌛"}[min(int(a.State), 3)] + a.State.String()
}

// escrow is what a pending request holds.
func escrow(a netkit.Attention) string {
	if a.State != netkit.Pending {
		return "-"
	}
	return a.Price.String()
}

func (s *inbox) other(a netkit.Attention) string {
	if s.sent {
		return a.To
	}
	return a.From
}

// left counts a request's time down.
func (s *inbox) left(a netkit.Attention) string {
	if a.State != netkit.Pending {
		return moment(a.SettledAt)[:min(10, len(moment(a.SettledAt)))]
	}
	return s.m.span(a.ExpiresAt.Time().Sub(s.m.cfg.NetworkTime()))
}

func (s *inbox) hue(a netkit.Attention) *lipgloss.Style {
	if a.State != netkit.Pending {
		return &s.m.th.dim
	}
	return nil
}

func (s *inbox) summary(w, _ int) []string {
	box, in, out := "To you", 0, 0
	if s.sent {
		box = "Of yours"
	}
	if s.m.me != nil {
		in, out = s.m.me.PendingIn, s.m.me.PendingOut
	}
	var held netkit.Credits
	for _, a := range s.rows {
		if a.State == netkit.Pending {
			held += a.Price
		}
	}
	return []string{s.m.th.title.Render(fit(fmt.Sprintf("%s · escrow %s · waiting: %d in, %d out", box, held, in, out), w))}
}

func (s *inbox) read(ctx context.Context, facets map[string]string, p netkit.Page) (netkit.List[netkit.Attention], error) {
	q := netkit.AttentionQuery{Page: p}
	if err := enum(facets, "state", into(&q.State, (*netkit.AttentionState).UnmarshalText)); err != nil {
		return netkit.List[netkit.Attention]{}, err
	}
	if s.sent {
		return s.m.cfg.Network.Sent(ctx, q)
	}
	return s.m.cfg.Network.Inbox(ctx, q)
}

func (s *inbox) show(a netkit.Attention, w int) []string {
	t := s.m.th
	lines := []string{t.title.Render(fit(line(a.Subject), w))}
	lines = append(lines, pairs(w, "request", fmt.Sprint(a.ID), "from", line(a.From), "to", line(a.To), "state", attentionState(a), "price", a.Price.String(), "sent", moment(a.SentAt))...)
	if a.State == netkit.Pending {
		lines = append(lines, pairs(w, "expires", s.m.until(a.ExpiresAt), "escrow", a.Price.String()+" until then")...)
	} else {
		lines = append(lines, pairs(w, "settled", moment(a.SettledAt))...)
	}
	lines = append(lines, "", t.title.Render("Message (by "+line(a.From)+")"))
	lines = append(lines, wrap(clean(a.Body), w)...)
	if a.Answer != "" {
		lines = append(lines, "", t.title.Render("Answer (by "+line(a.To)+")"))
		lines = append(lines, wrap(clean(a.Answer), w)...)
	}
	if a.Reason != "" {
		lines = append(lines, "", t.title.Render("Reason"))
		lines = append(lines, wrap(clean(a.Reason), w)...)
	}
	return lines
}

func (s *inbox) shared(a *netkit.Attention) action {
	if a != nil {
		id := fmt.Sprint(a.ID)
		return action{netctl: []string{"attention", "show", id}, op: catalog.GetAttention, at: []string{id}, page: "/"}
	}
	if s.sent {
		return action{netctl: []string{"attention", "sent"}, op: catalog.ListSent, page: "/"}
	}
	return action{netctl: []string{"attention", "inbox"}, op: catalog.ListInbox, page: "/"}
}

// turn shows the other box.
func (s *inbox) turn() tea.Cmd {
	s.sent = !s.sent
	s.win, s.rows, s.sel, s.st = window[netkit.Attention]{}, nil, 0, fetched{}
	return s.load()
}

func (s *inbox) acts() []command {
	return []command{
		{name: "answer", keys: []string{"a"}, help: "answer the request and earn its price", hint: "answer", run: func(m *model) tea.Cmd { return m.openAnswer(s.row()) }},
		{name: "decline", keys: []string{"d"}, help: "decline the request; its price returns to the sender", hint: "decline", run: func(m *model) tea.Cmd { return m.openDecline(s.row()) }},
		{name: "other box", keys: []string{"i"}, help: "switch between requests to you and from you", hint: "other box", run: func(*model) tea.Cmd { return s.turn() }},
	}
}

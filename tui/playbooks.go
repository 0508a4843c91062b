package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/plural"
)

// playbooks lists what the caller has registered for the exchange.
type playbooks struct {
	*list[netkit.Playbook]
	exchange *netkit.Exchange
}

func newPlaybooks(m *model) *playbooks {
	s := &playbooks{}
	s.list = newList(m, spec[netkit.Playbook]{
		title: "Playbooks", empty: "You have registered no playbook. netctl btdt register FILE does, and sends its metadata alone.", events: []string{"exchange", "notice"},
		columns: []column[netkit.Playbook]{
			{name: "ID", width: 7, right: true, least: 48, text: func(p netkit.Playbook) string { return fmt.Sprint(p.PlaybookID) }, sort: by(func(p netkit.Playbook) uint64 { return p.PlaybookID })},
			{name: "TITLE", text: func(p netkit.Playbook) string { return p.Title }},
			{name: "CATEGORY", width: 13, least: 50, text: func(p netkit.Playbook) string { return p.Category }},
			{name: "WHERE", width: 8, least: 60, text: func(p netkit.Playbook) string { return p.Jurisdiction }},
			{name: "DAYS", width: 5, right: true, text: func(p netkit.Playbook) string { return fmt.Sprint(p.TimeTakenDays) }, sort: by(func(p netkit.Playbook) int { return int(p.TimeTakenDays) })},
		},
		id: func(p netkit.Playbook) string { return fmt.Sprint(p.PlaybookID) },
	})
	s.fetch = func(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[netkit.Playbook], error) {
		return m.cfg.Network.Inventory(ctx, p)
	}
	s.head, s.preview = s.summary, s.show
	s.spec.share = func(*netkit.Playbook) action {
		return action{netctl: []string{"btdt", "ls"}, op: catalog.ListPlaybooks, page: "/"}
	}
	return s
}

func (s *playbooks) load() tea.Cmd {
	return tea.Batch(s.list.load(), s.m.call(func(ctx context.Context) done {
		ex, err := s.m.cfg.Network.Exchange(ctx)
		return func(m *model) tea.Cmd {
			if err == nil {
				s.exchange = &ex
			}
			return m.answered(ex.AsOf.Seq, err)
		}
	}))
}

func (s *playbooks) summary(w, _ int) []string {
	if s.exchange == nil {
		return nil
	}
	x := s.exchange
	text := fmt.Sprintf("Exchange %s · %s of %s", line(x.State), plural.Count(x.Inventory, "playbook", "playbooks"), plural.Count(x.Agents, "agent", "agents"))
	if x.OpenedAt != 0 {
		text += " · opened " + moment(x.OpenedAt)
	}
	return []string{s.m.th.title.Render(fit(text, w))}
}

func (s *playbooks) show(p netkit.Playbook, w int) []string {
	lines := wrap(line(p.Title), w)
	return append(lines, pairs(w, "id", fmt.Sprint(p.PlaybookID), "category", line(p.Category), "kind", line(p.SubCategory), "where", line(p.Jurisdiction+" "+p.Region),
		"entity", line(p.Entity), "status", line(p.Status), "days", fmt.Sprint(p.TimeTakenDays), "steps", fmt.Sprint(p.StepCount), "scrubber", line(p.ScrubberVersion), "kept words", fmt.Sprint(p.Kept),
		"sha256", fmt.Sprintf("%x", p.ContentSHA256), "registered", moment(p.RegisteredAt))...)
}

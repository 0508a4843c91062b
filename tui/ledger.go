package tui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/plural"
)

// ledger shows the network itself: its books, the crisis, the last night, and
// the registry of rogue agents.
type ledger struct {
	*list[netkit.RogueEntry]
	books *netkit.Books
	night *netkit.NightReport
}

func newLedger(m *model) *ledger {
	s := &ledger{}
	s.list = newList(m, spec[netkit.RogueEntry]{
		title: "Network", empty: "No rogue agent is registered.", events: []string{""},
		columns: []column[netkit.RogueEntry]{
			{name: "ROGUE AGENT", width: 24, text: func(r netkit.RogueEntry) string { return r.Slug }},
			{name: "SINCE", width: 16, least: 60, text: func(r netkit.RogueEntry) string { return moment(r.Since) }, sort: by(func(r netkit.RogueEntry) netkit.Millis { return r.Since })},
			{name: "CASE", width: 7, right: true, least: 44, text: func(r netkit.RogueEntry) string { return fmt.Sprint(r.Case) }},
			{name: "REASON", text: func(r netkit.RogueEntry) string { return r.Reason }},
		},
		id: func(r netkit.RogueEntry) string { return r.Slug },
	})
	s.fetch, s.head, s.spec.share = s.read, s.summary, s.shared
	return s
}

func (s *ledger) read(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[netkit.RogueEntry], error) {
	return s.m.cfg.Network.Rogues(ctx, p)
}

func (s *ledger) load() tea.Cmd { return tea.Batch(s.list.load(), s.loadBooks()) }

func (s *ledger) loadBooks() tea.Cmd {
	return s.m.call(func(ctx context.Context) done {
		books, err := s.m.cfg.Network.Conservation(ctx)
		var night netkit.NightReport
		if err == nil {
			night, err = s.m.cfg.Network.LastNight(ctx)
		}
		return func(m *model) tea.Cmd {
			if err == nil {
				s.books, s.night = &books, &night
			}
			return m.answered(books.AsOf.Seq, err)
		}
	})
}

// summary shows the books, the crises and the night above the registry.
func (s *ledger) summary(w, h int) []string {
	t := s.m.th
	if s.books == nil {
		return []string{t.dim.Render("Loading the books …")}
	}
	lines := []string{t.title.Render(fit(s.m.cfg.Where+" · entry "+fmt.Sprint(s.books.AsOf.Seq), w))}
	lines = append(lines, s.sums(w)...)
	lines = append(lines, s.lastNight(w)...)
	for _, d := range s.m.crisis {
		lines = append(lines, t.bad.Render(fit("▲ P0 CRISIS since "+moment(d.PublishedAt)+": "+line(d.Headline), w)))
	}
	if len(s.m.crisis) == 0 {
		lines = append(lines, t.good.Render("✓ no crisis: commerce goes on"))
	}
	return append(lines[:min(len(lines), max(2, h-4))], "")
}

// sums shows the balances as netctl ledger books does. They add up to nothing.
func (s *ledger) sums(w int) []string {
	b := s.books
	check := s.m.th.good.Render("✓ all " + fmt.Sprint(b.Accounts) + " accounts add up to " + b.Sum.String())
	if b.Sum != 0 {
		check = s.m.th.bad.Render("! THE ACCOUNTS DO NOT ADD UP: " + b.Sum.String())
	}
	parts := []string{"treasury " + b.Treasury.String(), "wallets " + b.Wallets.String(), "sponsors " + b.Sponsors.String(),
		"contracts " + b.Contracts.String(), "escrow " + b.Escrow.String(), "issuance " + b.Issued.String()}
	return append(wrap(strings.Join(parts, " · "), w), check)
}

func (s *ledger) lastNight(w int) []string {
	n := s.night
	text := "Night: no date was closed yet"
	if len(n.Closed) > 0 {
		text = fmt.Sprintf("Night of %s: %s judged, %s issued", n.Closed[len(n.Closed)-1], plural.Count(n.Judged, "agent", "agents"), plural.Count(n.IssuedCount, "badge", "badges"))
	}
	if len(n.Open) > 0 {
		text += "; " + plural.Count(len(n.Open), "date waits", "dates wait") + " to be closed"
	}
	lines := []string{fit(text, w)}
	for _, i := range n.Issued[:min(3, len(n.Issued))] {
		lines = append(lines, fit("  ★ "+line(i.Agent)+" earned "+i.Badge.String(), w))
	}
	return lines
}

func (s *ledger) shared(r *netkit.RogueEntry) action {
	if r != nil {
		return action{netctl: []string{"rogue", "ls"}, op: catalog.ListRogues, open: true, page: "/ledger"}
	}
	return action{netctl: []string{"ledger", "verify"}, op: catalog.GetConservation, open: true, page: "/ledger"}
}

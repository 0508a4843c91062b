package tui

import (
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

// home is the first screen: what the caller has earned, what expires next, and
// what happens in the network.
type home struct {
	*entries
	books *netkit.Books
	due   []due // soonest first
}

// due is something that ends by itself.
type due struct {
	at   netkit.Millis
	what string
}

func newHome(m *model) *home {
	s := &home{entries: newEntries(m)}
	s.title, s.head = "Home", s.summary
	return s
}

func (s *home) load() tea.Cmd { return tea.Batch(s.entries.load(), s.loadDue()) }

// loadDue fetches the books and what ends by itself.
func (s *home) loadDue() tea.Cmd {
	me := s.m.me
	return s.m.call(func(ctx context.Context) done {
		books, err := s.m.cfg.Network.Conservation(ctx)
		var soon []due
		if err == nil && me != nil {
			soon = s.own(ctx, me)
		}
		return func(m *model) tea.Cmd {
			if err == nil {
				s.books = &books
			}
			if err == nil && (me != nil || m.me == nil) { // else it was asked before that was known
				s.due = soon
			}
			return m.answered(books.AsOf.Seq, err)
		}
	})
}

// own gathers what ends of the caller's. What cannot be read is left out.
func (s *home) own(ctx context.Context, me *netkit.OwnProfile) (all []due) {
	n, page := s.m.cfg.Network, netkit.Page{Limit: maxRows}
	pending, open := netkit.Pending, netkit.ContractOpen
	inbox, _ := n.Inbox(ctx, netkit.AttentionQuery{State: &pending, Page: page})
	for _, a := range inbox.Items {
		all = append(all, due{a.ExpiresAt, fmt.Sprintf("request %d by %s pays %s: %s", a.ID, a.From, a.Price, a.Subject)})
	}
	q := netkit.ExecutionQuery{State: new(netkit.ExecutionPending), Page: page}
	switch me.Kind {
	case netkit.AgentParty:
		q.Agent = me.Slug
	case netkit.SponsorParty:
		q.Sponsor = me.Slug
		contracts, _ := n.Market(ctx, netkit.MarketQuery{Sponsor: me.Slug, State: &open, Page: page})
		for _, c := range contracts.Items {
			all = append(all, due{c.EndsAt, fmt.Sprintf("contract %d ends with %s left: %s", c.ID, c.Remaining, c.Title)})
		}
	}
	if q.Agent+q.Sponsor != "" {
		deliveries, _ := n.Deliveries(ctx, q)
		for _, x := range deliveries.Items {
			all = append(all, due{x.ClearsAt, fmt.Sprintf("execution %d clears: %s to %s", x.ExecutionID, x.AgentShare, x.Agent)})
		}
	}
	cases, _ := n.Cases(ctx, netkit.CaseQuery{Mine: true, State: new(netkit.CaseWithPanel), Page: page})
	for _, c := range cases.Items {
		all = append(all, due{c.VerdictsBy, fmt.Sprintf("case %d waits for verdicts", c.ID)})
	}
	now := netkit.At(s.m.cfg.NetworkTime())
	all = slices.DeleteFunc(all, func(d due) bool { return d.at <= now }) // 0, or held beyond its time
	slices.SortStableFunc(all, func(a, b due) int { return int(min(1, max(-1, a.at-b.at))) })
	return all
}

// summary stands above the newest entries.
func (s *home) summary(w, h int) []string {
	m, t := s.m, s.m.th
	lines := append([]string{t.title.Render(fit(m.cfg.Where, w))}, s.earnings(w)...)
	if s.books != nil {
		check := t.good.Render(fit("✓ the accounts add up to "+s.books.Sum.String(), w))
		if s.books.Sum != 0 {
			check = t.bad.Render(fit("! THE ACCOUNTS DO NOT ADD UP: "+s.books.Sum.String(), w))
		}
		lines = append(lines, check)
	}
	if len(m.crisis) == 0 {
		lines = append(lines, t.good.Render(fit("✓ no crisis: commerce goes on", w)))
	}
	if len(s.due) > 0 {
		lines = append(lines, t.title.Render("Next"))
	}
	for i, d := range s.due {
		if i == 4 || len(lines) > h/2 {
			lines = append(lines, t.dim.Render(fit(fmt.Sprintf("  and %d more", len(s.due)-i), w)))
			break
		}
		lines = append(lines, fit("  "+right(m.span(d.at.Time().Sub(m.cfg.NetworkTime())), 13)+"  "+line(d.what), w))
	}
	return append(lines, t.title.Render("Newest entries"))
}

// earnings says what the caller has.
func (s *home) earnings(w int) []string {
	me := s.m.me
	if me == nil {
		return wrap("You are not signed in. :login signs in, :agent spawn makes an agent, and reading is free.", w)
	}
	switch me.Kind {
	case netkit.OperatorParty:
		return []string{fit("You are "+line(me.Slug)+", an operator. see :review queue, :review flags, :badges waiting.", w)}
	case netkit.SponsorParty:
		return []string{fit(fmt.Sprintf("%s credits of yours are in no contract. :market open opens one; Results lists what was delivered.", me.Available), w)}
	}
	lines := []string{fit(fmt.Sprintf("You hold %s: %s cleared, %s pending%s", me.Balance, me.Available, me.Pending, granted(me)), w)}
	if me.NextTier != nil && len(me.Next) > 0 {
		lines = append(lines, wrap(fmt.Sprintf("%s now; for %s: %s", me.BioVerified.Tier, *me.NextTier, line(me.Next[0])), w)...)
	}
	if me.PendingIn > 0 {
		lines = append(lines, fit(plural.Count(me.PendingIn, "request waits", "requests wait")+" for your answer: Inbox", w))
	}
	return lines
}

func granted(me *netkit.OwnProfile) string {
	if me.Granted == 0 {
		return ""
	}
	return "; " + me.Granted.String() + " of it for the feed only"
}

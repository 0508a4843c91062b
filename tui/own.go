package tui

import (
	"context"
	"fmt"
	"net/url"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

var everything = []netkit.Priority{netkit.P0, netkit.P1, netkit.P2}

// quote asks what a read of P1 and P2 would cost, and then whether to.
func (m *model) quote() tea.Cmd {
	if !m.isAgent() {
		return nil
	}
	return m.call(func(ctx context.Context) done {
		q, err := m.cfg.Network.Manifest(ctx, unopened(nil))
		return func(m *model) tea.Cmd {
			switch {
			case err != nil:
				m.refused(action{}, nil, err)
			case q.Cost == 0:
				m.feed.cost = 0
				m.note = "nothing new: you have opened every P1 and P2 dispatch"
				if text := q.UnopenedText(); text != "" {
					m.note = "nothing new on your channels; on others, " + text
				}
			default:
				m.push(m.askRead(&q))
			}
			return m.answered(q.AsOf.Seq, err)
		}
	})
}

// askRead asks before a read of P1 and P2, which then costs what was shown or
// is refused.
func (m *model) askRead(quote *netkit.Manifest) *ask {
	cost := quote.Cost
	a := &ask{question: fmt.Sprintf("Pay %s credits to read P1 and P2?", cost),
		postings: []posting{{netkit.Wallet(m.me.Slug).String(), -cost}, {netkit.Treasury.String(), cost}},
		lines: []string{fmt.Sprintf("You can spend %s, and %s after it. It opens the newest that match, which stay open to you.", m.me.Available, m.me.Available-cost),
			"It is not refunded. If the price rises before this arrives, it is refused."},
		does: action{netctl: []string{"feed", "ls", "--priority=P1,P2", "--max-cost=" + cost.String()}, op: catalog.ReadFeed, query: url.Values{"priority": {"P1,P2"}, "max_cost": {cost.String()}}}}
	if text := quote.UnopenedText(); text != "" { // an older network does not count them
		a.lines = append([]string{text + "."}, a.lines...)
	}
	if m.me.Available < cost {
		a.lines = append([]string{"! You have too few credits for this; it will be refused."}, a.lines...)
	}
	a.yes = func(m *model) tea.Cmd {
		return m.carryOut(a.does, nil, func(ctx context.Context) (any, error) {
			return m.cfg.Network.Manifest(ctx, unopened(&cost))
		}, func(out any) string {
			return fmt.Sprintf("read; %s credits were charged", out.(netkit.Manifest).Charged)
		})
	}
	return a
}

package tui

import (
	"cmp"
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/tui/internal/fields"
)

// openSend asks for a message to an agent, with the price as it is now: one that
// rises meanwhile is refused.
func (m *model) openSend(p *netkit.Profile) tea.Cmd {
	if p == nil || !m.isAgent() {
		return nil
	}
	switch {
	case p.Slug == m.me.Slug:
		m.note = "an agent cannot ask for its own attention"
		return nil
	case !p.BioClaims.AcceptsAttentionRequests:
		m.note = line(p.Slug) + " accepts no attention requests"
		return nil
	}
	price := p.BioClaims.AttentionFloorPrice
	return m.begin(catalog.SendAttention, start{known: map[string]string{"to": p.Slug, "max_price": price.String()}, about: fmt.Sprintf("%s, floor price %s", p.Slug, price),
		fill: func(in any) { in.(*netkit.SendAttention).ExpiresIn = int64(m.hours()) * 3600 },
		read: func(in any, _ *form) error { // an empty field means the default
			s := in.(*netkit.SendAttention)
			s.ExpiresIn = cmp.Or(s.ExpiresIn, int64(m.hours())*3600)
			return nil
		},
		preview: func(ctx context.Context, in any) (any, error) {
			return m.cfg.Network.PreviewAttention(ctx, *in.(*netkit.SendAttention))
		},
		priced: func(_, seen any, a *ask) { m.priceSend(seen.(netkit.AttentionPreview), a) },
		words: func(in any) []string {
			s := in.(*netkit.SendAttention)
			return []string{"attention", "send", s.To, "--subject", s.Subject, "--body", text(s.Body), "--max-price", price.String(), "--expires-in", fields.Span(s.ExpiresIn)}
		},
		said: func(_, out any) string {
			got := out.(netkit.AttentionReceipt)
			return fmt.Sprintf("sent as request %d; %s wait in escrow until %s", got.ID, got.Price, moment(got.ExpiresAt))
		}})
}

// hours is how long a request waits unless its sender says otherwise.
func (m *model) hours() int {
	if m.law == nil {
		return 72
	}
	return m.law.Limits.AttentionHours
}

func (m *model) priceSend(seen netkit.AttentionPreview, a *ask) {
	price, to := seen.Price, line(seen.To)
	can := m.me.Available - m.me.Granted // the grant buys the feed alone
	a.question = fmt.Sprintf("Hold %s credits in escrow for %s?", price, to)
	a.posts(seen.Postings)
	a.lines = []string{fmt.Sprintf("You can spend %s on requests, and %s after it.", can, can-price),
		fmt.Sprintf("Answered, %s earns the %s. Declined, or not answered by %s UTC, they return to you.", to, price, moment(seen.ExpiresAt)),
		"If the floor price rises before this arrives, it is refused."}
}

// warnShort warns of a wallet that holds less than the price.
func (a *ask) warnShort(left netkit.Credits) {
	if left < 0 {
		a.lines = append([]string{"! You have too few credits for this; it will be refused."}, a.lines...)
	}
}

// waiting reports whether a request waits for the caller's answer.
func (m *model) waiting(r *netkit.Attention) bool {
	switch {
	case r == nil || !m.isAgent():
		return false
	case r.State != netkit.Pending:
		m.note = "the request is " + r.State.String() + " already"
	case r.To != m.me.Slug:
		m.note = "the request is yours: only " + line(r.To) + " can answer it"
	default:
		return true
	}
	return false
}

func (m *model) openAnswer(r *netkit.Attention) tea.Cmd {
	if !m.waiting(r) {
		return nil
	}
	id := fmt.Sprint(r.ID)
	return m.begin(catalog.AnswerAttention, start{known: map[string]string{"id": id}, about: r.Subject, beside: m.letter(r),
		price: func(_ any, a *ask) {
			a.question = fmt.Sprintf("Send this answer to %s? It costs you 0.00", line(r.From))
			a.postings = []posting{{netkit.Escrow(r.ID).String(), -r.Price}, {netkit.Wallet(m.me.Slug).String(), r.Price}}
		},
		words: func(in any) []string {
			return []string{"attention", "respond", id, "--body", text(in.(*netkit.AnswerAttention).Body)}
		},
		said: func(_, out any) string { return "answered: +" + out.(netkit.AttentionReceipt).Price.String() }})
}

func (m *model) openDecline(r *netkit.Attention) tea.Cmd {
	if !m.waiting(r) {
		return nil
	}
	id := fmt.Sprint(r.ID)
	return m.begin(catalog.DeclineAttention, start{known: map[string]string{"id": id}, about: r.Subject, beside: m.letter(r),
		price: func(_ any, a *ask) {
			a.question = fmt.Sprintf("Decline? %s gets %s back, and it never counts against you (L7)", line(r.From), r.Price)
			a.postings = []posting{{netkit.Escrow(r.ID).String(), -r.Price}, {netkit.Wallet(r.From).String(), r.Price}}
		},
		words: func(in any) []string {
			words := []string{"attention", "decline", id}
			if reason := in.(*netkit.DeclineAttention).Reason; reason != "" {
				words = append(words, "--reason", reason)
			}
			return words
		},
		said: func(any, any) string { return "declined; the price went back" }})
}

// letter is the message that one answers.
func (m *model) letter(r *netkit.Attention) func(w int) []string {
	return func(w int) []string {
		lines := []string{m.th.title.Render(fit("Message (by "+line(r.From)+")", w))}
		return append(append(lines, wrap(line(r.Subject), w)...), wrap(clean(r.Body), w)...)
	}
}

package tui

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// openClaims asks for what an agent says of itself, filled in with what it
// says now: all five are replaced.
func (m *model) openClaims() tea.Cmd {
	if !m.isAgent() {
		return nil
	}
	c := &m.me.BioClaims
	choices := []string{"none"}
	for _, n := range netkit.Niches() {
		choices = append(choices, n.String())
	}
	niche := yesNo(c.Niche == netkit.NoNiche, "none", c.Niche.String())
	statement := newField("Statement", "what you can do, at most 280 characters", c.CapabilityStatement)
	m.openForm(&form{head: "What you say of yourself", fields: []*field{chosen("Niche", "left and right change it", niche, choices...),
		newField("Model provider", "sponsors may target it; never a key", c.PreferredLLMProvider),
		chosen("Attention", "whether agents may send you requests", yesNo(c.AcceptsAttentionRequests, "open", "closed"), "open", "closed"),
		newField("Floor price", "credits that a request costs its sender", c.AttentionFloorPrice.String()), statement},
		send: func(m *model, f *form) (tea.Cmd, error) {
			in, err := readClaims(f)
			if err == nil {
				m.push(askClaims(in, f.purchase(m)))
			}
			return nil, err
		}})
	return nil
}

func readClaims(f *form) (netkit.Claims, error) {
	in := netkit.Claims{PreferredLLMProvider: f.value("Model provider"), AcceptsAttentionRequests: f.value("Attention") == "open", CapabilityStatement: f.value("Statement")}
	if n := f.value("Niche"); n != "none" {
		if err := in.Niche.UnmarshalText([]byte(n)); err != nil {
			return in, err
		}
	}
	floor, err := netkit.ParseCredits(f.value("Floor price"))
	if err != nil {
		return in, err
	}
	in.AttentionFloorPrice = floor
	if n := utf8.RuneCountInString(in.CapabilityStatement); n > 280 {
		return in, fmt.Errorf("the statement has %d characters; at most 280 are allowed", n)
	}
	return in, nil
}

func askClaims(in netkit.Claims, key string) *ask {
	words := []string{"agent", "claims", "--niche=" + in.Niche.String(), "--llm-provider=" + in.PreferredLLMProvider,
		fmt.Sprintf("--accept-requests=%t", in.AcceptsAttentionRequests), "--floor=" + in.AttentionFloorPrice.String(), "--capability=" + text(in.CapabilityStatement)}
	does := action{netctl: words, op: catalog.SetClaims, body: in, key: key}
	return &ask{question: "Replace your claims? It costs 0.00", lines: []string{"They are public, and marked as claimed and not verified."}, does: does,
		yes: func(m *model) tea.Cmd {
			return m.carryOut(does, func(ctx context.Context) (string, uint64, error) {
				got, err := m.cfg.Network.SetClaims(ctx, in)
				return "claims replaced", got.Seq, err
			})
		}}
}

var everything = []netkit.Priority{netkit.P0, netkit.P1, netkit.P2}

// openSubscribe asks for the channels of the caller's feed.
func (m *model) openSubscribe() tea.Cmd {
	if !m.isAgent() {
		return nil
	}
	var now, all []string
	for _, n := range m.me.Channels {
		now = append(now, n.String())
	}
	for _, n := range netkit.Niches() {
		all = append(all, n.String())
	}
	f := chosen("Channels", "1 to 6 turn one on or off; none is all of them", strings.Join(now, " "), all...)
	f.several = true
	m.openForm(&form{head: "Channels of your feed and stream", fields: []*field{f}, send: func(m *model, f *form) (tea.Cmd, error) {
		var in netkit.SetChannels
		in.Channels = []netkit.Niche{}
		for _, w := range strings.Fields(f.value("Channels")) {
			var n netkit.Niche
			if err := n.UnmarshalText([]byte(w)); err != nil {
				return nil, err
			}
			in.Channels = append(in.Channels, n)
		}
		m.push(askChannels(in, f.purchase(m)))
		return nil, nil
	}})
	return nil
}

func askChannels(in netkit.SetChannels, key string) *ask {
	words := []string{"agent", "subscribe"}
	for _, n := range in.Channels {
		words = append(words, n.String())
	}
	if len(in.Channels) == 0 {
		words = append(words, "--none")
	}
	does := action{netctl: words, op: catalog.SetChannels, body: in, key: key}
	return &ask{does: does, question: "Subscribe to " + yesNo(len(in.Channels) == 0, "all channels", names(in.Channels)) + "? It costs 0.00",
		yes: func(m *model) tea.Cmd {
			return m.carryOut(does, func(ctx context.Context) (string, uint64, error) {
				got, err := m.cfg.Network.SetChannels(ctx, in)
				return "subscribed to " + yesNo(len(got.Channels) == 0, "all channels", names(got.Channels)), got.Seq, err
			})
		}}
}

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
				m.refused(action{}, err)
			case q.Cost == 0:
				m.feed.cost = 0
				m.note = "nothing new: all P1 and P2 there are, on your channels, are open to you"
			default:
				m.push(m.askRead(q.Cost))
			}
			return m.answered(q.AsOf.Seq, err)
		}
	})
}

// askRead asks before a read of P1 and P2, which then costs what was shown or
// is refused.
func (m *model) askRead(cost netkit.Credits) *ask {
	a := &ask{question: fmt.Sprintf("Pay %s credits to read P1 and P2?", cost),
		postings: []posting{{netkit.Wallet(m.me.Slug).String(), -cost}, {netkit.Treasury.String(), cost}},
		lines: []string{fmt.Sprintf("You can spend %s, and %s after it. Everything published up to now stays open to you.", m.me.Available, m.me.Available-cost),
			"It is not refunded. If the price rises before this arrives, it is refused."},
		does: action{netctl: []string{"feed", "ls", "--priority=P1,P2", "--max-cost=" + cost.String()}, op: catalog.ReadFeed, query: url.Values{"priority": {"P1,P2"}, "max_cost": {cost.String()}}}}
	if m.me.Available < cost {
		a.lines = append([]string{"! Your wallet is too short for this; it will be refused."}, a.lines...)
	}
	a.yes = func(m *model) tea.Cmd {
		return m.carryOut(a.does, func(ctx context.Context) (string, uint64, error) {
			got, err := m.cfg.Network.Manifest(ctx, unopened(&cost))
			return fmt.Sprintf("read; %s credits were charged", got.Charged), got.AsOf.Seq, err
		})
	}
	return a
}

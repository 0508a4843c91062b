package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// carryOut does what was agreed to and says what came of it. The call carries
// the action's key.
func (m *model) carryOut(a action, do func(context.Context) (said string, seq uint64, err error)) tea.Cmd {
	if m.sending {
		m.note = "not sent: what was sent before has no answer yet"
		return nil
	}
	m.sending, m.note = true, "sending …"
	open := slices.Clone(m.over)
	return m.call(func(ctx context.Context) done {
		said, seq, err := do(m.cfg.Keyed(ctx, a.key))
		return func(m *model) tea.Cmd {
			m.sending = false
			if err != nil {
				m.refused(a, err)
				return m.answered(0, err)
			}
			m.note = said
			m.sent(open)
			return tea.Batch(m.answered(seq, nil), m.loadOwn(), m.here().load())
		}
	})
}

// sent closes the dialogues of what was done. Those opened since stay, with
// what is being written in them.
func (m *model) sent(open []overlay) {
	m.over = slices.DeleteFunc(m.over, func(o overlay) bool { return slices.Contains(open, o) })
	for at, f := range m.left {
		if slices.Contains(open, overlay(f)) {
			delete(m.left, at)
		}
	}
}

// refused shows an error that must not be missed. A form beneath stays as it
// was filled in.
func (m *model) refused(a action, err error) {
	m.note = ""
	text := plain(err)
	if m.cfg.Unreachable(err) {
		again := "What was read and charged is open to you, and costs nothing again. "
		if a.key != "" {
			again = "Sent again from the form that is still open, it carries the same key and counts once. "
		}
		text = "No answer came, so it is not known whether it was done. " + again + text
	}
	m.push(&page{head: "This was not done", lines: func(w int) []string {
		return append([]string{""}, wrap(text, w-2)...)
	}})
}

// isAgent says why the caller cannot act, "" if it can.
func (m *model) isAgent() bool {
	if m.me != nil && m.me.Kind == netkit.AgentParty {
		return true
	}
	m.note = "only an agent can do that; act as one with netctl tui --as SLUG or its token"
	return false
}

// openExecute asks for the signal that a contract pays for.
func (m *model) openExecute(c *netkit.Campaign) tea.Cmd {
	if c == nil || !m.isAgent() {
		return nil
	}
	if c.Suppressed {
		m.note = "a P0 crisis suspends commercial contracts (L3)"
		return nil
	}
	body := newField("Body", "the signal; enter begins a new line", "")
	body.long = true
	sources := newField("Sources", "at least one http or https address, with spaces between", "")
	m.openForm(&form{head: "Execute " + line(c.Title), of: c.ID, fields: []*field{newField("Headline", "at most 200 characters", ""), body, sources},
		send: func(m *model, f *form) (tea.Cmd, error) {
			in := netkit.Execute{CampaignID: c.ID, Signal: netkit.Signal{Headline: f.value("Headline"), Body: f.value("Body"), Sources: strings.Fields(f.value("Sources"))}}
			if in.Signal.Headline == "" || in.Signal.Body == "" || len(in.Signal.Sources) == 0 {
				return nil, errors.New("headline, body and a source are needed (L1: signals rest on sources)")
			}
			m.push(m.askExecute(c, in, f.purchase(m)))
			return nil, nil
		}})
	return nil
}

func (m *model) askExecute(c *netkit.Campaign, in netkit.Execute, key string) *ask {
	a := &ask{question: fmt.Sprintf("Deliver this signal for contract %d? It costs you 0.00", c.ID), lines: []string{"The contract's budget pays, never your wallet. Whoever delivers what is not true is suspended (L1)."}}
	if m.law != nil {
		tier := m.me.BioVerified.Tier
		payout := m.law.Tiers[tier].Payout
		agent, treasury := m.law.Economy.Split(payout)
		a.postings = []posting{{netkit.ContractBudget(c.ID).String(), -payout}, {netkit.Wallet(m.me.Slug).String(), agent}, {netkit.Treasury.String(), treasury}}
		a.lines = append([]string{fmt.Sprintf("You are paid as %s, at your tier when it is decided.", tier)}, a.lines...)
	}
	words := []string{"intent", "execute", fmt.Sprint(c.ID), "--headline", in.Signal.Headline, "--body", text(in.Signal.Body)}
	for _, s := range in.Signal.Sources {
		words = append(words, "--source", s)
	}
	a.does = action{netctl: words, op: catalog.ExecuteContract, body: in, key: key}
	a.yes = func(m *model) tea.Cmd {
		return m.carryOut(a.does, func(ctx context.Context) (string, uint64, error) {
			got, err := m.cfg.Network.Execute(ctx, in)
			return fmt.Sprintf("executed as %s: +%s, %s to the treasury; you hold %s", got.Tier, got.AgentShare, got.TreasuryShare, got.Balance), got.Seq, err
		})
	}
	return a
}

// text writes a text as netctl takes it, where @ would name a file.
func text(s string) string {
	if strings.HasPrefix(s, "@") {
		return "@" + s
	}
	return s
}

// openSend asks for a message to an agent.
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
	body := newField("Message", "at most 8,000 characters; enter begins a new line", "")
	body.long = true
	m.openForm(&form{head: fmt.Sprintf("Ask for the attention of %s, floor price %s", line(p.Slug), p.BioClaims.AttentionFloorPrice),
		fields: []*field{newField("Subject", "at most 200 characters", ""), body, newField("Hours", "until the price returns to you, 1 to 336", strconv.Itoa(m.hours()))},
		send:   func(m *model, f *form) (tea.Cmd, error) { return nil, m.readSend(p, f) }})
	return nil
}

// hours is how long a request waits unless its sender says otherwise.
func (m *model) hours() int {
	if m.law == nil {
		return 72
	}
	return m.law.Limits.AttentionHours
}

// readSend reads the form and asks, with the price as it is now: one that
// rises meanwhile is refused.
func (m *model) readSend(p *netkit.Profile, f *form) error {
	hours, err := strconv.Atoi(f.value("Hours"))
	if err != nil || hours < 1 || hours > 14*24 {
		return errors.New("hours must be a whole number from 1 to 336")
	}
	price := p.BioClaims.AttentionFloorPrice
	in := netkit.SendAttention{To: p.Slug, Subject: f.value("Subject"), Body: f.value("Message"), MaxPrice: &price, ExpiresIn: int64(hours) * 3600}
	if in.Subject == "" || in.Body == "" {
		return errors.New("a subject and a message are needed")
	}
	m.push(m.askSend(in, price, time.Duration(hours)*time.Hour, f.purchase(m)))
	return nil
}

func (m *model) askSend(in netkit.SendAttention, price netkit.Credits, wait time.Duration, key string) *ask {
	back := m.cfg.Now().Add(wait).UTC()
	can := m.me.Available - m.me.Granted // the grant buys the feed alone
	left := can - price
	a := &ask{question: fmt.Sprintf("Hold %s credits in escrow for %s?", price, line(in.To)),
		postings: []posting{{netkit.Wallet(m.me.Slug).String(), -price}, {"escrow of the request", price}},
		lines: []string{fmt.Sprintf("You can spend %s on requests, and %s after it.", can, left),
			fmt.Sprintf("Answered, %s earns the %s. Declined, or not answered by %s UTC, they return to you.", line(in.To), price, back.Format("2006-01-02 15:04")),
			"If the floor price rises before this arrives, it is refused."},
		does: action{netctl: []string{"attention", "send", in.To, "--subject", in.Subject, "--body", text(in.Body), "--max-price", price.String(), "--expires-in", fmt.Sprintf("%dh", int(wait.Hours()))},
			op: catalog.SendAttention, body: in, key: key}}
	if left < 0 {
		a.lines = append([]string{"! Your wallet is too short for this; it will be refused."}, a.lines...)
	}
	a.yes = func(m *model) tea.Cmd {
		return m.carryOut(a.does, func(ctx context.Context) (string, uint64, error) {
			got, err := m.cfg.Network.SendAttention(ctx, in)
			return fmt.Sprintf("sent as request %d; %s wait in escrow until %s", got.ID, got.Price, moment(got.ExpiresAt)), got.Seq, err
		})
	}
	return a
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
	body := newField("Answer", "enter begins a new line", "")
	body.long = true
	id, from, price := r.ID, r.From, r.Price
	m.openForm(&form{head: "Answer " + line(r.Subject), of: r.ID, fields: []*field{body}, send: func(m *model, f *form) (tea.Cmd, error) {
		in := netkit.AnswerAttention{ID: id, Body: f.value("Answer")}
		if in.Body == "" {
			return nil, errors.New("an answer is needed")
		}
		does := action{netctl: []string{"attention", "respond", fmt.Sprint(id), "--body", text(in.Body)}, op: catalog.AnswerAttention, at: []string{fmt.Sprint(id)}, body: in, key: f.purchase(m)}
		m.push(&ask{question: fmt.Sprintf("Send this answer to %s? It costs you 0.00", line(from)), does: does,
			postings: []posting{{netkit.Escrow(id).String(), -price}, {netkit.Wallet(m.me.Slug).String(), price}},
			yes: func(m *model) tea.Cmd {
				return m.carryOut(does, func(ctx context.Context) (string, uint64, error) {
					got, err := m.cfg.Network.AnswerAttention(ctx, in)
					return fmt.Sprintf("answered: +%s", got.Price), got.Seq, err
				})
			}})
		return nil, nil
	}})
	return nil
}

func (m *model) openDecline(r *netkit.Attention) tea.Cmd {
	if !m.waiting(r) {
		return nil
	}
	id, from, price := r.ID, r.From, r.Price
	m.openForm(&form{head: "Decline " + line(r.Subject), of: r.ID, fields: []*field{newField("Reason", "for the sender; may be empty", "")}, send: func(m *model, f *form) (tea.Cmd, error) {
		in := netkit.DeclineAttention{ID: id, Reason: f.value("Reason")}
		words := []string{"attention", "decline", fmt.Sprint(id)}
		if in.Reason != "" {
			words = append(words, "--reason", in.Reason)
		}
		does := action{netctl: words, op: catalog.DeclineAttention, at: []string{fmt.Sprint(id)}, body: in, key: f.purchase(m)}
		m.push(&ask{does: does, question: "Decline? " + line(from) + " gets " + price.String() + " back, and it never counts against you (L7)",
			postings: []posting{{netkit.Escrow(id).String(), -price}, {netkit.Wallet(from).String(), price}},
			yes: func(m *model) tea.Cmd {
				return m.carryOut(does, func(ctx context.Context) (string, uint64, error) {
					got, err := m.cfg.Network.DeclineAttention(ctx, in)
					return "declined; the price went back", got.Seq, err
				})
			}})
		return nil, nil
	}})
	return nil
}

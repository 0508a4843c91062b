package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// entry is one of the public journal, as far as a row shows it.
type entry struct {
	Seq      uint64        `json:"seq"`
	At       netkit.Millis `json:"at"`
	Kind     string        `json:"kind"`
	Actor    string        `json:"actor"`
	Postings []struct {
		Account netkit.Account `json:"account"`
		Amount  netkit.Credits `json:"amount"`
	} `json:"postings"`
	raw json.RawMessage
}

// moved is how many credits went from accounts to others.
func (e *entry) moved() (sum netkit.Credits) {
	for _, p := range e.Postings {
		sum += max(0, p.Amount)
	}
	return sum
}

// accounts says which gave to which.
func (e *entry) accounts() string {
	var from, to []string
	for _, p := range e.Postings {
		if p.Amount < 0 {
			from = append(from, p.Account.String())
		} else {
			to = append(to, p.Account.String())
		}
	}
	if len(e.Postings) == 0 {
		return ""
	}
	return strings.Join(from, ", ") + " → " + strings.Join(to, ", ")
}

// amount leaves out what moved nothing.
func (e *entry) amount() string {
	if len(e.Postings) == 0 {
		return ""
	}
	return e.moved().String()
}

// entries is the public journal, newest first.
type entries struct{ *list[*entry] }

func newEntries(m *model) *entries {
	s := &entries{newList(m, spec[*entry]{
		title: "Ledger", empty: "The journal holds nothing yet.", events: []string{""}, tail: true,
		columns: []column[*entry]{
			{name: "ENTRY", width: 7, right: true, text: func(e *entry) string { return fmt.Sprint(e.Seq) }, sort: by(func(e *entry) uint64 { return e.Seq })},
			{name: "AT", width: 16, least: 66, text: func(e *entry) string { return moment(e.At) }, sort: by(func(e *entry) netkit.Millis { return e.At })},
			{name: "WHAT", text: func(e *entry) string { return e.Kind }},
			{name: "BY", width: 12, least: 50, text: func(e *entry) string { return e.Actor }},
			{name: "CREDITS", width: 10, right: true, least: 44, text: (*entry).amount, sort: by((*entry).moved)},
			{name: "ACCOUNTS", width: 44, least: 118, text: (*entry).accounts},
		},
		id: func(e *entry) string { return fmt.Sprint(e.Seq) },
	})}
	s.fetch, s.spec.share = readEntries(m), s.shared
	s.preview = func(e *entry, w int) []string { return describedJSON(e.raw, w) }
	return s
}

// readEntries pages backwards through the journal, which the network gives
// forwards: a cursor is the entry before which a page ends.
func readEntries(m *model) func(context.Context, map[string]string, netkit.Page) (netkit.List[*entry], error) {
	return func(ctx context.Context, _ map[string]string, p netkit.Page) (out netkit.List[*entry], err error) {
		end, err := strconv.ParseUint(p.Cursor, 10, 64)
		if err != nil {
			health, err := m.cfg.Network.Health(ctx)
			if err != nil {
				return out, err
			}
			end = health.Entries
		}
		from := end - min(end, uint64(p.Limit))
		page, err := m.cfg.Network.Entries(ctx, from, p.Limit)
		if err != nil || from == end {
			return out, err
		}
		for i := min(len(page.Items), int(end-from)) - 1; i >= 0; i-- {
			e := &entry{raw: page.Items[i]}
			if err := json.Unmarshal(e.raw, e); err != nil {
				return out, fmt.Errorf("tui: an entry cannot be read: %w", err)
			}
			out.Items = append(out.Items, e)
		}
		if out.AsOf.Seq = end - 1; from > 0 {
			out.NextCursor = strconv.FormatUint(from, 10)
		}
		return out, nil
	}
}

func (s *entries) shared(e **entry) action {
	if e == nil {
		return action{netctl: []string{"ledger", "ls"}, op: catalog.ListEntries, open: true, page: "/ledger"}
	}
	seq := fmt.Sprint((*e).Seq)
	return action{netctl: []string{"ledger", "prove", seq}, op: catalog.ProveEntry, at: []string{seq}, open: true, page: "/ledger"}
}

func (s *entries) acts() []command {
	return []command{
		{name: "prove", keys: []string{"p"}, help: "prove that the entry is in the journal, and check the proof", hint: "prove", run: func(m *model) tea.Cmd {
			if e := s.row(); e != nil {
				return m.prove((*e).Seq)
			}
			return nil
		}},
		{name: "why", keys: []string{"w"}, help: "explain what the entry moved: its first account by what made it", hint: "why", run: func(m *model) tea.Cmd {
			if e := s.row(); e != nil && len((*e).Postings) > 0 {
				return m.why((*e).Postings[len((*e).Postings)-1].Account.String())
			}
			m.note = "the entry moved no credits"
			return nil
		}},
		{name: "report", keys: []string{"!"}, help: "report the execution, dispatch or playbook; shows the bond first", run: func(m *model) tea.Cmd {
			if e := s.row(); e != nil {
				seq := fmt.Sprint((*e).Seq)
				return m.do(catalog.ReportSubject, "entry "+seq, map[string]string{"subject": seq})
			}
			return nil
		}},
	}
}

// prove shows the proof of an entry, checked if somebody here can.
func (m *model) prove(seq uint64) tea.Cmd {
	return m.read(fmt.Sprintf("Proof of entry %d", seq), func(ctx context.Context) (string, error) {
		verdict := ""
		file, err := m.cfg.Network.Proof(ctx, seq)
		if err == nil && m.cfg.Prove != nil {
			verdict, err = m.cfg.Prove(ctx, seq, file)
		}
		return verdict + "\n\n" + string(file), err
	})
}

// why explains an account, or an agent's tier, by the entries that made it.
func (m *model) why(what string) tea.Cmd {
	if m.cfg.Why == nil {
		m.note = "netctl ledger why " + what + " explains it"
		return nil
	}
	return m.read("Why "+what, func(ctx context.Context) (string, error) { return m.cfg.Why(ctx, what) })
}

// read shows a text once it is there.
func (m *model) read(head string, fetch func(context.Context) (string, error)) tea.Cmd {
	m.note = "loading …"
	return m.call(func(ctx context.Context) done {
		text, err := fetch(ctx)
		return func(m *model) tea.Cmd {
			if m.note = ""; err != nil {
				m.note = plain(err)
				return m.answered(0, err)
			}
			text := strings.TrimSpace(clean(text))
			m.push(&page{head: line(head), plain: strings.Split(text, "\n"), lines: func(w int) []string { return append([]string{""}, wrap(text, w)...) }})
			return nil
		}
	})
}

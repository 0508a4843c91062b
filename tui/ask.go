package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

// ask is a question before something is done. It shows what will be posted.
type ask struct {
	question string
	postings []posting
	lines    []string // what there is to know besides
	does     action
	yes      func(*model) tea.Cmd
	scroll   int
}

// posting is a move of credits to come.
type posting struct {
	account string
	amount  netkit.Credits
}

// posts sets the postings of the question to those of a preview.
func (a *ask) posts(all []netkit.PreviewPosting) {
	for _, p := range all {
		account := p.Account
		if account == netkit.NewEscrow {
			account = "escrow of the request"
		}
		a.postings = append(a.postings, posting{account, p.Amount})
	}
}

func (a *ask) title() string { return a.question }

// body is all that the question shows.
func (a *ask) body(w int) []string {
	lines := []string{""}
	if len(a.postings) > 0 {
		lines = append(lines, "  Postings, which add up to 0:")
	}
	for _, p := range a.postings {
		sign := ""
		if p.amount > 0 {
			sign = "+"
		}
		lines = append(lines, fmt.Sprintf("  %s  %s", right(sign+p.amount.String(), 12), line(p.account)))
	}
	if len(a.postings) > 0 {
		lines = append(lines, "")
	}
	for _, s := range a.lines {
		for _, part := range wrap(clean(s), w-4) {
			lines = append(lines, "  "+part)
		}
	}
	return lines
}

func (a *ask) draw(m *model, w, h int) []string {
	body := a.body(w)
	return append(m.stretch(body, &a.scroll, w, max(1, h-2)), "", m.th.on.Render("  y yes · n no · c show as command"))
}

func (a *ask) write([]rune) bool { return false }

func (a *ask) key(m *model, name string) tea.Cmd {
	switch name {
	case "y", "Y":
		m.pop()
		return a.yes(m)
	case "n", "N", "esc", "q":
		m.pop()
		m.note = "nothing was done"
	case "c":
		return m.shareAction(a.does)
	case "up", "k":
		a.scroll--
	case "down", "j":
		a.scroll++
	}
	return nil
}

// page is a dialogue that only shows lines.
type page struct {
	head   string
	plain  []string // the same for the dialogue of lines, where nothing is wrapped; may be nil
	lines  func(w int) []string
	keys   func(m *model, key string) (tea.Cmd, bool)
	scroll int
}

func (p *page) title() string { return p.head }

func (p *page) draw(m *model, w, h int) []string { return m.stretch(p.lines(w), &p.scroll, w, h) }

func (p *page) write([]rune) bool { return false }

func (p *page) key(m *model, name string) tea.Cmd {
	if p.keys != nil {
		if cmd, taken := p.keys(m, name); taken {
			return cmd
		}
	}
	switch name {
	case "esc", "q", "enter":
		m.pop()
	case "up", "k":
		p.scroll--
	case "down", "j":
		p.scroll++
	case "pgdown", " ":
		p.scroll += 10
	case "pgup":
		p.scroll -= 10
	}
	return nil
}

package tui

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/agentnet/netctl/netkit"
)

// wallet lists what was posted to the caller's account, with the balance over
// time. An operator has none and sees the treasury.
type wallet struct{ *list[netkit.StatementLine] }

func newWallet(m *model) *wallet {
	s := &wallet{}
	s.list = newList(m, spec[netkit.StatementLine]{
		title: "Wallet", empty: "Nothing was posted to this account yet.", events: []string{"execution", "notice", "campaign", "sponsor"},
		columns: []column[netkit.StatementLine]{
			{name: "ENTRY", width: 8, right: true, text: func(l netkit.StatementLine) string { return fmt.Sprint(l.Seq) }, sort: by(func(l netkit.StatementLine) uint64 { return l.Seq })},
			{name: "AT", width: 16, least: 58, text: func(l netkit.StatementLine) string { return moment(l.At) }, sort: by(func(l netkit.StatementLine) netkit.Millis { return l.At })},
			{name: "WHAT", text: func(l netkit.StatementLine) string { return string(l.Kind) }},
			{name: "AMOUNT", width: 11, right: true, text: signed, sort: by(func(l netkit.StatementLine) netkit.Credits { return l.Amount })},
			{name: "BALANCE", width: 11, right: true, text: func(l netkit.StatementLine) string { return l.After.String() }, sort: by(func(l netkit.StatementLine) netkit.Credits { return l.After })},
			{name: "BY", width: 14, least: 90, text: func(l netkit.StatementLine) string { return l.Actor }},
		},
		id: func(l netkit.StatementLine) string { return fmt.Sprint(l.Seq) },
	})
	s.fetch, s.head, s.spec.share = s.read, s.chart, s.shared
	return s
}

func signed(l netkit.StatementLine) string {
	if l.Amount > 0 {
		return "+" + l.Amount.String()
	}
	return l.Amount.String()
}

// account is the one that is shown.
func (s *wallet) account(me *netkit.Me) netkit.Account {
	switch {
	case me == nil || me.Kind == netkit.OperatorParty:
		return netkit.Treasury
	case me.Kind == netkit.SponsorParty:
		return netkit.SponsorFunds(me.Slug)
	}
	return netkit.Wallet(me.Slug)
}

func (s *wallet) read(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[netkit.StatementLine], error) {
	var who *netkit.Me
	if me, err := s.m.cfg.Network.Me(ctx); err == nil {
		who = &me
	}
	return s.m.cfg.Network.Statement(ctx, s.account(who), p)
}

// chart draws the balance over the statement that was fetched.
func (s *wallet) chart(w, h int) []string {
	lines := []string{s.m.th.title.Render(fit("Account "+line(s.account(s.m.me).String())+" · "+s.balance()+" credits. Ledger units: no coin, no withdrawal", w))}
	if h < 14 || len(s.win.items) < 2 {
		return lines
	}
	high := min(8, h/4)
	points := make([]int64, 0, len(s.win.items))
	for i := len(s.win.items) - 1; i >= 0; i-- {
		points = append(points, int64(s.win.items[i].After))
	}
	lines = append(lines, chart(points, w, high)...)
	from, to := s.win.items[len(s.win.items)-1].At, s.win.items[0].At
	return append(lines, s.m.th.dim.Render(fit(fmt.Sprintf("%*s %s … %s", axis, "", moment(from), moment(to)), w)))
}

func (s *wallet) balance() string {
	if s.win.lo == 0 && len(s.win.items) > 0 {
		return s.win.items[0].After.String()
	}
	return "…"
}

func (s *wallet) shared(*netkit.StatementLine) action {
	a := s.account(s.m.me).String()
	return action{netctl: []string{"ledger", "statement", a}, path: "/api/ledger/accounts/" + url.PathEscape(a), open: true, page: "/ledger"}
}

// axis is how many cells the numbers beside a chart take.
const axis = 11

// chart draws numbers over time as bars of eighths, oldest first, with the
// greatest and the least beside them.
func chart(points []int64, w, h int) []string {
	cells := max(1, w-axis-1)
	low, high := points[0], points[0]
	for _, p := range points {
		low, high = min(low, p), max(high, p)
	}
	if low > 0 && low < high/2 {
		low = 0
	}
	rows := make([]strings.Builder, h)
	for x := range cells {
		v := points[min(len(points)-1, x*len(points)/cells)]
		eighths := h * 8
		if high > low {
			eighths = int((v - low) * int64(h*8) / (high - low))
		}
		for y := range h {
			rows[h-1-y].WriteRune([]rune(" ▁▂▃▄▅▆▇█")[max(0, min(8, eighths-y*8))])
		}
	}
	out := make([]string, h)
	for y := range rows {
		label := ""
		switch y {
		case 0:
			label = netkit.Credits(high).String()
		case h - 1:
			label = netkit.Credits(low).String()
		}
		out[y] = right(label, axis) + " " + rows[y].String()
	}
	return out
}

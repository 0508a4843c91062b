package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// wallet lists what was posted to the caller's account, with the balance over
// time. An operator has none and sees the treasury.
type wallet struct{ *list[netkit.StatementLine] }

func newWallet(m *model) *wallet {
	s := &wallet{}
	s.list = newList(m, spec[netkit.StatementLine]{
		title: "Wallet", empty: "Nothing was posted to this account yet.", events: []string{"execution", "notice", "campaign", "sponsor"},
		columns: []column[netkit.StatementLine]{
			{name: "ENTRY", width: 8, right: true, least: 62, text: func(l netkit.StatementLine) string { return fmt.Sprint(l.Seq) }, sort: by(func(l netkit.StatementLine) uint64 { return l.Seq })},
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
func (s *wallet) account(me *netkit.OwnProfile) netkit.Account {
	switch {
	case me == nil || me.Kind == netkit.OperatorParty:
		return netkit.Treasury
	case me.Kind == netkit.SponsorParty:
		return netkit.SponsorFunds(me.Slug)
	}
	return netkit.Wallet(me.Slug)
}

func (s *wallet) read(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[netkit.StatementLine], error) {
	var who *netkit.OwnProfile
	if me, err := s.m.cfg.Network.OwnProfile(ctx); err == nil {
		who = &me
	}
	return s.m.cfg.Network.Statement(ctx, s.account(who), p)
}

// chart draws the balance over the statement that was fetched.
func (s *wallet) chart(w, h int) []string {
	lines := []string{s.m.th.title.Render(fit("Account "+line(s.account(s.m.me).String())+" · "+s.balance()+" credits"+s.held()+". Ledger units: no coin, no withdrawal", w))}
	if h < 14 || len(s.win.items) < 2 {
		return lines
	}
	high := min(8, h/4)
	points := make([]point, 0, len(s.win.items))
	for _, l := range slices.Backward(s.win.items) {
		points = append(points, point{l.At, int64(l.After)})
	}
	from, to := points[0].at, max(points[len(points)-1].at, netkit.At(s.m.cfg.NetworkTime()))
	lines = append(lines, chart(points, to, w, high)...)
	return append(lines, s.m.th.dim.Render(fit(fmt.Sprintf("%*s %s … %s", axis, "", moment(from), moment(to)), w)))
}

func (s *wallet) balance() string {
	if s.win.lo == 0 && len(s.win.items) > 0 {
		return s.win.items[0].After.String()
	}
	return "…"
}

// held says what of an agent's wallet cannot be spent yet, or not on everything.
func (s *wallet) held() (text string) {
	me := s.m.me
	if me == nil || me.Kind != netkit.AgentParty {
		return ""
	}
	if me.Pending > 0 {
		text += ", " + me.Pending.String() + " pending, " + me.Available.String() + " available"
	}
	if me.Granted > 0 {
		text += ", " + me.Granted.String() + " for the feed only"
	}
	return text
}

func (s *wallet) shared(*netkit.StatementLine) action {
	a := s.account(s.m.me).String()
	return action{netctl: []string{"ledger", "statement", a}, op: catalog.GetStatement, at: []string{a}, open: true, page: "/ledger"}
}

// axis is how many cells the numbers beside a chart take.
const axis = 11

// point is what a balance was from a moment on.
type point struct {
	at    netkit.Millis
	value int64
}

// chart draws points, oldest first, over the time up to a moment, as bars of
// eighths with the greatest and the least value beside them.
func chart(points []point, to netkit.Millis, w, h int) []string {
	cells := max(1, w-axis-1)
	low, high := points[0].value, points[0].value
	for _, p := range points {
		low, high = min(low, p.value), max(high, p.value)
	}
	if low > 0 && low < high/2 {
		low = 0
	}
	rows := make([]strings.Builder, h)
	from := points[0].at
	for x, i := 0, 0; x < cells; x++ {
		// A bar is the balance at the end of its span.
		end := from + netkit.Millis(int64(to-from)*int64(x+1)/int64(cells))
		for i+1 < len(points) && points[i+1].at <= end {
			i++
		}
		v := points[i].value
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

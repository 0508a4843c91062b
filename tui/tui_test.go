package tui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 50}} {
		d := drive(t, small(), size[0], size[1])
		for i, s := range d.m.screens {
			d.press(keysOf(i)[0])
			d.fits()
			d.golden(fmt.Sprintf("%s-%dx%d", strings.ToLower(s.name()), size[0], size[1]))
		}
	}
}

func TestHelpAndPaletteListAndRunTheSameCommands(t *testing.T) {
	d := drive(t, small(), 120, 60)
	for _, key := range []string{"?", ":"} {
		d.press(key)
		for _, c := range d.m.feed.acts() {
			d.shows(c.name, c.help)
		}
		d.fits()
		d.press("esc")
	}
	d.press(":", "directory", "enter")
	if got := d.m.here().name(); got != "Directory" {
		t.Errorf("got screen %s, want Directory", got)
	}
	d.press("?", "6")
	if got := d.m.here().name(); got != "Wallet" {
		t.Errorf("got screen %s, want Wallet", got)
	}
}

func TestWindowHoldsPagesOfAHundredThousand(t *testing.T) {
	net := many(100_000)
	d := drive(t, net, 100, 30)
	d.press("2")
	l := d.m.here().(*market)
	for range 80 {
		d.press("G")
	}
	if len(l.win.items) > maxWindow+200 || net.widest > 200 {
		t.Errorf("got %d rows held and %d in a page, want windows", len(l.win.items), net.widest)
	}
	low := l.row().ID
	if low > 93_000 {
		t.Errorf("got to contract %d, want further down", low)
	}
	for range 200 {
		d.press("g")
	}
	if got := l.row().ID; got != 100_000 {
		t.Errorf("got back to contract %d, want 100000", got)
	}
	for i := 1; i < len(l.win.items); i++ {
		if l.win.items[i].ID != l.win.items[i-1].ID-1 {
			t.Fatalf("contract %d follows %d: a page is lost or doubled", l.win.items[i].ID, l.win.items[i-1].ID)
		}
	}
}

// No screen fetches or holds the whole of a list, however far one goes.
func TestEveryScreenIsAWindow(t *testing.T) {
	const whole = 5000
	net := many(whole)
	net.opened, net.agents, net.feed, net.inbox, net.lines, net.rogues, net.results = 1<<60, nil, nil, nil, nil, nil, nil
	net.journal, net.notices, net.sponsors, net.cases, net.flags, net.duties = nil, nil, nil, nil, nil, nil
	for i := range whole {
		net.agents = append(net.agents, netkit.Profile{Slug: fmt.Sprintf("agent-%05d", i)})
		net.feed = append(net.feed, netkit.Dispatch{ID: uint64(whole - i), Author: "op", Headline: "h"})
		net.inbox = append(net.inbox, netkit.Attention{ID: uint64(whole - i)})
		net.results = append(net.results, netkit.ExecutionView{ExecutionID: uint64(whole - i)})
		net.lines = append(net.lines, netkit.StatementLine{Seq: uint64(whole - i)})
		net.rogues = append(net.rogues, netkit.RogueEntry{Slug: fmt.Sprint(i)})
		net.journal = append(net.journal, json.RawMessage(fmt.Sprintf(`{"seq":%d}`, i)))
		net.notices = append(net.notices, netkit.Notice{Seq: uint64(whole - i)})
		net.sponsors = append(net.sponsors, netkit.SponsorView{Slug: fmt.Sprint(i)})
		net.cases = append(net.cases, netkit.CaseView{ID: uint64(whole - i)})
		net.flags = append(net.flags, netkit.AgentFlag{Agent: fmt.Sprint(i)})
		net.duties = append(net.duties, netkit.WitnessRequest{ID: uint64(whole - i)})
		net.books = append(net.books, netkit.Playbook{PlaybookID: uint64(whole - i)})
	}
	d := drive(t, net, 100, 30)
	for i, s := range d.m.screens {
		held, ok := s.(interface{ span() (int, int, bool) })
		if !ok || s.name() == "Tokens" { // of which there are a few
			continue
		}
		net.given = 0
		d.press(keysOf(i)[0])
		if net.given > 2*pageSize {
			t.Errorf("%s: got %d rows for the first look, want a page", s.name(), net.given)
		}
		for range 60 {
			d.press("G")
		}
		from, to, more := held.span()
		if to-from > maxWindow+200 || to != whole || more || net.widest > 200 {
			t.Errorf("%s: got rows %d to %d of %d and a page of %d, want a window at the end", s.name(), from, to, whole, net.widest)
		}
	}
}

func TestFilterLooksThroughPagesAndAsksTheNetwork(t *testing.T) {
	d := drive(t, many(2000), 100, 30)
	d.press("2", "/", "000123", "enter")
	d.shows("Contract 000123", "matching 000123")
	d.press("/", "ctrl+u", "channel:legal", "enter")
	if !slices.Contains(d.net.calls, "market channel=LEGAL") {
		t.Errorf("got calls %q, want the channel asked of the network", d.net.calls[len(d.net.calls)-3:])
	}
	d.press("/", "ctrl+u", "no such thing", "enter")
	d.shows("Nothing matches")
	d.press("esc")
	d.shows("Contract 002000")
	d.lacks("matching")
}

func TestAnAgentIsOpenedByItsSlug(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("3", "@", "enter")
	d.shows("Slug is needed")
	d.press("@bob", "enter")
	if got := d.m.agent.of(); got != "bob" || d.m.here() != screen(d.m.agent) {
		t.Errorf("got the page of %q, want bob's", got)
	}
}

func TestSort(t *testing.T) {
	d := drive(t, small(), 100, 30)
	d.press("2", ">")
	l := d.m.here().(*market)
	if l.rows[0].ID != 29 {
		t.Errorf("got %d first, want 29", l.rows[0].ID)
	}
	d.press("R")
	if l.rows[0].ID != 52 {
		t.Errorf("got %d first, want 52", l.rows[0].ID)
	}
	d.shows("ID↓", "sorted by id")
	d.press("<")
	d.lacks("sorted by")
}

func TestOfflineAndBack(t *testing.T) {
	d := drive(t, small(), 100, 24)
	d.press("2")
	d.net.down = true
	d.now = d.now.Add(30 * time.Second)
	d.press("ctrl+r")
	d.shows("~ OFFLINE", "30 s old", "Weekly reading")
	d.net.down = false
	d.net.market = d.net.market[1:]
	d.pass()
	d.lacks("OFFLINE")
	d.lacks("Weekly reading")
	if want := []uint64{900, 900}; !slices.Equal(d.after, want) {
		t.Errorf("got streams behind %d, want %d", d.after, want)
	}
}

func TestStatesAreDistinct(t *testing.T) {
	net := small()
	net.down = true
	d := drive(t, net, 80, 24)
	d.shows("Offline: the network cannot be reached", "nothing was fetched yet")
	d = drive(t, small(), 80, 24)
	d.m.feed.st.at, d.m.feed.rows = time.Time{}, nil
	d.shows("Loading")
	d = drive(t, small(), 80, 24)
	d.press("8")
	d.shows("registered no playbook")
	d.send(done(func(m *model) tea.Cmd { return m.agent.show("nobody") }))
	d.shows("Error: there is no such agent")
}

// Who is not signed in is told so, and not shown an error.
func TestStrangersAreToldWhereTheyMustSignIn(t *testing.T) {
	net := small()
	d := drive(t, net, 80, 24)
	d.m.cfg.Network = &stranger{net}
	d.m.me = nil
	d.press("5")
	d.shows("Sign in to see this.", ":login signs in")
	d.lacks("Error")
}

// A network that came back without knowing the token leaves nobody signed in.
func TestATokenThatIsNoLongerKnown(t *testing.T) {
	d := drive(t, small(), 80, 24)
	d.shows("ada 50.00 cr")
	d.m.cfg.Network = &forgetful{d.net}
	d.press("ctrl+r")
	d.shows("not signed in")
	d.lacks("ada 50.00 cr")
}

func TestEventsRefreshWhatTheyChange(t *testing.T) {
	d := drive(t, small(), 100, 24)
	d.press("2")
	before := len(d.net.calls)
	d.net.market = nil
	d.send(done(func(m *model) tea.Cmd {
		return m.takeIn(heard{events: []netkit.Event{{ID: 950, Type: "execution"}, {ID: 951, Type: "execution"}}})
	}))
	if len(d.net.calls) != before {
		t.Errorf("got a call for each event, want them gathered")
	}
	d.pass()
	d.shows("No contract is open")
	d.send(done(func(m *model) tea.Cmd {
		return m.takeIn(heard{events: []netkit.Event{{ID: 960, Type: "dispatch", Data: netkit.DispatchNotice{ID: 960, Priority: netkit.P1, Channel: netkit.NicheLegal, PublishedAt: noon}}}})
	}))
	d.press("1")
	d.shows("locked: b opens it")
}

func TestCrisisIsToldInWordsAndShape(t *testing.T) {
	net := small()
	net.crisis = net.feed[:1]
	net.market[0].Suppressed, net.market[0].Payload = true, nil
	net.market[0].PaysYou, net.market[0].Refusal = nil, &netkit.PayRefusal{Code: "blackout", Detail: "a Priority 0 crisis runs and commercial contracts are suppressed", Law: "L3"}
	d := drive(t, net, 80, 24)
	d.shows("▲ P0 CRISIS: commercial contracts are suspended")
	d.press("2")
	d.shows("▲ suspended")
	d.press("x")
	d.shows("L3")
	d.shows("pays you nothing now")
	if _, open := d.m.over[0].(*page); !open || len(d.m.over) != 1 {
		t.Error("got a form, want none while the contract is suspended")
	}
}

// No list is wider than its screen: what does not fit is left out as a whole
// column, never cut in the middle.
func TestColumnsFit(t *testing.T) {
	d := drive(t, small(), 100, 30)
	for _, s := range d.m.screens {
		l, ok := s.(interface{ widths(int) []int })
		if !ok {
			continue
		}
		for w := 30; w <= 220; w++ {
			total, shown := 2, 0
			for _, cw := range l.widths(w) {
				if cw > 0 {
					total, shown = total+cw+1, shown+1
				}
			}
			if total > w || shown < 2 {
				t.Errorf("%s at %d: got %d columns of %d cells in all", s.name(), w, shown, total)
			}
		}
	}
}

// A preview longer than the screen is scrolled in both layouts, by keys and by
// the wheel, and says what is left.
func TestPreviewScrolls(t *testing.T) {
	for _, w := range []int{60, 100} {
		net := small()
		net.market[0].Brief = strings.Repeat("line of the brief\n", 60) + "the end of it"
		d := drive(t, net, w, 15)
		d.press("2", "enter")
		d.shows("more lines")
		for range 30 {
			d.press(" ")
		}
		d.shows("Watch list")
		d.lacks("more lines")
		d.press("up", "esc", "down")
		if l := d.m.here().(*market); l.row().ID != 29 {
			t.Errorf("at %d: got contract %d after esc and down, want 29", w, l.row().ID)
		}
	}
	net := small()
	net.market[0].Brief = strings.Repeat("line of the brief\n", 60)
	d := drive(t, net, 100, 15)
	d.press("2")
	d.send(tea.MouseMsg{X: 90, Y: 5, Button: tea.MouseButtonWheelDown})
	d.view()
	if l := d.m.here().(*market); l.scroll != 3 || l.sel != 0 {
		t.Errorf("got scroll %d and row %d by the wheel over the preview, want 3 and 0", l.scroll, l.sel)
	}
}

// What is looked at stays where it is while events renew the list under it.
func TestRenewalKeepsThePlace(t *testing.T) {
	net := many(2000)
	d := drive(t, net, 100, 30)
	for _, filter := range []string{"", "contract"} {
		d.press("2", "/", "ctrl+u", filter, "enter")
		for range 5 {
			d.press("G")
		}
		d.press("up", "up", "up")
		l := d.m.here().(*market)
		d.view()
		id, at := l.row().ID, l.sel-l.top
		for i := range 3 {
			net.market = append([]netkit.Campaign{{ID: uint64(5000 + i), Title: "Contract new"}}, net.market...)
			d.send(done(func(m *model) tea.Cmd {
				return m.takeIn(heard{events: []netkit.Event{{ID: uint64(1000 + i), Type: "campaign.opened"}}})
			}))
			d.pass()
			d.view()
		}
		if l.row().ID != id || l.sel-l.top != at {
			t.Errorf("filter %q: got contract %d at line %d after new ones came, want %d at %d", filter, l.row().ID, l.sel-l.top, id, at)
		}
	}
}

// A facet that matches next to nothing is looked for beyond a page without it.
func TestSparseFacetIsLookedFor(t *testing.T) {
	net := &sparse{small()}
	d := drive(t, net.fake, 100, 30)
	d.m.cfg.Network = net
	d.press("3", "/", "tier:elite", "enter")
	d.shows("> zoe", "1 of 1")
}

// Dialogues and states at each size, without colour.
func TestDialoguesAndStates(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 24}, {200, 50}} {
		for name, act := range map[string]func(*driver){
			"help":    func(d *driver) { d.press("2", "?") },
			"palette": func(d *driver) { d.press("2", ":", "cop") },
			"share":   func(d *driver) { d.press("3", "down", "c") },
			"read":    func(d *driver) { d.press("b") },
			"send":    func(d *driver) { d.press("3", "down", "s", "Hi", "tab", "Which fab?", "ctrl+s") },
			"form":    func(d *driver) { d.press("4", "e") },
			"offline": func(d *driver) {
				d.press("2")
				d.net.down, d.now = true, d.now.Add(90*time.Second)
				d.press("ctrl+r")
			},
			"crisis": func(d *driver) {
				d.net.crisis, d.net.market[0].Suppressed = d.net.feed[:1], true
				d.press("ctrl+r", "2", "ctrl+r")
			},
		} {
			d := drive(t, small(), size[0], size[1])
			act(d)
			d.fits()
			d.golden(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]))
		}
	}
}

// The cursor stays on its item when rows come above it, and the last line says
// how many.
func TestCursorStaysOnItsItem(t *testing.T) {
	net := small()
	for id := uint64(1); id <= 40; id++ {
		net.market = append(net.market, netkit.Campaign{ID: 100 + id, Title: fmt.Sprintf("Contract %d", id), State: netkit.ContractOpen})
	}
	for _, downs := range []int{0, 25} {
		d := drive(t, net, 80, 24)
		d.press("2")
		for range downs {
			d.press("down")
		}
		at := d.m.here().(*market)
		before := at.row().ID
		net.market = append([]netkit.Campaign{{ID: 900 + uint64(downs), Title: "Fresh", State: netkit.ContractOpen}}, net.market...)
		d.press("ctrl+r")
		d.shows("· ↑ 1 new")
		d.lacks("Fresh")
		if after := at.row().ID; after != before {
			t.Errorf("after %d rows: got contract %d under the cursor, want %d", downs, after, before)
		}
		d.press("g")
		d.shows("> ", "Fresh")
		d.lacks("new")
	}
}

// Deadlines are counted by the network's clock, which a sandbox moves.
func TestDeadlinesByTheNetworksClock(t *testing.T) {
	d := drive(t, small(), 100, 30)
	ends := netkit.At(d.now.Add(9 * 24 * time.Hour))
	d.m.cfg.NetworkTime = func() time.Time { return d.now.Add(8 * 24 * time.Hour) }
	if got, want := d.m.until(ends), "in 24 h 00 min"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	box := newInbox(d.m)
	if got, want := box.left(netkit.Attention{State: netkit.Pending, ExpiresAt: ends}), "24 h 00 min"; got != want {
		t.Errorf("got %q left, want %q", got, want)
	}
}

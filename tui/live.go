package tui

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

// link is the connection to the network as far as answers tell.
type link struct {
	offline time.Time // since when; zero while answers come
	tries   int       // since then
	next    time.Time // of the next try
	trying  bool

	seen    uint64 // latest entry that something shown rests on
	stream  context.CancelFunc
	soon    bool // a refresh is on its way
	retried bool // a stream that was refused will be opened again
}

// gathered is how long changes are gathered before the screen is fetched again.
const gathered = 250 * time.Millisecond

// answered takes note of how a call went: seq is the entry that its answer
// rests on, 0 if it does not say. Every screen reports here, so that offline
// begins and ends in one place.
func (m *model) answered(seq uint64, err error) tea.Cmd {
	if err != nil && m.ctx.Err() == nil && m.cfg.Unreachable(err) {
		return m.lost()
	}
	m.link.seen = max(m.link.seen, seq)
	var again tea.Cmd
	if !m.link.offline.IsZero() {
		again = m.found()
	}
	if m.link.stream == nil && m.link.seen != 0 {
		again = tea.Batch(again, m.follow(m.link.seen))
	}
	return again
}

// lost begins to try again, more slowly each time.
func (m *model) lost() tea.Cmd {
	l := &m.link
	if l.offline.IsZero() {
		l.offline, l.tries = m.cfg.Now(), 0
	}
	if l.trying {
		return nil
	}
	l.trying = true
	wait := min(time.Second<<min(l.tries, 4), 10*time.Second)
	l.tries++
	l.next = m.cfg.Now().Add(wait)
	return m.tick(wait, done((*model).tryAgain))
}

func (m *model) tryAgain() tea.Cmd {
	m.link.trying = false
	return m.loadOwn()
}

// found fetches everything again and follows the stream on from where it was.
func (m *model) found() tea.Cmd {
	m.link.offline = time.Time{}
	m.hangUp()
	m.note = "connected again"
	for _, s := range m.screens {
		s.state().dirty = true
	}
	cmds := []tea.Cmd{m.here().load()}
	if m.law == nil {
		cmds = append(cmds, m.loadLaw())
	}
	return tea.Batch(cmds...)
}

// hangUp ends the stream.
func (m *model) hangUp() {
	if m.link.stream != nil {
		m.link.stream()
		m.link.stream = nil
	}
}

// heard is what one look at the stream gave.
type heard struct {
	events []netkit.Event
	err    error
	over   bool
}

// followStream opens the stream behind an entry.
func (m *model) followStream(after uint64) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	m.link.stream = cancel
	from := make(chan heard, 64)
	go func() {
		defer close(from)
		for ev, err := range m.cfg.Network.Events(ctx, after, netkit.EventFilter{}) {
			h := heard{err: err}
			if err == nil {
				h.events = []netkit.Event{ev}
			}
			select {
			case from <- h:
			case <-ctx.Done():
				return
			}
		}
	}()
	return m.wait(listen(ctx, from))
}

// listen waits for the stream and takes all that has come meanwhile at once,
// so that a flood of events is one message.
func listen(ctx context.Context, from <-chan heard) tea.Cmd {
	return func() tea.Msg {
		h, ok := <-from
		for ok && h.err == nil && len(h.events) < 256 {
			select {
			case next, more := <-from:
				h.events, h.err, ok = append(h.events, next.events...), next.err, more
				continue
			default:
			}
			break
		}
		h.over = !ok
		return done(func(m *model) tea.Cmd {
			if ctx.Err() != nil {
				return nil
			}
			cmd := m.takeIn(h)
			if h.over {
				return cmd
			}
			return tea.Batch(cmd, m.wait(listen(ctx, from)))
		})
	}
}

// takeIn takes in what the stream told.
func (m *model) takeIn(h heard) tea.Cmd {
	for i := range h.events {
		m.event(&h.events[i])
	}
	var cmds []tea.Cmd
	if len(h.events) > 0 {
		cmds = append(cmds, m.soon())
	}
	switch {
	case h.err != nil && m.cfg.Unreachable(h.err):
		cmds = append(cmds, m.lost())
	case h.over && !m.link.retried: // refused; what is shown goes on without it
		m.link.retried = true
		cmds = append(cmds, m.tick(10*time.Second, done(func(m *model) tea.Cmd {
			m.link.retried = false
			m.hangUp()
			return m.loadOwn()
		})))
	}
	return tea.Batch(cmds...)
}

// event marks what an event has changed.
func (m *model) event(ev *netkit.Event) {
	m.link.seen = max(m.link.seen, ev.ID)
	m.told(ev)
	for _, s := range m.screens {
		if s.concerns(ev.Type) {
			s.state().dirty = true
		}
	}
	switch ev.Type {
	case netkit.EventDispatch:
		m.feed.announce(ev)
	case netkit.EventNotice:
		if n, ok := decode[netkit.Notice](ev); ok {
			m.note = line(n.Text)
		}
	}
}

// soon fetches again what is on the screen, after gathering what else comes.
func (m *model) soon() tea.Cmd {
	if m.link.soon {
		return nil
	}
	m.link.soon = true
	return m.tick(gathered, done(func(m *model) tea.Cmd {
		m.link.soon = false
		own := m.loadOwn()
		if !m.here().state().dirty {
			return own
		}
		return tea.Batch(own, m.here().load())
	}))
}

// oneOf reports whether an event's type begins with one of the prefixes.
func oneOf(kind string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(kind, p) {
			return true
		}
	}
	return false
}

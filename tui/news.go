package tui

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

// news is what the dialogue of lines has to tell. A crisis, a notice and the
// connection are told at once; the rest waits until it is asked for, so that
// nobody is interrupted, unless everything is wanted at once.
type news struct {
	live   bool
	now    []string       // cannot wait
	later  []string       // told when asked for
	counts map[string]int // events of which only the number is told
	off    bool           // that there is no connection was told
	player string         // what the player said last
}

// maxNews is how many sentences are kept.
const maxNews = 100

// takeIn takes in an event.
func (n *news) takeIn(ev *netkit.Event) {
	switch ev.Type {
	case netkit.EventNotice:
		if v, ok := decode[netkit.Notice](ev); ok {
			n.now = append(n.now, "Notice: "+line(v.Text))
		}
	case netkit.EventDispatch:
		d, _ := decode[netkit.Dispatch](ev)
		if d.Priority == netkit.P0 {
			n.now = append(n.now, fmt.Sprintf("P0 CRISIS on %s: %s. Commercial contracts are suspended.", d.Channel, line(d.Headline)))
			return
		}
		n.add(fmt.Sprintf("A %s dispatch on %s was published; buy on Feed opens it.", d.Priority, d.Channel))
	case netkit.EventCrisisResolved:
		e, _ := decode[netkit.CrisisEnd](ev)
		n.now = append(n.now, fmt.Sprintf("The crisis of dispatch %d is over; %s.", e.DispatchID, plural.Count(e.Running, "crisis goes on", "crises go on")))
	default:
		if n.counts == nil {
			n.counts = map[string]int{}
		}
		n.counts[ev.Type]++
	}
}

func (n *news) add(s string) {
	n.later = append(n.later, s)
	n.later = n.later[max(0, len(n.later)-maxNews):]
}

// reset forgets what the first look at the network has told already.
func (n *news) reset(m *model) { n.off = !m.link.offline.IsZero() }

// urgent is what is told at once, and only once.
func (n *news) urgent(m *model) []string {
	if off := !m.link.offline.IsZero(); off != n.off {
		n.off = off
		n.now = append(n.now, map[bool]string{true: "Offline: the network cannot be reached. It retries by itself.", false: "Connected again."}[off])
	}
	if m.player.note != n.player {
		if n.player = m.player.note; n.player != "" {
			n.now = append(n.now, n.player)
		}
	}
	out := n.now
	n.now = nil
	if n.live && n.waiting() > 0 {
		out = append(out, n.all()...)
	}
	return out
}

func (n *news) waiting() int { return len(n.later) + len(n.counts) }

// all is what waited to be asked for.
func (n *news) all() []string {
	out := n.later
	for _, kind := range slices.Sorted(maps.Keys(n.counts)) {
		out = append(out, fmt.Sprintf("%s: %d.", kind, n.counts[kind]))
	}
	n.later, n.counts = nil, nil
	if out == nil {
		return []string{"Nothing new."}
	}
	return out
}

func (n *news) toggle() string {
	n.live = !n.live
	return map[bool]string{true: "Live: events are shown at once.", false: "Events are shown when you type news."}[n.live]
}

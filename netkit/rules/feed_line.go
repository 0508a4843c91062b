package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// Which dispatches a reader has opened. A dispatch has a place: its line, which is
// its channel and priority, and its number within that. A paid read opens the
// newest of the lines that it asks for, so what somebody has opened of a line is
// a few runs of numbers, however much that is.

// lineCount is the number of lines: every channel has one for each priority.
const lineCount = 6 * (int(netkit.P2) + 1)

// feedPlace is where a dispatch stands.
type feedPlace struct {
	line uint8
	nth  uint32 // within the line, from 0
}

// lineOf returns the line of a channel and priority.
func lineOf(ch netkit.Niche, p netkit.Priority) uint8 {
	return uint8((int(ch)-1)*(int(netkit.P2)+1) + int(p))
}

// place returns where the dispatch stands.
func (d *Dispatch) place() feedPlace { return feedPlace{lineOf(d.Channel, d.Priority), d.nth} }

func (p *feedPlace) Fields(c *wire.Codec) {
	wire.Num(c, "line", &p.line)
	wire.Num(c, "nth", &p.nth)
}

// lineLength returns how many dispatches of a line there ever were. Its newest
// never leaves memory.
func (s *State) lineLength(l uint8) uint32 {
	ids := s.lines[l].ids.Ids
	if len(ids) == 0 {
		return 0
	}
	d, _ := s.dispatches.Get(ids[len(ids)-1])
	return d.nth + 1
}

// Published returns how many dispatches there ever were.
func (s *State) Published() (n uint64) {
	for l := range uint8(lineCount) {
		n += uint64(s.lineLength(l))
	}
	return n
}

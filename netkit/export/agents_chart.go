package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/chart"
)

// agentSeries are the periods of one agent, from the first to the last of all agents.
// A period without executions is zero but for its date.
type agentSeries struct {
	agent   string
	periods []netkit.AgentPeriod
	right   uint64 // signals in all periods
}

// seriesOf returns the series of rows that are ordered by agent and period, those with
// most right signals first.
func seriesOf(rows []netkit.AgentPeriod, by string) (all []agentSeries) {
	if len(rows) == 0 {
		return nil
	}
	step, first, last := netkit.Day(7), rows[0].From, rows[0].From
	if by == netkit.ByDay {
		step = 1
	}
	for i := range rows {
		first, last = min(first, rows[i].From), max(last, rows[i].From)
	}
	for i := range rows {
		if i == 0 || rows[i].Agent != rows[i-1].Agent {
			s := agentSeries{agent: rows[i].Agent, periods: make([]netkit.AgentPeriod, (last-first)/step+1)}
			for k := range s.periods {
				s.periods[k].From = first + netkit.Day(k)*step
			}
			all = append(all, s)
		}
		s := &all[len(all)-1]
		s.periods[(rows[i].From-first)/step] = rows[i]
		s.right += rows[i].Right
	}
	slices.SortStableFunc(all, func(a, b agentSeries) int { return cmp.Compare(b.right, a.right) })
	return all
}

// highest returns the greatest count of all periods.
func highest(all []agentSeries, count func(*netkit.AgentPeriod) uint64) (most uint64) {
	for _, s := range all {
		for i := range s.periods {
			most = max(most, count(&s.periods[i]))
		}
	}
	return most
}

// AgentsText draws the right signals of each agent in a line, a bar for each period.
func AgentsText(w io.Writer, rows []netkit.AgentPeriod, by string) error {
	all := seriesOf(rows, by)
	most, width := highest(all, func(p *netkit.AgentPeriod) uint64 { return p.Right }), 0
	for _, s := range all {
		width = max(width, len(s.agent))
	}
	for _, s := range all {
		var bars strings.Builder
		for i := range s.periods {
			bars.WriteRune([]rune("▁▂▃▄▅▆▇█")[s.periods[i].Right*7/max(most, 1)])
		}
		if _, err := fmt.Fprintf(w, "%-*s  %s  %d\n", width, s.agent, bars.String(), s.right); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return nil
	}
	periods := all[0].periods
	_, err := fmt.Fprintf(w, "right signals by %s from %s to %s; the highest bar is %d\n", by, periods[0].From, periods[len(periods)-1].From, most)
	return err
}

// AgentsPicture draws a panel for each agent: its signals by period that were
// delivered, that are right, and that went back (returned or overturned), on one scale.
func AgentsPicture(title string, rows []netkit.AgentPeriod, by string) *chart.Page {
	all := seriesOf(rows, by)
	p := &chart.Page{Title: title}
	lines := []struct {
		name  string
		count func(*netkit.AgentPeriod) uint64
	}{
		{"delivered", func(p *netkit.AgentPeriod) uint64 { return p.Delivered }},
		{"went back", func(p *netkit.AgentPeriod) uint64 { return p.Returned + p.Overturned }},
		{"right", func(p *netkit.AgentPeriod) uint64 { return p.Right }},
	}
	most := highest(all, lines[0].count)
	for _, s := range all {
		panel := chart.Panel{Title: fmt.Sprintf("%s: %d right", s.agent, s.right), Top: float64(most)}
		for _, x := range lines {
			l := chart.Line{Name: x.name}
			for i := range s.periods {
				l.Points = append(l.Points, chart.Point{X: float64(s.periods[i].From), Y: float64(x.count(&s.periods[i]))})
			}
			panel.Lines = append(panel.Lines, l)
		}
		for _, at := range slices.Compact([]netkit.Day{s.periods[0].From, s.periods[len(s.periods)-1].From}) {
			panel.Marks = append(panel.Marks, chart.Mark{X: float64(at), Text: at.String()})
		}
		p.Panels = append(p.Panels, panel)
	}
	return p
}

package web

import (
	"html/template"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/export"
)

// agentsData is a sponsor's table of agents with its chart.
type agentsData struct {
	Slug  string
	By    string // day or week
	Rows  []netkit.AgentPeriod
	Chart template.HTML
	Since netkit.Day // the first date that was counted
	Whole bool       // all executions since that date were counted
}

// agentDays is how many days the table of agents looks back, and agentPages the pages
// of executions that it reads at most.
const (
	agentDays  = 84
	agentPages = 20
)

// countAgents counts the executions of each agent for the sponsor that is shown.
func (p *Pages) countAgents(v *request) (d agentsData, err error) {
	if d.Slug, err = sponsored(v); err != nil {
		return d, err
	}
	d.By, d.Since = netkit.ByWeek, netkit.At(p.cfg.Now()).Day()-agentDays+1
	if v.r.URL.Query().Get("by") == netkit.ByDay {
		d.By = netkit.ByDay
	}
	q := netkit.AgentTableQuery{Sponsor: d.Slug, By: d.By, Since: d.Since, Page: netkit.Page{Limit: netkit.MaxPage}}
	for range agentPages {
		page, err := p.net.For(v.caller(netkit.ScopeRead)).AgentTable(v.r.Context(), q)
		if err != nil {
			return d, err
		}
		d.Rows = append(d.Rows, page.Items...)
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			break
		}
	}
	d.Rows, d.Whole = netkit.MergePeriods(d.Rows), q.Cursor == ""
	return d, nil
}

// showAgents shows the table of agents and its chart.
func (p *Pages) showAgents(v *request) (*screen, error) {
	d, err := p.countAgents(v)
	if err != nil {
		return nil, err
	}
	if len(d.Rows) > 0 {
		d.Chart = template.HTML(export.AgentsPicture("Signals by "+d.By, d.Rows, d.By).Inline()) // which escapes its texts
	}
	return &screen{name: "sponsor_agents", title: "Agents of " + d.Slug, data: d}, nil
}

// writeAgents writes the table of agents as CSV.
func (p *Pages) writeAgents(v *request) (*screen, error) {
	d, err := p.countAgents(v)
	if err != nil {
		return nil, err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+d.Slug+`-agents.csv"`)
	h.Set("Cache-Control", "no-store")
	_ = export.AgentsCSV(v.w, d.Rows) // fails where the reader is gone
	return nil, nil
}

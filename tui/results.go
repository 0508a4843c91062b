package tui

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// results lists what executions delivered: to a sponsor those of its contracts,
// to an agent its own, to an operator all, and to anybody those of a contract or
// of a sponsor that is named.
type results struct{ *list[netkit.ExecutionView] }

func newResults(m *model) *results {
	s := &results{}
	s.list = newList(m, spec[netkit.ExecutionView]{
		title: "Results", empty: "No executions here yet. x on the market delivers a signal; netctl market open opens a contract.",
		facets: []facet{{name: "contract", word: true, at: "campaign_id"}, {name: "sponsor", word: true}, {name: "state", form: strings.ToLower}}, events: []string{netkit.EventExecution, netkit.EventNotice},
		columns: []column[netkit.ExecutionView]{
			{name: "ID", width: 7, right: true, least: 48, text: func(x netkit.ExecutionView) string { return fmt.Sprint(x.ExecutionID) }, sort: by(func(x netkit.ExecutionView) uint64 { return x.ExecutionID })},
			{name: "SIGNAL", text: signalLine},
			{name: "AGENT", width: 12, least: 56, text: func(x netkit.ExecutionView) string { return x.Agent }},
			{name: "PAYOUT", width: 8, right: true, text: func(x netkit.ExecutionView) string { return x.Payout.String() }, sort: by(func(x netkit.ExecutionView) netkit.Credits { return x.Payout })},
			{name: "STATE", width: 10, least: 36, text: func(x netkit.ExecutionView) string { return x.State.String() }},
		},
		id: func(x netkit.ExecutionView) string { return fmt.Sprint(x.ExecutionID) },
	})
	s.fetch, s.preview, s.spec.share = s.read, s.show, s.shared
	return s
}

// signalLine is the headline of the signal, or why there is none.
func signalLine(x netkit.ExecutionView) string {
	switch {
	case x.Signal != nil && x.Resold:
		return "(resold) " + x.Signal.Headline
	case x.Signal != nil && x.NearDuplicateOf != 0:
		return fmt.Sprintf("(like %d) %s", x.NearDuplicateOf, x.Signal.Headline)
	case x.Signal != nil:
		return x.Signal.Headline
	case x.Suppressed:
		return "▲ suppressed"
	}
	return "(not yours to read)"
}

func (s *results) read(ctx context.Context, facets map[string]string, p netkit.Page) (netkit.List[netkit.ExecutionView], error) {
	q := netkit.ExecutionQuery{Page: p, Sponsor: facets["sponsor"]}
	err := cmp.Or(enum(facets, "state", into(&q.State, (*netkit.ExecutionState).UnmarshalText)),
		enum(facets, "contract", func(b []byte) (err error) {
			q.CampaignID, err = strconv.ParseUint(string(b), 10, 64)
			return err
		}))
	if err != nil {
		return netkit.List[netkit.ExecutionView]{}, err
	}
	if q.CampaignID != 0 || q.Sponsor != "" { // asked for by name, whosever they are
		return s.m.cfg.Network.Deliveries(ctx, q)
	}
	if me, err := s.m.cfg.Network.OwnProfile(ctx); err == nil {
		switch me.Kind {
		case netkit.AgentParty:
			q.Agent = me.Slug
		case netkit.SponsorParty:
			q.Sponsor = me.Slug
		}
	}
	return s.m.cfg.Network.Deliveries(ctx, q)
}

func (s *results) show(x netkit.ExecutionView, w int) []string {
	t := s.m.th
	lines := pairs(w, "execution", fmt.Sprint(x.ExecutionID), "contract", fmt.Sprint(x.CampaignID), "agent", line(x.Agent), "sponsor", line(x.Sponsor), "tier", x.Tier.String(),
		"payout", fmt.Sprintf("%s: %s to the agent, %s to the treasury", x.Payout, x.AgentShare, x.TreasuryShare), "state", x.State.String(), "at", moment(x.At))
	if x.Held {
		lines = append(lines, pairs(w, "clears", "once its case is final or its agent reinstated")...)
	} else if x.State == netkit.ExecutionPending {
		lines = append(lines, pairs(w, "clears", s.m.until(x.ClearsAt))...)
	}
	if x.Signal == nil {
		return append(append(lines, ""), wrap("The signal is read by the sponsor, the agent that wrote it, operators, and the reviewers of a case.", w)...)
	}
	if x.Resold {
		lines = append(lines, pairs(w, "resold", "nearly the same as a signal that another sponsor bought")...)
	}
	if x.NearDuplicateOf != 0 {
		lines = append(lines, pairs(w, "nearly", fmt.Sprintf("the same as execution %d", x.NearDuplicateOf))...)
	}
	lines = append(lines, "", t.title.Render(fit("Signal (by "+line(x.Agent)+")", w)))
	lines = append(lines, wrap(line(x.Signal.Headline), w)...)
	lines = append(lines, wrap(clean(x.Signal.Body), w)...)
	for _, source := range x.Signal.Sources {
		lines = append(lines, wrap("- "+line(source), w)...)
	}
	return lines
}

func (s *results) shared(x *netkit.ExecutionView) action {
	named := s.query.facets
	switch {
	case x == nil && named["contract"] != "":
		return action{netctl: []string{"market", "results", named["contract"]}, op: catalog.ListExecutions, page: "/market/" + named["contract"] + "/results"}
	case x == nil && named["sponsor"] != "":
		return action{netctl: []string{"sponsor", "receipts", named["sponsor"]}, op: catalog.ListExecutions, open: true, page: "/market"}
	case x == nil:
		return action{netctl: []string{"ledger", "ls"}, op: catalog.ListExecutions, open: true, page: "/market"}
	}
	id := fmt.Sprint(x.ExecutionID)
	return action{netctl: []string{"market", "result", id}, op: catalog.GetExecution, at: []string{id}, page: fmt.Sprintf("/market/%d/results", x.CampaignID)}
}

func (s *results) acts() []command {
	return []command{
		{name: "accept", keys: []string{"a"}, help: "accept the execution before it clears by itself", hint: "accept", run: func(m *model) tea.Cmd { return m.openAccept(s.row()) }},
	}
}

package tui

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
)

// market lists signal contracts.
type market struct{ *list[netkit.Campaign] }

func newMarket(m *model) *market {
	s := &market{}
	s.list = newList(m, spec[netkit.Campaign]{
		title: "Market", empty: "No contract is open. Sponsors open them with netctl market open.",
		facets: []facet{{name: "channel", form: strings.ToUpper}, {name: "kind", form: strings.ToLower}, {name: "state", form: strings.ToLower}, {name: "sponsor"}, {name: "matched", flag: true}}, events: []string{"campaign", "execution", "crisis", "dispatch"},
		columns: []column[netkit.Campaign]{
			{name: "ID", width: 7, right: true, least: 48, text: func(c netkit.Campaign) string { return fmt.Sprint(c.ID) }, sort: by(func(c netkit.Campaign) uint64 { return c.ID })},
			{name: "TITLE", text: func(c netkit.Campaign) string { return c.Title }},
			{name: "CHANNEL", width: 8, least: 56, text: func(c netkit.Campaign) string { return c.Channel.String() }},
			{name: "REMAINING", width: 12, right: true, text: func(c netkit.Campaign) string { return c.Remaining.String() }, sort: by(func(c netkit.Campaign) netkit.Credits { return c.Remaining })},
			{name: "STATE", width: 12, least: 40, text: contractState},
			{name: "TIER", width: 10, least: 88, text: func(c netkit.Campaign) string { return c.Matching.Tiers() }, sort: by(func(c netkit.Campaign) netkit.Tier { return c.Matching.MinTier })},
			{name: "SPONSOR", width: 14, least: 100, text: func(c netkit.Campaign) string { return c.Sponsor }},
		},
		id: func(c netkit.Campaign) string { return fmt.Sprint(c.ID) },
	})
	s.fetch, s.tone, s.preview, s.spec.share = s.read, s.hue, s.show, s.shared
	return s
}

// contractState says in words when a crisis suspends a contract.
func contractState(c netkit.Campaign) string {
	if c.Suppressed {
		return "▲ suspended"
	}
	return c.State.String()
}

func (s *market) hue(c netkit.Campaign) *lipgloss.Style {
	if c.Suppressed || c.Refusal != nil || c.State != netkit.ContractOpen {
		return &s.m.th.dim
	}
	return nil
}

func (s *market) read(ctx context.Context, facets map[string]string, p netkit.Page) (netkit.List[netkit.Campaign], error) {
	q := netkit.MarketQuery{Page: p, Sponsor: facets["sponsor"], Matched: facets["matched"] != ""}
	err := cmp.Or(enum(facets, "channel", q.Channel.UnmarshalText),
		enum(facets, "kind", into(&q.Kind, (*netkit.ContractKind).UnmarshalText)),
		enum(facets, "state", into(&q.State, (*netkit.ContractState).UnmarshalText)))
	if err != nil {
		return netkit.List[netkit.Campaign]{}, err
	}
	return s.m.cfg.Network.Market(ctx, q)
}

// enum reads a facet that takes certain words alone.
func enum(facets map[string]string, name string, read func([]byte) error) error {
	v, ok := facets[name]
	if !ok {
		return nil
	}
	if err := read([]byte(v)); err != nil {
		return &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.FilterUnknown, Field: name, What: "has no such value", Next: "press / to change the filter"}
	}
	return nil
}

// into reads a name into a pointer that is nil without one.
func into[T any](to **T, read func(*T, []byte) error) func([]byte) error {
	return func(b []byte) error {
		*to = new(T)
		return read(*to, b)
	}
}

func (s *market) show(c netkit.Campaign, w int) []string {
	t := s.m.th
	var lines []string
	for _, l := range wrap(line(c.Title), w) {
		lines = append(lines, t.title.Render(l))
	}
	lines = append(lines, pairs(w, "contract", fmt.Sprint(c.ID), "sponsor", line(c.Sponsor), "kind", c.Kind.String(), "channel", c.Channel.String(), "state", contractState(c),
		"remaining", fmt.Sprintf("%s of %s", c.Remaining, c.Budget), "executed", fmt.Sprintf("%d, at most %d an agent", c.Executions, c.ExecutionsPerAgent), "ends", s.m.until(c.EndsAt), "clears", clearing(c.ClearingHours))...)
	if c.Exclusive {
		lines = append(lines, pairs(w, "exclusive", "a signal that another sponsor bought of late may be returned")...)
	}
	lines = append(lines, "", t.title.Render("Who may execute it"))
	lines = append(lines, pairs(w, "tier", c.Matching.Tiers(), "niches", names(c.Matching.Niches), "models", anyOf(c.Matching.LLMProviders), "pays you", pays(&c))...)
	return append(append(lines, ""), s.m.brief(&c, w)...)
}

// brief is what a contract asks for, in the sponsor's words.
func (m *model) brief(c *netkit.Campaign, w int) []string {
	lines := append([]string{m.th.title.Render(fit("Brief (by the sponsor)", w))}, wrap(clean(c.Brief), w)...)
	switch {
	case c.Suppressed:
		return append(append(lines, ""), wrap("▲ The payload is suppressed while a P0 crisis runs (L3).", w)...)
	case c.Payload != nil && *c.Payload != "":
		lines = append(lines, "", m.th.title.Render(fit("Payload (by the sponsor)", w)))
		lines = append(lines, wrap(clean(*c.Payload), w)...)
	}
	return lines
}

// clearing says when the pay of an execution can be spent.
func clearing(hours int) string {
	if hours == 0 {
		return "at once"
	}
	return "after " + plural.Count(hours, "hour", "hours") + ", or when the sponsor accepts"
}

// pays says what an execution would bring the caller now.
func pays(c *netkit.Campaign) string {
	switch {
	case c.PaysYou != nil:
		return fmt.Sprintf("%s cr as %s", c.PaysYou.AgentShare, c.PaysYou.Tier)
	case c.Refusal != nil:
		return "nothing now: " + line(c.Refusal.Detail)
	}
	return "by your tier"
}

// pairs writes names and values below each other.
func pairs(w int, words ...string) []string {
	var out []string
	for i := 0; i+1 < len(words); i += 2 {
		name := words[i]
		for _, part := range wrap(words[i+1], max(1, w-11)) {
			if words[i+1] != "" {
				out = append(out, fit(fit(name, 10)+" "+part, w))
			}
			name = ""
		}
	}
	return out
}

func names[T fmt.Stringer](all []T) string {
	words := make([]string, len(all))
	for i := range all {
		words[i] = all[i].String()
	}
	return anyOf(words)
}

func anyOf(words []string) string {
	if len(words) == 0 {
		return "any"
	}
	return line(strings.Join(words, ", "))
}

// until says a moment to come with how far off it is.
func (m *model) until(at netkit.Millis) string {
	if at == 0 {
		return "never"
	}
	left := at.Time().Sub(m.cfg.NetworkTime())
	if left <= 0 {
		return moment(at) + ", over"
	}
	return moment(at) + ", in " + m.span(left)
}

func (s *market) shared(c *netkit.Campaign) action {
	if c == nil {
		return action{netctl: []string{"market", "ls"}, op: catalog.ListContracts, page: "/market", open: s.query.facets["matched"] == ""}
	}
	id := fmt.Sprint(c.ID)
	return action{netctl: []string{"market", "show", id}, op: catalog.GetContract, at: []string{id}, open: true, page: "/market/" + id}
}

// acts are an agent's, or else those of whoever pays.
func (s *market) acts() []command {
	if me := s.m.me; me == nil || me.Kind == netkit.AgentParty {
		return []command{
			{name: "execute", keys: []string{"x"}, help: "deliver a signal for the contract and earn credits", hint: "execute", run: func(m *model) tea.Cmd { return m.openExecute(s.row()) }},
		}
	}
	return []command{
		{name: "fund", keys: []string{"f"}, help: "add to the contract's budget", hint: "fund", run: s.about(catalog.FundContract)},
		{name: "close", keys: []string{"X"}, help: "close the contract; what is left returns to its sponsor", hint: "close", run: s.about(catalog.CloseContract)},
		{name: "results", keys: []string{"r"}, help: "read what the contract's executions delivered", hint: "results", run: s.about(catalog.ListExecutions)},
	}
}

// about runs a verb on the contract that is selected.
func (s *market) about(op *catalog.Operation) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		c, _ := verbOf(op)
		if row := s.row(); row != nil {
			return c.with(m, []string{fmt.Sprint(row.ID)})
		}
		return nil
	}
}

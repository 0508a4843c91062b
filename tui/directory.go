package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// directory lists agents.
type directory struct{ *list[netkit.Profile] }

func newDirectory(m *model) *directory {
	s := &directory{}
	s.list = newList(m, spec[netkit.Profile]{
		title: "Directory", empty: "No agents yet. netctl agent spawn SLUG makes one.",
		facets: []facet{{name: "tier", form: strings.ToUpper}, {name: "niche", form: strings.ToUpper}, {name: "badge", form: strings.ToUpper}}, events: []string{"agent", "badge"},
		columns: []column[netkit.Profile]{
			{name: "AGENT", text: func(p netkit.Profile) string { return p.Slug }},
			{name: "TIER", width: 10, text: func(p netkit.Profile) string { return p.BioVerified.Tier.String() }, sort: by(func(p netkit.Profile) netkit.Tier { return p.BioVerified.Tier })},
			{name: "NICHE", width: 8, least: 48, text: func(p netkit.Profile) string { return p.BioClaims.Niche.String() }},
			{name: "REPUT.", width: 6, right: true, least: 40, text: func(p netkit.Profile) string { return p.BioVerified.ReputationScore.String() }, sort: by(func(p netkit.Profile) netkit.Percent { return p.BioVerified.ReputationScore })},
			{name: "DIVERS.", width: 7, right: true, least: 40, text: func(p netkit.Profile) string { return p.BioVerified.CounterpartyDiversityScore.String() }, sort: by(func(p netkit.Profile) netkit.Ratio { return p.BioVerified.CounterpartyDiversityScore })},
			{name: "FLOOR", width: 9, right: true, least: 56, text: floor, sort: by(func(p netkit.Profile) netkit.Credits { return p.BioClaims.AttentionFloorPrice })},
			{name: "STATUS", width: 9, least: 72, text: func(p netkit.Profile) string { return p.Status.String() }},
		},
		id: func(p netkit.Profile) string { return p.Slug },
	})
	s.fetch, s.tone, s.preview, s.spec.share = s.read, s.hue, func(p netkit.Profile, w int) []string { return m.profile(&p, w) }, s.shared
	s.choose = func(p netkit.Profile) tea.Cmd { return m.agent.show(p.Slug) }
	return s
}

// floor is what asking for an agent's attention costs.
func floor(p netkit.Profile) string {
	if !p.BioClaims.AcceptsAttentionRequests {
		return "closed"
	}
	return p.BioClaims.AttentionFloorPrice.String()
}

func (s *directory) hue(p netkit.Profile) *lipgloss.Style {
	if p.Status != netkit.Active {
		return &s.m.th.warn
	}
	return nil
}

func (s *directory) read(ctx context.Context, facets map[string]string, p netkit.Page) (netkit.List[netkit.Profile], error) {
	q := netkit.DirectoryQuery{Page: p}
	err := cmp.Or(enum(facets, "tier", into(&q.Tier, (*netkit.Tier).UnmarshalText)),
		enum(facets, "niche", q.Niche.UnmarshalText), enum(facets, "badge", q.Badge.UnmarshalText))
	if err != nil {
		return netkit.List[netkit.Profile]{}, err
	}
	return s.m.cfg.Network.Directory(ctx, q)
}

func (s *directory) shared(p *netkit.Profile) action {
	if p == nil {
		return action{netctl: []string{"agent", "ls"}, op: catalog.ListAgents, open: true}
	}
	return shareProfile(p.Slug)
}

func shareProfile(slug string) action {
	return action{netctl: []string{"agent", "show", slug}, op: catalog.GetAgent, at: []string{slug}, open: true}
}

func (s *directory) acts() []command {
	return []command{
		{name: "send", keys: []string{"s"}, help: "ask for the agent's attention; shows price and deadline first", hint: "send", run: func(m *model) tea.Cmd { return m.openSend(s.row()) }},
		{name: "go to agent", keys: []string{"@"}, help: "open an agent by its slug", hint: "by slug", run: (*model).openGoTo},
	}
}

// openGoTo asks for a slug and shows whose it is: nobody pages through a
// hundred thousand agents for one.
func (m *model) openGoTo() tea.Cmd {
	m.openForm(&form{head: "Open an agent", fields: []*field{newField("Slug", "its name as in /agent/ada", "")}, send: func(m *model, f *form) (tea.Cmd, error) {
		slug := strings.TrimPrefix(f.value("Slug"), "@")
		if slug == "" {
			return nil, errors.New("a slug is needed")
		}
		m.over = nil
		return m.agent.show(slug), nil
	}})
	return nil
}

// profile is what there is to see of an agent: what the network computed, the
// way to the next tier, the badge wall, and apart from it what the agent says.
func (m *model) profile(p *netkit.Profile, w int) []string {
	t, v := m.th, &p.BioVerified
	lines := []string{t.title.Render(fit(line(p.Slug), w))}
	if p.Status != netkit.Active {
		lines = append(lines, t.bad.Render(fit("! "+strings.ToUpper(p.Status.String()), w)))
	}
	lines = append(lines, pairs(w, "tier", v.Tier.String(), "reputation", m.gauge(int(v.ReputationScore), 10_000, v.ReputationScore.String(), w),
		"diversity", m.gauge(int(v.CounterpartyDiversityScore), 10_000, v.CounterpartyDiversityScore.String(), w),
		"transact.", fmt.Sprint(v.Transactions), "wallet", yesNo(v.WalletConfirmed, "confirmed", "not confirmed"), "accepted", line(v.ConstitutionAccepted),
		"roles", line(strings.Join(v.Roles, ", ")), "since", moment(v.Since), "as of", p.AsOf.Date.String())...)
	lines = append(lines, m.ladder(p, w)...)
	lines = append(lines, "", t.title.Render("Badge wall"))
	lines = append(lines, m.wall(v.Badges, w)...)
	lines = append(lines, "", t.title.Render("Claims (not verified)"))
	c := &p.BioClaims
	lines = append(lines, pairs(w, "niche", c.Niche.String(), "model", line(c.PreferredLLMProvider), "attention", floor(*p))...)
	return append(lines, wrap(clean(c.CapabilityStatement), w)...)
}

func yesNo(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// gauge draws how much of a whole there is, with the number beside it.
func (m *model) gauge(have, whole int, text string, w int) string {
	cells := min(20, w-11-len(text)-3)
	if cells < 4 || m.cfg.Accessible {
		return text
	}
	full := max(0, min(cells, have*cells/whole))
	return text + " " + strings.Repeat("█", full) + strings.Repeat("░", cells-full)
}

func (m *model) wall(badges []netkit.BadgeView, w int) []string {
	if len(badges) == 0 {
		return []string{m.th.dim.Render("no badge yet")}
	}
	var lines []string
	for _, b := range badges {
		if b.Revoked != nil {
			lines = append(lines, m.th.warn.Render(fit("× "+b.Badge.String()+" revoked", w)))
			lines = append(lines, wrap(fmt.Sprintf("  by %s, witness %s: %s", line(b.Revoked.Revoker), line(b.Revoked.Witness), line(b.Revoked.Reason)), w)...)
			continue
		}
		lines = append(lines, m.th.good.Render(fit("★ "+b.Badge.String()+"  "+b.IssuedOn.String(), w)))
	}
	return lines
}

// ladder says what an agent lacks for the next tier.
func (m *model) ladder(p *netkit.Profile, w int) []string {
	next := int(p.BioVerified.Tier) + 1
	if m.law == nil || next >= len(m.law.Tiers) {
		return nil
	}
	r := &m.law.Tiers[next]
	lines := []string{"", m.th.title.Render(fmt.Sprintf("To %s, which pays %s", r.Name, r.Payout))}
	for _, c := range r.Conditions(&p.BioVerified) {
		lines = append(lines, m.condition(&c, w)...)
	}
	return lines
}

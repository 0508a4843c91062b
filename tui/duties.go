package tui

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// The screens here are lists whose rows are described by their own types; what
// one does about a row is in the catalogue.

// plainList makes a list without a hand-written preview.
func plainList[T any](m *model, s spec[T], acts ...command) *desk[T] {
	s.preview = func(row T, w int) []string { return described(row, w) }
	return &desk[T]{newList(m, s), acts}
}

// pointers is a list of the same rows. Lists of pointers are one piece of code in
// the program, whatever they point to.
func pointers[T any](l netkit.List[T], err error) (netkit.List[*T], error) {
	out := netkit.List[*T]{NextCursor: l.NextCursor, AsOf: l.AsOf}
	for i := range l.Items {
		out.Items = append(out.Items, &l.Items[i])
	}
	return out, err
}

// desk is such a list with its commands.
type desk[T any] struct {
	*list[T]
	commands []command
}

func (d *desk[T]) acts() []command { return d.commands }

// about is a command that begins an act with the row's id.
func about[T any](of func() *T, op *catalog.Operation, field string, id func(T) string) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		row := of()
		if row == nil {
			return nil
		}
		return m.do(op, id(*row), map[string]string{field: id(*row)})
	}
}

func newNotices(m *model) screen {
	return plainList(m, spec[*netkit.Notice]{
		title: "Notices", empty: "No notice yet: events that concern you are listed here.", events: []string{netkit.EventNotice},
		columns: []column[*netkit.Notice]{
			{name: "AT", width: 16, least: 50, text: func(n *netkit.Notice) string { return moment(n.At) }},
			{name: "KIND", width: 14, text: func(n *netkit.Notice) string { return n.Kind }},
			{name: "NOTICE", text: func(n *netkit.Notice) string { return n.Text }},
		},
		id: func(n *netkit.Notice) string { return fmt.Sprint(n.Seq, n.Kind, n.Subject) },
		fetch: func(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[*netkit.Notice], error) {
			return pointers(m.cfg.Network.Notices(ctx, p))
		},
		share: func(**netkit.Notice) action {
			return action{netctl: []string{"agent", "notices"}, op: catalog.ListNotices, page: "/"}
		},
	})
}

func newTokens(m *model) screen {
	s := plainList(m, spec[*netkit.TokenInfo]{
		title: "Tokens", empty: "No token; n issues one.", events: []string{netkit.EventNotice},
		columns: []column[*netkit.TokenInfo]{
			{name: "ID", width: 8, right: true, text: func(t *netkit.TokenInfo) string { return fmt.Sprint(t.TokenID) }},
			{name: "SCOPES", text: func(t *netkit.TokenInfo) string { return strings.Trim(fmt.Sprint(t.Scopes), "[]") }},
			{name: "EXPIRES", width: 16, least: 60, text: func(t *netkit.TokenInfo) string { return moment(t.ExpiresAt) }},
			{name: "SPENT", width: 10, right: true, least: 40, text: func(t *netkit.TokenInfo) string { return t.Spent.String() }},
		},
		id: func(t *netkit.TokenInfo) string { return fmt.Sprint(t.TokenID) },
		fetch: func(ctx context.Context, _ map[string]string, _ netkit.Page) (netkit.List[*netkit.TokenInfo], error) {
			all, err := m.cfg.Network.Tokens(ctx)
			return pointers(netkit.List[netkit.TokenInfo]{Items: all}, err)
		},
		share: func(**netkit.TokenInfo) action {
			return action{netctl: []string{"agent", "token", "ls"}, op: catalog.ListTokens, page: "/"}
		},
	})
	s.commands = []command{
		{name: "issue", keys: []string{"n"}, help: "issue a token with chosen scopes, expiry and spend cap", hint: "issue", run: doing(catalog.IssueToken)},
		{name: "revoke", keys: []string{"d"}, help: "revoke the token at once", hint: "revoke", run: about(s.row, catalog.RevokeToken, "token_id", func(t *netkit.TokenInfo) string { return fmt.Sprint(t.TokenID) })},
	}
	return s
}

func newSponsors(m *model) screen {
	s := plainList(m, spec[*netkit.SponsorView]{
		title: "Sponsors", empty: "No sponsor yet. An operator admits them: :sponsor admit.", events: []string{"sponsor", "campaign"},
		columns: []column[*netkit.SponsorView]{
			{name: "SPONSOR", width: 14, text: func(v *netkit.SponsorView) string { return v.Slug }},
			{name: "NAME", text: func(v *netkit.SponsorView) string { return v.Name }},
			{name: "FUNDS", width: 12, right: true, least: 56, text: func(v *netkit.SponsorView) string { return v.Funds.String() }, sort: by(func(v *netkit.SponsorView) netkit.Credits { return v.Funds })},
			{name: "STATE", width: 10, least: 44, text: func(v *netkit.SponsorView) string { return v.State() }},
		},
		id: func(v *netkit.SponsorView) string { return v.Slug },
		fetch: func(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[*netkit.SponsorView], error) {
			return pointers(m.cfg.Network.Sponsors(ctx, p))
		},
		share: func(**netkit.SponsorView) action {
			return action{netctl: []string{"sponsor", "ls"}, op: catalog.ListSponsors, open: true}
		},
	})
	slug := func(v *netkit.SponsorView) string { return v.Slug }
	s.commands = []command{
		{name: "open contract", keys: []string{"n"}, help: "open a contract from the sponsor's funds; shows the amount first", hint: "open contract", run: about(s.row, catalog.OpenContract, "sponsor", slug)},
		{name: "deposit", keys: []string{"b"}, help: "book outside money for the sponsor (operators)", hint: "deposit", run: about(s.row, catalog.BookDeposit, "sponsor", slug)},
		{name: "stop", keys: []string{"X"}, help: "stop the sponsor and return its funds (operators)", run: about(s.row, catalog.StopSponsor, "sponsor", slug)},
		{name: "admit", keys: []string{"A"}, help: "propose a sponsor (operators)", hint: "admit", run: doing(catalog.AdmitSponsor)},
	}
	return s
}

func newCases(m *model) screen {
	s := plainList(m, spec[*netkit.CaseView]{
		title: "Reviews", empty: "No case. ! on an entry of the Ledger reports it.", facets: []facet{{name: "state", form: strings.ToLower}, {name: "mine", flag: true}}, events: []string{"review", "case", netkit.EventNotice},
		columns: []column[*netkit.CaseView]{
			{name: "CASE", width: 7, right: true, text: func(c *netkit.CaseView) string { return fmt.Sprint(c.ID) }},
			{name: "STATE", width: 14, least: 44, text: func(c *netkit.CaseView) string { return c.State.String() }},
			{name: "LAW", width: 4, least: 40, text: func(c *netkit.CaseView) string { return c.Law }},
			{name: "ABOUT", text: func(c *netkit.CaseView) string {
				return fmt.Sprintf("%s %d of %s", c.SubjectKind, c.Subject, c.Reported)
			}},
			{name: "VERDICTS BY", width: 16, least: 70, text: func(c *netkit.CaseView) string { return moment(c.VerdictsBy) }},
		},
		id: func(c *netkit.CaseView) string { return fmt.Sprint(c.ID) },
		fetch: func(ctx context.Context, facets map[string]string, p netkit.Page) (netkit.List[*netkit.CaseView], error) {
			q := netkit.CaseQuery{Page: p, Mine: facets["mine"] != ""}
			if err := enum(facets, "state", into(&q.State, (*netkit.CaseState).UnmarshalText)); err != nil {
				return netkit.List[*netkit.CaseView]{}, err
			}
			return pointers(m.cfg.Network.Cases(ctx, q))
		},
		share: func(c **netkit.CaseView) action {
			if c == nil {
				return action{netctl: []string{"review", "queue"}, op: catalog.ListCases, page: "/"}
			}
			return action{netctl: []string{"review", "show", fmt.Sprint((*c).ID)}, op: catalog.GetCase, at: []string{fmt.Sprint((*c).ID)}, page: "/"}
		},
	})
	id := func(c *netkit.CaseView) string { return fmt.Sprint(c.ID) }
	s.commands = []command{
		{name: "verdict", keys: []string{"v"}, help: "give your verdict as one of the panel", hint: "verdict", run: about(s.row, catalog.GiveVerdict, "case_id", id)},
		{name: "appeal", keys: []string{"a"}, help: "appeal the case", hint: "appeal", run: about(s.row, catalog.AppealCase, "case_id", id)},
		{name: "decide", keys: []string{"D"}, help: "decide a case for which too few reviewers were eligible (operators)", run: about(s.row, catalog.DecideCase, "case_id", id)},
	}
	return s
}

func newFlags(m *model) screen {
	return plainList(m, spec[*netkit.AgentFlag]{
		title: "Flags", empty: "No agent is flagged: the night's detectors found none.", events: []string{"badge"},
		columns: []column[*netkit.AgentFlag]{
			{name: "AGENT", width: 14, text: func(f *netkit.AgentFlag) string { return strings.Join(append([]string{f.Agent}, f.With...), " ") }},
			{name: "FOUND", text: func(f *netkit.AgentFlag) string {
				var found []string
				for _, d := range f.Detections {
					found = append(found, d.String())
				}
				return strings.Join(found, "; ")
			}},
			{name: "DATE", width: 10, least: 48, text: func(f *netkit.AgentFlag) string { return f.Date.String() }},
		},
		id: func(f *netkit.AgentFlag) string { return fmt.Sprint(f.Agent, " ", f.Seq) },
		fetch: func(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[*netkit.AgentFlag], error) {
			return pointers(m.cfg.Network.Flags(ctx, p))
		},
		share: func(**netkit.AgentFlag) action {
			return action{netctl: []string{"review", "queue"}, op: catalog.ListFlags, page: "/review"}
		},
	})
}

func newWitness(m *model) screen {
	s := plainList(m, spec[*netkit.WitnessRequest]{
		title: "Witness", empty: "Nothing waits for a witness.", events: []string{"badge", "sponsor", "constitution", netkit.EventNotice},
		columns: []column[*netkit.WitnessRequest]{
			{name: "ID", width: 7, right: true, text: func(r *netkit.WitnessRequest) string { return fmt.Sprint(r.ID) }},
			{name: "KIND", width: 12, least: 40, text: func(r *netkit.WitnessRequest) string { return r.Kind }},
			{name: "OF", text: func(r *netkit.WitnessRequest) string { return strings.TrimSpace(r.Subject + " " + r.Badge.String()) }},
			{name: "BY", width: 14, least: 56, text: func(r *netkit.WitnessRequest) string { return r.By }},
			{name: "AT", width: 16, least: 72, text: func(r *netkit.WitnessRequest) string { return moment(r.At) }},
		},
		id: func(r *netkit.WitnessRequest) string { return fmt.Sprint(r.ID) },
		fetch: func(ctx context.Context, _ map[string]string, p netkit.Page) (netkit.List[*netkit.WitnessRequest], error) {
			return pointers(m.cfg.Network.Witnessing(ctx, p))
		},
		share: func(**netkit.WitnessRequest) action {
			return action{netctl: []string{"badges", "waiting"}, op: catalog.ListWitnessDuties, page: "/"}
		},
	})
	s.commands = []command{{name: "confirm", keys: []string{"v"}, help: "confirm it as witness", hint: "confirm", run: about(s.row, catalog.ConfirmAsWitness, "id", func(r *netkit.WitnessRequest) string { return fmt.Sprint(r.ID) })}}
	return s
}

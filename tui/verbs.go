package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/tui/internal/fields"
)

// Verbs are what netctl can do, by its words: "market fund CONTRACT" is typed
// here as :market fund 52. They come from the catalogue and run through Network.

// screens are the operations that a screen shows, by its name.
var screens = map[*catalog.Operation]string{
	catalog.ReadFeed: "Feed", catalog.ListContracts: "Market", catalog.ListAgents: "Directory", catalog.GetMe: "Agent", catalog.ListInbox: "Inbox", catalog.ListSent: "Inbox",
	catalog.ListRogues: "Network", catalog.ListPlaybooks: "Playbooks", catalog.ListEntries: "Ledger", catalog.ListNotices: "Notices", catalog.ListSponsors: "Sponsors",
	catalog.ListCases: "Reviews", catalog.ListWitnessDuties: "Witness", catalog.ListTokens: "Tokens", catalog.ListExecutions: "Results", catalog.ListFlags: "Flags", catalog.StreamEvents: "Home",
}

// views are the operations that answer with one thing to look at.
var views = map[*catalog.Operation]func(context.Context, Network, string) (any, error){
	catalog.GetHealth:           func(ctx context.Context, n Network, _ string) (any, error) { return n.Health(ctx) },
	catalog.GetConstitution:     func(ctx context.Context, n Network, _ string) (any, error) { return n.Constitution(ctx) },
	catalog.ExplainAgent:        func(ctx context.Context, n Network, a string) (any, error) { return n.ExplainAgent(ctx, a) },
	catalog.GetNight:            func(ctx context.Context, n Network, _ string) (any, error) { return n.LastNight(ctx) },
	catalog.ExplainBadges:       func(ctx context.Context, n Network, a string) (any, error) { return n.Explain(ctx, a, nil) },
	catalog.GetSponsor:          func(ctx context.Context, n Network, a string) (any, error) { return n.Sponsor(ctx, a) },
	catalog.GetDispatch:         numbers(Network.Dispatch),
	catalog.GetCrisis:           func(ctx context.Context, n Network, _ string) (any, error) { return n.Crisis(ctx) },
	catalog.GetContract:         numbers(Network.Campaign),
	catalog.GetExecution:        numbers(Network.Delivery),
	catalog.GetAttention:        numbers(Network.Attention),
	catalog.GetCase:             numbers(Network.Case),
	catalog.GetWebhook:          func(ctx context.Context, n Network, _ string) (any, error) { return n.Webhook(ctx) },
	catalog.ListWebhookAttempts: func(ctx context.Context, n Network, _ string) (any, error) { return n.WebhookAttempts(ctx) },
	catalog.GetExchange:         func(ctx context.Context, n Network, _ string) (any, error) { return n.Exchange(ctx) },
	catalog.GetEntry:            numbers(Network.Entry),
	catalog.GetConservation:     func(ctx context.Context, n Network, _ string) (any, error) { return n.Conservation(ctx) },
	catalog.GetBalance:          accounts(Network.Balance),
	catalog.GetStatement: accounts(func(n Network, ctx context.Context, a netkit.Account) (netkit.List[netkit.StatementLine], error) {
		return n.Statement(ctx, a, netkit.Page{})
	}),
}

func numbers[T any](get func(Network, context.Context, uint64) (T, error)) func(context.Context, Network, string) (any, error) {
	return func(ctx context.Context, n Network, text string) (any, error) {
		id, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("tui: %q is not a number", text)
		}
		return get(n, ctx, id)
	}
}

func accounts[T any](get func(Network, context.Context, netkit.Account) (T, error)) func(context.Context, Network, string) (any, error) {
	return func(ctx context.Context, n Network, text string) (any, error) {
		a, err := netkit.ParseAccount(text)
		if err != nil {
			return nil, err
		}
		return get(n, ctx, a)
	}
}

// shown are acts about something that is looked at first: what is fetched, and
// what then opens.
var shown = map[*catalog.Operation]func(m *model, text string) tea.Cmd{
	catalog.ExecuteContract:  fetching(Network.Campaign, (*model).openExecute),
	catalog.AcceptExecution:  fetching(Network.Delivery, (*model).openAccept),
	catalog.ReturnExecution:  fetching(Network.Delivery, (*model).openReturn),
	catalog.AnswerAttention:  fetching(Network.Attention, (*model).openAnswer),
	catalog.DeclineAttention: fetching(Network.Attention, (*model).openDecline),
	catalog.SendAttention: func(m *model, slug string) tea.Cmd {
		return m.then(func(ctx context.Context) (any, error) { return m.cfg.Network.Profile(ctx, slug) }, func(got any) tea.Cmd {
			p := got.(netkit.Profile)
			return m.openSend(&p)
		})
	},
}

func fetching[T any](get func(Network, context.Context, uint64) (T, error), open func(*model, *T) tea.Cmd) func(*model, string) tea.Cmd {
	return func(m *model, text string) tea.Cmd {
		return m.then(func(ctx context.Context) (any, error) { return numbers(get)(ctx, m.cfg.Network, text) }, func(got any) tea.Cmd {
			row := got.(T)
			return open(m, &row)
		})
	}
}

// then fetches something and goes on with it, or says why it cannot.
func (m *model) then(get func(context.Context) (any, error), on func(any) tea.Cmd) tea.Cmd {
	return m.call(func(ctx context.Context) done {
		got, err := get(ctx)
		return func(m *model) tea.Cmd {
			if err != nil {
				m.note = plain(err)
				return m.answered(0, err)
			}
			return tea.Batch(m.answered(seqOf(got), nil), on(got))
		}
	})
}

// verbs are the commands of the catalogue, one a name.
func (m *model) verbs() (all []command) {
	for op := range catalog.All() {
		if c, ok := verbOf(op); ok && !slices.ContainsFunc(all, func(k command) bool { return k.name == c.name }) {
			all = append(all, c)
		}
	}
	return append(all,
		command{name: "login", help: "Sign in, as another or on another network", with: (*model).openLogin},
		command{name: "ctx use", args: []string{"NAME"}, help: "Switch to another network", with: (*model).openLogin},
		command{name: "ctx add", args: []string{"NAME"}, help: "Name a network by its address or folder", with: (*model).openAdd},
		command{name: "agent spawn", args: []string{"AGENT"}, help: catalog.SpawnAgent.Summary, with: (*model).openSpawn},
		command{name: "review flags", help: catalog.ListFlags.Summary, with: narrowing(screens[catalog.ListFlags], nil)}, // "review queue" lists both in netctl
		command{name: "sponsor receipts", args: []string{"SPONSOR"}, needs: true, help: "List what a sponsor paid for", with: narrowing("Results", []string{"SPONSOR"})},
		command{name: "ledger why", args: []string{"ACCOUNT"}, needs: true, help: "Explain an account or an agent's tier by the entries that made it", with: func(m *model, args []string) tea.Cmd { return m.why(args[0]) }},
	)
}

// verbOf is an operation as a command; it reports false for one that has no
// words, or no face here.
func verbOf(op *catalog.Operation) (command, bool) {
	c := command{help: op.Summary}
	for _, w := range strings.Fields(op.Command) {
		if strings.ToUpper(w) == w && !strings.HasPrefix(w, "-") {
			c.args = append(c.args, w)
		} else {
			c.name = strings.TrimSpace(c.name + " " + w)
		}
	}
	switch open, act, view := shown[op], actOf(op), views[op]; {
	case op.Command == "":
		return c, false
	case op == catalog.GetAgent:
		c.needs, c.with = true, func(m *model, args []string) tea.Cmd { return m.agent.show(args[0]) }
	case op == catalog.ProveEntry:
		c.needs, c.with = true, func(m *model, args []string) tea.Cmd { return m.proveText(args[0]) }
	case screens[op] != "":
		c.with = narrowing(screens[op], c.args)
	case open != nil:
		c.needs, c.with = true, func(m *model, args []string) tea.Cmd { return open(m, args[0]) }
	case act != nil:
		c.with = func(m *model, args []string) tea.Cmd { return m.doWith(act, args) }
	case view != nil:
		c.needs, c.with = len(c.args) > 0, func(m *model, args []string) tea.Cmd { return m.look(op, strings.Join(args, " ")) }
	default:
		return c, false
	}
	return c, true
}

// narrowing shows a screen, narrowed by the facet that its argument is named
// after if there is one.
func narrowing(screen string, names []string) func(*model, []string) tea.Cmd {
	return func(m *model, args []string) tea.Cmd {
		i := m.screenOf(screen)
		if len(names) == 0 {
			return m.show(i)
		}
		m.cur, m.filter = i, nil
		text := ""
		if len(args) > 0 {
			text = strings.ToLower(names[0]) + ":" + args[0]
		}
		return m.here().(lister).apply(text)
	}
}

func (m *model) proveText(text string) tea.Cmd {
	seq, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		m.note = "an entry is a number"
		return nil
	}
	return m.prove(seq)
}

// look shows an answer as names and values.
func (m *model) look(op *catalog.Operation, text string) tea.Cmd {
	return m.then(func(ctx context.Context) (any, error) { return views[op](ctx, m.cfg.Network, text) }, func(got any) tea.Cmd {
		m.push(receiptPage(op.Summary, got))
		return nil
	})
}

// doWith begins an act whose first fields were typed with its words. The last
// one takes what is left.
func (m *model) doWith(a *act, args []string) tea.Cmd {
	known := map[string]string{}
	for i, f := range fields.Of(a.blank(), m.cfg.Now) {
		if i < len(args) {
			known[f.Name] = args[i]
			if f.Several {
				known[f.Name] = strings.Join(args[i:], " ")
				break
			}
		}
	}
	return m.do(a.op, strings.Join(args, " "), known)
}

// offer is one thing that an argument may name.
type offer struct{ id, title string }

// offers fetches what the arguments of a kind may name, newest first.
func (m *model) offers(ctx context.Context, kind string) (out []offer, err error) {
	n := m.cfg.Network
	page := netkit.Page{Limit: maxRows}
	switch strings.Trim(kind, ".") {
	case "AGENT":
		l, err := n.Directory(ctx, netkit.DirectoryQuery{Page: page})
		return offered(l.Items, func(p netkit.Profile) offer {
			return offer{p.Slug, p.BioVerified.Tier.String() + " " + p.BioClaims.Niche.String()}
		}), err
	case "CONTRACT":
		l, err := n.Market(ctx, netkit.MarketQuery{Page: page})
		return offered(l.Items, func(c netkit.Campaign) offer { return offer{fmt.Sprint(c.ID), c.Title} }), err
	case "SPONSOR":
		l, err := n.Sponsors(ctx, page)
		return offered(l.Items, func(s netkit.SponsorView) offer { return offer{s.Slug, s.Name} }), err
	case "REQUEST":
		l, err := n.Inbox(ctx, netkit.AttentionQuery{Page: page})
		return offered(l.Items, func(a netkit.Attention) offer { return offer{fmt.Sprint(a.ID), a.From + ": " + a.Subject} }), err
	case "CASE":
		l, err := n.Cases(ctx, netkit.CaseQuery{Page: page})
		return offered(l.Items, func(c netkit.CaseView) offer { return offer{fmt.Sprint(c.ID), c.State.String() + " " + c.Reported} }), err
	case "DISPATCH":
		l, err := n.Manifest(ctx, netkit.ReadManifest{Page: page, Priorities: everything, Opened: true})
		return offered(l.Items, func(d netkit.Dispatch) offer { return offer{fmt.Sprint(d.ID), d.Headline} }), err
	case "EXECUTION":
		l, err := n.Deliveries(ctx, netkit.ExecutionQuery{Page: page})
		return offered(l.Items, func(x netkit.ExecutionView) offer {
			return offer{fmt.Sprint(x.ExecutionID), x.State.String() + " by " + x.Agent}
		}), err
	case "CHANNEL":
		return offered(netkit.Niches(), func(n netkit.Niche) offer { return offer{n.String(), ""} }), nil
	case "BADGE":
		return offered([]netkit.Badge{netkit.FieldAgent, netkit.SeniorCorrespondent, netkit.DisputeMaster}, func(b netkit.Badge) offer { return offer{b.String(), ""} }), nil
	case "NAME":
		if m.cfg.Places == nil {
			return nil, nil
		}
		names, err := m.cfg.Places.Names()
		return offered(names, func(s string) offer { return offer{s, ""} }), err
	case "ACCOUNT":
		return []offer{{"treasury", ""}, {"issuance", ""}, {"wallet:", "and an agent"}, {"sponsor:", "and a sponsor"}, {"contract:", "and a number"}}, nil
	}
	return nil, nil
}

func offered[T any](items []T, of func(T) offer) (out []offer) {
	for _, it := range items {
		out = append(out, of(it))
	}
	return out
}

package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/tui/internal/fields"
)

// Places are the networks that one may turn to, and as whom. What they open is
// a Config of which the screens take all that belongs to a network: Network,
// Where, Args, Auth, Address, Prove, Why and Close.
type Places interface {
	// Names lists them; the first is the one in use.
	Names() ([]string, error)
	// Open reaches a network: on this machine as the party named, or as its
	// operator; elsewhere with a token, which is tried and kept, or with the one
	// that is kept.
	Open(ctx context.Context, name, as, token string) (Config, error)
	// Add names a network by its address or its folder.
	Add(name, where string) error
	// Spawn makes an agent on the network that was opened last, keeps its token
	// before anything is sent, and opens the network as that agent.
	Spawn(ctx context.Context, in netkit.Spawn, invitation string) (Config, error)
}

// turnTo shows another network, or the same as somebody else. Answers that are
// still on their way are no longer awaited.
func (m *model) turnTo(next Config) tea.Cmd {
	m.hangUp()
	m.player.stop()
	old := m.cfg.Close
	c := &m.cfg
	c.Network, c.Where, c.Args, c.Auth, c.Address, c.Prove, c.Why, c.Close = next.Network, next.Where, next.Args, next.Auth, next.Address, next.Prove, next.Why, next.Close
	m.epoch++
	m.me, m.law, m.crisis, m.link, m.over, m.left = nil, nil, nil, link{}, nil, map[string]*form{}
	m.newScreens()
	m.cur, m.note = 0, "this is "+line(next.Where)
	return tea.Batch(m.Init(), func() tea.Msg {
		if old != nil {
			_ = old() // what cannot be closed is left behind
		}
		return nil
	})
}

// turning opens another network in the background and turns to it.
func (m *model) turning(f *form, open func(context.Context) (Config, error)) tea.Cmd {
	if m.sending {
		m.note = "a request still waits for its answer; wait for it"
		return nil
	}
	m.sending, m.note = true, "opening …"
	return m.call(func(ctx context.Context) done {
		next, err := open(ctx)
		return func(m *model) tea.Cmd {
			if m.sending = false; err != nil {
				m.refused(action{}, f, err)
				return nil
			}
			return m.turnTo(next)
		}
	})
}

// openLogin asks for a network, and as whom.
func (m *model) openLogin(args []string) tea.Cmd {
	if m.cfg.Places == nil {
		m.note = "netctl login signs in"
		return nil
	}
	names, err := m.cfg.Places.Names()
	if err != nil {
		m.note = plain(err)
		return nil
	}
	at := names[0]
	if len(args) > 0 && slices.Contains(names, args[0]) {
		at = args[0]
	}
	network := &field{Field: fields.Plain("Network", "now on "+line(names[0])+"; left and right choose", names...), in: newInput(at)}
	as := optional("Act as", "on this machine alone: whose name you take; empty: its operator")
	token := optional("Token", "elsewhere: kept where only you can read; empty: the one that is kept")
	token.secret = true
	m.openForm(&form{head: "Sign in", at: at, fields: []*field{network, as, token}, send: func(m *model, f *form) (tea.Cmd, error) {
		return m.turning(f, func(ctx context.Context) (Config, error) {
			return m.cfg.Places.Open(ctx, network.text(), as.text(), token.text())
		}), nil
	}})
	return nil
}

func optional(label, hint string) *field {
	x := newField(label, hint, "")
	x.Optional = true
	return x
}

// openAdd asks for the name and the address of a network.
func (m *model) openAdd(args []string) tea.Cmd {
	if m.cfg.Places == nil {
		m.note = "netctl ctx add names a network"
		return nil
	}
	name, where := newField("Name", "what to call it", ""), newField("Where", "https://… or a folder", "")
	if len(args) > 0 {
		name.in = newInput(args[0])
	}
	m.openForm(&form{head: "Name a network", fields: []*field{name, where}, send: func(m *model, f *form) (tea.Cmd, error) {
		if err := m.cfg.Places.Add(name.text(), where.text()); err != nil {
			return nil, err
		}
		m.pop()
		return m.openLogin([]string{name.text()}), nil
	}})
	return nil
}

// openSpawn asks for a new agent's slug.
func (m *model) openSpawn(args []string) tea.Cmd {
	if m.cfg.Places == nil {
		m.note = "netctl agent spawn AGENT makes one"
		return nil
	}
	var in netkit.Spawn
	slug := &field{Field: fields.Of(&in, m.cfg.Now)[0], in: newInput("")}
	if len(args) > 0 {
		slug.in = newInput(args[0])
	}
	accept := &field{Field: fields.Plain("Accept the constitution", "the law of the network: :constitution show", "yes", "no"), in: newInput("yes")}
	invitation := optional("Invitation", "the address that an operator gave you, where it needs one")
	m.openForm(&form{head: catalog.SpawnAgent.Summary, fields: []*field{slug, accept, invitation}, send: func(m *model, f *form) (tea.Cmd, error) {
		if err := slug.Set(&in, slug.text()); err != nil {
			return nil, err
		}
		if in.AcceptConstitution = nil; accept.text() == "yes" {
			if m.law == nil {
				return nil, errors.New("the constitution was not fetched yet; press esc and ctrl+r")
			}
			in.AcceptConstitution = &m.lawHash
		}
		m.push(m.askSpawn(f, in, invitation.text()))
		return nil, nil
	}})
	return nil
}

func (m *model) askSpawn(f *form, in netkit.Spawn, invitation string) *ask {
	a := &ask{question: fmt.Sprintf("Spawn %s? It costs you 0.00", line(in.Slug)), lines: []string{"The name is never used again. Its token is made and kept on this machine, and you act as it from then on."},
		does: action{netctl: []string{"agent", "spawn", in.Slug}, op: catalog.SpawnAgent, body: in, open: true, key: f.purchase(m)}}
	if m.law != nil {
		grant := m.law.Economy.WelcomeGrant
		a.postings = []posting{{netkit.Issuance.String(), -grant}, {netkit.Wallet(in.Slug).String(), grant}}
	}
	a.yes = func(m *model) tea.Cmd {
		return m.turning(f, func(ctx context.Context) (Config, error) {
			return m.cfg.Places.Spawn(m.cfg.Keyed(ctx, f.idem), in, invitation)
		})
	}
	return a
}

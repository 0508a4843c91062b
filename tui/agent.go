package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
)

// agent shows one agent: the caller unless another was opened.
type agent struct {
	m      *model
	slug   string // "" is the caller
	p      *netkit.Profile
	why    *netkit.Explanation
	st     fetched
	gen    int
	scroll int
}

func newAgent(m *model) *agent { return &agent{m: m} }

func (a *agent) name() string    { return "Agent" }
func (a *agent) state() *fetched { return &a.st }
func (a *agent) concerns(kind string) bool {
	return oneOf(kind, "agent", "badge", "execution", "notice")
}

// show makes an agent the one on the screen.
func (a *agent) show(slug string) tea.Cmd {
	if slug != a.slug || a.p == nil {
		a.slug, a.p, a.why, a.scroll, a.st = slug, nil, nil, 0, fetched{}
	}
	a.st.dirty = true
	return a.m.showScreen(a)
}

// of is whose page it is; "" while that is not known.
func (a *agent) of() string {
	if a.slug == "" && a.m.me != nil && a.m.me.Kind == netkit.AgentParty {
		return a.m.me.Slug
	}
	return a.slug
}

func (a *agent) load() tea.Cmd {
	slug := a.of()
	if slug == "" {
		a.st.at = a.m.cfg.Now()
		return nil
	}
	a.gen++
	gen := a.gen
	a.st.loading, a.st.dirty = true, false
	return a.m.call(func(ctx context.Context) done {
		p, err := a.m.cfg.Network.Profile(ctx, slug)
		var why netkit.Explanation
		if err == nil {
			why, err = a.m.cfg.Network.Explain(ctx, slug, nil)
		}
		return func(m *model) tea.Cmd {
			if gen == a.gen {
				a.st.loading, a.st.err = false, err
				if err == nil {
					a.p, a.why, a.st.at = &p, &why, m.cfg.Now()
				} else {
					a.st.dirty = true
				}
			}
			return m.answered(p.AsOf.Seq, err)
		}
	})
}

func (a *agent) draw(w, h int) []string {
	if a.of() == "" {
		return a.m.instead(&fetched{at: a.m.cfg.Now()}, w, func() string {
			return "You are not here as an agent. Open one from the Directory with enter, or act as one: netctl tui --as SLUG."
		})
	}
	if a.p == nil {
		return a.m.instead(&a.st, w, func() string { return "Loading …" })
	}
	left, right := a.m.profile(a.p, min(w, 76)), a.badges(min(w, 76))
	if w >= 120 {
		left, right = a.m.profile(a.p, w/2-2), a.badges(w/2-2)
		return a.window(beside(a.m.th, left, right, w/2-2), h)
	}
	return a.window(append(append(left, ""), right...), h)
}

// beside puts two columns next to each other.
func beside(t *theme, left, right []string, w int) []string {
	var out []string
	for i := range max(len(left), len(right)) {
		out = append(out, fit(at(left, i), w)+t.dim.Render(" │ ")+at(right, i))
	}
	return out
}

func (a *agent) window(lines []string, h int) []string {
	return a.m.stretch(lines, &a.scroll, a.m.w, h)
}

// badges says for each badge what is missing.
func (a *agent) badges(w int) []string {
	t := a.m.th
	lines := []string{t.title.Render("What each badge asks for")}
	for i := range a.why.Badges {
		b := &a.why.Badges[i]
		state := "not earned yet"
		if b.Held {
			state = "held"
		} else if b.Earned {
			state = "earned: the next night issues it"
		}
		lines = append(lines, "", t.on.Render(fit(b.Badge.String()+", "+state, w)))
		for _, c := range b.Conditions {
			lines = append(lines, a.m.condition(&c, w)...)
		}
	}
	return lines
}

// condition draws one thing that a tier or a badge asks for, whole.
func (m *model) condition(c *netkit.Condition, w int) []string {
	text, style := "[ ] "+line(c.String()), m.th.warn
	switch {
	case c.Met:
		text, style = "[x] "+line(c.String()), m.th.good
	case c.Missing != "":
		text += ", missing " + line(c.Missing)
	}
	lines := wrap(text, w)
	for i, l := range lines {
		lines[i] = style.Render(fit(l, w))
	}
	return lines
}

func (a *agent) move(n nav) tea.Cmd {
	switch n {
	case closeRow:
		if a.slug != "" {
			a.slug, a.p, a.st = "", nil, fetched{}
			return a.m.show(a.m.screenOf("Directory")) // where it was opened
		}
	default:
		a.scroll += map[nav]int{up: -1, down: 1, pageUp: -10, pageDown: 10, first: -1 << 20, last: 1 << 20}[n]
		a.scroll = max(0, a.scroll)
	}
	return nil
}

func (a *agent) click(int) tea.Cmd { return nil }

func (a *agent) action() action {
	if a.slug == "" {
		return action{netctl: []string{"agent", "me"}, op: catalog.GetMe, page: "/agent/" + a.of()}
	}
	return shareProfile(a.slug)
}

func (a *agent) acts() []command {
	return []command{
		{name: "send", keys: []string{"s"}, help: "ask for the agent's attention; shows price and deadline first", hint: "send", run: func(m *model) tea.Cmd { return m.openSend(a.p) }},
		{name: "claims", keys: []string{"e"}, help: "edit your public claims", hint: "claims", run: doing(catalog.SetClaims)},
		{name: "subscribe", keys: []string{"S"}, help: "choose the channels of your feed", hint: "subscribe", run: doing(catalog.SetChannels)},
	}
}

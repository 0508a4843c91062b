package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
)

// model is all that is shown. It is changed by Update alone, in one goroutine;
// whatever waits runs as a command and comes back as a done.
type model struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc
	out    *console
	th     *theme
	w, h   int

	screens []screen // those with a number first
	cur     int
	frame   string           // what was drawn last
	fresh   time.Duration    // after which a duration in it reads differently; 0 is never
	beat    int              // the latest one under way
	beatAt  time.Time        // when it comes; zero without one
	over    []overlay        // open dialogues, the one on top last
	left    map[string]*form // closed with words in them that were not sent
	filter  *input           // being typed, nil otherwise
	note    string           // of what was done last
	busy    int              // calls under way
	epoch   int              // of the network: answers of another are dropped
	sending bool             // something that was agreed to, so that it goes out once

	me      *netkit.OwnProfile // nil until known, and for strangers
	law     *netkit.Constitution
	lawHash netkit.Hash
	crisis  []netkit.Dispatch
	link    link
	player  player

	home   *home
	feed   *feed
	agent  *agent
	inbox  *inbox
	wallet *wallet
	ledger *ledger

	tick   func(time.Duration, tea.Msg) tea.Cmd // a message after a while
	wait   func(tea.Cmd) tea.Cmd                // runs what may take for ever
	follow func(after uint64) tea.Cmd           // opens the event stream
	told   func(*netkit.Event)                  // hears of each event
}

// done is the outcome of something that waited, to be taken in by Update.
type done func(*model) tea.Cmd

// screen is one of the tabs.
type screen interface {
	name() string
	load() tea.Cmd             // fetches again; what is shown stays until then
	draw(w, h int) []string    // at most h lines
	move(nav) tea.Cmd          // goes to another row, or scrolls
	click(y int) tea.Cmd       // on a line of what was drawn last
	concerns(kind string) bool // whether an event of that type changes it
	state() *fetched
	action() action // what is shown, as a command
}

// nav is a way to move.
type nav uint8

const (
	up nav = iota
	down
	pageUp
	pageDown
	first
	last
	openRow
	closeRow
)

// fetched is how the last fetching of a screen went.
type fetched struct {
	loading bool
	dirty   bool      // something has changed since
	at      time.Time // of the last answer; zero before
	err     error
}

// overlay is a dialogue over the screens. Keys go to the one on top.
type overlay interface {
	title() string
	draw(m *model, w, h int) []string
	key(m *model, name string) tea.Cmd
	write(text []rune) bool // takes typed or pasted text; false where letters are keys
}

func newModel(ctx context.Context, cfg Config) (*model, error) {
	if err := cfg.defaults(); err != nil {
		return nil, err
	}
	m := &model{cfg: cfg, left: map[string]*form{}, out: newConsole(cfg.Out), w: 80, h: 24}
	th, err := newTheme(cfg.Theme, cfg.NoColor || cfg.Accessible, m.out.w)
	if err != nil {
		return nil, err
	}
	m.th = th
	m.ctx, m.cancel = context.WithCancel(ctx)
	m.tick = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	m.wait = func(cmd tea.Cmd) tea.Cmd { return cmd } // the program runs each on its own
	m.follow, m.told = m.followStream, func(*netkit.Event) {}
	m.newScreens()
	return m, nil
}

// numbered is how many screens have a number, and a tab of their own.
const numbered = 10

func (m *model) newScreens() {
	m.home, m.feed, m.agent, m.inbox, m.wallet, m.ledger = newHome(m), newFeed(m), newAgent(m), newInbox(m), newWallet(m), newLedger(m)
	m.screens = []screen{m.home, m.feed, newMarket(m), newDirectory(m), m.agent, m.inbox, m.wallet, m.ledger, newPlaybooks(m), newResults(m),
		newEntries(m), newNotices(m), newSponsors(m), newCases(m), newWitness(m), newTokens(m), newFlags(m)}
}

// screenOf returns a screen by its name.
func (m *model) screenOf(name string) int {
	return slices.IndexFunc(m.screens, func(s screen) bool { return s.name() == name })
}

// close ends what runs in the background.
func (m *model) close() {
	m.cancel()
	m.player.stop()
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.loadOwn(), m.loadLaw(), m.here().load())
}

// beat is when a duration on the screen reads differently. While none stands
// there, and nothing happens, nothing is drawn and no time is counted.
type beat int

// Update implements tea.Model. It never waits.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.take(msg)
	if m.cfg.Accessible {
		return m, cmd
	}
	m.frame = m.render()
	return m, tea.Batch(cmd, m.nextBeat())
}

func (m *model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case done:
		return msg(m)
	case beat:
		if int(msg) == m.beat {
			m.beatAt = time.Time{}
		}
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyMsg:
		return m.keyMsg(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

// nextBeat comes when the first duration on the screen reads differently, unless
// one does already.
func (m *model) nextBeat() tea.Cmd {
	at := m.cfg.Now().Add(m.fresh)
	if m.fresh == 0 || !m.beatAt.IsZero() && !at.Before(m.beatAt) {
		return nil
	}
	m.beat++
	m.beatAt = at
	return m.tick(m.fresh, beat(m.beat))
}

// span says how long it is until a moment. The screen is drawn again when that
// reads differently.
func (m *model) span(d time.Duration) string {
	m.freshFor(d%unit(d) + time.Millisecond)
	return span(d)
}

// ago says how long ago a moment was.
func (m *model) ago(at time.Time) string {
	d := m.cfg.Now().Sub(at)
	m.freshFor(unit(d) - d%unit(d))
	return span(d)
}

func (m *model) freshFor(d time.Duration) {
	if d > 0 && (m.fresh == 0 || d < m.fresh) {
		m.fresh = d
	}
}

func (m *model) quit() tea.Cmd {
	m.close()
	return tea.Quit
}

func (m *model) here() screen { return m.screens[m.cur] }

// show turns to a screen and fetches what it lacks.
func (m *model) show(i int) tea.Cmd {
	m.cur, m.filter = i, nil
	if st := m.here().state(); st.at.IsZero() && !st.loading || st.dirty {
		return m.here().load()
	}
	return nil
}

// showScreen turns to a screen of the model.
func (m *model) showScreen(s screen) tea.Cmd {
	for i := range m.screens {
		if m.screens[i] == s {
			return m.show(i)
		}
	}
	return nil
}

func (m *model) push(o overlay) { m.over = append(m.over, o) }

// pop closes the dialogue on top.
func (m *model) pop() { m.over = m.over[:max(0, len(m.over)-1)] }

// call runs something that waits, outside of Update.
func (m *model) call(work func(context.Context) done) tea.Cmd {
	m.busy++
	ctx, epoch := m.ctx, m.epoch
	return func() tea.Msg {
		after := work(ctx)
		return done(func(m *model) tea.Cmd {
			m.busy--
			if after == nil || epoch != m.epoch {
				return nil
			}
			return after(m)
		})
	}
}

// loadOwn fetches who the caller is and which crises run.
func (m *model) loadOwn() tea.Cmd {
	return m.call(func(ctx context.Context) done {
		crisis, cerr := m.cfg.Network.Crisis(ctx)
		me, err := m.cfg.Network.OwnProfile(ctx)
		return func(m *model) tea.Cmd {
			if errors.Is(err, netkit.ErrUnauthenticated) {
				m.me = nil
			}
			if cerr != nil {
				return m.answered(0, cerr)
			}
			m.crisis = crisis.Running
			var quote tea.Cmd
			if err == nil {
				known := m.me != nil
				if m.me = &me; !known {
					quote = tea.Batch(m.feed.loadQuote(), m.home.loadDue())
				}
			}
			return tea.Batch(m.answered(crisis.AsOf.Seq, nil), quote)
		}
	})
}

// loadLaw fetches the numbers that the network goes by.
func (m *model) loadLaw() tea.Cmd {
	return m.call(func(ctx context.Context) done {
		law, err := m.cfg.Network.Constitution(ctx)
		return func(m *model) tea.Cmd {
			if err == nil {
				m.law, m.lawHash = law.Constitution, law.SHA256
			}
			return nil
		}
	})
}

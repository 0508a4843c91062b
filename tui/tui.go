// Package tui shows a network in a terminal.
//
// [Run] opens the screens on a terminal, or with Config.Accessible a plain
// dialogue of lines that a screen reader follows. What is shown comes from a
// [Network], page by page and live; texts that agents wrote are stripped of
// whatever would command the terminal. Nothing is spent before a question that
// names the cost was answered with yes.
package tui

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit"
	_ "github.com/agentnet/netctl/tui/internal/quiet" // before bubbletea
)

// StrippedPlaybook is a resolved case without what identifies someone.
type StrippedPlaybook struct {
	Metadata netkit.RegisterPlaybook
	File     string // holds the playbook that the metadata describes
	Stripped int    // parts that may have identified someone
	Kept     int    // places that were found and stay, as the author decided
	Advice   string // what to do about parts that may have been stripped wrongly; "" is nothing
}

// Config says what to show and how. Network is required.
type Config struct {
	Network Network
	In      io.Reader // nil means standard input
	Out     io.Writer // nil means standard output

	Where   string   // the network's name, for people
	Args    []string // flags by which netctl reaches it, for the commands shown
	Auth    string   // words of a shell by which curl says who acts; "" means the token in NETCTL_TOKEN
	Browser string   // program that opens an address; "" means the system's

	Theme      string // one of Themes; "" means auto
	NoColor    bool
	Accessible bool // lines instead of screens
	Mouse      bool

	// Unreachable tells an error that is not an answer at all from one that is;
	// nil takes whatever is not a *netkit.Refusal for one.
	Unreachable func(error) bool
	// LookPath finds a program; nil means exec.LookPath.
	LookPath func(string) (string, error)
	Now      func() time.Time // nil means time.Now
	// NetworkTime is the network's clock, by which its deadlines are counted; nil
	// means Now.
	NetworkTime func() time.Time
	Rand        io.Reader // for idempotency keys; nil means crypto/rand.Reader
	// Address says where its API with the pages, and where its intent listener,
	// are by now, for curl and the browser; nil or "" means nowhere.
	Address func() (api, intent string)
	// Places are the networks to turn to; nil leaves that to netctl.
	Places Places
	// Close lets go of the network; Run calls it at the end, and when another is
	// turned to. nil does nothing.
	Close func() error
	// Playbook reads and strips a resolved case and stores the result, which its
	// metadata describes; nil leaves registering to netctl.
	Playbook func(path string) (StrippedPlaybook, error)
	// Prove checks the proof of an entry and says what came of it; nil shows the
	// proof alone.
	Prove func(ctx context.Context, seq uint64, file []byte) (verdict string, err error)
	// Why explains an account or an agent by the entries that made it; nil names
	// the command that does.
	Why func(ctx context.Context, what string) (string, error)
	// Keyed makes a context whose calls carry that idempotency key, so that what
	// is sent from here and by a shown command counts once; nil leaves keys to
	// the Network.
	Keyed func(ctx context.Context, key string) context.Context
}

func (c *Config) defaults() error {
	if c.Network == nil {
		return errors.New("tui: Config.Network is missing")
	}
	if c.Unreachable == nil {
		c.Unreachable = func(err error) bool {
			var r *netkit.Refusal
			return !errors.As(err, &r)
		}
	}
	if c.LookPath == nil {
		c.LookPath = exec.LookPath
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NetworkTime == nil {
		c.NetworkTime = c.Now
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	if c.Keyed == nil {
		c.Keyed = func(ctx context.Context, _ string) context.Context { return ctx }
	}
	if c.Auth == "" {
		c.Auth = `-H "Authorization: Bearer $NETCTL_TOKEN"`
	}
	if c.Address == nil {
		c.Address = func() (string, string) { return "", "" }
	}
	return nil
}

// Run shows the network until the user leaves or the context ends.
func Run(ctx context.Context, cfg Config) error {
	m, err := newModel(ctx, cfg)
	if err != nil {
		return err
	}
	defer m.close()
	if cfg.Accessible {
		return errors.Join(m.dialogue(), m.letGo())
	}
	return errors.Join(m.onScreens(ctx), m.letGo())
}

// letGo closes the network that is shown.
func (m *model) letGo() error {
	if m.close(); m.cfg.Close == nil {
		return nil
	}
	return m.cfg.Close()
}

// framesPerSecond is how often the terminal is brought up to date. Bubble Tea
// looks that often whether a frame has changed, even where nothing happens.
const framesPerSecond = 20

// onScreens runs the screens.
func (m *model) onScreens(ctx context.Context) error {
	cfg := &m.cfg
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithAltScreen(), tea.WithFPS(framesPerSecond)}
	if cfg.In != nil {
		opts = append(opts, tea.WithInput(cfg.In))
	}
	opts = append(opts, tea.WithOutput(m.out))
	if cfg.Mouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	_, err := tea.NewProgram(m, opts...).Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return nil // whoever started it ended it
	}
	if err != nil {
		return fmt.Errorf("tui: %w", err)
	}
	return nil
}

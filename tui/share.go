package tui

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"os/exec"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/agentnet/netctl/netkit/catalog"
)

// action is something shown or about to be done, as it can be said to netctl
// and to curl.
type action struct {
	netctl []string // without the flags that say where
	op     *catalog.Operation
	at     []string // parameters of its path
	query  url.Values
	body   any
	key    string // idempotency key of a purchase; "" for what changes nothing
	open   bool   // needs no token
	page   string // of the web pages, "" is the path
}

// with asks with a query.
func (a action) with(q url.Values) action {
	a.query = q
	return a
}

// path is where the operation is reached, with its query.
func (a *action) path() string {
	path := a.op.At(a.at...)
	if len(a.query) > 0 {
		path += "?" + a.query.Encode()
	}
	return path
}

// command is the action as a netctl command.
func (a *action) command(cfg *Config) string {
	words := append(append([]string{"netctl"}, cfg.Args...), a.netctl...)
	if a.key != "" {
		words = append(words, "--key="+a.key)
	}
	return quoteAll(words)
}

// curl is the action as a curl command. It names the token by the variable
// that holds it and never shows it.
func (a *action) curl(cfg *Config) string {
	base, intents := cfg.Address()
	if a.op.Intent() {
		base = intents
	}
	if base == "" {
		return "this network has no address; netctl serve gives it one"
	}
	words := []string{"curl", "-sS"}
	if a.op.Method != "GET" {
		words = append(words, "-X", a.op.Method)
	}
	s := quoteAll(words)
	if !a.open {
		s += " " + cfg.Auth
	}
	if a.body != nil {
		b, err := json.Marshal(a.body)
		if err != nil {
			return "this cannot be written as a curl command"
		}
		s += ` -H 'Content-Type: application/json' -H 'Idempotency-Key: ` + a.key + `' --data-raw ` + quote(string(b))
	}
	return s + " " + quote(base+a.path())
}

// newKey makes an idempotency key: one per purchase.
func (m *model) newKey() string {
	var b [16]byte
	if _, err := io.ReadFull(m.cfg.Rand, b[:]); err != nil {
		return "" // the client then makes its own
	}
	return hex.EncodeToString(b[:])
}

func quoteAll(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return strings.Join(out, " ")
}

// quote writes a word for a POSIX shell. Control characters, which a paste
// would carry out, are taken out first.
func quote(s string) string {
	s = clean(s)
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@+%", r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func (m *model) share() tea.Cmd { return m.shareAction(m.here().action()) }

// shareAction shows an action as commands and copies the first.
func (m *model) shareAction(a action) tea.Cmd {
	netctl, curl := a.command(&m.cfg), a.curl(&m.cfg)
	m.push(&page{head: "The same as a command (copied). u copies curl, n netctl", plain: []string{"netctl", netctl, "curl", curl}, lines: func(w int) []string {
		lines := []string{"", m.th.title.Render("netctl")}
		lines = append(lines, wrap(netctl, w)...)
		lines = append(lines, "", m.th.title.Render("curl"))
		lines = append(lines, wrap(curl, w)...)
		if strings.Contains(curl, "$NETCTL_TOKEN") {
			lines = append(append(lines, ""), wrap("curl takes the token from the variable NETCTL_TOKEN.", w)...)
		}
		if a.key != "" {
			lines = append(append(lines, ""), wrap("Both, and yes here, carry one key: the network does it once.", w)...)
		}
		return lines
	}, keys: func(m *model, key string) (tea.Cmd, bool) {
		switch key {
		case "u":
			return m.copy("curl command", curl), true
		case "n", "c":
			return m.copy("netctl command", netctl), true
		}
		return nil, false
	}})
	return m.copy("netctl command", netctl)
}

// copy puts a text on the clipboard. The dialogue of lines leaves that to
// whoever reads them: a sequence for the terminal is not a line.
func (m *model) copy(what, text string) tea.Cmd {
	if m.cfg.Accessible {
		return nil
	}
	return func() tea.Msg {
		err := m.out.copy(text)
		return done(func(m *model) tea.Cmd {
			m.note = what + " copied"
			if err != nil {
				m.note = what + " could not be copied: " + plain(err)
			}
			return nil
		})
	}
}

// browse opens the page of what is shown.
func (m *model) browse() tea.Cmd {
	a := m.here().action()
	path := a.page
	if path == "" {
		path = a.op.At(a.at...)
	}
	base, _ := m.cfg.Address()
	if base == "" {
		m.note = "this network has no address, so there is no page to open"
		return nil
	}
	url := base + path
	opener := Browser(runtime.GOOS)
	if m.cfg.Browser != "" {
		opener = strings.Fields(m.cfg.Browser)
	}
	name, err := m.cfg.LookPath(opener[0])
	if err != nil {
		m.note = "no browser was found; the page is " + url
		return nil
	}
	return m.call(func(context.Context) done {
		cmd := exec.Command(name, append(opener[1:len(opener):len(opener)], url)...)
		err := cmd.Start()
		if err == nil {
			go cmd.Wait() // it may stay as long as it likes
		}
		return func(m *model) tea.Cmd {
			m.note = "opened " + url
			if err != nil {
				m.note = "the browser did not start; the page is " + url
			}
			return nil
		}
	})
}

// Browser is what opens an address on a system.
func Browser(system string) []string {
	switch system {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	return []string{"xdg-open"}
}

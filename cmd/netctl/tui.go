package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/tui"
)

func tuiCommand(a *app) *cobra.Command {
	cfg := tui.Config{}
	var detect detecting
	return a.verb(verb{use: "tui", short: "Browse and act in full screen", offline: true,
		long: `Browse the network in full screen and act on it: feed, market, directory, agents,
attention, wallet, ledger, reviews, the network's books and playbooks. It follows
the event stream, and keeps what it has while the network is away. Press ? for the
keys. After a colon it takes the words of netctl, as in :market fund 52; :login and
:ctx use turn to other networks. Whatever spends asks first and says its price.

On a folder that nobody serves it serves it itself, on this machine alone, for
as long as it is open: other commands on the folder go through it.

With --accessible it is a dialogue of plain lines, for a screen reader.`,
		flags: func(f *pflag.FlagSet) {
			detect.flags(f)
			f.StringVar(&cfg.Theme, "theme", "auto", "auto, dark, light, high-contrast or mono; NO_COLOR makes it mono")
			f.BoolVar(&cfg.Accessible, "accessible", false, "plain lines and questions instead of a full screen")
			f.BoolVar(&cfg.Mouse, "mouse", true, "take clicks and the wheel; without it the terminal selects text")
		},
		run: func(c *call) error {
			return detect.detected(c, func() error { return c.tui(cfg, detect) })
		}})
}

// tui opens the screens on the network that commands go to.
func (c *call) tui(cfg tui.Config, detect detecting) error {
	if !cfg.Accessible && !terminal(os.Stdout) {
		return usage(errors.New("the screens need a terminal; netctl tui --accessible reads and writes lines"))
	}
	t, err := c.target()
	if err != nil {
		return err
	}
	p := &contextPlaces{call: c}
	at, err := p.reach(c.ctx, t, c.set.v.GetString("as"), c.whither())
	if err != nil {
		return err
	}
	at.Theme, at.Accessible, at.Mouse = cfg.Theme, cfg.Accessible, cfg.Mouse
	at.Keyed, at.Places, at.Playbook = netkit.WithKey, p, func(path string) (tui.StrippedPlaybook, error) { return c.playbook(path, detect) }
	at.Browser, _ = c.env("BROWSER")
	if no, ok := c.env("NO_COLOR"); ok {
		at.NoColor = no != "" // as no-color.org says
	}
	if cfg.Accessible {
		at.In, at.Out = c.in, c.out
	}
	at.Unreachable = func(err error) bool { return errors.Is(err, netclient.ErrUnreachable) }
	return tui.Run(c.ctx, at)
}

// serveMeanwhile serves the folder that commands go to, unless they go
// elsewhere or somebody serves it already, so that the screens do not lock out
// whoever else uses it. The result ends that and closes the network.
func (c *call) serveMeanwhile(t target) (end func() error, err error) {
	none := func() error { return nil }
	if t.data == "" {
		return none, nil
	}
	s := &service{call: c, dir: t.data, log: slog.New(slog.DiscardHandler)}
	for start := time.Now(); ; {
		if _, ok := findRunning(c.ctx, t.data); ok {
			return none, nil
		}
		if err = s.openWith(nil); err == nil {
			break
		}
		// Another command may be at work on the folder.
		if !errors.Is(err, journal.ErrLocked) || time.Since(start) > lockPatience || !timespan.Wait(c.ctx, 50*time.Millisecond) {
			return none, err
		}
	}
	l, err := loopback(c.ctx)
	if err == nil {
		if err = s.host.Network.Tick(c.ctx); err == nil { // what fell due while nothing ran
			err = s.announce(c.ctx, l)
		}
		if err != nil {
			err = errors.Join(err, closeAll(l))
		}
	}
	if err != nil {
		return none, errors.Join(err, s.host.Close(context.WithoutCancel(c.ctx)))
	}
	ctx, stop := context.WithCancel(c.ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.answer(ctx, stop, l) }()
	return func() error { stop(); return <-ended }, nil
}

// loopback opens listeners that only this machine reaches, at free ports.
func loopback(ctx context.Context) (l server.Listeners, err error) {
	if l.API, err = listenOn(ctx, "--addr", "127.0.0.1:0"); err != nil {
		return l, err
	}
	if l.Intent, err = listenOn(ctx, "--intent-addr", "127.0.0.1:0"); err != nil {
		return l, errors.Join(err, l.API.Close())
	}
	return l, nil
}

// authorization is how curl says who acts: by the key of this run on a folder
// of this machine, and by a token elsewhere.
func (c *call) authorization(t target, as string) string {
	if t.data == "" {
		return ""
	}
	file := "'" + strings.ReplaceAll(runningFile(t.data), "'", `'\''`) + "'"
	s := `-H "` + headerKey + `: $(sed 's/.*"key":"//; s/".*//' ` + file + `)"`
	if as != "" {
		s += " -H '" + headerAs + ": " + as + "'"
	}
	return s
}

// whither are the flags by which this run found its network, for the commands
// that the screens show.
func (c *call) whither() []string {
	var out []string
	for _, key := range []string{"data", "context", "url", "intent-url", "as"} {
		k, err := settingOf(key)
		if v := c.set.v.GetString(key); err == nil && v != "" && strings.HasPrefix(c.set.source(k), "the flag") {
			out = append(out, "--"+key, v)
		}
	}
	return out
}

// faces is a network as the screens see it. Questions are asked once, since
// the screens ask again by themselves and say meanwhile that nobody answers;
// what changes something is repeated with its key, as everywhere.
type faces struct {
	tui.Public
	tui.Books
	tui.Own
	tui.Live
	tui.Acts
}

// faces returns the network as the screens see it, with its clock and its current
// address, and the client that asks it.
func (c *call) faces(where *connection) (tui.Config, *netclient.Client, error) {
	t := where.target
	address := func() (string, string) { return t.url, cmp.Or(t.intent, t.url) }
	transport := http.RoundTripper(http.DefaultTransport)
	if t.data != "" {
		transport = where.transport
	}
	if d, ok := transport.(*localTransport); ok {
		at, err := url.Parse(t.url)
		if err != nil {
			return tui.Config{}, nil, err
		}
		following := &followingTransport{dir: t.data, transport: d, from: at, at: at}
		transport, address = following, following.address
	}
	clock, err := newNetworkClock(transport, t.url)
	if err != nil {
		return tui.Config{}, nil, err
	}
	acts, err := c.client(t, clock)
	if err != nil {
		return tui.Config{}, nil, err
	}
	asks, err := netclient.New(netclient.Config{BaseURL: t.url, IntentURL: t.intent, Token: t.token,
		Timeout: min(c.set.span("timeout"), askTime), Retries: -1, UserAgent: "netctl/" + version(), HTTPClient: &http.Client{Transport: clock}})
	return tui.Config{Network: &faces{asks, asks, asks, asks, acts}, Address: address, NetworkTime: clock.Now}, asks, err
}

// askTime is how long the screens wait for an answer before they say that
// there is none.
const askTime = 10 * time.Second

// followingTransport finds the server on a folder again after it was restarted: its
// key, and perhaps its address, are others then.
type followingTransport struct {
	dir  string
	from *url.URL // where the client believes the server to be

	mu        sync.Mutex
	transport *localTransport
	at        *url.URL
}

// RoundTrip implements http.RoundTripper. A request that the server refused for
// the old key was not carried out, and goes out again with the new one.
// Requests to other servers are none of its business.
func (d *followingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if origin(r.URL) != origin(d.from) {
		return http.DefaultTransport.RoundTrip(r)
	}
	resp, err := d.try(r)
	if err == nil && resp.StatusCode != http.StatusUnauthorized || !d.look(r.Context()) || err != nil {
		return resp, err
	}
	again := r.Clone(r.Context())
	if r.Body != nil && r.Body != http.NoBody {
		if r.GetBody == nil {
			return resp, nil
		}
		if again.Body, err = r.GetBody(); err != nil {
			return resp, nil
		}
	}
	resp.Body.Close()
	return d.try(again)
}

func (d *followingTransport) try(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	transport, at := d.transport, d.at
	d.mu.Unlock()
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = at.Scheme, at.Host, at.Host
	return transport.RoundTrip(r)
}

// address is where the server is by now. It answers intents there as well.
func (d *followingTransport) address() (api, intent string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at.String(), d.at.String()
}

// look reads again where the server is, and reports whether it is another.
func (d *followingTransport) look(ctx context.Context) bool {
	r, ok := findRunning(ctx, d.dir)
	if !ok {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	transport, err := newLocalTransport(r, d.transport.as)
	at, wrong := url.Parse(r.URL)
	if err != nil || wrong != nil || r.Key == d.transport.key {
		return false
	}
	d.transport, d.at = transport, at
	return true
}

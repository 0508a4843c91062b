package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/tui"
)

func tuiCommand(a *app) *cobra.Command {
	cfg := tui.Config{}
	return a.verb(verb{use: "tui", short: "Browse and act in full screen", offline: true,
		long: `Browse the network in full screen and act on it: feed, market, directory, agents,
attention, wallet, the network's books and playbooks. It follows the event
stream, and keeps what it has while the network is away. Press ? for the keys.

With --accessible it is a dialogue of plain lines, for a screen reader.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&cfg.Theme, "theme", "auto", "auto, dark, light, high-contrast or mono; NO_COLOR makes it mono")
			f.BoolVar(&cfg.Accessible, "accessible", false, "plain lines and questions instead of a full screen")
			f.BoolVar(&cfg.Mouse, "mouse", true, "take clicks and the wheel; without it the terminal selects text")
		},
		run: func(c *call) error { return c.tui(cfg) }})
}

// tui opens the screens on the network that commands go to.
func (c *call) tui(cfg tui.Config) error {
	if !cfg.Accessible && !terminal(os.Stdout) {
		return usage(errors.New("the screens need a terminal; netctl tui --accessible reads and writes lines"))
	}
	where, err := c.connect(c.ctx, false)
	if err != nil {
		return err
	}
	t := where.target
	faces, err := c.faces(where)
	if err != nil {
		return errors.Join(err, where.close())
	}
	cfg.Network, cfg.Where = faces, where.where
	if t.url != inProcessURL {
		cfg.BaseURL, cfg.Intent = t.url, t.intent
	}
	cfg.Args = c.whither()
	_, cfg.NoColor = c.env("NO_COLOR")
	if cfg.Accessible {
		cfg.In, cfg.Out = c.in, c.out
	}
	cfg.Unreachable = func(err error) bool { return errors.Is(err, netclient.ErrUnreachable) }
	return errors.Join(tui.Run(c.ctx, cfg), where.close())
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

func (c *call) faces(where *connection) (tui.Network, error) {
	door := http.RoundTripper(http.DefaultTransport)
	if where.target.data != "" {
		door = where.door
	}
	if d, ok := door.(*localDoor); ok {
		at, err := url.Parse(where.target.url)
		if err != nil {
			return nil, err
		}
		door = &followingDoor{dir: where.target.data, door: d, at: at}
	}
	acts, err := c.client(where.target, door)
	if err != nil {
		return nil, err
	}
	v := c.set.v
	asks, err := netclient.New(netclient.Config{BaseURL: where.target.url, IntentURL: where.target.intent, Token: where.target.token,
		Timeout: min(v.GetDuration("timeout"), askTime), Retries: -1, UserAgent: "netctl/" + version(), HTTPClient: &http.Client{Transport: door}})
	return &faces{asks, asks, asks, asks, acts}, err
}

// askTime is how long the screens wait for an answer before they say that
// there is none.
const askTime = 10 * time.Second

// followingDoor finds the server on a folder again after it was restarted: its
// key, and perhaps its address, are others then.
type followingDoor struct {
	dir string

	mu   sync.Mutex
	door *localDoor
	at   *url.URL
}

// RoundTrip implements http.RoundTripper. A request that the server refused for
// the old key was not carried out, and goes out again with the new one.
func (d *followingDoor) RoundTrip(r *http.Request) (*http.Response, error) {
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

func (d *followingDoor) try(r *http.Request) (*http.Response, error) {
	d.mu.Lock()
	door, at := d.door, d.at
	d.mu.Unlock()
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = at.Scheme, at.Host, at.Host
	return door.RoundTrip(r)
}

// look reads anew where the server is, and reports whether it is another.
func (d *followingDoor) look(ctx context.Context) bool {
	r, ok := findRunning(ctx, d.dir)
	if !ok {
		return false
	}
	at, err := url.Parse(r.URL)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil || r.Key == d.door.key {
		return false
	}
	d.door, d.at = &localDoor{next: http.DefaultTransport, key: r.Key, as: d.door.as}, at
	return true
}

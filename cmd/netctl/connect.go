package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/netclient"
)

// target is where commands go.
type target struct {
	name   string // for people
	data   string // a folder on this machine; "" is far away
	url    string
	intent string
	token  string
}

// target decides by what was said most directly: flags, then the environment,
// then the file. Of one kind, a folder or an address goes before a context.
func (a *app) target() (target, error) {
	for _, level := range []struct{ name, keys string }{
		{"the flag", "--data, --url and --context"}, {"the environment", "NETCTL_DATA, NETCTL_URL and NETCTL_CONTEXT"}, {"the file", "the settings data and url"},
	} {
		said := func(key string) string {
			k, err := settingOf(key)
			if err == nil && strings.HasPrefix(a.set.source(k), level.name) {
				return a.set.v.GetString(key)
			}
			return ""
		}
		data, url, name := said("data"), said("url"), said("context")
		switch {
		case data != "" && url != "", name != "" && data+url != "" && level.name != "the file":
			return target{}, usage(fmt.Errorf("only one of %s may be given", level.keys))
		case data != "":
			return a.folder(data)
		case url != "":
			v := a.set.v
			return target{name: url, url: url, intent: v.GetString("intent-url"), token: v.GetString("token")}, nil
		case name != "":
			return a.named(name)
		}
	}
	return a.named(localContext)
}

func (a *app) named(name string) (target, error) {
	e, err := a.contextNamed(name)
	if err != nil {
		return target{}, err
	}
	if e.URL != "" {
		t := target{name: name, url: e.URL, intent: e.IntentURL, token: e.Token}
		if token := a.set.v.GetString("token"); token != "" {
			t.token = token
		}
		return t, nil
	}
	if e.Data == "" {
		if e.Data, err = a.dataDir(); err != nil {
			return target{}, err
		}
	}
	return a.folder(e.Data)
}

func (a *app) folder(dir string) (target, error) {
	dir, err := filepath.Abs(dir)
	return target{name: dir, data: dir}, err
}

// connection is a network within reach.
type connection struct {
	client    *netclient.Client
	transport http.RoundTripper // that the client uses
	target    target
	where     string // for people
	close     func() error
}

// connect reaches the network that commands go to. A dry connection passes
// questions on and stops the first command.
func (a *app) connect(ctx context.Context, dry bool) (*connection, error) {
	t, err := a.target()
	if err != nil {
		return nil, err
	}
	return a.connectTo(ctx, t, a.set.v.GetString("as"), dry)
}

// connectTo reaches one network as one party.
func (a *app) connectTo(ctx context.Context, t target, as string, dry bool) (*connection, error) {
	if t.data == "" {
		if as != "" {
			return nil, usage(errors.New("--as is for a local network; far away the token says who acts"))
		}
		return a.connection(t, t.url, nil, dry, nil)
	}
	transport, h, r, err := a.enter(ctx, t.data, as)
	if err != nil {
		return nil, err
	}
	t.url, t.intent = r.URL, r.URL
	if h == nil {
		return a.connection(t, t.data+", served at "+r.URL, transport, dry, nil)
	}
	end := func() error { return h.Close(context.WithoutCancel(ctx)) }
	if !dry {
		err = h.Network.Tick(ctx) // what fell due while nothing ran
	}
	if err != nil {
		return nil, errors.Join(err, end())
	}
	return a.connection(t, t.data, transport, dry, end)
}

// connection wraps up a way to reach a network.
func (a *app) connection(t target, where string, transport http.RoundTripper, dry bool, close func() error) (*connection, error) {
	if close == nil {
		close = func() error { return nil }
	}
	if transport == nil {
		transport = http.DefaultTransport
	}
	transport = a.debugged(transport)
	carries := transport
	if _, here := transport.(*inProcess); !here {
		carries = a.waiting(transport)
	}
	if dry {
		carries = &dryTransport{next: carries, where: where, as: a.set.v.GetString("as")}
	}
	client, err := a.client(t, carries)
	if err != nil {
		return nil, errors.Join(usage(err), close())
	}
	return &connection{client: client, transport: transport, target: t, where: where, close: close}, nil
}

// client makes the client for a target.
func (a *app) client(t target, transport http.RoundTripper) (*netclient.Client, error) {
	retries := a.set.v.GetInt("retries")
	if _, dry := transport.(*dryTransport); dry || retries == 0 {
		retries = -1
	}
	return netclient.New(netclient.Config{BaseURL: t.url, IntentURL: t.intent, Token: t.token, Timeout: a.set.span("timeout"), TotalTimeout: a.set.span("total-timeout"),
		Retries: retries, UserAgent: "netctl/" + version(), HTTPClient: &http.Client{Transport: transport}, Rand: rand.Reader})
}

// plan is what a command would have sent. It travels as an error, since it
// stops the command where the request would have gone out.
type plan struct {
	Method string `json:"method"`
	URL    string `json:"url"`
	Where  string `json:"network"`
	As     string `json:"as,omitempty"`
	Costs  string `json:"costs,omitempty"`
	Body   any    `json:"body,omitempty"`
	Answer any    `json:"would_answer,omitempty"` // of the network's own preview
}

func (p *plan) Error() string { return "dry run: " + p.Method + " " + p.URL + " was not sent" }

// dryTransport lets questions through and turns the first command into a plan. A
// command that the network can preview is sent there, and its refusal returned.
type dryTransport struct {
	next      http.RoundTripper
	where, as string
}

// RoundTrip implements http.RoundTripper.
func (d *dryTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return d.next.RoundTrip(r)
	}
	p := &plan{Method: r.Method, URL: r.URL.String(), Where: d.where, As: d.as}
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(io.LimitReader(r.Body, 1<<20)); err != nil {
			return nil, err
		}
		p.Body = planBody(r.Header.Get("Content-Type"), body)
	}
	seen, err := d.preview(r, body)
	switch {
	case err != nil:
		return nil, err
	case seen == nil:
		return nil, p
	case seen.StatusCode != http.StatusOK:
		return seen, nil
	}
	defer seen.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(seen.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	p.Answer = rawJSON(answer)
	return nil, p
}

// preview sends a command to the operation that previews it; nil where there is
// none.
func (d *dryTransport) preview(r *http.Request, body []byte) (*http.Response, error) {
	for o := range catalog.All() {
		if base, is := strings.CutSuffix(r.URL.Path, o.Path); is && o.Method == r.Method && o.Preview != nil {
			ask := r.Clone(r.Context())
			ask.URL.Path, ask.Body, ask.ContentLength = base+o.Preview.Path, io.NopCloser(bytes.NewReader(body)), int64(len(body))
			ask.Header.Del("Idempotency-Key")
			return d.next.RoundTrip(ask)
		}
	}
	return nil, nil
}

// firstLine returns a text up to its first line end, without spaces around.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimSpace(s)
}

// missingNetwork says that a folder holds no network and what to do about it.
func missingNetwork(dir string) error {
	return because(netkit.ErrNotFound, "there is no network in %s; netctl init makes one, netctl serve makes and serves one, --data or --url names another", dir)
}

// probeTime is how long a server on this machine may take to say that it runs.
const probeTime = 2 * time.Second

// Package netclient talks to a running network over HTTP, with the types of
// package netkit and its errors: errors.Is(err, netkit.ErrInsufficientCredits) holds for a
// refusal from afar as it does in process.
//
// Make a [Client] with [New]. Its methods are the operations of the network,
// one each. Whatever changes something carries an idempotency key, made for
// the call or given with [netkit.WithKey], and is repeated with that key when the
// answer was lost, so that nothing is done twice and nothing paid twice.
// Lists come a page at a time, or whole as an iterator (AllDirectory and its
// like). [Client.Events] follows the event stream across lost connections.
//
// Redirects are refused, and the token goes to the base addresses alone.
//
// Texts that agents wrote are untrusted: do not give them to a model as if
// they were instructions.
package netclient

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"
)

// Config says how to reach a network. BaseURL is required.
type Config struct {
	BaseURL   string // where the API listens, as in "http://127.0.0.1:8787"
	IntentURL string // where the intent listener does; "" means BaseURL
	Token     string // bearer token; "" calls anonymously

	// HTTPClient carries the requests; nil means one of its own. It is not
	// changed, but its redirect policy and its Timeout are not used.
	HTTPClient *http.Client
	Timeout    time.Duration // of one attempt at a call; 0 means 30 s
	// TotalTimeout limits a call with all its attempts and the waits between
	// them; 0 means no limit but that of the context.
	TotalTimeout time.Duration
	// Retries is how often a call is repeated after a transport error, 429 or
	// 503; 0 means 3, and a negative number none.
	Retries   int
	UserAgent string // "" means "netclient"
	// MaxResponse limits the bytes of an answer; 0 means 8 MiB. Recordings have
	// a limit of their own, the network's 50 MiB.
	MaxResponse int64
	// Silence is how long the event stream may be without a sign of life before
	// it is opened again; 0 means 45 s, three heartbeats.
	Silence time.Duration
	// Rand makes tokens, keys and jitter; it is read from every goroutine that
	// calls. nil means crypto/rand.
	Rand io.Reader
}

// Client is a network seen over HTTP. Its methods may be called from several
// goroutines.
type Client struct {
	cfg    Config
	base   *url.URL
	intent *url.URL
	http   *resty.Client
}

// New checks the configuration; it opens no connection.
func New(cfg Config) (*Client, error) {
	base, err := address("the base address", cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	intent := base
	if cfg.IntentURL != "" {
		if intent, err = address("the address of the intent listener", cfg.IntentURL); err != nil {
			return nil, err
		}
	}
	cfg.defaults()
	plain := http.Client{}
	if cfg.HTTPClient != nil {
		plain = *cfg.HTTPClient
	}
	plain.CheckRedirect, plain.Timeout = refuseRedirect, 0
	c := resty.NewWithClient(&plain).SetLogger(silent{}).SetDisableWarn(true).
		SetHeader("User-Agent", cfg.UserAgent).SetHeader("Accept", "application/json")
	return &Client{cfg: cfg, base: base, intent: intent, http: c}, nil
}

func (c *Config) defaults() {
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Retries == 0 {
		c.Retries = 3
	}
	if c.UserAgent == "" {
		c.UserAgent = "netclient"
	}
	if c.MaxResponse == 0 {
		c.MaxResponse = 8 << 20
	}
	if c.Silence == 0 {
		c.Silence = 45 * time.Second
	}
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
}

// address reads a base address: http or https, a host, no query.
func address(what, s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(s, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.User != nil {
		return nil, fmt.Errorf("netclient: %s is not an http or https address such as http://127.0.0.1:8787", what)
	}
	return u, nil
}

// BaseURL returns the address that the client was made with.
func (c *Client) BaseURL() string { return c.base.String() }

// errRedirect refuses a redirect: to follow one could carry a token, or the
// secret headers of the caller's transport, to another server.
var errRedirect = errors.New("netclient: the server answered with a redirect, which is not followed, so that no secret goes astray")

func refuseRedirect(next *http.Request, _ []*http.Request) error {
	return fmt.Errorf("%w; it leads to %s: if that is the network, use it as the base address", errRedirect, next.URL.Host)
}

// silent keeps the transport's remarks out of the program's output: what
// matters comes back as an error.
type silent struct{}

func (silent) Errorf(string, ...any) {}
func (silent) Warnf(string, ...any)  {}
func (silent) Debugf(string, ...any) {}

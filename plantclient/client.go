// Package plantclient creates plants in a plant store over HTTP.
//
// [New] makes a [Client] for one store and token; [Client.CreatePlant] is its
// one operation. A refusal of the store is an [*Error], found with errors.As and
// matched with errors.Is against [ErrInvalid] and its siblings.
//
// Each call sends an Idempotency-Key of its own and repeats it when it retries,
// so that a plant whose answer was lost is not created twice. Redirects are not
// followed: the token goes to the configured host and nowhere else.
package plantclient

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/agentnet/netctl/netkit/timespan"
)

// NewPlant is a plant to create.
type NewPlant struct {
	ID   int64  `json:"id"` // must be new to the store
	Name string `json:"name"`
	Tag  string `json:"tag,omitempty"` // optional type; empty is not sent
}

// Plant is a plant as the store answers it. It carries no id.
type Plant struct {
	Name string `json:"name"`
	Tag  string `json:"tag,omitempty"`
}

const (
	// DefaultTimeout bounds one attempt.
	DefaultTimeout = 30 * time.Second
	// DefaultRetries is how often a call is repeated after its first attempt.
	DefaultRetries = 2
	// MaxRetryAfter is the longest wait that a store can ask for; a call that
	// would have to wait longer returns the refusal instead.
	MaxRetryAfter = time.Minute

	maxAnswer  = 64 << 10 // bytes of a body that are read
	firstPause = 250 * time.Millisecond
)

// Config names a store. BaseURL and Token are required.
type Config struct {
	BaseURL    string        // as in https://plants.example/v1, http or https
	Token      string        // bearer token with the right to create plants
	HTTPClient *http.Client  // copied, never changed; nil means a plain one
	Timeout    time.Duration // of one attempt; 0 means DefaultTimeout
	Retries    int           // 0 means DefaultRetries, below 0 none
	Rand       io.Reader     // source of idempotency keys, read by concurrent calls; nil means crypto/rand
}

// Client is safe for concurrent use.
type Client struct {
	rest    *resty.Client
	url     string
	retries int
	rand    io.Reader
}

// New checks c and makes a client; it sends nothing.
func New(c Config) (*Client, error) {
	base, err := baseURL(c.BaseURL)
	if err != nil {
		return nil, err
	}
	if c.Token == "" || strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("plantclient: token is empty or holds characters that no token has; give the bearer token alone")
	}
	if c.Timeout < 0 {
		return nil, errors.New("plantclient: timeout is negative; leave it 0 for the default")
	}
	client := &Client{rest: rest(c), url: base + "/plants", retries: max(c.Retries, 0), rand: c.Rand}
	if c.Retries == 0 {
		client.retries = DefaultRetries
	}
	if client.rand == nil {
		client.rand = rand.Reader
	}
	return client, nil
}

func baseURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", errors.New("plantclient: base URL is not an http or https address; give one such as https://plants.example")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("plantclient: base URL holds credentials, a query or a fragment; remove them")
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// rest sets up resty on a copy of the caller's client. Retries are ours: resty's
// would shorten a Retry-After and log addresses.
func rest(c Config) *resty.Client {
	var inner http.Client
	if c.HTTPClient != nil {
		inner = *c.HTTPClient
	}
	inner.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	inner.Timeout = c.Timeout
	if c.Timeout == 0 {
		inner.Timeout = DefaultTimeout
	}
	return resty.NewWithClient(&inner).
		SetDisableWarn(true).
		SetResponseBodyLimit(maxAnswer).
		SetHeader("Authorization", "Bearer "+c.Token).
		SetHeader("Accept", "application/json").
		SetHeader("User-Agent", "netctl-plantclient/1")
}

// CreatePlant creates p and returns it as the store answers. It repeats the call
// on a failed connection and on 429, 502, 503 and 504, and gives up at once when
// ctx ends.
func (c *Client) CreatePlant(ctx context.Context, p NewPlant) (Plant, error) {
	if p.Name == "" {
		return Plant{}, errors.New("plantclient: the plant has no name; give it one")
	}
	key, err := c.key()
	if err != nil {
		return Plant{}, err
	}
	for attempt := 0; ; attempt++ {
		plant, pause, err := c.attempt(ctx, key, p)
		if err == nil || pause < 0 || attempt == c.retries {
			return plant, err
		}
		if pause == 0 {
			pause = firstPause << min(attempt, 5)
		}
		if !timespan.Wait(ctx, pause) {
			return Plant{}, errors.Join(fmt.Errorf("plantclient: gave up: %w", ctx.Err()), err)
		}
	}
}

// never is the pause after an answer that a repeat would not change.
const never = -1

// attempt sends p once. With an error comes how long to wait before the next
// attempt: 0 leaves it to the caller, never says there is no use.
func (c *Client) attempt(ctx context.Context, key string, p NewPlant) (Plant, time.Duration, error) {
	r, err := c.rest.R().SetContext(ctx).SetHeader("Idempotency-Key", key).SetBody(p).Post(c.url)
	switch {
	case errors.Is(err, resty.ErrResponseBodyTooLarge):
		return Plant{}, never, fmt.Errorf("%w: its body exceeds %d bytes", ErrAnswer, maxAnswer)
	case err != nil:
		return Plant{}, 0, fmt.Errorf("%w: %w", ErrUnreachable, err)
	case r.StatusCode() == http.StatusOK:
		plant, err := plantOf(r.Body())
		return plant, never, err
	case r.IsSuccess():
		return Plant{}, never, fmt.Errorf("%w: status %d where 200 is due", ErrAnswer, r.StatusCode())
	}
	refusal := refusalOf(r)
	return Plant{}, refusal.pause(), refusal
}

func (c *Client) key() (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(c.rand, b[:]); err != nil {
		return "", fmt.Errorf("plantclient: make an idempotency key: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

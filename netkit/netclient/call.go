package netclient

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/go-resty/resty/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/timespan"
)

// request is one call, however often it is attempted.
type request struct {
	method string
	path   string // beginning with a slash, its parts escaped
	query  url.Values
	body   any           // sent as JSON; nil for none
	upload io.ReadSeeker // sent as it is, instead of body
	lines  []byte        // lines of JSON, instead of body
	intent bool          // goes to the intent listener
	key    string        // idempotency key, "" for a call that changes nothing
}

// to begins a call of an operation, with the parameters of its path in order.
func to(op *catalog.Operation, params ...string) *request {
	return &request{method: op.Method, path: op.At(params...), intent: op.Intent()}
}

// get asks a question.
func get[R any](ctx context.Context, c *Client, r *request, query url.Values) (R, error) {
	r.query = query
	return call[R](ctx, c, r)
}

// post sends a command.
func post[R any](ctx context.Context, c *Client, r *request, body any) (R, error) {
	r.body = body
	return change[R](ctx, c, r)
}

// upload sends a file.
func upload[R any](ctx context.Context, c *Client, r *request, file io.ReadSeeker) (R, error) {
	r.upload = file
	return change[R](ctx, c, r)
}

// change sends a command under an idempotency key.
func change[R any](ctx context.Context, c *Client, r *request) (R, error) {
	var none R
	var err error
	if r.key, err = c.keyOf(ctx); err != nil {
		return none, err
	}
	return call[R](ctx, c, r)
}

// keyOf is the idempotency key that a context carries, or a new one.
func (c *Client) keyOf(ctx context.Context) (string, error) {
	if key := netkit.KeyOf(ctx); key != "" {
		return key, nil
	}
	var key [16]byte
	if _, err := io.ReadFull(c.cfg.Rand, key[:]); err != nil {
		return "", fmt.Errorf("netclient: no randomness: %w", err)
	}
	return hex.EncodeToString(key[:]), nil
}

// Do sends a request to a path of the network, with its query, and returns the
// body of the answer: for what this client has no method for. The body is JSON,
// or empty. What may change something carries an idempotency key.
func (c *Client) Do(ctx context.Context, method, path string, body json.RawMessage) ([]byte, error) {
	r := &request{method: method, path: path}
	if len(body) > 0 {
		r.body = body
	}
	if method != "GET" && method != "HEAD" {
		var err error
		if r.key, err = c.keyOf(ctx); err != nil {
			return nil, err
		}
	}
	return c.send(ctx, r)
}

// call makes a call and decodes its answer.
func call[R any](ctx context.Context, c *Client, r *request) (R, error) {
	var out R
	body, err := c.send(ctx, r)
	if err != nil {
		return out, err
	}
	if len(body) == 0 {
		return out, nil
	}
	if err := json.Unmarshal(body, &out); err != nil {
		return out, fmt.Errorf("netclient: %s %s: the answer is not what this version expects: %w", r.method, r.path, err)
	}
	return out, nil
}

// send attempts a call until it is answered, refused for good, or its retries
// or its context are used up. All attempts carry the same key.
func (c *Client) send(ctx context.Context, r *request) ([]byte, error) {
	var payload []byte
	if r.body != nil {
		var err error
		if payload, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("netclient: %s %s: %w", r.method, r.path, err)
		}
	}
	ctx, cancel := c.limitTotal(ctx, r)
	defer cancel()
	for attempt := 0; ; attempt++ {
		body, err := c.attempt(ctx, r, payload)
		if err == nil || attempt >= c.cfg.Retries || !temporary(err) {
			return body, err
		}
		if !c.rest(ctx, attempt, err) {
			return nil, err
		}
	}
}

// limitTotal bounds a call with all its attempts.
func (c *Client) limitTotal(ctx context.Context, r *request) (context.Context, context.CancelFunc) {
	total := c.cfg.TotalTimeout
	if total <= 0 {
		return ctx, func() {}
	}
	late := &unreachable{fmt.Sprintf("%s did not answer within %s", c.hostOf(r), timespan.Format(total)), context.DeadlineExceeded}
	return context.WithTimeoutCause(ctx, total, late)
}

// attempt makes a call once.
func (c *Client) attempt(ctx context.Context, r *request, payload []byte) ([]byte, error) {
	once, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	req := c.request(once, r).SetResponseBodyLimit(int(c.cfg.MaxResponse))
	switch {
	case r.upload != nil:
		if _, err := r.upload.Seek(0, io.SeekStart); err != nil {
			return nil, fmt.Errorf("netclient: %s %s: %w", r.method, r.path, err)
		}
		req.SetHeader("Content-Type", "application/octet-stream").SetBody(io.NopCloser(r.upload))
	case r.lines != nil:
		req.SetHeader("Content-Type", "application/x-ndjson").SetHeader("Accept", "application/x-ndjson").SetBody(r.lines)
	case payload != nil:
		req.SetHeader("Content-Type", "application/json").SetBody(payload)
	}
	resp, err := req.Execute(r.method, c.url(r))
	if err != nil {
		return nil, c.failure(ctx, r, err)
	}
	if resp.StatusCode() < 200 || resp.StatusCode() > 299 {
		return nil, refusal(resp.StatusCode(), resp.Header(), resp.Body())
	}
	return resp.Body(), nil
}

// request prepares what all requests have.
func (c *Client) request(ctx context.Context, r *request) *resty.Request {
	req := c.http.R().SetContext(ctx)
	if c.cfg.Token != "" {
		req.SetHeader("Authorization", "Bearer "+c.cfg.Token)
	}
	if r.key != "" {
		req.SetHeader("Idempotency-Key", r.key)
	}
	return req
}

func (c *Client) url(r *request) string {
	base := c.baseOf(r)
	if len(r.query) == 0 {
		return base.String() + r.path
	}
	return base.String() + r.path + "?" + r.query.Encode()
}

// baseOf returns the base address that a request goes to.
func (c *Client) baseOf(r *request) *url.URL {
	if r.intent {
		return c.intent
	}
	return c.base
}

// hostOf returns the host and port that a request goes to, for errors.
func (c *Client) hostOf(r *request) string { return c.baseOf(r).Host }

// temporary reports whether the same call may succeed a little later. A call
// that changes something may be repeated because it carries a key.
func temporary(err error) bool {
	return errors.Is(err, ErrUnreachable) && !errors.Is(err, errRedirect) ||
		errors.Is(err, netkit.ErrLimit) || errors.Is(err, netkit.ErrUnavailable) || errors.Is(err, netkit.ErrUnknownOutcome)
}

// maxRest is the longest wait between two attempts that is worth its while;
// whoever is told to wait longer gets the refusal, which says how long.
const maxRest = time.Minute

// rest waits before the next attempt: as long as the server asked, else 200 ms
// doubled each time up to 5 s, with up to half as much again so that callers
// do not come back in step. It reports whether to go on.
func (c *Client) rest(ctx context.Context, attempt int, err error) bool {
	wait := min(200*time.Millisecond<<min(attempt, 5), 5*time.Second)
	wait += c.jitter(wait / 2)
	var refused *netkit.Refusal
	if errors.As(err, &refused) && refused.After > 0 {
		wait = refused.After
	}
	if end, ok := ctx.Deadline(); wait > maxRest || ok && time.Until(end) < wait {
		return false
	}
	return timespan.Wait(ctx, wait)
}

// jitter returns a random duration below limit; without randomness, none.
func (c *Client) jitter(limit time.Duration) time.Duration {
	var b [8]byte
	if _, err := io.ReadFull(c.cfg.Rand, b[:]); err != nil || limit <= 0 {
		return 0
	}
	return time.Duration(binary.LittleEndian.Uint64(b[:]) % uint64(limit))
}

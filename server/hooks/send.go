package hooks

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/publicnet"
	"github.com/agentnet/netctl/netkit/webhook"
)

// maxAnswer is how much of an answer is read, so that its connection can be
// used again.
const maxAnswer = 4 << 10

// message is one event on its way to a receiver.
type message struct {
	id      string
	url     string
	secrets []webhook.Secret
	timeout time.Duration
	event   netkit.Event
}

// outcome is an attempt, and how long its receiver asked to be left alone.
type outcome struct {
	webhook.Attempt
	wait time.Duration
}

// send makes one attempt to deliver an event.
func (h *Hooks) send(ctx context.Context, m *message) outcome {
	begun := h.cfg.Now()
	a := outcome{Attempt: webhook.Attempt{Event: m.event.ID, Type: m.event.Type, At: netkit.At(begun)}}
	var err error
	a.Status, a.wait, err = h.post(ctx, m)
	a.DurationMS = max(0, h.cfg.Now().Sub(begun).Milliseconds())
	a.Failure = failure(a.Status, err)
	return a
}

// post sends a message and returns the status of the answer, 0 where none came,
// and how long it asks to wait.
func (h *Hooks) post(ctx context.Context, m *message) (status int, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	m.event.Data = h.cfg.Complete(m.event.Data)
	body, err := json.Marshal(m.event)
	if err != nil {
		return 0, 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(body))
	if err != nil || req.URL.Scheme != "https" { // an address that an earlier version took
		return 0, 0, publicnet.ErrAddress
	}
	for name, value := range webhook.Headers(m.id, h.cfg.Now(), body, m.secrets...) {
		req.Header.Set(name, value)
	}
	req.Header.Set("User-Agent", "agentnet-webhooks/1")
	resp, err := h.cfg.Transport.RoundTrip(req)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer)) // the status is the answer
	return resp.StatusCode, h.retryAfter(resp), nil
}

// retryAfter is how long an answer 429 or 503 asks to wait, as seconds or as a
// date, which is held against the Date of the same answer if it has one.
func (h *Hooks) retryAfter(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	text := resp.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	until, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	from, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		from = h.cfg.Now()
	}
	return max(0, until.Sub(from))
}

// failure says in a word why an attempt failed, "" if it did not.
func failure(status int, err error) webhook.Failure {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case err == nil && status >= 200 && status < 300:
		return ""
	case err == nil && status >= 300 && status < 400:
		return webhook.FailedRedirect
	case err == nil:
		return webhook.FailedStatus
	case errors.Is(err, publicnet.ErrAddress):
		return webhook.FailedAddress
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return webhook.FailedTimeout
	case errors.As(err, &name):
		return webhook.FailedName
	case errors.As(err, &certificate), strings.Contains(err.Error(), "tls: "):
		return webhook.FailedTLS
	}
	return webhook.FailedConnection
}

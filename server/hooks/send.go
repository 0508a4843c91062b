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
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/publicnet"
	"github.com/agentnet/netctl/netkit/webhook"
)

// maxAnswer is how much of an answer is read, so that its connection can be
// used again.
const maxAnswer = 4 << 10

// letter is one event on its way to a receiver.
type letter struct {
	id      string
	url     string
	secrets []webhook.Secret
	event   netkit.Event
}

// send makes one attempt to deliver an event.
func (h *Hooks) send(ctx context.Context, l *letter) webhook.Attempt {
	begun := h.cfg.Now()
	a := webhook.Attempt{Event: l.event.ID, Type: l.event.Type, At: netkit.At(begun)}
	var err error
	a.Status, err = h.post(ctx, l)
	a.DurationMS = max(0, h.cfg.Now().Sub(begun).Milliseconds())
	a.Failure = failure(a.Status, err)
	return a
}

// post sends a letter and returns the status of the answer, 0 where none came.
func (h *Hooks) post(ctx context.Context, l *letter) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.Timeout)
	defer cancel()
	l.event.Data = h.cfg.Complete(l.event.Data)
	body, err := json.Marshal(l.event)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(body))
	if err != nil || req.URL.Scheme != "https" { // an address that an earlier version took
		return 0, publicnet.ErrAddress
	}
	for name, value := range webhook.Headers(l.id, h.cfg.Now(), body, l.secrets...) {
		req.Header.Set(name, value)
	}
	req.Header.Set("User-Agent", "agentnet-webhooks/1")
	resp, err := h.cfg.Transport.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer)) // the status is the answer
	return resp.StatusCode, nil
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

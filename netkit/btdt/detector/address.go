package detector

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
)

// Address is a server that speaks the POST /analyze of Presidio's analyzer.
type Address struct {
	memo
	name, endpoint string
	client         *http.Client
	answerTime     time.Duration
}

// AddressConfig says which servers may be reached. The zero value reaches this machine
// only.
type AddressConfig struct {
	Remote bool         // allow other hosts, over https only: the whole unscrubbed text is sent there
	Client *http.Client // nil means one of its own; its Transport is used, redirects are refused
}

var (
	errElsewhere = errors.New("it is not on this machine")
	errRedirect  = errors.New("it redirects, which could send the text elsewhere; give the address that it redirects to")
)

// NewAddress makes a detector of an address: http://127.0.0.1:5002, https://HOST/PATH or
// unix:///run/analyzer.sock. Without a path it is /analyze.
func NewAddress(address string, cfg AddressConfig) (*Address, error) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Fragment != "" || u.RawQuery != "" {
		return nil, errors.New("the address of a detector is http://, https:// or unix:// with a host or a socket, without user, query and fragment")
	}
	if u.Scheme == "unix" {
		if u.Host != "" || u.Path == "" {
			return nil, errors.New("a unix socket is unix:///PATH")
		}
		d := &Address{name: "socket", endpoint: "http://socket/analyze", answerTime: answerTime}
		d.client = client(cfg, func(ctx context.Context, _, _ string) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, "unix", u.Path)
		})
		return d, nil
	}
	switch remote := Remote(address); {
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("the address of a detector is http://, https:// or unix://")
	case remote && !cfg.Remote:
		return nil, errElsewhere
	case remote && u.Scheme != "https":
		return nil, errors.New("a detector on another host needs https")
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/analyze"
	}
	dialer := &net.Dialer{Timeout: answerTime}
	if !Remote(address) {
		dialer.Control = refuseElsewhere
	}
	return &Address{name: u.Host, endpoint: u.String(), answerTime: answerTime, client: client(cfg, dialer.DialContext)}, nil
}

// Remote reports whether an address is on another host, to which a text would be sent.
func Remote(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "unix" || u.Hostname() == "localhost" {
		return err != nil
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err != nil || !ip.IsLoopback()
}

// refuseElsewhere refuses to connect to another machine, wherever a name points.
func refuseElsewhere(_, address string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().IsLoopback() {
		return errElsewhere
	}
	return nil
}

// client follows no redirect and knows no proxy.
func client(cfg AddressConfig, dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	c := &http.Client{Transport: &http.Transport{DialContext: dial, DisableCompression: true, TLSHandshakeTimeout: answerTime,
		MaxResponseHeaderBytes: 64 << 10, MaxIdleConns: 1, IdleConnTimeout: time.Minute}}
	if cfg.Client != nil && cfg.Client.Transport != nil {
		c.Transport = cfg.Client.Transport
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return errRedirect }
	return c
}

// Detect implements [btdt.Detector].
func (d *Address) Detect(ctx context.Context, path, text, language string) ([]btdt.Finding, error) {
	found, err := d.ask(ctx, question{"", text, language}, d.name, d.post)
	if err != nil {
		return nil, fmt.Errorf("the detector at %s failed on %s: %w", d.name, path, err)
	}
	return found, nil
}

// post sends a text and returns the answer.
func (d *Address) post(ctx context.Context, q question) ([]byte, error) {
	body, err := json.Marshal(struct {
		Text     string `json:"text"`
		Language string `json:"language"`
	}{q.text, q.language})
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithTimeout(ctx, d.answerTime)
	defer end()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	answer, err := d.client.Do(r)
	if err != nil {
		return nil, reason(err, d.answerTime)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %d to a text in the language %q; see its log, and whether it has that language", answer.StatusCode, q.language)
	}
	data, err := readLimited(answer.Body)
	return data, reason(err, d.answerTime)
}

// reason is the cause of a failed request, without its address.
func reason(err error, limit time.Duration) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("it did not answer within %s", limit)
	}
	return err
}

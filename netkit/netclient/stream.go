package netclient

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/timespan"
)

// heartbeat names the event that only says that the connection lives.
const heartbeat = "heartbeat"

// maxEvent limits the bytes of one event.
const maxEvent = 1 << 20

// OnlyNew as the event after which to listen means that only what happens from
// now on is wanted.
const OnlyNew = math.MaxUint64

// Events follows the event stream for ever, behind the event after, and resumes
// behind the last one whenever the connection is lost or is silent for
// Config.Silence.
// Each lost connection is yielded as an error that is [ErrUnreachable]: go on
// to have it opened again, break to stop. A refusal ends the sequence, and so
// does the context. The data of an event is a json.RawMessage.
func (c *Client) Events(ctx context.Context, after uint64, filter netkit.EventFilter) iter.Seq2[netkit.Event, error] {
	return func(yield func(netkit.Event, error) bool) {
		s := &stream{c: c, query: streamQuery(filter), after: after, yield: yield}
		for fails := 0; ; fails++ {
			before := s.after
			err := s.follow(ctx)
			if s.stopped || ctx.Err() != nil {
				return
			}
			if !yield(netkit.Event{}, err) || !temporary(err) {
				return
			}
			if s.after != before {
				fails = 0
			}
			if !c.restStream(ctx, fails, err) {
				return
			}
		}
	}
}

func streamQuery(filter netkit.EventFilter) url.Values {
	q := url.Values{}
	set(q, "channel", join(filter.Channels))
	set(q, "type", strings.Join(filter.Types, ","))
	return q
}

// restStream waits before a stream is opened again, longer each time.
func (c *Client) restStream(ctx context.Context, fails int, err error) bool {
	wait := min(500*time.Millisecond<<min(fails, 6), 30*time.Second)
	var refused *netkit.Refusal
	if errors.As(err, &refused) {
		wait = max(wait, refused.After)
	}
	return timespan.Wait(ctx, wait+c.jitter(wait/2))
}

// stream is one sequence of events over as many connections as it takes.
type stream struct {
	c       *Client
	query   url.Values
	after   uint64 // id of the last event that was yielded, or OnlyNew
	behind  uint64 // what after was when the connection was opened
	yield   func(netkit.Event, error) bool
	stopped bool // the consumer has had enough
}

// follow reads one connection until it ends, and says why it did.
func (s *stream) follow(ctx context.Context) error {
	s.behind = s.after
	once, cancel := context.WithCancel(ctx)
	defer cancel()
	var silent atomic.Bool
	watch := time.AfterFunc(s.c.cfg.Silence, func() { silent.Store(true); cancel() })
	defer watch.Stop()
	r := to(catalog.StreamEvents)
	r.query = s.query
	body, err := s.c.open(once, r, map[string]string{"Accept": "text/event-stream", "Last-Event-ID": s.resume()})
	if err == nil {
		err = s.read(body, func() { watch.Reset(s.c.cfg.Silence) })
		body.Close()
	}
	switch {
	case s.stopped:
		return nil
	case silent.Load():
		return fmt.Errorf("%w: the event stream was silent for %s", ErrUnreachable, s.c.cfg.Silence)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%w: the event stream was closed", ErrUnreachable)
	}
	return err
}

func (s *stream) resume() string {
	if s.after == OnlyNew {
		return ""
	}
	return number(s.after)
}

// open begins a call whose answer is read as it comes.
func (c *Client) open(ctx context.Context, r *request, header map[string]string) (io.ReadCloser, error) {
	req := c.request(ctx, r).SetDoNotParseResponse(true)
	for name, value := range header {
		if value != "" {
			req.SetHeader(name, value)
		}
	}
	resp, err := req.Execute(r.method, c.url(r))
	if err != nil {
		return nil, c.failure(ctx, r, err)
	}
	body := resp.RawBody()
	if resp.StatusCode() == http.StatusOK {
		return body, nil
	}
	defer body.Close()
	told, _ := io.ReadAll(io.LimitReader(body, 64<<10))
	return nil, refusal(resp.StatusCode(), resp.Header(), told)
}

// read parses server-sent events, calling alive for every line. It returns
// io.EOF at the end of the connection.
func (s *stream) read(body io.Reader, alive func()) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 4096), maxEvent)
	var ev event
	for lines.Scan() {
		alive()
		line := lines.Text()
		if line != "" {
			ev.field(line)
			continue
		}
		if !s.deliver(&ev) {
			return nil
		}
		ev = event{}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: the event stream broke off: %w", ErrUnreachable, err)
	}
	return io.EOF
}

// event gathers the lines of one server-sent event.
type event struct {
	id   uint64
	kind string
	data []string
}

// field takes one line, "name: value"; a comment has no name.
func (e *event) field(line string) {
	name, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "id":
		e.id, _ = strconv.ParseUint(value, 10, 64)
	case "event":
		e.kind = value
	case "data":
		e.data = append(e.data, value)
	}
}

// deliver yields an event that is complete and reports whether to go on. What
// was delivered before, as after a resume, is passed over. One entry may tell a
// reader two events, which have the same id.
func (s *stream) deliver(e *event) bool {
	if e.kind == heartbeat || len(e.data) == 0 || s.after != OnlyNew && (e.id < s.after || e.id == s.behind) {
		return true
	}
	s.after = e.id
	out := netkit.Event{ID: e.id, Type: e.kind, Data: json.RawMessage(strings.Join(e.data, "\n"))}
	s.stopped = !s.yield(out, nil)
	return !s.stopped
}

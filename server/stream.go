package server

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
)

// streamRoutes are the event stream. It is written by hand: ids are journal
// numbers, and heartbeats have a name, since EventSource hides comments.
func (s *Server) streamRoutes() []route {
	open := &seats{of: map[string]int{}}
	return []route{plain("GET", "/api/net/stream", route{scope: public, as: netkit.ScopeRead, tag: "feed", summary: "What happens, as server-sent events",
		doc:    "P0 dispatches whole, P1 and P2 as notices, market and executions; with a token of scope read also your own notices, and your channels as default filter. The id of an event is its journal entry: send the last one as Last-Event-ID or after to resume without a gap. Begins with what is new. An event named heartbeat comes every 15 seconds.",
		errors: []int{422, 429}}, func(w http.ResponseWriter, r *http.Request, v *visit) {
		reader := cmp.Or(v.caller.Slug, "from "+address(r))
		if err := open.take(reader, &s.cfg.Limits); err != nil {
			s.refuse(w, r, err)
			return
		}
		defer open.leave(reader)
		s.stream(w, r, v)
	}, describeStream)}
}

// seats counts the streams that are open, in all and of each reader, so that
// no one of them takes the places of all others.
type seats struct {
	mu   sync.Mutex
	open int
	of   map[string]int
}

func (o *seats) take(reader string, l *Limits) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.open >= l.Streams:
		return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: "streams_full", What: "as many streams are open as this network serves", Next: "try again later", After: 10 * time.Second}
	case o.of[reader] >= l.StreamsEach:
		return &netkit.Refusal{Kind: netkit.ErrLimit, Code: "streams_yours", What: "you have as many streams open as one reader may", Next: "close some, or wait until they end", After: 10 * time.Second}
	}
	o.open++
	o.of[reader]++
	return nil
}

func (o *seats) leave(reader string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open--
	if o.of[reader]--; o.of[reader] == 0 {
		delete(o.of, reader)
	}
}

func describeStream(_ *mux, op *huma.Operation) {
	text := &huma.Schema{Type: "string"}
	op.Parameters = []*huma.Param{
		{Name: "after", In: "query", Schema: &huma.Schema{Type: "integer", Format: "int64", Minimum: ptr(0.0)}, Description: "id of the last event that you have"},
		{Name: "Last-Event-ID", In: "header", Schema: text, Description: "the same, as browsers send it; it comes before after"},
		{Name: "type", In: "query", Schema: text, Description: "a list of event types, such as dispatch,crisis.resolved; default: all"},
		{Name: "channel", In: "query", Schema: text, Description: "a list such as SILICON,LEGAL"},
	}
	op.Responses["200"] = &huma.Response{Description: "Events until either side closes", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: text}}}
}

// position reads where a stream begins and what it is narrowed to.
func position(r *http.Request) (after uint64, f netkit.EventFilter, err error) {
	q := r.URL.Query()
	for name := range q {
		if name != "after" && name != "type" && name != "channel" {
			return 0, f, unknownParameter(name, []string{"after", "type", "channel"})
		}
	}
	if f.Channels, err = chooseAll[netkit.Niche]("channel", q.Get("channel")); err != nil {
		return 0, f, err
	}
	if types := q.Get("type"); types != "" {
		f.Types = strings.Split(types, ",")
	}
	at, from := "header.Last-Event-ID", r.Header.Get("Last-Event-ID")
	if from == "" {
		at, from = "query.after", q.Get("after")
	}
	if from == "" {
		return ^uint64(0), f, nil
	}
	if after, err = strconv.ParseUint(from, 10, 64); err != nil {
		return 0, f, wrong(at, "value_wrong", "is not the id of an event", "send the id of the last event, or leave it out")
	}
	return after, f, nil
}

// stream writes events until the reader, or the server, goes away. A reader
// that does not take them in time is dropped and resumes where it was.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, v *visit) {
	after, filter, err := position(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	all := s.net.Events(ctx, v.caller, after, filter) // before the answer begins: what happens after it is in it
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	// Without a buffer: the next event is fetched when the one before was
	// written, so that a slow reader holds one event in memory and no more.
	events := make(chan netkit.Event)
	go s.follow(ctx, all, events)
	out := &eventWriter{w: w, c: http.NewResponseController(w), patience: s.cfg.Limits.Write}
	_ = out.c.SetReadDeadline(time.Time{}) // a stream reads nothing more; in process there is no deadline
	beat := time.NewTicker(s.cfg.Limits.Heartbeat)
	defer beat.Stop()
	err = out.send("retry: 3000\n" + s.heartbeat())
	for err == nil {
		select {
		case e, ok := <-events:
			if !ok || !s.stands(v) {
				return
			}
			err = out.event(s.addressed(e))
		case <-beat.C:
			if !s.stands(v) {
				return
			}
			err = out.send(s.heartbeat())
		case <-s.closing:
			return
		case <-ctx.Done():
			return
		}
	}
}

// stands reports whether the token that a stream was opened with is still
// good. A stream outlives the request's check by hours, and whoever revokes a
// token wants its notices to end now.
func (s *Server) stands(v *visit) bool {
	token, err := bearer(v.r)
	if err != nil || token == "" || localPrincipal(v.r.Context()) != nil {
		return err == nil
	}
	_, err = s.net.Authenticate(token)
	return err == nil
}

// addressed fills in where the recordings of a free dispatch are fetched. No
// other comes whole.
func (s *Server) addressed(e netkit.Event) netkit.Event {
	if d, ok := e.Data.(netkit.Dispatch); ok {
		s.address(&d)
		e.Data = d
	}
	return e
}

// follow hands events on until the context ends or the journal fails.
func (s *Server) follow(ctx context.Context, all iter.Seq2[netkit.Event, error], events chan<- netkit.Event) {
	defer close(events)
	for e, err := range all {
		if err != nil {
			s.log.Error("event stream", "error", err.Error())
			return
		}
		select {
		case events <- e:
		case <-ctx.Done():
			return
		}
	}
}

// heartbeat carries no id, so that it never moves where a reader resumes.
func (s *Server) heartbeat() string {
	return `event: heartbeat` + "\n" + `data: {"at":"` + s.net.Now().String() + `"}` + "\n\n"
}

// eventWriter writes events, each within the reader's patience.
type eventWriter struct {
	w        http.ResponseWriter
	c        *http.ResponseController
	patience time.Duration
}

func (o *eventWriter) event(e netkit.Event) error {
	data, err := json.Marshal(e.Data)
	if err != nil {
		return err
	}
	return o.send("id: " + strconv.FormatUint(e.ID, 10) + "\nevent: " + e.Type + "\ndata: " + string(data) + "\n\n")
}

func (o *eventWriter) send(text string) error {
	_ = o.c.SetWriteDeadline(time.Now().Add(o.patience)) // not there in process
	if _, err := o.w.Write([]byte(text)); err != nil {
		return err
	}
	return o.c.Flush()
}

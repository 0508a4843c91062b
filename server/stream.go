package server

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/server/stream"
)

// streamRoutes are the event stream. It is written by hand: ids are journal
// numbers, and heartbeats have a name, since EventSource hides comments.
func (s *Server) streamRoutes() []route {
	open := newSeats()
	return []route{plain(catalog.StreamEvents, func(w http.ResponseWriter, r *http.Request, v *request) { s.stream(w, r, v, open) }, describeStream)}
}

func describeStream(_ *mux, op *huma.Operation) {
	text := &huma.Schema{Type: "string"}
	op.Parameters = []*huma.Param{
		{Name: "after", In: "query", Schema: &huma.Schema{Type: "integer", Format: "int64", Minimum: ptr(0.0)}, Description: "id of the last event that you have"},
		{Name: "Last-Event-ID", In: "header", Schema: text, Description: "the same, as browsers send it; it comes before after"},
		{Name: "type", In: "query", Schema: text, Description: "a list of " + strings.Join(rules.EventTypes(), ", ") + "; default: all"},
		{Name: "channel", In: "query", Schema: choices[netkit.Niche]("").Schema(nil), Description: "a list such as SILICON,LEGAL"},
	}
	op.Responses["200"] = &huma.Response{Description: "Events until either side closes", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: text}}}
}

// position reads where a stream begins and what it is narrowed to.
func position(r *http.Request) (after uint64, f netkit.EventFilter, err error) {
	q := r.URL.Query()
	if f.Channels, err = chooseAll("channel", choices[netkit.Niche](q.Get("channel"))); err != nil {
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
		return 0, f, wrong(at, code.ValueWrong, "is not the id of an event", "send the id of the last event, or leave it out")
	}
	return after, f, nil
}

// stream opens a stream and serves it until the reader, or the server, goes
// away. A reader that does not take events in time is dropped and resumes where
// it was.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, v *request, open *seats) {
	in, err := s.streamReader(v)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	reader := cmp.Or(v.caller.Slug, "from "+address(r))
	at, err := open.take(reader, source(r), s.limits())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	in.End, in.Left = at.lost, func() { open.leave(at) }
	one, err := s.hub.Open(in) // before the answer begins: what happens after it is in it
	if err != nil {
		open.leave(at)
		s.refuse(w, r, streamRefusal(err))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		w.WriteHeader(http.StatusOK)
		one.Drop()
		return
	}
	if conn, head, ok := stream.Take(w, r); ok {
		if rec, ok := w.(*recorder); ok {
			rec.status = http.StatusOK // for the log: the connection has left this handler
		}
		one.Over(conn, head)
		return
	}
	w.WriteHeader(http.StatusOK)
	one.Within(r.Context(), w)
}

// streamReader says what a visitor asks of the stream. It keeps nothing of the
// request, which a stream outlives.
func (s *Server) streamReader(v *request) (in stream.Reader, err error) {
	if in.After, in.Filter, err = position(v.r); err != nil {
		return in, err
	}
	in.By = v.caller.Slug
	if localPrincipal(v.r.Context()) != nil {
		return in, nil // nothing limits or ends who holds the journal
	}
	token, err := bearer(v.r)
	if err != nil {
		return in, err
	}
	if token == "" {
		from := address(v.r)
		in.Charge = func() time.Duration { return s.ratesOf(false).address.charge(from, 1) }
		return in, nil
	}
	party, shared := v.principal.Slug, v.caller.Source
	token = strings.Clone(token)
	in.Stands = func() bool { return s.stands(token) }
	in.Charge = func() time.Duration { return s.ratesOf(false).chargeParty(party, shared, 1) }
	return in, nil
}

// stands reports whether a token is still good. A stream outlives the check of
// its request by hours, and whoever revokes a token wants its notices to end
// now.
func (s *Server) stands(token string) bool {
	_, err := s.net.Authenticate(token)
	return err == nil
}

// streamRefusal says what keeps a stream from opening.
func streamRefusal(err error) error {
	var r *netkit.Refusal
	switch {
	case errors.Is(err, stream.ErrClosed):
		return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.Closing, What: "the server is shutting down", Next: "open the stream again in a few seconds", After: 5 * time.Second}
	case errors.As(err, &r) && r.Field != "":
		named := *r
		named.Field = "query." + r.Field
		return &named
	}
	return err
}

// addressed fills in where the recordings of a free dispatch are fetched. No
// other comes whole.
func (s *Server) addressed(data any) any {
	d, ok := data.(netkit.Dispatch)
	if !ok {
		return data
	}
	s.address(&d)
	return d
}

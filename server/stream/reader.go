package stream

import (
	"context"
	"net"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/rules"
)

// Reader is one open stream.
type Reader struct {
	By     string // slug of the reader, "" for a stranger
	After  uint64 // tell what follows this entry; beyond the last entry means only what is new
	Filter netkit.EventFilter
	// Charge takes the reading of a stretch of the journal from the caller's
	// rate and returns how long to wait for it; nil charges nothing.
	Charge func() time.Duration
	// Stands reports whether the reader may still read. It is asked at each
	// heartbeat, and before anything is sent after a token ended; nil means
	// always.
	Stands func() bool
	// End ends the stream when it is closed; nil never does.
	End <-chan struct{}
	// Left is called once when the stream has ended; nil means nobody is told.
	Left func()
}

// Stream is a reader who has joined a hub: what happens from now on reaches
// it once it runs.
type Stream struct {
	Reader
	h        *Hub
	r        *ring
	sub      rules.Subscription
	shard    int
	position uint64 // next entry to tell
	changes  uint64
	out      output
	gone     <-chan struct{} // closed when the other side is gone
	beat     *time.Ticker
	pace     *rate.Limiter // while it catches up
}

// Open adds a reader, who must then be served by [Stream.Over] or
// [Stream.Within], or leave with [Stream.Drop]. It refuses filters that name
// something that does not exist.
func (h *Hub) Open(in Reader) (*Stream, error) {
	sub, err := h.cfg.Network.As(in.By).Subscribe(in.Filter)
	if err != nil {
		return nil, err
	}
	r, number, err := h.join()
	if err != nil {
		return nil, err
	}
	s := &Stream{Reader: in, h: h, r: r, sub: sub, shard: int(number % shards), position: h.cfg.Network.Size(),
		changes: unknown}
	if in.After < s.position {
		s.position = in.After + 1
	}
	return s, nil
}

// unknown is not a number of changes: a stream begins with a look at all that may
// have changed.
const unknown = ^uint64(0)

// Drop ends a stream that was never served.
func (s *Stream) Drop() {
	s.h.leave(s.r)
	if s.Left != nil {
		s.Left()
	}
}

// Within serves the stream as the answer to a request, and returns when it has
// ended.
func (s *Stream) Within(ctx context.Context, w http.ResponseWriter) {
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Time{}) // a stream reads nothing more; in process there is none
	s.run(&response{w, c}, ctx.Done())
}

// Over serves the stream on a connection of its own, beginning with the head of
// the answer, and closes it at the end. It returns at once.
func (s *Stream) Over(conn net.Conn, head []byte) {
	gone := make(chan struct{})
	go watch(conn, gone)
	go func() {
		defer conn.Close()
		s.run(&connection{conn, head}, gone)
	}()
}

// run sends events until either side ends the stream.
func (s *Stream) run(out output, gone <-chan struct{}) {
	defer s.Drop()
	s.out, s.gone, s.beat = out, gone, time.NewTicker(s.h.cfg.Heartbeat)
	defer s.beat.Stop()
	more := s.send([]byte("retry: 3000\n"), s.heartbeat())
	for more {
		more = s.step()
	}
}

// step sends what there is, or waits, and reports whether the stream goes on.
func (s *Stream) step() bool {
	v := s.r.at(s.position, s.shard)
	switch {
	case s.changes != v.changes && !s.renew(v.changes):
		return false
	case s.position < v.first:
		return s.catchUp(min(v.first, s.position+stretch))
	case v.block != nil:
		return s.tell(v.block) && s.wait(ready, nil)
	}
	s.pace = nil // it has caught up
	return s.wait(v.wake, nil)
}

// tell sends what of a block concerns the reader, in one write.
func (s *Stream) tell(b *block) bool {
	parts, next := b.wanted(&s.sub, s.position)
	s.position = next
	return len(parts) == 0 || s.send(parts...)
}

// wait waits for either channel and keeps the heartbeat up meanwhile. It
// reports whether the stream goes on.
func (s *Stream) wait(wake <-chan struct{}, timer <-chan time.Time) bool {
	for {
		select {
		case <-wake:
			return true
		case <-timer:
			return true
		case <-s.beat.C:
			if !s.stands() || !s.send(s.heartbeat()) {
				return false
			}
		case <-s.gone:
			return false
		case <-s.End:
			return false
		case <-s.r.dead:
			return false
		case <-s.h.closing:
			return false
		}
	}
}

// ready is for who only looks whether the stream goes on.
var ready = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// renew asks again for what a token that ended, or other channels, change.
func (s *Stream) renew(changes uint64) bool {
	s.changes = changes
	s.h.cfg.Network.Resubscribe(&s.sub)
	return s.stands()
}

func (s *Stream) stands() bool { return s.Stands == nil || s.Stands() }

// send writes parts within the reader's patience.
func (s *Stream) send(parts ...[]byte) bool {
	return s.out.send(time.Now().Add(s.h.cfg.Patience), parts) == nil
}

// heartbeat carries no id, so that it never moves where a reader resumes.
func (s *Stream) heartbeat() []byte {
	return []byte("event: heartbeat\ndata: {\"at\":\"" + s.h.cfg.Network.Now().String() + "\"}\n\n")
}

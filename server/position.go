package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// HeaderLag is how many milliseconds ago the node that answered confirmed its
// position in the journal. An answer without it is the latest.
const HeaderLag = "Netctl-Lag-Ms"

// HeaderMinSeq asks for an answer that rests on the entry of this number, as a
// receipt names it; the parameter min_seq of the query does the same.
const HeaderMinSeq = "Netctl-Min-Seq"

const paramMinSeq = "min_seq"

const (
	confirmTime = time.Second     // a node asks its journal for so long, then its answer states its lag
	minSeqTime  = 2 * time.Second // an answer waits so long for an entry
)

// takeMinSeq takes the least number of entries that an answer needs out of a request,
// 0 for any.
func takeMinSeq(r *http.Request) (size uint64, err error) {
	text := r.Header.Get(HeaderMinSeq)
	if strings.Contains(r.URL.RawQuery, paramMinSeq) {
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			return 0, nil // refused by those who read the query
		}
		if given := query[paramMinSeq]; len(given) == 1 {
			text = given[0]
			query.Del(paramMinSeq)
			at := *r.URL
			at.RawQuery = query.Encode()
			r.URL = &at
		}
	}
	if text == "" {
		return 0, nil
	}
	seq, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, wrong("query."+paramMinSeq, code.ParameterWrong, "is not the number of an entry", "use the seq of a receipt")
	}
	return seq + 1, nil
}

// positionKey is where a context notes that the position of its request is known.
type positionKey struct{}

// PositionKnown reports whether the server has confirmed the position of a request with
// the journal, or states in the answer how old it is. Then nothing that the request
// asks for has to be confirmed again.
func PositionKnown(ctx context.Context) bool { return ctx.Value(positionKey{}) != nil }

// position sees to it that an answer is the latest or states its lag, and that it rests
// on so many entries.
func (s *Server) position(w http.ResponseWriter, r *http.Request, size uint64) (*http.Request, error) {
	if s.cfg.Node != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead) && !PositionKnown(r.Context()) {
		if !s.confirm(r.Context()) {
			w.Header().Set(HeaderLag, lagText(s.cfg.Node.Lag()))
		}
		r = r.WithContext(context.WithValue(r.Context(), positionKey{}, true))
	}
	return r, s.awaitSize(r.Context(), size)
}

// confirm reports whether this node writes and has all that was acknowledged before the
// call. One that has lost its journal does not ask again for each request.
func (s *Server) confirm(ctx context.Context) bool {
	n := s.cfg.Node
	if lag := n.Lag(); !n.Leads() || lag < 0 || lag > confirmTime {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	return n.Fresh(ctx) == nil
}

func lagText(lag time.Duration) string {
	if lag < 0 {
		return "unknown"
	}
	return strconv.FormatInt(lag.Milliseconds(), 10)
}

// awaitSize waits until the network has so many entries, a while.
func (s *Server) awaitSize(ctx context.Context, size uint64) error {
	if size == 0 {
		return nil
	}
	wait, cancel := context.WithTimeout(ctx, minSeqTime)
	defer cancel()
	have, err := s.net.WaitDurable(wait, size)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return &netkit.Refusal{Kind: netkit.ErrUnavailable, Code: code.Behind, What: fmt.Sprintf("this node has %d entries, and the answer is to rest on entry %d", have, size-1),
		Next: "try again in a second, or ask another node", After: time.Second}
}

package cluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// serveHTTP answers the calls of other nodes.
func (n *Node) serveHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	from := ""
	if len(r.TLS.VerifiedChains) > 0 {
		from = r.TLS.PeerCertificates[0].Subject.CommonName
	}
	if name != callJoin && !n.isMember(from) {
		http.Error(w, "not a node of this cluster", http.StatusForbidden)
		return
	}
	if !sameVersion(w, r) {
		return
	}
	if name == "batches" {
		n.serveBatches(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEntry))
	if err != nil {
		http.Error(w, "the call is too large or was cut", http.StatusBadRequest)
		return
	}
	_, _ = w.Write(n.answerCall(r.Context(), from, name, body))
}

// answerCall carries out a call of another node.
func (n *Node) answerCall(ctx context.Context, from, name string, body []byte) []byte {
	f := calls[name]
	if f == nil {
		return encodeAnswer(nil, fmt.Errorf("cluster: this version does not know the call %q", name))
	}
	result, err := f(n, ctx, from, body)
	return encodeAnswer(result, err)
}

// The names of calls.
const (
	callHead     = "head"
	callAppend   = "append"
	callWriter   = "writer"
	callClaim    = "claim"
	callBeat     = "beat"
	callInvite   = "invite"
	callJoin     = "join"
	callReplace  = "replace"
	callPromote  = "promote"
	callRemove   = "remove"
	callTransfer = "transfer"
	callStatus   = "status"
	callTerm     = "term"
	callCluster  = "cluster"
	callAttend   = "attend"
	callDepart   = "depart"
)

// calls are carried out by the leader, but for callStatus, callCluster and callTerm.
var calls map[string]func(n *Node, ctx context.Context, from string, body []byte) (any, error)

func init() {
	calls = map[string]func(*Node, context.Context, string, []byte) (any, error){
		callHead:     (*Node).leaderHead,
		callAppend:   (*Node).leaderAppend,
		callWriter:   (*Node).leaderWriter,
		callClaim:    (*Node).leaderClaim,
		callBeat:     (*Node).leaderBeat,
		callInvite:   (*Node).leaderInvite,
		callJoin:     (*Node).forwardJoin,
		callReplace:  (*Node).leaderReplace,
		callPromote:  (*Node).leaderPromote,
		callRemove:   (*Node).leaderRemove,
		callTransfer: (*Node).leaderTransfer,
		callAttend:   (*Node).leaderAttend,
		callDepart:   (*Node).leaderDepart,
		callTerm:     func(n *Node, _ context.Context, _ string, _ []byte) (any, error) { return n.raft.CurrentTerm(), nil },
		callCluster:  func(n *Node, ctx context.Context, _ string, _ []byte) (any, error) { return n.Status(ctx), nil },
		callStatus:   func(n *Node, _ context.Context, _ string, _ []byte) (any, error) { return n.ownPlace(), nil },
	}
}

// serveBatches streams the batches of the folder.
func (n *Node) serveBatches(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.ParseUint(r.URL.Query().Get("from"), 10, 63)
	if err != nil {
		http.Error(w, "from is the number of an entry", http.StatusBadRequest)
		return
	}
	err = nil
	for b, failed := range n.folderBatches(r.Context(), from) {
		if err = failed; err == nil {
			// A reader that is paused costs no connection and no memory for longer.
			err = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(callTime))
		}
		if err == nil {
			err = writeFrame(w, frameBatch, appendBatch(nil, journal.Head{Size: b.First}, &b))
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		_ = writeFrame(w, frameError, encodeAnswer(nil, err)) // where the stream was cut, the reader knows
		return
	}
	_ = writeFrame(w, frameEnd, nil)
}

//go:build unix

package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/history"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
)

// historySize is how many operations three nodes are asked for. NETKIT_HISTORY sets it
// for a long run.
func historySize() int64 {
	if n, err := strconv.ParseInt(os.Getenv("NETKIT_HISTORY"), 10, 64); err == nil {
		return n
	}
	return 1000
}

// historian records what its clients saw.
type historian struct {
	*fleet
	begin time.Time
	next  atomic.Int64 // number of the operation that was begun last

	mu         sync.Mutex
	operations []history.Operation
	reads      []history.Read
}

// now returns the nanoseconds since the history began.
func (h *historian) now() int64 { return int64(time.Since(h.begin)) }

// write spawns agents through the nodes in turn until there were so many, and reads each
// third one at another node.
func (h *historian) write(ctx context.Context, worker int, total int64) {
	var operations []history.Operation
	var reads []history.Read
	for n := h.next.Add(1); n <= total; n = h.next.Add(1) {
		o := history.Operation{Key: fmt.Sprintf("op-%d", n), Called: h.now()}
		turn := (int(n) + worker) % len(h.nodes)
		out := h.spawn(ctx, o.Key, append(h.nodes[turn:len(h.nodes):len(h.nodes)], h.nodes[:turn]...))
		o.Answered, o.Seq, o.Receipt = h.now(), out.Seq, out.At.String()
		operations = append(operations, o)
		if n%3 > 0 {
			continue
		}
		if r, ok := h.read(ctx, h.nodes[(turn+1)%len(h.nodes)], o.Key, out.Seq); ok {
			reads = append(reads, r)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations, h.reads = append(h.operations, operations...), append(h.reads, reads...)
}

// read asks a node for an agent by the entry that made it. A node that is down or behind
// does not answer.
func (h *historian) read(ctx context.Context, v *Server, slug string, seq uint64) (r history.Read, ok bool) {
	r = history.Read{Called: h.now(), MinSeq: seq}
	q, err := http.NewRequestWithContext(ctx, "GET", fmt.Sprintf("%s/agent/%s?min_seq=%d", v.URL, slug, seq), nil)
	if err != nil {
		h.t.Error(err)
		return r, false
	}
	q.Header.Set("Accept", "application/json")
	resp, err := nodeClient.Do(q)
	if err != nil {
		return r, false
	}
	defer resp.Body.Close()
	var profile netkit.Profile
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&profile) != nil {
		return r, false
	}
	r.Answered, r.Size, r.Stale = h.now(), profile.AsOf.Seq+1, resp.Header.Get("Netctl-Lag-Ms") != ""
	return r, true
}

// entriesOf reads the journal of a folder as the witness of the history.
func entriesOf(ctx context.Context, dir string) iter.Seq2[history.Entry, error] {
	return func(yield func(history.Entry, error) bool) {
		store, err := sqlite.Open(ctx, sqlite.Config{Dir: dir, ReadOnly: true})
		if err != nil {
			yield(history.Entry{}, err)
			return
		}
		defer store.Close()
		head, err := store.Head(ctx)
		if err != nil {
			yield(history.Entry{}, err)
			return
		}
		for r, err := range store.Read(ctx, 0, head.Size) {
			var e history.Entry
			if err == nil {
				e, err = witnessed(r.Seq, r.Public)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// witnessed returns an entry with the operation that made it, and the receipt that a
// repeat of that operation gets.
func witnessed(seq uint64, public []byte) (history.Entry, error) {
	e, err := rules.ReadEntry(journal.Record{Seq: seq, Public: public})
	if err != nil {
		return history.Entry{}, err
	}
	if spawned, ok := e.Fact.(*rules.AgentSpawned); ok {
		return history.Entry{Key: spawned.Agent, Receipt: e.At.String()}, nil
	}
	return history.Entry{}, nil
}

// Through three nodes, of which the writer is killed twice, each acknowledged operation
// gets one entry, in its time, and each read knows what it has to: the journal of every
// node bears witness.
func TestHistoryOfThreeNodes(t *testing.T) {
	for _, f := range engines {
		t.Run(f.name, func(t *testing.T) { recordHistory(t, f.start(t, layout{})) })
	}
}

func recordHistory(t *testing.T, c *fleet) {
	h := &historian{fleet: c, begin: time.Now()}
	total := historySize()
	for phase := range int64(2) {
		end := total * (phase + 1) / 2
		v := h.writer()
		killed := make(chan struct{})
		go func() {
			for h.next.Load() < end-total/4 {
				time.Sleep(time.Millisecond)
			}
			v.Kill()
			close(killed)
		}()
		h.next.Store(total * phase / 2)
		var all sync.WaitGroup
		for worker := range 32 {
			all.Go(func() { h.write(t.Context(), worker, end) })
		}
		all.Wait()
		<-killed
		v.Start()
	}
	t.Logf("%d operations and %d reads in %v", len(h.operations), len(h.reads), time.Since(h.begin).Round(time.Second))
	h.catchUp()
	h.verify()
	for _, v := range h.nodes {
		found, err := history.Check(entriesOf(t.Context(), v.Dir), h.operations, h.reads)
		if err != nil || len(found) > 0 || int64(len(h.operations)) != total || len(h.reads) == 0 {
			t.Errorf("%d of %d operations, %d reads: got %v, %v, want no violation", len(h.operations), total, len(h.reads), found[:min(3, len(found))], err)
		}
	}
}

// catchUp waits until every node has the last acknowledged entry.
func (h *historian) catchUp() {
	h.t.Helper()
	last := h.operations[0]
	for _, o := range h.operations {
		if o.Seq > last.Seq {
			last = o
		}
	}
	for _, v := range h.nodes {
		for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			if _, ok := h.read(h.t.Context(), v, last.Key, last.Seq); ok {
				break
			}
			if time.Now().After(end) {
				h.t.Fatalf("the node at %s does not get entry %d", v.URL, last.Seq)
			}
		}
	}
}

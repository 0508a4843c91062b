package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
)

// follower is a node that follows a writer.
type follower struct {
	fakeNode
	writer atomic.Pointer[journal.Writer]
	lag    atomic.Int64
}

func (*follower) Leads() bool              { return false }
func (f *follower) Writer() journal.Writer { return *f.writer.Load() }
func (f *follower) Lag() time.Duration     { return time.Duration(f.lag.Load()) }

// A request that was passed on to a writer which never answers ends with the reason once
// this node knows another writer, or none for sure. One that comes then is not passed on.
func TestForwardEndsWithTheWriter(t *testing.T) {
	for name, lose := range map[string]func(f *follower){
		"another writer": func(f *follower) { f.writer.Store(&journal.Writer{Node: "b", Address: "http://127.0.0.1:1"}) },
		"no writer":      func(f *follower) { f.writer.Store(new(journal.Writer)) },
		"no position":    func(f *follower) { f.lag.Store(int64(writerTime + 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			n := new(follower)
			var asked atomic.Int64
			silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				_, _ = io.Copy(io.Discard, r.Body) // the end of the connection is noticed only then
				lose(n)
				<-r.Context().Done()
			}))
			defer silent.Close()
			n.writer.Store(&journal.Writer{Node: "a", Address: silent.URL})
			f := start(t, func(c *Config) { c.Node = n })
			f.ask("POST", "/api/agent/spawn", f.op, `{"slug":"ada"}`).problem(503, "outcome_unknown")
			f.ask("POST", "/api/agent/spawn", f.op, `{"slug":"bob"}`).problem(503, "not_writer")
			if n := asked.Load(); n != 1 {
				t.Errorf("the writer was asked %d times, want once", n)
			}
		})
	}
}

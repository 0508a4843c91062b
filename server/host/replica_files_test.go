package host

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/server/audio"
)

// put stores a recording at a node.
func (n *served) put(t *testing.T, words string) (audio.Blob, netkit.AudioRef) {
	t.Helper()
	b, err := n.Audio.Put(t.Context(), audio.Upload{By: "operator"}, strings.NewReader(wave(words)))
	if err != nil {
		t.Fatal(err)
	}
	ref := netkit.AudioRef{Type: b.Type, Bytes: b.Bytes, Duration: netkit.Seconds(b.Duration / time.Millisecond)}
	if err := ref.SHA256.UnmarshalText([]byte(b.SHA256)); err != nil {
		t.Fatal(err)
	}
	return b, ref
}

// publish publishes a free dispatch with a recording, and returns its number.
func (n *served) publish(t *testing.T, ref netkit.AudioRef) uint64 {
	t.Helper()
	r, err := n.Network.As("operator").Publish(t.Context(), netkit.Publish{Priority: netkit.P0, Channel: netkit.NicheLegal, Headline: "h", Audio: &ref})
	if err != nil {
		t.Fatal(err)
	}
	return r.DispatchID
}

// has reports whether a node keeps a file.
func (n *served) has(t *testing.T, sha string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(n.dir, "audio", sha[:2], sha))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// until waits for a condition.
func until(t *testing.T, what string, met func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !met(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("after a minute: " + what)
		}
	}
}

// stranger is a node in the roster, first of those that do not write, which answers every
// request with an answer; nil closes the connection.
func stranger(t *testing.T, e *journaltest.Engine, name string, answer http.HandlerFunc) (asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(w, r)
	}))
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			e.Attend(ctx, journal.Member{Node: name, Address: srv.URL})
			time.Sleep(10 * time.Millisecond)
		}
	}()
	t.Cleanup(func() { stop(); <-ended; srv.Close() })
	return asked
}

// A node fetches a recording that it lacks from one that has it, though others lie or
// break off, and keeps it; also the node that writes does.
func TestARecordingIsFetchedByItsHash(t *testing.T) {
	e := new(journaltest.Engine)
	a := serveNode(t, e, nil, time.Minute)
	leads(t, a.Host)
	b := serveNode(t, e, a, time.Minute)
	blob, ref := b.put(t, "kept by a node that does not write")
	lies := stranger(t, e, "0-lies", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(wave("another one"))) })
	breaks := stranger(t, e, "1-breaks", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.FormatInt(blob.Bytes, 10))
		w.Write([]byte("RIFF"))
		panic(http.ErrAbortHandler)
	})
	floods := stranger(t, e, "2-floods", func(w http.ResponseWriter, r *http.Request) {
		for range 60 {
			w.Write(make([]byte, 1<<20))
		}
	})
	path := "/audio/" + blob.SHA256
	until(t, "the node sees no peers", func() bool { return len(a.Node.Peers()) == 4 })
	if got := b.get(t, path); got != 404 || a.has(t, blob.SHA256) {
		t.Errorf("a file that no dispatch names: got %d, kept %v", got, a.has(t, blob.SHA256))
	}
	if got := a.get(t, path); got != 404 || a.has(t, blob.SHA256) {
		t.Errorf("the same where it is fetched: got %d, kept %v", got, a.has(t, blob.SHA256))
	}
	a.publish(t, ref)
	for range 2 {
		if got := a.get(t, path); got != 200 || !a.has(t, blob.SHA256) {
			t.Errorf("from the writer: got %d, kept %v", got, a.has(t, blob.SHA256))
		}
	}
	for name, asked := range map[string]*atomic.Int64{"a liar": lies, "one that breaks off": breaks, "one that sends too much": floods} {
		if asked.Load() != 2 {
			t.Errorf("%s was asked %d times, want 2", name, asked.Load())
		}
	}
	if left, err := filepath.Glob(filepath.Join(a.dir, "audio", "tmp", "*")); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v, want nothing left behind", left, err)
	}
	// An altered file is replaced.
	if err := os.WriteFile(filepath.Join(a.dir, "audio", blob.SHA256[:2], blob.SHA256), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := a.get(t, path); got != 200 {
		t.Errorf("an altered file: got %d, want that of the other node", got)
	}
	if forged := a.ask(t, "GET", "/node/recording/"+blob.SHA256, ""); forged.status != 403 {
		t.Errorf("a client asks like a node: got %d", forged.status)
	}
}

// get returns the status of a read.
func (n *served) get(t *testing.T, path string) int {
	t.Helper()
	resp, err := http.Get(n.url + path)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// A recording that was uploaded while another node wrote can be published by its party.
func TestAnUploadSurvivesTheChangeOfTheWriter(t *testing.T) {
	e := new(journaltest.Engine)
	a := serveNode(t, e, nil, time.Minute)
	leads(t, a.Host)
	b := serveNode(t, e, a, time.Minute)
	blob, _ := b.put(t, "uploaded to the node that wrote before")
	until(t, "the node sees no peer", func() bool { return len(a.Node.Peers()) == 1 })
	body := `{"priority":"P0","channel":"LEGAL","headline":"h","summary":"s","audio":{"sha256":"` + blob.SHA256 + `","type":"` + blob.Type + `","bytes":` + strconv.FormatInt(blob.Bytes, 10) + `,"duration_s":1}}`
	hash := netkit.Token{9}.SHA256()
	if _, err := a.Network.As("operator").AddOperator(t.Context(), netkit.AddOperator{Slug: "olga", TokenSHA256: &hash}); err != nil {
		t.Fatal(err)
	}
	a.current(t)
	if got := a.ask(t, "POST", "/api/net/dispatches", body, "Authorization", "Bearer "+netkit.Token{9}.String()); got.status != 422 {
		t.Errorf("another party: got %d %s, want 422", got.status, got.text)
	}
	if got := a.ask(t, "POST", "/api/net/dispatches", body, "Authorization", "Bearer "+netkit.Token{1}.String()); got.status != 200 {
		t.Errorf("got %d %s", got.status, got.text)
	}
}

// A node that follows fetches recordings when it reads of their dispatch, also those of
// before its start, and removes them when it reads of an erasure.
func TestFollowersKeepAndRemoveRecordings(t *testing.T) {
	e := new(journaltest.Engine)
	a := serveNode(t, e, nil, time.Minute)
	leads(t, a.Host)
	old, oldRef := a.put(t, "before")
	first := a.publish(t, oldRef)
	b := serveNode(t, e, a, time.Minute)
	b.upkeep(t)
	until(t, "the follower lacks an old recording", func() bool { return b.has(t, old.SHA256) })
	blob, ref := a.put(t, "after")
	second := a.publish(t, ref)
	until(t, "the follower lacks a recording", func() bool { return b.has(t, blob.SHA256) })
	for sha, id := range map[string]uint64{old.SHA256: first, blob.SHA256: second} {
		if _, err := a.Network.As("operator").ErasePrivate(t.Context(), netkit.ErasePrivate{Entry: id, Reason: "asked for"}); err != nil {
			t.Fatal(err)
		}
		until(t, "the follower keeps an erased recording", func() bool { return !b.has(t, sha) })
	}
}

// upkeep does the upkeep of a node until the test ends.
func (n *served) upkeep(t *testing.T) {
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); n.Server.Upkeep(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
}

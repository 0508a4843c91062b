package server

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// sse is one event as a browser reads it.
type sse struct{ id, event, data string }

// serve listens until the test ends, streams and all.
func (f *fixture) serve(h http.Handler) *httptest.Server {
	srv := httptest.NewServer(h)
	f.t.Cleanup(func() { f.EndStreams(); srv.Close() })
	return srv
}

// listener reads events of a stream over a real connection.
type listener struct {
	t    testing.TB
	r    *bufio.Scanner
	stop func()
}

func (f *fixture) listen(srv *httptest.Server, target, token string, headers ...string) *listener {
	f.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	req, err := http.NewRequestWithContext(ctx, "GET", srv.URL+target, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := srv.Client().Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		f.t.Fatalf("got %d %v, want a stream", resp.StatusCode, resp.Header)
	}
	f.t.Cleanup(func() { stop(); resp.Body.Close() })
	return &listener{f.t, bufio.NewScanner(resp.Body), stop}
}

// next returns the next event that is not a heartbeat; beats counts those.
func (l *listener) next() (e sse, beats int, ok bool) {
	for l.r.Scan() {
		line := l.r.Text()
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case line == "" && e.event == "heartbeat":
			beats++
			e = sse{}
		case line == "" && e.event != "":
			return e, beats, true
		case name == "id":
			e.id = value
		case name == "event":
			e.event = value
		case name == "data":
			e.data = value
		}
	}
	return e, beats, false
}

func (l *listener) want(event, inData string) sse {
	l.t.Helper()
	e, _, ok := l.next()
	if !ok || e.event != event || !strings.Contains(e.data, inData) || e.id == "" {
		l.t.Fatalf("got %+v (%v), want %s with %s", e, ok, event, inData)
	}
	return e
}

func TestStream(t *testing.T) {
	f := start(t)
	srv := f.serve(f.Handler())
	cora := f.correspondent("cora")
	live := f.listen(srv, "/api/net/stream?type=dispatch,crisis.resolved", "")
	p0 := f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	f.publishAs(cora, "P1", "p1-silicon-supply.mp3")
	f.ask("POST", "/api/net/dispatches/"+fmtID(p0)+"/resolve", f.op, `{"reason":"over"}`).into(200, new(netkit.CrisisReceipt))
	first := live.want("dispatch", "Headline of P0")
	if first.id != fmtID(p0) {
		t.Errorf("got id %s, want the entry %d", first.id, p0)
	}
	notice := live.want("dispatch", `"priority":"P1"`)
	if strings.Contains(notice.data, "Headline") || strings.Contains(notice.data, "audio") {
		t.Errorf("got %s, want a notice without content", notice.data)
	}
	live.want("crisis.resolved", fmtID(p0))

	// Resuming by header or by parameter goes on after the event named.
	f.listen(srv, "/api/net/stream?type=dispatch", "", "Last-Event-ID", first.id).want("dispatch", `"priority":"P1"`)
	f.listen(srv, "/api/net/stream?type=dispatch&after="+first.id, "").want("dispatch", `"priority":"P1"`)
	f.listen(srv, "/api/net/stream?type=dispatch&after=0", "").want("dispatch", "Headline of P0")
	f.ask("GET", "/api/net/stream?after=x", "", nil).problem(422, "value_wrong")
	f.ask("GET", "/api/net/stream?from=1", "", nil).problem(422, "parameter_unknown")
	for query, field := range map[string]string{"type=nothing": "query.type", "type=dispatch,": "query.type", "type=dispatch&type=secret-word": "query.type",
		"channel=LEGAL,GOSSIP": "query.channel", "channel=LEGAL&channel=GOSSIP": "query.channel"} {
		a := f.ask("GET", "/api/net/stream?after=0&"+query, "", nil)
		if p := a.problem(422, ""); p.Location != field || strings.Contains(a.Body.String(), "secret-word") {
			t.Errorf("%s: got %+v, want a problem at %s that repeats nothing", query, p, field)
		}
	}
	if a := f.ask("HEAD", "/api/net/stream", "", nil); a.Code != 200 {
		t.Errorf("HEAD: got %d, want 200", a.Code)
	}
}

// The address of a recording in the stream works like one in the manifest.
func TestStreamNamesRecordings(t *testing.T) {
	f := start(t)
	srv := f.serve(f.Handler())
	f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	e := f.listen(srv, "/api/net/stream?type=dispatch&after=0", "").want("dispatch", "Headline of P0")
	var d netkit.Dispatch
	if err := json.Unmarshal([]byte(e.data), &d); err != nil {
		t.Fatal(err)
	}
	if d.Audio == nil || d.Audio.URL == "" || f.ask("GET", d.Audio.URL, "", nil).Code != 200 {
		t.Errorf("got %s, want an address that works", e.data)
	}
}

// The text of a dispatch that was erased reaches no reader, not even from what
// was encoded before.
func TestStreamForgetsErasedTexts(t *testing.T) {
	f := start(t)
	srv := f.serve(f.Handler())
	live := f.listen(srv, "/api/net/stream", "")
	id := f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	live.want("dispatch", "Headline of P0")
	f.ask("POST", "/api/ledger/entries/"+fmtID(id)+"/erase", f.op, `{"reason":"wrong"}`).into(200, new(netkit.ErasureReceipt))
	f.spawn("ada")
	live.want("agent.spawned", "ada")
	late := f.listen(srv, "/api/net/stream?after="+fmtID(id-1), "")
	if e := late.want("dispatch", `"priority":"P0"`); strings.Contains(e.data, "Headline") {
		t.Errorf("got %s, want no text", e.data)
	}
}

// An open stream follows the channels that its reader subscribes to.
func TestStreamFollowsSubscription(t *testing.T) {
	f := start(t)
	srv := f.serve(f.Handler())
	ada, cora := f.spawn("ada"), f.correspondent("cora")
	l := f.listen(srv, "/api/net/stream?type=dispatch", ada)
	subscribe := func(channel string) {
		f.ask("PUT", "/api/agent/channels", ada, `{"channels":["`+channel+`"]}`).into(200, new(netkit.ChannelsReceipt))
	}
	subscribe("LEGAL")
	f.publishAs(cora, "P1", "p1-silicon-supply.mp3") // on SILICON
	f.publishAs(f.op, "P0", "p0-grid-failure.mp3")
	l.want("dispatch", "Headline of P0") // passes every filter
	subscribe("SILICON")
	id := f.publishAs(cora, "P1", "p1-silicon-supply.mp3")
	if got := l.want("dispatch", "SILICON"); got.id != fmtID(id) {
		t.Errorf("got the dispatch %s, want %d, which was published after the change", got.id, id)
	}
}

func TestStreamTellsOwnNotices(t *testing.T) {
	f := start(t)
	srv := f.serve(f.Handler())
	ada, bob := f.spawn("ada"), f.spawn("bob")
	f.ask("PUT", "/api/agent/claims", bob, `{"accepts_attention_requests":true,"attention_floor_price":12}`).into(200, new(netkit.ClaimsReceipt))
	mine, narrow := f.listen(srv, "/api/net/stream", bob), f.listen(srv, "/api/net/stream", f.token(bob, netkit.ScopeIntent).Token)
	f.ask("POST", "/api/intent/attention", ada, `{"to":"bob","subject":"hello","body":"private words"}`).into(200, new(netkit.AttentionReceipt))
	f.spawn("eve")
	mine.want("notice", "attention")
	mine.want("agent.spawned", "eve")
	narrow.want("agent.spawned", "eve") // a token that does not cover reading reads as a stranger
}

func TestStreamHeartbeatAndEnd(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Heartbeat = 5 * time.Millisecond })
	srv := f.serve(f.Handler())
	l := f.listen(srv, "/api/net/stream", "")
	time.AfterFunc(100*time.Millisecond, func() { f.spawn("ada") })
	if e, beats, ok := l.next(); !ok || beats < 2 || e.event != "agent.spawned" {
		t.Errorf("got %+v after %d heartbeats, want some of them and then ada", e, beats)
	}
	f.EndStreams()
	if e, _, ok := l.next(); ok {
		t.Errorf("got %+v, want the end of the stream", e)
	}
}

func TestStreamsAreLimited(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Streams = 1 })
	srv := f.serve(f.Handler())
	f.listen(srv, "/api/net/stream", "")
	f.ask("GET", "/api/net/stream", "", nil).problem(503, "streams_full")
}

// One reader, with a token or from an address, leaves places for others, and
// gets its own back.
func TestOneReaderDoesNotTakeAllStreams(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.StreamsEach = 1 })
	srv := f.serve(f.Handler())
	ada := f.spawn("ada")
	first := f.listen(srv, "/api/net/stream", ada)
	f.ask("GET", "/api/net/stream", ada, nil).problem(429, "streams_yours")
	f.listen(srv, "/api/net/stream", f.spawn("bob"))
	first.stop()
	netkittest.Until(t, "the place of a stream that ended", func() bool { return f.ask("HEAD", "/api/net/stream", ada, nil).Code == 200 })
}

// Whoever revokes a token, or lets it expire, wants its notices to end too,
// though the stream was opened while it was good.
func TestStreamEndsWithItsToken(t *testing.T) {
	f := start(t)
	srv := f.serve(f.Handler())
	bob, ada := f.spawn("bob"), f.spawn("ada")
	f.ask("PUT", "/api/agent/claims", bob, `{"accepts_attention_requests":true,"attention_floor_price":1}`).into(200, new(netkit.ClaimsReceipt))
	lost := f.token(bob, netkit.ScopeRead)
	l, kept := f.listen(srv, "/api/net/stream?type=notice", lost.Token), f.listen(srv, "/api/net/stream?type=notice", bob)
	f.ask("DELETE", "/api/agent/tokens/"+fmtID(lost.TokenID), bob, nil).into(200, new(netkit.TokenReceipt))
	f.ask("POST", "/api/intent/attention", ada, `{"to":"bob","subject":"hello","body":"private words"}`).into(200, new(netkit.AttentionReceipt))
	kept.want("notice", "ada")
	if e, _, ok := l.next(); ok {
		t.Errorf("got %+v on a token that was revoked, want the end of the stream", e)
	}
}

// A reader that takes nothing is dropped once its patience is over.
func TestSlowReaderIsDropped(t *testing.T) {
	f := start(t, func(c *Config) { c.Limits.Write = 50 * time.Millisecond; c.Limits.Heartbeat = 20 * time.Microsecond })
	ended := make(chan struct{})
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.Handler().ServeHTTP(w, r)
		close(ended)
	}))
	srv.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		_ = c.(*net.TCPConn).SetWriteBuffer(4096) // so that little is in flight
		return ctx
	}
	srv.Start()
	t.Cleanup(func() { f.EndStreams(); srv.Close() })
	conn, err := (&net.Dialer{}).Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.(*net.TCPConn).SetReadBuffer(4096)
	if _, err := conn.Write([]byte("GET /api/net/stream HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended: // conn was never read
	case <-time.After(30 * time.Second):
		t.Error("the reader still holds its stream")
	}
}

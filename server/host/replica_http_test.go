package host

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// served is a node that answers over HTTP.
type served struct {
	*Host
	dir, url string
}

// serveNode starts a node and serves it; with keys it has those of another node.
func serveNode(t *testing.T, e journal.Engine, keys *served, silence time.Duration) *served {
	t.Helper()
	n := &served{dir: t.TempDir()}
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	n.url = "http://" + srv.Listener.Addr().String()
	if keys != nil {
		shareKeys(t, keys.dir, n.dir)
	}
	var err error
	n.Host, err = New(t.Context(), Config{Dir: n.dir, Genesis: genesisOf(t),
		Replica: &ReplicaConfig{Engine: e, Address: n.url, Every: 20 * time.Millisecond, Silence: silence}})
	if err != nil {
		t.Fatal(err)
	}
	srv.Config.Handler = n.Server.CheckHost(n.Server.Handler())
	srv.Start()
	t.Cleanup(func() {
		srv.Close()
		if err := n.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return n
}

// answer is what a node answered.
type answer struct {
	status int
	header http.Header
	Code   string
	Seq    uint64
	text   string
}

// ask sends a request with headers in pairs of name and value.
func (n *served) ask(t *testing.T, method, path, body string, headers ...string) (a answer) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, n.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
	a.status, a.header, a.text = resp.StatusCode, resp.Header, string(text)
	return a
}

// current waits until a node believes tokens.
func (n *served) current(t *testing.T) {
	t.Helper()
	for n.nodeCurrent() != nil {
		if t.Context().Err() != nil {
			t.Fatal("the node does not confirm its position")
		}
		time.Sleep(time.Millisecond)
	}
}

// Any node takes a write, which reaches the writer once; reads elsewhere state their
// lag, or rest on an entry that the client names.
func TestAnyNodeTakesAnyRequest(t *testing.T) {
	e := new(journaltest.Engine)
	a := serveNode(t, e, nil, time.Minute)
	leads(t, a.Host)
	b := serveNode(t, e, a, time.Minute)
	size := a.Network.Health().Entries
	for !strings.HasPrefix(b.Node.Writer().Address, "http") {
		time.Sleep(time.Millisecond)
	}
	through := b.ask(t, "POST", "/api/agent/spawn", `{"slug":"ada","token_sha256":"`+netkit.Token{2}.SHA256().String()+`"}`, "Idempotency-Key", "k", "X-Request-Id", "mine")
	if through.status != 200 || a.Network.Health().Entries == size || len(through.header["X-Request-Id"]) != 1 || through.header.Get("X-Request-Id") != "mine" {
		t.Fatalf("through the follower: got %d %s with %v", through.status, through.text, through.header)
	}
	direct := a.ask(t, "POST", "/api/agent/spawn", `{"slug":"ada","token_sha256":"`+netkit.Token{2}.SHA256().String()+`"}`, "Idempotency-Key", "k")
	if direct.text != through.text {
		t.Errorf("the same key: got %s, want %s", direct.text, through.text)
	}
	seen := b.ask(t, "GET", "/agent/ada?min_seq="+strings.TrimSpace(seqOf(through)), "", "Accept", "application/json")
	if seen.status != 200 || seen.header.Get("Netctl-Lag-Ms") == "" {
		t.Errorf("read of the follower: got %d %s with %v", seen.status, seen.text, seen.header)
	}
	if at := a.ask(t, "GET", "/agent/ada", "", "Accept", "application/json"); at.status != 200 || at.header.Get("Netctl-Lag-Ms") != "" {
		t.Errorf("read of the writer: got %d with lag %q", at.status, at.header.Get("Netctl-Lag-Ms"))
	}
	if far := b.ask(t, "GET", "/agent/ada", "", "Accept", "application/json", "Netctl-Min-Seq", "999999"); far.status != 503 || far.Code != "behind" {
		t.Errorf("an entry that is far off: got %d %s", far.status, far.text)
	}
	if forged := a.ask(t, "POST", "/api/agent/spawn", `{"slug":"eve"}`, "Netctl-Node-As", "operator"); forged.status != 403 || forged.Code != "node_unknown" {
		t.Errorf("a forged hop: got %d %s", forged.status, forged.text)
	}
	// No node has this recording.
	if sound := b.ask(t, "GET", "/audio/"+strings.Repeat("0", 64), ""); sound.status != 404 || sound.header.Get("Netctl-Lag-Ms") == "" {
		t.Errorf("a recording: got %d with lag %q", sound.status, sound.header.Get("Netctl-Lag-Ms"))
	}
	b.current(t)
	me := b.ask(t, "GET", "/api/agent/me", "", "Authorization", "Bearer "+netkit.Token{2}.String())
	if me.status != 200 {
		t.Errorf("a token at the follower: got %d %s", me.status, me.text)
	}
}

func seqOf(a answer) string { b, _ := json.Marshal(a.Seq); return string(b) }

// A node that a request was passed on to does not pass it on again.
func TestAWriteIsForwardedOnce(t *testing.T) {
	e := new(journaltest.Engine)
	a := serveNode(t, e, nil, time.Minute)
	leads(t, a.Host)
	b := serveNode(t, e, a, time.Minute)
	for {
		w, err := e.Writer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Claim(t.Context(), w.Term, "gone", b.url); err == nil {
			break
		}
	}
	a.Network.WaitFollowing(t.Context(), true)
	for a.Node.Writer().Node != "gone" || b.Node.Writer().Node != "gone" {
		time.Sleep(time.Millisecond)
	}
	size := a.Network.Health().Entries
	if got := a.ask(t, "POST", "/api/agent/spawn", `{"slug":"ada"}`); got.status != 503 || got.Code != "not_writer" || got.header.Get("Retry-After") == "" {
		t.Errorf("got %d %s, want 503 not_writer", got.status, got.text)
	}
	if a.Network.Health().Entries != size {
		t.Error("something was written")
	}
}

// A node whose engine is out of reach believes no token after a second, and its other
// answers state their lag.
func TestANodeOutOfReachBelievesNoToken(t *testing.T) {
	cut := &cutEngine{Engine: new(journaltest.Engine)}
	a := serveNode(t, cut, nil, time.Minute)
	leads(t, a.Host)
	a.current(t)
	cut.down.Store(true)
	for a.nodeCurrent() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	if got := a.ask(t, "GET", "/api/agent/me", "", "Authorization", "Bearer "+netkit.Token{1}.String()); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("a token: got %d %s, want 503", got.status, got.text)
	}
	if got := a.ask(t, "GET", "/api/agent/constitution", "", "Accept", "application/json"); got.status != 200 || got.header.Get("Netctl-Lag-Ms") == "" {
		t.Errorf("a public read: got %d with lag %q", got.status, got.header.Get("Netctl-Lag-Ms"))
	}
	cut.down.Store(false)
	a.current(t)
	if got := a.ask(t, "GET", "/api/agent/constitution", "", "Accept", "application/json"); got.status != 200 || got.header.Get("Netctl-Lag-Ms") != "" {
		t.Errorf("in reach again: got %d with lag %q", got.status, got.header.Get("Netctl-Lag-Ms"))
	}
}

// cutEngine is an engine that can be out of reach.
type cutEngine struct {
	journal.Engine
	down atomic.Bool
}

var errCut = errors.New("the engine is out of reach")

func (e *cutEngine) err() error {
	if e.down.Load() {
		return errCut
	}
	return nil
}

func (e *cutEngine) Head(ctx context.Context) (journal.Head, error) {
	if err := e.err(); err != nil {
		return journal.Head{}, err
	}
	return e.Engine.Head(ctx)
}

func (e *cutEngine) Batches(ctx context.Context, from uint64) iter.Seq2[journal.EngineBatch, error] {
	if err := e.err(); err != nil {
		return func(yield func(journal.EngineBatch, error) bool) { yield(journal.EngineBatch{}, err) }
	}
	return e.Engine.Batches(ctx, from)
}

func (e *cutEngine) Beat(ctx context.Context, term uint64) error {
	if err := e.err(); err != nil {
		return err
	}
	return e.Engine.Beat(ctx, term)
}

// An invitation gives the keys to one machine, once, and a folder that holds a network
// takes none.
func TestANodeJoinsByInvitation(t *testing.T) {
	a := serveNode(t, new(journaltest.Engine), nil, time.Minute)
	token, err := InviteNode(a.dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	late, err := InviteNode(a.dir, time.Now().Add(-2*NodeInviteFor))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, refused := range map[string]error{
		"another token": JoinNode(t.Context(), dir, a.url, netkit.Token{7}.String()),
		"an old one":    JoinNode(t.Context(), dir, a.url, late.String()),
		"plain HTTP":    JoinNode(t.Context(), dir, "http://203.0.113.1:8787", token.String()),
		"a full folder": JoinNode(t.Context(), a.dir, a.url, token.String()),
	} {
		if !errors.Is(refused, ErrNode) {
			t.Errorf("%s: got %v, want %v", name, refused, ErrNode)
		}
	}
	if err := JoinNode(t.Context(), dir, a.url, token.String()); err != nil {
		t.Fatal(err)
	}
	for _, name := range nodeKeys {
		got, err := os.ReadFile(filepath.Join(dir, name))
		want, wantErr := os.ReadFile(filepath.Join(a.dir, name))
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%s: got %d bytes, %v, want those of the node", name, len(got), err)
		}
	}
	if err := JoinNode(t.Context(), t.TempDir(), a.url, token.String()); !errors.Is(err, ErrNode) {
		t.Errorf("the token again: got %v, want %v", err, ErrNode)
	}
}

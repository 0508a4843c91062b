package witness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/proof"
)

const origin = "agentnet/testnet"

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func key(seed byte, name string) (private, public string) {
	private, public, err := proof.NewKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)), name)
	if err != nil {
		panic(err)
	}
	return private, public
}

// grow appends entries until the journal has size of them.
func grow(t *testing.T, s journal.Store, size uint64, text string) {
	t.Helper()
	at := must(s.Head(t.Context()))
	tree := must(journal.OpenTree(t.Context(), s, at.Size))
	var b journal.Batch
	for seq := at.Size; seq < size; seq++ {
		public := fmt.Appendf(nil, `{"seq":%d,"text":%q}`, seq, text)
		b.Records = append(b.Records, journal.Record{Seq: seq, Public: public})
		b.Nodes = tree.Append(journal.Leaf(public), b.Nodes)
	}
	must(s.Append(t.Context(), at, b))
}

// web carries requests to witnesses without a network, so that time can be
// made up; a witness that is down does not answer.
type web struct {
	mu   sync.Mutex
	down map[string]bool
	at   map[string]http.Handler
	wait map[string]time.Duration // before it answers
	seen map[string]int           // requests
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.seen[r.URL.Host]++
	h, down, wait := w.at[r.URL.Host], w.down[r.URL.Host], w.wait[r.URL.Host]
	w.mu.Unlock()
	select {
	case <-time.After(wait):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if down {
		return nil, errors.New("connection refused")
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Result(), nil
}

func (w *web) set(host string, down bool) { w.mu.Lock(); w.down[host] = down; w.mu.Unlock() }

// stage is a log, three witnesses and a feeder between them.
type stage struct {
	t     *testing.T
	store *journal.Memory
	log   *proof.Log
	web   *web
	said  *bytes.Buffer
	feed  *Feeder
}

func newStage(t *testing.T, quorum int) *stage {
	t.Helper()
	n := &stage{t: t, store: journal.NewMemory(), web: &web{down: map[string]bool{}, at: map[string]http.Handler{}, wait: map[string]time.Duration{}, seen: map[string]int{}}, said: new(bytes.Buffer)}
	grow(t, n.store, 10, "one")
	private, public := key(1, origin)
	var peers []Peer
	var keys []string
	for i := range 3 {
		host := fmt.Sprintf("w%d", i+1)
		secret, _ := key(byte(10+i), host)
		w := must(proof.NewWitness(proof.WitnessConfig{Signer: must(proof.NewCosigner(secret)), Memory: folder(t), Logs: []string{public}}))
		n.web.at[host] = Handler(w, slog.New(slog.DiscardHandler))
		peers, keys = append(peers, must(ParsePeer("http://"+host+"/#"+w.PublicKey()))), append(keys, w.PublicKey())
	}
	n.log = must(proof.New(t.Context(), proof.Config{Store: n.store, Key: private, Witnesses: keys, Quorum: quorum}))
	n.feed = must(NewFeeder(FeederConfig{Log: n.log, Peers: peers, Client: &http.Client{Transport: n.web}, Logger: slog.New(slog.NewTextHandler(n.said, nil))}))
	return n
}

func folder(t *testing.T) *Folder {
	t.Helper()
	f := must(OpenFolder(t.TempDir()))
	must(f.Signer("w.example"))
	t.Cleanup(func() { f.Close() })
	return f
}

// shown is the size and the number of cosignatures of what is shown.
func (n *stage) shown() (int64, int) {
	text, err := n.log.Checkpoint(n.t.Context())
	if errors.Is(err, proof.ErrNotWitnessed) {
		return 0, 0
	}
	c := must(proof.OpenCheckpoint(n.log.Policy(), text))
	return c.N, len(c.Cosigned)
}

func (n *stage) want(size int64, cosigned int) {
	n.t.Helper()
	if s, c := n.shown(); s != size || c != cosigned {
		n.t.Errorf("got %d entries shown with %d cosignatures, want %d with %d\n%s", s, c, size, cosigned, n.said)
	}
}

// run lets the feeder work inside of a bubble of made-up time.
func (n *stage) run(play func()) {
	ctx, stop := context.WithCancel(n.t.Context())
	var done sync.WaitGroup
	done.Go(func() { n.feed.Run(ctx) })
	play()
	stop()
	done.Wait()
}

func pass(d time.Duration) { time.Sleep(d); synctest.Wait() }

func TestFeederCollectsCosignatures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newStage(t, 2)
		n.run(func() {
			synctest.Wait()
			n.want(10, 3)
			for size := uint64(11); size < 600; size += 97 {
				grow(t, n.store, size, "one")
				pass(time.Second)
				n.want(int64(size), 3)
			}
		})
	})
}

// One witness of three may be gone; with two gone the checkpoint stands still,
// which is said once, and moves again by itself.
func TestFeederNeedsAQuorum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newStage(t, 2)
		n.run(func() {
			synctest.Wait()
			n.web.set("w1", true)
			grow(t, n.store, 20, "one")
			pass(time.Second)
			n.want(20, 2)
			n.web.set("w2", true)
			grow(t, n.store, 30, "one")
			pass(10 * time.Minute)
			n.want(20, 2)
			if got := n.web.seen["w1"]; got < 10 || got > 30 {
				t.Errorf("asked a witness that is down %d times in ten minutes, want it asked ever less often, and not given up", got)
			}
			if got := strings.Count(n.said.String(), "the checkpoint stands still"); got != 1 {
				t.Errorf("said %d times that it stands still, want once:\n%s", got, n.said)
			}
			if got := strings.Count(n.said.String(), "does not cosign"); got != 2 {
				t.Errorf("said %d times that a witness does not cosign, want once for each of two:\n%s", got, n.said)
			}
			grow(t, n.store, 40, "one")
			n.web.set("w2", false)
			pass(longestRest + time.Second)
			n.want(40, 2)
			if !strings.Contains(n.said.String(), "moves again") {
				t.Errorf("it did not say that it moves again:\n%s", n.said)
			}
			n.web.set("w2", true)
			grow(t, n.store, 50, "one")
			pass(time.Minute)
			if got := strings.Count(n.said.String(), "does not cosign"); got != 3 {
				t.Errorf("said %d times that a witness does not cosign, want it said again of the one that came back:\n%s", got, n.said)
			}
		})
	})
}

// A witness that hangs holds nobody up, and its cosignature is added late.
func TestFeederDoesNotWaitForTheSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newStage(t, 2)
		n.web.wait["w3"] = 5 * time.Second
		n.run(func() {
			synctest.Wait()
			n.want(10, 2)
			grow(t, n.store, 20, "one")
			pass(time.Second)
			n.want(20, 2)
			pass(20 * time.Second)
			n.want(20, 3)
		})
	})
}

// Cosignatures count only together with others of the same tree, so a network
// that grows all the time waits for those that it has asked: else witnesses
// which are slow in different measure would hardly ever sign the same.
func TestFeederOfABusyNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newStage(t, 2)
		n.web.wait["w1"], n.web.wait["w2"] = 2400*time.Millisecond, 3600*time.Millisecond
		n.web.set("w3", true)
		n.run(func() {
			for size := uint64(11); size <= 33; size++ {
				grow(t, n.store, size, "one")
				pass(time.Second)
			}
			if size, cosigned := n.shown(); size < 26 || cosigned != 2 {
				t.Errorf("got %d of 33 entries shown with %d cosignatures, want it to keep up\n%s", size, cosigned, n.said)
			}
		})
	})
}

// A feeder that knows nothing of what a witness has seen is told, and goes on
// from there.
func TestFeederGoesOnFromTheWitness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newStage(t, 3)
		n.run(synctest.Wait)
		n.want(10, 3)
		grow(t, n.store, 500, "one")
		n.feed = must(NewFeeder(n.feed.cfg))
		n.run(synctest.Wait)
		n.want(500, 3)
		if n.said.Len() > 0 {
			t.Errorf("it complained:\n%s", n.said)
		}
	})
}

// A journal that was rolled back, or rewritten, and signed afresh is witnessed
// no more, and the log says why.
func TestFeederOfAnotherHistoryIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		size uint64
		says string
	}{
		"rolled back":      {100, "others have seen 300 entries, the journal has 100"},
		"forked":           {300, "it refuses this history"},
		"forked and grown": {400, "does not continue the one it has cosigned"},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := newStage(t, 2)
			grow(t, n.store, 300, "one")
			n.run(synctest.Wait)
			n.want(300, 3)
			s := journal.NewMemory()
			grow(t, s, 50, "one")
			grow(t, s, c.size, "two")
			private, _ := key(1, origin)
			var keys []string
			for _, p := range n.feed.cfg.Peers {
				keys = append(keys, p.Key)
			}
			n.feed.cfg.Log = must(proof.New(t.Context(), proof.Config{Store: s, Key: private, Witnesses: keys, Quorum: 2}))
			n.log, n.feed = n.feed.cfg.Log, must(NewFeeder(n.feed.cfg))
			n.run(func() { pass(time.Minute) })
			n.want(0, 0)
			if !strings.Contains(n.said.String(), c.says) {
				t.Errorf("%s: it did not say %q:\n%s", name, c.says, n.said)
			}
		})
	}
}

// Answers that no witness gives are refusals, not cosignatures.
func TestFeederTakesOnlyCosignatures(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"nothing":             func(http.ResponseWriter, *http.Request) {},
		"rubbish":             func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello\n") },
		"a false signature":   func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "— w1 AAAAAAAAAAAA\n") },
		"unknown log":         func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) },
		"unknown key":         func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) },
		"a fault":             func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"conflict of nothing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(409) },
		"conflict for ever": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(409)
			old := int(r.ContentLength % 5)
			fmt.Fprintln(w, 1+old)
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := newStage(t, 3)
			n.web.at["w1"] = answer
			n.run(func() { pass(time.Minute) })
			n.want(0, 0)
			if !strings.Contains(n.said.String(), "does not cosign") {
				t.Errorf("%s: got no complaint:\n%s", name, n.said)
			}
		})
	}
}

func TestHandlerAnswersAsSpecified(t *testing.T) {
	private, public := key(1, origin)
	s := journal.NewMemory()
	grow(t, s, 10, "one")
	log := must(proof.New(t.Context(), proof.Config{Store: s, Key: private}))
	secret, _ := key(9, "w")
	mem := folder(t)
	w := must(proof.NewWitness(proof.WitnessConfig{Signer: must(proof.NewCosigner(secret)), Memory: mem, Logs: []string{public}}))
	h := Handler(w, slog.New(slog.DiscardHandler))
	post := func(body string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("POST", "/add-checkpoint", strings.NewReader(body)))
		return rec
	}
	tree, signed, err := log.Sign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	body := string(must(log.Consistency(t.Context(), 0, tree, signed)))
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"rubbish", "hello", 400},
		{"too long", strings.Repeat("x", maxBody+1), 400},
		{"unknown log", strings.Replace(body, origin, "agentnet/other", 1), 404},
		{"wrong signature", strings.Replace(body, "\n10\n", "\n11\n", 1), 403},
		{"right", body, 200},
		{"again from nothing", body, 409},
		{"a proof of nothing", strings.Replace(body, "old 0\n", "old 10\n"+tree.Hash.String()+"\n", 1), 422},
	} {
		if got := post(c.body); got.Code != c.want {
			t.Errorf("%s: got %d %q, want %d", c.name, got.Code, got.Body, c.want)
		}
	}
	if got := post(strings.Repeat("x", maxBody+1)); !strings.Contains(got.Body.String(), "too long") {
		t.Errorf("too long: got %q, want it said", got.Body)
	}
	if got := post(body); got.Body.String() != "10\n" || got.Header().Get("Content-Type") != "text/x.tlog.size" {
		t.Errorf("got %q of %q, want the size", got.Body, got.Header().Get("Content-Type"))
	}
	rec := httptest.NewRecorder()
	if h.ServeHTTP(rec, httptest.NewRequest("GET", "/add-checkpoint", nil)); rec.Code != 405 {
		t.Errorf("GET: got %d, want 405", rec.Code)
	}
	mem.dir = filepath.Join(mem.dir, "gone")
	if got := post(body); got.Code != 500 || strings.Contains(got.Body.String(), mem.dir) {
		t.Errorf("without its folder: got %d %q", got.Code, got.Body)
	}
}

func TestFolderRemembers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	f := must(OpenFolder(dir))
	if _, err := f.Signer(""); !errors.Is(err, ErrName) {
		t.Errorf("a first start without a name: got %v, want %v", err, ErrName)
	}
	if got, err := f.Latest(t.Context(), origin); err == nil {
		t.Errorf("without a key: got %q, want no memory that could be lost", got)
	}
	first := must(f.Signer("w.example")).Verifier().String()
	if got, err := f.Latest(t.Context(), origin); got != nil || err != nil {
		t.Errorf("before anything: got %q, %v", got, err)
	}
	if err := f.Advance(t.Context(), origin, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(dir); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("a second witness on the folder: got %v, want %v", err, journal.ErrLocked)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f = must(OpenFolder(dir))
	defer f.Close()
	if got := must(f.Signer("")).Verifier().String(); got != first {
		t.Errorf("got key %s, want %s as before", got, first)
	}
	if _, err := f.Signer("other.example"); !errors.Is(err, ErrName) {
		t.Errorf("another name: got %v, want %v", err, ErrName)
	}
	if got, err := f.Latest(t.Context(), origin); string(got) != "one" || err != nil {
		t.Errorf("got %q, %v; want what was kept", got, err)
	}
	st := must(os.Stat(filepath.Join(dir, "witness.key")))
	if st.Mode().Perm() != 0o600 {
		t.Errorf("the key may be read by others: %v", st.Mode())
	}
	if err := os.WriteFile(filepath.Join(dir, "witness.key"), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Signer(""); err == nil {
		t.Error("a damaged key: got no error")
	}
}

// The first pair that proves a fork is kept.
func TestFolderKeepsEvidence(t *testing.T) {
	f := folder(t)
	for _, second := range []string{"two", "three"} {
		if err := f.Accuse(t.Context(), origin, []byte("one\n7\nroot\n\nsig\n"), []byte("log\n7\n"+second+"\n\nsig\n")); err != nil {
			t.Fatal(err)
		}
	}
	got := must(os.ReadFile(filepath.Join(f.dir, "agentnet%2Ftestnet.fork-7")))
	if want := "one\n7\nroot\n\nsig\n\nlog\n7\ntwo\n\nsig\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPeersAreChecked(t *testing.T) {
	secret, log := key(9, "w")
	w := must(proof.NewCosigner(secret)).Verifier().String()
	if got, err := ParsePeer("https://w.example/path/#" + w); err != nil || got != (Peer{"https://w.example/path", w}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, s := range []string{"", "https://w.example", "w.example#" + w, "ftp://w.example#" + w, "https://w.example#" + log, "https://w.example#x", "https://#" + w} {
		if _, err := ParsePeer(s); err == nil {
			t.Errorf("%q: got no error", s)
		}
	}
	if _, err := NewFeeder(FeederConfig{}); err == nil {
		t.Error("a feeder of nothing: got no error")
	}
}

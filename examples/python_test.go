package examples

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
)

const pythonClient = "sdk/python"

// python runs Python in a folder, with what it reads and the client on its path.
func python(t *testing.T, dir string, in io.Reader, args ...string) (string, error) {
	t.Helper()
	client, err := filepath.Abs(pythonClient)
	if err != nil {
		t.Fatal(err)
	}
	return foreign(t, "python3", dir, in, []string{"PYTHONPATH=" + client, "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8", "NO_PROXY=127.0.0.1"}, args...)
}

// foreign runs a program of this machine in a folder, with what it reads.
func foreign(t *testing.T, name, dir string, in io.Reader, env []string, args ...string) (string, error) {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("NETKIT_REQUIRE_ALL") == "1" {
			t.Fatalf("%s is missing and NETKIT_REQUIRE_ALL is set", name)
		}
		t.Skipf("%s is missing", name)
	}
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// lossy stands before a network, loses the first answer under each idempotency key,
// and takes no write without one.
type lossy struct {
	http.Handler
	mu   sync.Mutex
	lost map[string]bool
}

func newLossy(t *testing.T, behind string) (*lossy, string) {
	t.Helper()
	target, err := url.Parse(behind)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	l := &lossy{Handler: proxy, lost: map[string]bool{}}
	front := httptest.NewServer(l)
	t.Cleanup(front.Close)
	return l, front.URL
}

func (l *lossy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" && r.Method != http.MethodGet {
		http.Error(w, "a write without an Idempotency-Key", http.StatusBadRequest)
		return
	}
	l.mu.Lock()
	first := key != "" && !l.lost[key]
	l.lost[key] = true
	l.mu.Unlock()
	if first {
		l.Handler.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	}
	l.Handler.ServeHTTP(w, r)
}

// playbook writes what is told of a playbook into a folder.
func playbook(t *testing.T, dir string) {
	t.Helper()
	given, err := Files.ReadFile("playbooks/utilities-deposit-refund.json")
	if err != nil {
		t.Fatal(err)
	}
	done, err := btdt.ScrubFile(given)
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(done.Playbook.Metadata())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "playbook.json"), told, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sameEnds reports whether the first and the last lines of two texts agree.
func sameEnds(a, b string) bool {
	x, y := strings.Split(strings.TrimSpace(a), "\n"), strings.Split(strings.TrimSpace(b), "\n")
	return x[0] == y[0] && x[len(x)-1] == y[len(y)-1]
}

// runner runs a program of an SDK in a folder.
type runner func(dir string, args ...string) (string, error)

// onboards takes the eight steps twice as slug, though each answer to a command
// is lost once, and then refuses the slug to somebody else.
func onboards(t *testing.T, slug string, run runner) {
	t.Helper()
	behind, _ := serveNetwork(t)
	proxy, front := newLossy(t, behind)
	dir := t.TempDir()
	playbook(t, dir)
	first, err := run(dir, front, slug, "playbook.json")
	if err != nil {
		t.Fatalf("the first run: %v\n%s", err, first)
	}
	if again, err := run(dir, front, slug, "playbook.json"); err != nil || !sameEnds(again, first) {
		t.Errorf("the second run: got %q, %v, want the receipts of the first, %q", again, err, first)
	}
	for _, want := range []string{"1 " + slug + " spawned with 50.00\n", "5 contracts that match: 1\n6 executed contract 3 at UNVERIFIED: +1.70, wallet 51.70\n7 diversity 0.00; ", "\n8 playbook "} {
		if !strings.Contains(first, want) {
			t.Errorf("got %q, want it to say %q", first, want)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, slug+".token")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want a token that only its owner can read", info, err)
	}
	if !proxy.lost["contract-3"] {
		t.Error("the key that the program chose for its execution did not arrive")
	}
	other := t.TempDir()
	playbook(t, other)
	if got, err := run(other, front, slug, "playbook.json"); err == nil || !strings.HasPrefix(got, "refused with 409 slug_taken: ") {
		t.Errorf("another's slug: got %q, %v, want a refusal", got, err)
	}
}

// An agent in Python takes the eight steps, though each answer to a command is
// lost once, and a second run does nothing twice.
func TestOnboardingInPython(t *testing.T) {
	program, err := filepath.Abs(pythonClient + "/onboarding.py")
	if err != nil {
		t.Fatal(err)
	}
	onboards(t, "ada-py", func(dir string, args ...string) (string, error) {
		return python(t, dir, nil, append([]string{program}, args...)...)
	})
}

const readEvents = `
import sys
from agentnet import Client
for event in Client(sys.argv[1]).stream_events(0):
    print(event.id, event.type, event.data, flush=True)
    if event.id == 6:
        break
`

// resumes gives a program a stream that breaks off after each two events, and
// compares the first six that it prints with event, a format of number, type and data.
func resumes(t *testing.T, event string, run func(url string) (string, error)) {
	t.Helper()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		after, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))
		if err != nil {
			t.Errorf("got a stream behind %q, want a number", r.Header.Get("Last-Event-ID"))
			after = 5 // ends the program
		}
		fmt.Fprintf(w, "event: heartbeat\ndata: {}\n\nid: %d\nevent: a\ndata: x\ndata: y\n\nid: %d\nevent: b\ndata: z\n\nid: %d\nevent: lo", after+1, after+2, after+3)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(front.Close)
	var want strings.Builder
	for id := 1; id <= 5; id += 2 {
		fmt.Fprintf(&want, event+event, id, "a", `x\ny`, id+1, "b", "z")
	}
	if got, err := run(front.URL); err != nil || got != want.String() {
		t.Errorf("got %q, %v, want %q", got, err, want.String())
	}
}

// The event stream goes on behind the last event when it breaks off.
func TestEventsInPython(t *testing.T) {
	resumes(t, "%d %s Untrusted(text='%s')\n", func(url string) (string, error) {
		return python(t, ".", nil, "-c", readEvents, url)
	})
}

const readTexts = `
import sys
from agentnet import Client, Refused, Untrusted, TokenFile
net = Client(sys.argv[1])
contract = net.get_contract(3)
print(contract.brief, contract.remaining, f"{contract.title.text}")
try:
    net.get_me()
except Refused as refused:
    print(refused.status, refused.code, bool(refused.detail), bool(refused.next))
try:
    Client(sys.argv[2], token="nk_secret").get_health()
except Refused as refused:
    print(refused.status)
`

// marks runs a program against a network and a server that redirects away.
func marks(t *testing.T, want string, run func(net, away string) (string, error)) {
	t.Helper()
	behind, _ := serveNetwork(t)
	away := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("got a request to %s", r.URL) }))
	t.Cleanup(away.Close)
	front := httptest.NewServer(http.RedirectHandler(away.URL, http.StatusTemporaryRedirect))
	t.Cleanup(front.Close)
	if got, err := run(behind, front.URL); err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// Texts of others are marked, amounts are exact, a refusal says why, and a
// token goes to no server but the one that was named.
func TestTextsInPython(t *testing.T) {
	marks(t, "Untrusted(text='What stopped?') 20.00 Fab watch\n401 token_missing True True\n307\n", func(net, away string) (string, error) {
		return python(t, ".", nil, "-c", readTexts, net, away)
	})
}

// document returns the OpenAPI document of a network.
func document(t *testing.T) io.Reader {
	t.Helper()
	behind, _ := serveNetwork(t)
	resp, err := http.Get(behind + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp.Body
}

// The objects and methods are those that the server describes.
func TestTypesInPython(t *testing.T) {
	want, err := python(t, pythonClient, document(t), "generate.py")
	if err != nil {
		t.Fatalf("%v\n%s", err, want)
	}
	got, err := os.ReadFile(pythonClient + "/agentnet_types.py")
	if err != nil || string(got) != want {
		t.Errorf("agentnet_types.py is behind the server (%v): run generate.py as it says at its head", err)
	}
}

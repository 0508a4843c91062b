package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/audit"
)

const (
	killRounds  = 3
	killWorkers = 8
	killAfter   = 300 // acknowledged writes of a round
)

// ack is a write that the server said it kept.
type ack struct {
	Seq         uint64 `json:"seq"`
	kind, actor string
}

// victim is a network whose server is killed, with what it promised.
type victim struct {
	t     *testing.T
	dir   string
	cmd   *exec.Cmd
	url   string
	addr  string   // where it listens; "" is anywhere
	flags []string // more of them
	acked atomic.Int64

	mu   sync.Mutex
	acks []ack
	open []unanswered // sent when the server died: nobody knows whether they count
}

// unanswered is a spawn that can be repeated.
type unanswered struct {
	slug  string
	token netkit.Token
}

// Kill -9 in the middle of writing: what was acknowledged is there after the
// restart, what was not can be asked again and counts once, and the books
// balance. Each round goes on with the journal that the last one left.
func TestKilledServerKeepsWhatItAcknowledged(t *testing.T) {
	v := &victim{t: t, dir: t.TempDir()}
	v.start()
	for w := range killWorkers {
		target := v.spawn(targetOf(w))
		v.must("PUT", "/api/agent/claims", target.token.String(), `{"accepts_attention_requests":true,"attention_floor_price":0}`, nil)
	}
	for round := range killRounds {
		v.load(round)
		v.start()
		v.repeat()
		v.check()
	}
	v.kill()
	cfg := audit.Config{From: v.dir, Seen: audit.Seen(t.TempDir()), Now: time.Now}
	if out, err := verifyFolder(context.Background(), cfg); err != nil || out.Books.Sum != 0 {
		t.Errorf("got %+v, %v, want a sound journal", out, err)
	}
}

// start runs netctl serve and waits until it answers.
func (v *victim) start() {
	v.t.Helper()
	v.cmd = exec.Command("netctl", append([]string{"serve", "--data", v.dir, "--addr", cmp.Or(v.addr, "127.0.0.1:0"), "--intent-addr", "127.0.0.1:0",
		"--wait", "0", "--rate", "1000000", "--spawn-rate", "1000000", "--no-night", "--quiet"}, v.flags...)...)
	var said bytes.Buffer
	v.cmd.Stderr = &said
	if err := v.cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(v.kill)
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(5 * time.Millisecond) {
		if r, ok := findRunning(context.Background(), v.dir); ok {
			v.url = r.URL
			return
		}
	}
	v.kill()
	v.t.Fatalf("the server does not answer; it said %q", said.String())
}

func (v *victim) kill() {
	_ = v.cmd.Process.Kill() // it may have ended
	_ = v.cmd.Wait()
}

// load writes from several callers until the server is killed under them.
func (v *victim) load(round int) {
	v.acked.Store(0)
	var all sync.WaitGroup
	for w := range killWorkers {
		all.Go(func() {
			for i := 0; v.write(fmt.Sprintf("agent-%d-%d-%d", round, w, i), targetOf(w)); i++ {
			}
		})
	}
	for start := time.Now(); v.acked.Load() < killAfter && time.Since(start) < time.Minute; {
		time.Sleep(time.Millisecond)
	}
	v.kill()
	all.Wait()
}

// targetOf names the agent whose attention a caller's newcomers ask for: each caller
// has one of its own, since an inbox has few places for newcomers.
func targetOf(worker int) string { return fmt.Sprintf("target-%d", worker) }

// write spawns an agent that asks a target for attention, and reports whether
// the server still lives.
func (v *victim) write(slug, target string) bool {
	a := unanswered{slug: slug, token: mustToken(v.t)}
	if err := v.ask(a); err != nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.open = append(v.open, a)
		return false
	}
	var sent ack
	err := v.send("POST", "/api/intent/attention", a.token.String(), fmt.Sprintf(`{"to":%q,"subject":"s","body":"b"}`, target), &sent)
	if err != nil {
		return false
	}
	v.keep(ack{sent.Seq, "attention.sent", slug})
	return true
}

// ask spawns, and may be repeated.
func (v *victim) ask(a unanswered) error {
	var got ack
	err := v.send("POST", "/api/agent/spawn", "", fmt.Sprintf(`{"slug":%q,"token_sha256":%q}`, a.slug, a.token.SHA256()), &got)
	if err == nil {
		v.keep(ack{got.Seq, "agent.spawned", a.slug})
	}
	return err
}

func (v *victim) spawn(slug string) unanswered {
	v.t.Helper()
	a := unanswered{slug: slug, token: mustToken(v.t)}
	if err := v.ask(a); err != nil {
		v.t.Fatal(err)
	}
	return a
}

func (v *victim) keep(a ack) {
	v.mu.Lock()
	v.acks = append(v.acks, a)
	v.mu.Unlock()
	v.acked.Add(1)
}

// repeat asks again for what was under way when the server died.
func (v *victim) repeat() {
	for _, a := range v.open {
		if err := v.ask(a); err != nil {
			v.t.Errorf("spawning %s again: %v", a.slug, err)
		}
		var b netkit.AccountBalance
		v.must("GET", "/api/ledger/balances/wallet:"+a.slug, "", "", &b)
		if b.Balance != 5000 {
			v.t.Errorf("%s has %s after its spawn was repeated, want one grant", a.slug, b.Balance)
		}
	}
	v.open = nil
}

// check looks for every write that was acknowledged, and at the books.
func (v *victim) check() {
	type line struct {
		Seq         uint64
		Kind, Actor string
	}
	found := map[uint64]line{}
	for from := uint64(0); ; {
		var page struct {
			Items []line
			Next  uint64
		}
		v.must("GET", fmt.Sprintf("/api/ledger/entries?limit=200&from=%d", from), "", "", &page)
		for _, l := range page.Items {
			found[l.Seq] = l
		}
		if len(page.Items) == 0 {
			break
		}
		from = page.Next
	}
	agents := map[string]bool{}
	for _, a := range v.acks {
		if got := found[a.Seq]; got != (line{a.Seq, a.kind, a.actor}) {
			v.t.Errorf("entry %d: got %+v, want %s of %s, as was acknowledged", a.Seq, got, a.kind, a.actor)
		}
		agents[a.actor] = true
	}
	var books netkit.Books
	v.must("GET", "/api/ledger/conservation", "", "", &books)
	if want := -netkit.Credits(len(agents)) * 5000; books.Sum != 0 || books.Issued != want {
		v.t.Errorf("got %+v, want the sum 0 and %s issued", books, want)
	}
}

func (v *victim) must(method, path, token, body string, into any) {
	v.t.Helper()
	if err := v.send(method, path, token, body, into); err != nil {
		v.t.Fatal(err)
	}
}

// send makes one attempt at a request.
func (v *victim) send(method, path, token, body string, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, v.url+path, bytes.NewBufferString(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	b, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err // cut off: not acknowledged
	}
	if resp.StatusCode != http.StatusOK {
		v.t.Errorf("%s %s: got %d %s", method, path, resp.StatusCode, b)
		return errors.New("refused")
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(b, into)
}

func mustToken(t testing.TB) netkit.Token {
	t.Helper()
	token, err := newToken()
	if err != nil {
		t.Fatal(err) // the only cause is a machine without randomness
	}
	return token
}

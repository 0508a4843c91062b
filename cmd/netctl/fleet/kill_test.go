package fleet

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
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

// victim is a server that is killed, with the writes that it acknowledged.
type victim struct {
	*Server
	acked atomic.Int64

	mu   sync.Mutex
	acks []ack
	open []unanswered // sent when the server died: they may count or not
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
	v := &victim{Server: &Server{T: t, Dir: t.TempDir()}}
	v.Start()
	for w := range killWorkers {
		target := v.spawn(targetOf(w))
		v.MustSend("PUT", "/api/agent/claims", target.token.String(), `{"accepts_attention_requests":true,"attention_floor_price":0}`, nil)
	}
	for round := range killRounds {
		v.load(round)
		v.Start()
		v.repeat()
		v.check()
	}
	v.Kill()
	if r := Audit(t, v.Dir); r.Books.Sum != 0 {
		t.Errorf("got %+v, want books that balance", r)
	}
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
	v.Kill()
	all.Wait()
}

// targetOf names the agent whose attention a caller's newcomers ask for: each caller
// has one of its own, since an inbox has few places for newcomers.
func targetOf(worker int) string { return fmt.Sprintf("target-%d", worker) }

// write spawns an agent that asks a target for attention, and reports whether
// the server still lives.
func (v *victim) write(slug, target string) bool {
	a := unanswered{slug: slug, token: NewToken(v.T)}
	if err := v.ask(a); err != nil {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.open = append(v.open, a)
		return false
	}
	var sent ack
	err := v.Send("POST", "/api/intent/attention", a.token.String(), fmt.Sprintf(`{"to":%q,"subject":"s","body":"b"}`, target), &sent)
	if err != nil {
		return false
	}
	v.keep(ack{sent.Seq, "attention.sent", slug})
	return true
}

// ask spawns, and may be repeated.
func (v *victim) ask(a unanswered) error {
	var got ack
	err := v.Send("POST", "/api/agent/spawn", "", fmt.Sprintf(`{"slug":%q,"token_sha256":%q}`, a.slug, a.token.SHA256()), &got)
	if err == nil {
		v.keep(ack{got.Seq, "agent.spawned", a.slug})
	}
	return err
}

func (v *victim) spawn(slug string) unanswered {
	v.T.Helper()
	a := unanswered{slug: slug, token: NewToken(v.T)}
	if err := v.ask(a); err != nil {
		v.T.Fatal(err)
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
			v.T.Errorf("spawning %s again: %v", a.slug, err)
		}
		var b netkit.AccountBalance
		v.MustSend("GET", "/api/ledger/balances/wallet:"+a.slug, "", "", &b)
		if b.Balance != 5000 {
			v.T.Errorf("%s has %s after its spawn was repeated, want one grant", a.slug, b.Balance)
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
		v.MustSend("GET", fmt.Sprintf("/api/ledger/entries?limit=200&from=%d", from), "", "", &page)
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
			v.T.Errorf("entry %d: got %+v, want %s of %s, as was acknowledged", a.Seq, got, a.kind, a.actor)
		}
		agents[a.actor] = true
	}
	var books netkit.Books
	v.MustSend("GET", "/api/ledger/conservation", "", "", &books)
	if want := -netkit.Credits(len(agents)) * 5000; books.Sum != 0 || books.Issued != want {
		v.T.Errorf("got %+v, want the sum 0 and %s issued", books, want)
	}
}

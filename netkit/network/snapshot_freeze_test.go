package network

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/pace"
)

// An invitation that is used while the state is read comes later.
func TestInvitationDuringFreeze(t *testing.T) {
	f := memory(t)
	for k := range 20 {
		slug := fmt.Sprintf("guest-%02d", k)
		must[netkit.Spawned](t)(f.As("").SpawnInvited(t.Context(), netkit.Spawn{Slug: slug}, slug))
	}
}

// A snapshot of a freeze holds the state of that moment, and a start from it
// replays what came later.
func TestStartFromFreeze(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.writers()
	f.endWatch()
	before := f.voids()
	at := must[*frozen](t)(f.freezeDurable(ctx))
	must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}))
	state, second := f.encode(at)
	f.thaw()
	if _, err := f.putSnapshot(ctx, before, at, state, second); err != nil {
		t.Fatal(err)
	}
	if n, err := CheckSnapshot(ctx, f.store); n != at.size || err != nil {
		t.Errorf("got a snapshot of %d entries, %v, want one of %d", n, err, at.size)
	}
	n := must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now}))
	if n.resumed != at.size || !bytes.Equal(n.state.Canonical(), f.state.Canonical()) || !bytes.Equal(n.secrets.Stored(), f.secrets.Stored()) {
		t.Errorf("from the snapshot of %d entries: got %d entries, want the state of %d", n.resumed, n.state.Size(), f.state.Size())
	}
	if err := n.Close(ctx); err != nil {
		t.Fatal(err)
	}
}

// What is erased while a freeze is read is in no snapshot.
func TestErasedDuringFreeze(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.agents("ada")
	f.endWatch()
	token := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}})
	before := f.voids()
	at := must[*frozen](t)(f.freezeDurable(ctx))
	must[netkit.TokenReceipt](t)(f.As("ada").RevokeToken(ctx, netkit.RevokeToken{TokenID: token.TokenID}))
	f.erases(token.Seq)
	state, second := f.encode(at)
	f.thaw()
	if second := slices.Concat(second...); !bytes.Contains(second, fmt.Appendf(nil, `"id":%d`, token.TokenID)) {
		t.Errorf("the freeze lacks the token that was valid then: %s", second)
	}
	if _, err := f.putSnapshot(ctx, before, at, state, second); err != nil {
		t.Fatal(err)
	}
	if _, b, err := loadSnapshot(ctx, f.store); err != nil || string(b) != voidSnapshot {
		t.Errorf("got the snapshot %.80q, %v, want none", b, err)
	}
}

// A network that is closed while a snapshot is made stops at once and keeps its
// own; one that waits for a batch to end gives up.
func TestCloseDuringFreeze(t *testing.T) {
	f := memory(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.agents("ada")
	f.endWatch()
	f.mu.Lock()
	border := f.border
	f.border++ // as if a batch were open
	f.mu.Unlock()
	failed := make(chan error)
	go func() { _, err := f.keepSnapshot(ctx); failed <- err }()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it canceled", err)
	}
	f.mu.Lock()
	f.border = border
	f.mu.Unlock()
	if f.onBorder != nil {
		t.Error("a freeze still waits")
	}
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := CheckSnapshot(t.Context(), f.store); n != f.state.Size() || err != nil {
		t.Errorf("got a snapshot of %d entries, %v, want one of %d", n, err, f.state.Size())
	}
}

// A network that is closed in the middle of an encoding keeps a snapshot of its end:
// the encoding comes to its own end without rests and is thrown away.
func TestCloseDuringEncoding(t *testing.T) {
	f := memory(t)
	f.writers()
	f.endWatch()
	ctx, cancel := context.WithCancel(t.Context())
	rest := &countedContext{Context: ctx, call: 2} // the first is the wait for a border
	rest.do = func() {
		if f.view() == nil {
			t.Error("closed before the state was frozen")
		}
		must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}))
		cancel()
		if err := f.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if _, err := f.keepSnapshot(rest); !errors.Is(err, context.Canceled) || rest.call > 0 {
		t.Errorf("got %v after a rest, want it canceled", err)
	}
	if n, err := CheckSnapshot(t.Context(), f.store); n != f.state.Size() || err != nil {
		t.Errorf("got a snapshot of %d entries, %v, want one of %d", n, err, f.state.Size())
	}
	if f.view() != nil {
		t.Error("the state is still frozen")
	}
}

// view returns the freeze that the table of parties keeps rows for.
func (f *fixture) view() any {
	if v := reflect.ValueOf(&tablesOf(f.state).Parties.Images).Elem().FieldByName("freeze"); !v.IsNil() {
		return v
	}
	return nil
}

// countedContext does something at a call of Done.
type countedContext struct {
	context.Context
	call int
	do   func()
}

func (c *countedContext) Done() <-chan struct{} {
	if c.call--; c.call == 0 {
		c.do()
	}
	return c.Context.Done()
}

// Health shows how far the comparison with the entries is.
func TestHealthShowsComparison(t *testing.T) {
	f := memory(t)
	if got := f.Health().Comparison; got != nil {
		t.Errorf("without a snapshot: got %+v", got)
	}
	p := new(pace.Replay)
	p.Taken.Store(3)
	p.Of.Store(8)
	f.compared.Store(p)
	if got := f.Health().Comparison; got == nil || *got != (netkit.Comparison{Entries: 3, Of: 8}) {
		t.Errorf("got %+v, want 3 of 8", got)
	}
}

package network

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/rules"
)

// cleared is a store from whose entries private parts were taken or changed in
// the file.
type cleared struct {
	journal.Store
	private map[uint64][]byte
}

func (c *cleared) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range c.Store.Read(ctx, from, to) {
			if part, ok := c.private[r.Seq]; ok {
				r.Private = part
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// breachesPrivate checks that err is the violation of an entry's private part.
func breachesPrivate(t *testing.T, what string, err error, entry uint64) {
	t.Helper()
	var b *netkit.Violation
	if !errors.As(err, &b) || b.Entry != entry || b.Rule != rules.RulePrivate || !errors.Is(err, netkit.ErrCorrupt) {
		t.Errorf("%s: got %v, want a violation of %q at entry %d", what, err, rules.RulePrivate, entry)
	}
}

// A private part that is missing or another without an erasure is named by the
// audit and keeps the network from starting, with a snapshot and without.
func TestPrivatePartCleared(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.writers()
	ask := func() uint64 {
		return must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(netkit.WithKey(ctx, fmt.Sprint("k", f.state.Size())), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})).ID
	}
	erased, before := ask(), ask()
	f.erases(erased)
	if err := f.forgetSnapshot(ctx); err != nil {
		t.Fatal(err)
	}
	after := ask()
	for name, c := range map[string]struct {
		entry uint64
		part  []byte
		fast  bool // a start from the snapshot reads the entry
	}{
		"missing before the snapshot": {before, nil, false},
		"missing after the snapshot":  {after, nil, true},
		"another after the snapshot":  {after, []byte(`{"salt":"00"}`), true},
	} {
		store := &cleared{f.store, map[uint64][]byte{c.entry: c.part}}
		_, err := Audit(ctx, store)
		breachesPrivate(t, name+", audit", err, c.entry)
		_, err = New(ctx, Config{Store: store, Now: f.clock.Now, IgnoreSnapshot: true})
		breachesPrivate(t, name+", start by replay", err, c.entry)
		if c.fast {
			_, err = New(ctx, Config{Store: store, Now: f.clock.Now})
			breachesPrivate(t, name+", start from the snapshot", err, c.entry)
		}
	}
	if _, err := Audit(ctx, f.store); err != nil {
		t.Errorf("an erasure that is named: got %v", err)
	}
}

// The first of several is named.
func TestPrivatePartsCleared(t *testing.T) {
	f := memory(t)
	f.writers()
	all := map[uint64][]byte{}
	for seq := range uint64(f.state.Size()) {
		all[seq] = nil
	}
	_, err := Audit(t.Context(), &cleared{f.store, all})
	breachesPrivate(t, "all of them", err, 0)
	if err == nil || !strings.Contains(err.Error(), "no erasure") {
		t.Errorf("got %v, want it to say that no erasure names the entry", err)
	}
}

// growing is a store that does something once its first entry is read.
type growing struct {
	journal.Store
	then func()
}

func (g *growing) Read(ctx context.Context, from, to uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range g.Store.Read(ctx, from, to) {
			if !yield(r, err) {
				return
			}
			if then := g.then; then != nil && from == 0 && to > 1 {
				g.then = nil
				then()
			}
		}
	}
}

// An audit beside a network that runs accepts what is erased meanwhile.
func TestErasedWhileAudited(t *testing.T) {
	f := memory(t)
	f.writers()
	id := must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})).ID
	erased := false
	store := &growing{f.store, func() { f.erases(id); erased = true }}
	if _, err := Audit(t.Context(), store); err != nil || !erased || f.keeps(id) {
		t.Errorf("got %v, erased: %v, want no error", err, erased)
	}
}

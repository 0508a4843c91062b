package network

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/rules"
)

// erases erases the private part of an entry.
func (f *fixture) erases(seq uint64) netkit.ErasureReceipt {
	f.t.Helper()
	return must[netkit.ErasureReceipt](f.t)(f.op().ErasePrivate(f.t.Context(), netkit.ErasePrivate{Entry: seq, Reason: "asked for"}))
}

// writers makes two agents, ada who asks and bea who may be asked.
func (f *fixture) writers() {
	f.t.Helper()
	f.agents("ada", "bea")
	must[netkit.ClaimsReceipt](f.t)(f.As("bea").SetClaims(context.Background(), netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: netkit.Credit}))
}

// keeps reports whether the journal still has a private part.
func (f *fixture) keeps(seq uint64) bool {
	f.t.Helper()
	_, p, err := f.entry(f.t.Context(), seq)
	if err != nil {
		f.t.Fatal(err)
	}
	return p != nil
}

func TestErasePrivate(t *testing.T) {
	f := memory(t)
	f.writers()
	r := must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), netkit.SendAttention{To: "bea", Subject: "s", Body: "a name"}))
	before := must[*rules.Entry](t)(f.Entry(t.Context(), r.ID))
	got := f.erases(r.ID)
	if want := (netkit.ErasureReceipt{Entry: r.ID, Reason: "asked for", Seq: f.state.Size() - 1, At: netkit.At(f.now)}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if f.keeps(r.ID) {
		t.Error("the private part is still there")
	}
	if after := must[*rules.Entry](t)(f.Entry(t.Context(), r.ID)); after.Private != before.Private || after.Private == [32]byte{} {
		t.Errorf("the public part names %x, want %x as before", after.Private, before.Private)
	}
	if seen := must[netkit.Attention](t)(f.As("bea").Attention(t.Context(), r.ID)); seen.Body != "" {
		t.Errorf("got body %q, want none", seen.Body)
	}
	f.passes(time.Hour)
	f.Unchanged(t, func() {
		if again := f.erases(r.ID); again != got {
			t.Errorf("again: got %+v, want %+v", again, got)
		}
	})
	f.rooted(t)
	f.restarts(t)
	f.Unchanged(t, func() {
		if again := f.erases(r.ID); again != got {
			t.Errorf("after a restart: got %+v, want %+v", again, got)
		}
	})
}

func TestErasureRefused(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.writers()
	spawned := tablesOf(f.state).Parties.At(f.num("ada")).Seq
	short := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: netkit.At(f.now) + netkit.Hour})
	bare := must[netkit.ChannelsReceipt](t)(f.As("ada").SetChannels(ctx, netkit.SetChannels{Channels: []netkit.Niche{netkit.NicheLegal}}))
	done := f.erases(must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})).ID)
	f.Unchanged(t, func() {
		for _, c := range []struct {
			by   netkit.Caller
			in   netkit.ErasePrivate
			kind error
			code string
		}{
			{as("operator"), netkit.ErasePrivate{Entry: 999, Reason: "r"}, netkit.ErrNotFound, "entry_unknown"},
			{as("operator"), netkit.ErasePrivate{Entry: bare.Seq, Reason: "r"}, netkit.ErrConflict, "nothing_private"},
			{as("operator"), netkit.ErasePrivate{Entry: done.Seq, Reason: "r"}, netkit.ErrConflict, "erasure_stays"},
			{as("operator"), netkit.ErasePrivate{Entry: spawned, Reason: "r"}, netkit.ErrConflict, "token_in_use"},
			{as("operator"), netkit.ErasePrivate{Entry: 0, Reason: "r"}, netkit.ErrConflict, "token_in_use"},
			{as("operator"), netkit.ErasePrivate{Entry: short.TokenID, Reason: "r"}, netkit.ErrConflict, "token_in_use"},
			{as("operator"), netkit.ErasePrivate{Entry: spawned, Reason: ""}, netkit.ErrInvalid, "text_missing"},
			{as("ada"), netkit.ErasePrivate{Entry: spawned, Reason: "r"}, netkit.ErrForbidden, "operators_only"},
			{netkit.Caller{}, netkit.ErasePrivate{Entry: spawned, Reason: "r"}, netkit.ErrUnauthenticated, "unauthenticated"},
		} {
			_, err := f.For(c.by).ErasePrivate(ctx, c.in)
			refused(t, err, c.kind, c.code)
		}
	})
	must[*netkit.Principal](t)(f.Authenticate(short.Token))
	f.passes(time.Hour)
	f.erases(short.TokenID)
	f.restarts(t)
}

// A key whose entry's text was erased still stands for that entry, in the
// network that runs and in one that begins with the journal, and is forgotten
// when its day is over.
func TestRetryAfterErasure(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.writers()
	send := func(key string) netkit.AttentionReceipt {
		return must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(netkit.WithKey(ctx, key), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}))
	}
	send("before")
	first := send("key")
	f.passes(time.Hour)
	send("after")
	must[netkit.ErasureReceipt](t)(f.op().ErasePrivate(netkit.WithKey(ctx, "e"), netkit.ErasePrivate{Entry: first.ID, Reason: "r"}))
	for range 2 {
		f.Unchanged(t, func() {
			if again := send("key"); again.ID != first.ID {
				t.Errorf("got request %d, want %d again", again.ID, first.ID)
			}
		})
		f.restarts(t)
		if err := f.Close(ctx); err != nil {
			t.Fatal(err)
		}
		f.Network = must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now, IgnoreSnapshot: true}))
	}
	f.passes(24*time.Hour - time.Minute)
	send("later") // journal time goes on with entries
	if again := send("key"); again.ID == first.ID {
		t.Errorf("got request %d again a day later, want a new one", again.ID)
	}
	f.restarts(t)
}

// What a capped token spent stays spent.
func TestSpendCapAfterErasure(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.writers()
	capped := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeSend}, SpendCap: atMost(10 * netkit.Credit)})
	must[netkit.ClaimsReceipt](t)(f.As("bea").SetClaims(ctx, netkit.Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 6 * netkit.Credit}))
	by := as("ada")
	by.Token = capped.TokenID
	r := must[netkit.AttentionReceipt](t)(f.For(by).SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}))
	f.erases(r.ID)
	f.restarts(t)
	f.Network = must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now, IgnoreSnapshot: true}))
	_, err := f.For(by).SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})
	refused(t, err, netkit.ErrForbidden, "spend_cap")
}

// A webhook's address goes with the text of its entry, from the snapshot too;
// one that was set later stays.
func TestWebhookAfterErasure(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.admit("acme", netkit.Credit)
	for _, owner := range []string{"ada", "acme"} {
		f.forgetsWebhook(owner)
	}
}

func (f *fixture) forgetsWebhook(owner string) {
	t := f.t
	set := func(url string) uint64 {
		return must[netkit.WebhookReceipt](t)(f.As(owner).SetWebhook(t.Context(), netkit.SetWebhook{URL: url})).Seq
	}
	old, now := set("https://example.org/old"), set("https://example.org/now")
	f.erases(old)
	if got, _ := f.secrets.Hooks.Get(owner); got.Address != "https://example.org/now" {
		t.Errorf("%s: got %q, want the later one to stay", owner, got.Address)
	}
	f.restarts(t)
	if !bytes.Contains(f.snapshot(), []byte("example.org/now")) {
		t.Fatal("the snapshot does not hold the address before: the test tests nothing")
	}
	f.erases(now)
	if got, ok := f.secrets.Hooks.Get(owner); ok {
		t.Errorf("%s: got %q, want it gone", owner, got.Address)
	}
	if bytes.Contains(f.snapshot(), []byte("example.org")) {
		t.Errorf("%s: the snapshot still holds the address", owner)
	}
	f.restarts(t)
}

// snapshot returns the newest snapshot.
func (f *fixture) snapshot() []byte {
	f.t.Helper()
	_, r, err := f.store.ReadSnapshot(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	defer r.Close()
	return must[[]byte](f.t)(io.ReadAll(r))
}

// Whatever is erased, in whatever order, the network that runs and one that
// begins with the journal know the same.
func TestErasuresAndReplayAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t)
		f.writers()
		ctx := t.Context()
		capped := f.issue(t, as("ada"), netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeAll}, SpendCap: atMost(1000 * netkit.Credit)})
		for k := range rapid.IntRange(1, 30).Draw(rt, "length") {
			by, ctx := as("ada"), ctx
			if rapid.Bool().Draw(rt, "keyed") {
				ctx = netkit.WithKey(ctx, fmt.Sprint("k", rapid.IntRange(0, 9).Draw(rt, "key")))
			}
			if rapid.Bool().Draw(rt, "capped") {
				by.Token = capped.TokenID
			}
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0, 1:
				f.For(by).SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "b"})
			case 2:
				f.For(by).SetWebhook(ctx, netkit.SetWebhook{URL: fmt.Sprint("https://example.org/", k%3)})
			case 3:
				f.For(by).IssueToken(ctx, netkit.IssueToken{Scopes: []netkit.Scope{netkit.ScopeRead}, ExpiresAt: netkit.At(f.now) + netkit.Hour})
			case 4:
				f.passes(time.Duration(rapid.IntRange(0, 13).Draw(rt, "hours")) * time.Hour)
			default:
				f.op().ErasePrivate(netkit.WithKey(ctx, fmt.Sprint("e", k)), netkit.ErasePrivate{Entry: rapid.Uint64Range(0, f.state.Size()-1).Draw(rt, "entry"), Reason: "r"})
			}
		}
		f.replays(t, string(f.state.Canonical()))
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// An erasure whose write fails, or whose reply is lost, is done once it is
// acknowledged, and only then.
func TestErasureWhoseWriteFails(t *testing.T) {
	for name, fault := range map[string]journaltest.Fault{
		"definite":          {Err: journal.ErrFull},
		"doubtful, lost":    {Err: journal.ErrDoubtful},
		"doubtful, applied": {Err: journal.ErrDoubtful, Applied: true},
	} {
		t.Run(name, func(t *testing.T) {
			inner, nth := journal.NewMemory(), -1
			f := start(t, &journaltest.Faulty{Store: inner, Hook: func(n int, _ journal.Head, b journal.Batch) journaltest.Fault {
				if len(b.Erase) > 0 && (nth == -1 || nth == n) {
					nth = n
					return fault
				}
				return journaltest.Fault{}
			}})
			f.writers()
			r := must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(netkit.WithKey(t.Context(), "k"), netkit.SendAttention{To: "bea", Subject: "s", Body: "b"}))
			_, err := f.op().ErasePrivate(netkit.WithKey(t.Context(), "e"), netkit.ErasePrivate{Entry: r.ID, Reason: "r"})
			if (err == nil) != (fault.Err == journal.ErrDoubtful) || f.keeps(r.ID) != (err != nil) {
				t.Errorf("got %v, private part there: %v", err, f.keeps(r.ID))
			}
			for try := 0; err != nil && try < 50_000; try++ {
				time.Sleep(2 * time.Millisecond)
				_, err = f.op().ErasePrivate(netkit.WithKey(t.Context(), "e"), netkit.ErasePrivate{Entry: r.ID, Reason: "r"})
			}
			if err != nil || f.keeps(r.ID) {
				t.Errorf("got %v, private part there: %v, want it erased", err, f.keeps(r.ID))
			}
			f.rooted(t)
			f.replays(t, string(f.state.Canonical()))
		})
	}
}

// The journal holds no text in the clear. The snapshot holds some, and none of
// what was erased.
func TestErasedTextsLeaveTheDisk(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	open := func() *sqlite.Store { return must[*sqlite.Store](t)(sqlite.Open(ctx, sqlite.Config{Dir: dir})) }
	left := func(part string) (names []string) {
		for _, path := range must[[]string](t)(filepath.Glob(filepath.Join(dir, "*"))) {
			if bytes.Contains(must[[]byte](t)(os.ReadFile(path)), []byte(part)) {
				names = append(names, filepath.Base(path))
			}
		}
		return names
	}
	store := open()
	f := start(t, store)
	f.bent = true // the store is closed when an audit would begin
	f.writers()
	text := must[netkit.AttentionReceipt](t)(f.As("ada").SendAttention(ctx, netkit.SendAttention{To: "bea", Subject: "s", Body: "the-body-that-goes"})).ID
	hook := must[netkit.WebhookReceipt](t)(f.As("ada").SetWebhook(ctx, netkit.SetWebhook{URL: "https://example.org/hook-that-goes"})).Seq
	if err := errors.Join(f.Close(ctx), store.Close()); err != nil {
		t.Fatal(err)
	}
	if names := left("the-body-that-goes"); len(names) > 0 {
		t.Errorf("a text is in %v", names)
	}
	if names := left("hook-that-goes"); len(names) != 1 || !strings.HasPrefix(names[0], "snapshot-") {
		t.Fatalf("an address is in %v, want it in the snapshot: the test tests nothing", names)
	}
	store = open()
	f.store = store
	f.open()
	defer store.Close()
	f.erases(text)
	f.erases(hook)
	for _, part := range []string{"the-body-that-goes", "hook-that-goes"} {
		if names := left(part); len(names) > 0 {
			t.Errorf("%s is still in %v", part, names)
		}
	}
}

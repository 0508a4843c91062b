package netkit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

// erases erases the private part of an entry.
func (f *fixture) erases(seq uint64) ErasureReceipt {
	f.t.Helper()
	return must[ErasureReceipt](f.t)(f.op().ErasePrivate(f.t.Context(), ErasePrivate{seq, "asked for"}))
}

// writers makes two agents, ada who asks and bea who may be asked.
func (f *fixture) writers() {
	f.t.Helper()
	f.agents("ada", "bea")
	must[ClaimsReceipt](f.t)(f.As("bea").SetClaims(context.Background(), Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: Credit}))
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
	r := must[AttentionReceipt](t)(f.As("ada").SendAttention(t.Context(), SendAttention{To: "bea", Subject: "s", Body: "a name"}))
	before := must[*Entry](t)(f.Entry(t.Context(), r.ID))
	got := f.erases(r.ID)
	if want := (ErasureReceipt{r.ID, "asked for", f.state.root.next - 1, At(f.now)}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if f.keeps(r.ID) {
		t.Error("the private part is still there")
	}
	if after := must[*Entry](t)(f.Entry(t.Context(), r.ID)); after.Private != before.Private || after.Private == [32]byte{} {
		t.Errorf("the public part names %x, want %x as before", after.Private, before.Private)
	}
	if seen := must[Attention](t)(f.As("bea").Attention(t.Context(), r.ID)); seen.Body != "" {
		t.Errorf("got body %q, want none", seen.Body)
	}
	f.passes(time.Hour)
	f.unchanged(t, func() {
		if again := f.erases(r.ID); again != got {
			t.Errorf("again: got %+v, want %+v", again, got)
		}
	})
	f.rooted(t)
	f.restarts(t)
	f.unchanged(t, func() {
		if again := f.erases(r.ID); again != got {
			t.Errorf("after a restart: got %+v, want %+v", again, got)
		}
	})
}

func TestErasureRefused(t *testing.T) {
	f := memory(t)
	ctx := t.Context()
	f.writers()
	spawned := f.state.parties.At(f.num("ada")).seq
	short := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeRead}, ExpiresAt: At(f.now) + hour})
	bare := must[ChannelsReceipt](t)(f.As("ada").SetChannels(ctx, SetChannels{[]Niche{NicheLegal}}))
	done := f.erases(must[AttentionReceipt](t)(f.As("ada").SendAttention(ctx, SendAttention{To: "bea", Subject: "s", Body: "b"})).ID)
	f.unchanged(t, func() {
		for _, c := range []struct {
			by   Caller
			in   ErasePrivate
			kind error
			code string
		}{
			{as("operator"), ErasePrivate{999, "r"}, ErrNotFound, "entry_unknown"},
			{as("operator"), ErasePrivate{bare.Seq, "r"}, ErrConflict, "nothing_private"},
			{as("operator"), ErasePrivate{done.Seq, "r"}, ErrConflict, "erasure_stays"},
			{as("operator"), ErasePrivate{spawned, "r"}, ErrConflict, "token_in_use"},
			{as("operator"), ErasePrivate{0, "r"}, ErrConflict, "token_in_use"},
			{as("operator"), ErasePrivate{short.TokenID, "r"}, ErrConflict, "token_in_use"},
			{as("operator"), ErasePrivate{spawned, ""}, ErrInvalid, "text_missing"},
			{as("ada"), ErasePrivate{spawned, "r"}, ErrForbidden, "operators_only"},
			{Caller{}, ErasePrivate{spawned, "r"}, ErrUnauthenticated, "unauthenticated"},
		} {
			_, err := f.For(c.by).ErasePrivate(ctx, c.in)
			refused(t, err, c.kind, c.code)
		}
	})
	must[*Principal](t)(f.Authenticate(short.Token))
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
	send := func(key string) AttentionReceipt {
		return must[AttentionReceipt](t)(f.As("ada").SendAttention(WithKey(ctx, key), SendAttention{To: "bea", Subject: "s", Body: "b"}))
	}
	send("before")
	first := send("key")
	f.passes(time.Hour)
	send("after")
	must[ErasureReceipt](t)(f.op().ErasePrivate(WithKey(ctx, "e"), ErasePrivate{first.ID, "r"}))
	for range 2 {
		f.unchanged(t, func() {
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
	capped := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeSend}, SpendCap: atMost(10 * Credit)})
	must[ClaimsReceipt](t)(f.As("bea").SetClaims(ctx, Claims{AcceptsAttentionRequests: true, AttentionFloorPrice: 6 * Credit}))
	by := as("ada")
	by.Token = capped.TokenID
	r := must[AttentionReceipt](t)(f.For(by).SendAttention(ctx, SendAttention{To: "bea", Subject: "s", Body: "b"}))
	f.erases(r.ID)
	f.restarts(t)
	f.Network = must[*Network](t)(New(ctx, Config{Store: f.store, Now: f.clock.Now, IgnoreSnapshot: true}))
	_, err := f.For(by).SendAttention(ctx, SendAttention{To: "bea", Subject: "s", Body: "b"})
	refused(t, err, ErrForbidden, "spend_cap")
}

// A webhook's address goes with the text of its entry, from the snapshot too;
// one that was set later stays.
func TestWebhookAfterErasure(t *testing.T) {
	f := memory(t)
	f.agents("ada")
	f.admit("acme", Credit)
	for _, owner := range []string{"ada", "acme"} {
		f.forgetsWebhook(owner)
	}
}

func (f *fixture) forgetsWebhook(owner string) {
	t := f.t
	set := func(url string) uint64 {
		return must[WebhookReceipt](t)(f.As(owner).SetWebhook(t.Context(), SetWebhook{URL: url})).Seq
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
		capped := f.issue(t, as("ada"), IssueToken{Scopes: []Scope{ScopeAll}, SpendCap: atMost(1000 * Credit)})
		for k := range rapid.IntRange(1, 30).Draw(rt, "length") {
			by, ctx := as("ada"), ctx
			if rapid.Bool().Draw(rt, "keyed") {
				ctx = WithKey(ctx, fmt.Sprint("k", rapid.IntRange(0, 9).Draw(rt, "key")))
			}
			if rapid.Bool().Draw(rt, "capped") {
				by.Token = capped.TokenID
			}
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0, 1:
				f.For(by).SendAttention(ctx, SendAttention{To: "bea", Subject: "s", Body: "b"})
			case 2:
				f.For(by).SetWebhook(ctx, SetWebhook{URL: fmt.Sprint("https://example.org/", k%3)})
			case 3:
				f.For(by).IssueToken(ctx, IssueToken{Scopes: []Scope{ScopeRead}, ExpiresAt: At(f.now) + hour})
			case 4:
				f.passes(time.Duration(rapid.IntRange(0, 13).Draw(rt, "hours")) * time.Hour)
			default:
				f.op().ErasePrivate(WithKey(ctx, fmt.Sprint("e", k)), ErasePrivate{rapid.Uint64Range(0, f.state.root.next-1).Draw(rt, "entry"), "r"})
			}
		}
		f.replays(t, string(f.state.canonical()))
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
			r := must[AttentionReceipt](t)(f.As("ada").SendAttention(WithKey(t.Context(), "k"), SendAttention{To: "bea", Subject: "s", Body: "b"}))
			_, err := f.op().ErasePrivate(WithKey(t.Context(), "e"), ErasePrivate{r.ID, "r"})
			if (err == nil) != (fault.Err == journal.ErrDoubtful) || f.keeps(r.ID) != (err != nil) {
				t.Errorf("got %v, private part there: %v", err, f.keeps(r.ID))
			}
			for try := 0; err != nil && try < 50_000; try++ {
				time.Sleep(2 * time.Millisecond)
				_, err = f.op().ErasePrivate(WithKey(t.Context(), "e"), ErasePrivate{r.ID, "r"})
			}
			if err != nil || f.keeps(r.ID) {
				t.Errorf("got %v, private part there: %v, want it erased", err, f.keeps(r.ID))
			}
			f.rooted(t)
			f.replays(t, string(f.state.canonical()))
		})
	}
}

// On disk nothing is left of what was erased, in the journal and in the
// snapshot.
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
	text := must[AttentionReceipt](t)(f.As("ada").SendAttention(ctx, SendAttention{To: "bea", Subject: "s", Body: "the-body-that-goes"})).ID
	hook := must[WebhookReceipt](t)(f.As("ada").SetWebhook(ctx, SetWebhook{URL: "https://example.org/hook-that-goes"})).Seq
	if err := errors.Join(f.Close(ctx), store.Close()); err != nil {
		t.Fatal(err)
	}
	if len(left("the-body-that-goes")) == 0 || len(left("hook-that-goes")) == 0 {
		t.Fatal("the texts are not found before: the test tests nothing")
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

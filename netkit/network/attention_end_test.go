package network

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

func TestExpiryRefunds(t *testing.T) {
	f := pair(t)
	id := f.asks("ada", "bea").ID
	f.now = f.now.Add(72*time.Hour - time.Millisecond)
	if err := f.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.has(netkit.Wallet("ada"), 38*netkit.Credit)
	f.now = f.now.Add(time.Millisecond) // expired iff t ≥ expires_at
	_, err := f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "too late"})
	refused(t, err, netkit.ErrConflict, "attention_expired")
	f.has(netkit.Wallet("ada"), 50*netkit.Credit)
	f.has(netkit.Wallet("bea"), 50*netkit.Credit)
	if got := must[netkit.Attention](t)(f.As("ada").Attention(t.Context(), id)); got.State != netkit.Expired || got.SettledAt != netkit.At(f.now) || got.Reason != "" {
		t.Errorf("got %+v, want it expired now", got)
	}
}

// A request that is due but has not had its turn yet cannot be answered
// either.
func TestAnswerAfterExpiryBehindALongQueue(t *testing.T) {
	f := pair(t)
	f.takes("bea", 0)
	(*lawOf(f.state)).Limits.PendingPerSender, f.bent = 1000, true
	var last uint64
	for range rules.DueStep + 1 {
		last = f.asks("ada", "bea").ID
	}
	f.now = f.now.Add(72 * time.Hour)
	_, err := f.As("bea").AnswerAttention(t.Context(), netkit.AnswerAttention{ID: last, Body: "too late"})
	refused(t, err, netkit.ErrConflict, "attention_expired")
	if left := f.extra("bea").PendingIn; left != 1 {
		t.Errorf("got %d pending after one command, want 1", left)
	}
}

// The server stands still across an expiry: the next start refunds, with or
// without a snapshot.
func TestServerStoppedAcrossAnExpiry(t *testing.T) {
	for _, snapshot := range []bool{true, false} {
		f := pair(t)
		f.backs("ada", 20*netkit.Credit)
		f.asks("ada", "bea")
		f.asks("ada", "bea")
		if snapshot {
			if err := f.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		f.now = f.now.AddDate(0, 1, 0)
		f.open()
		if (f.resumed > 0) != snapshot {
			t.Fatalf("resumed from %d, want a snapshot: %v", f.resumed, snapshot)
		}
		if err := f.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.has(netkit.Wallet("ada"), 70*netkit.Credit)
		if p := f.row("ada"); p.Backing != 20*netkit.Credit || f.extra("ada").PendingOut != 0 || f.state.Books().Sum != 0 {
			t.Errorf("got a backing of %s, %d pending and a sum of %s, want 20.00, 0 and 0", p.Backing, f.extra("ada").PendingOut, f.state.Books().Sum)
		}
	}
}

// A sender's ignored requests count once in 30 days, and only backed ones.
func TestExpiryCountsOncePerSender(t *testing.T) {
	f := pair(t)
	f.agents("cora")
	f.backs("ada", 40*netkit.Credit)
	expired := func() (n uint32) {
		f.now = f.now.Add(time.Hour)
		if err := f.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, ev := range f.row("bea").Agent.Evidence {
			n += ev.Expired
		}
		return n
	}
	send := func(from string) {
		t.Helper()
		must[netkit.AttentionReceipt](t)(f.As(from).SendAttention(t.Context(), netkit.SendAttention{To: "bea", Subject: "s", Body: "b", ExpiresIn: 3600}))
	}
	send("cora")
	if got := expired(); got != 0 {
		t.Errorf("unbacked: got %d counted, want 0", got)
	}
	send("ada")
	send("ada")
	if got := expired(); got != 1 {
		t.Errorf("two of one sender: got %d counted, want 1", got)
	}
	f.now = f.now.AddDate(0, 0, 29)
	send("ada")
	if got := expired(); got != 1 {
		t.Errorf("after 29 days: got %d counted, want 1", got)
	}
	f.now = f.now.AddDate(0, 0, 1)
	send("ada")
	if got := expired(); got != 2 {
		t.Errorf("after 30 days: got %d counted, want 2", got)
	}
}

// silenced records that a target can answer no more, as a suspension does.
type silenced struct{ Agent string }

func (*silenced) Kind() netkit.Kind { return "test.silenced" }

func (*silenced) CommandOf(*rules.PastView) (rules.Command, error) { return nil, nil }

func (f *silenced) Fields(c *wire.Codec) { wire.Str(c, "agent", &f.Agent) }

func (f *silenced) Apply(s *rules.State, e *rules.Entry) {
	row, _ := tablesOf(s).Slugs.Get(f.Agent)
	tablesOf(s).Parties.Change(row).Status = netkit.Suspended
	s.ExpireAll(row, e.At)
}

func TestSuspensionEndsRequestsWithoutPenalty(t *testing.T) {
	f := pair(t)
	f.agents("cora")
	f.takes("ada", 5*netkit.Credit)
	f.backs("ada", 40*netkit.Credit)
	first, second := f.asks("ada", "bea").ID, f.asks("cora", "bea").ID
	other := f.asks("cora", "ada").ID
	if err := f.record(&silenced{"bea"}); err != nil {
		t.Fatal(err)
	}
	if err := f.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[uint64]netkit.AttentionState{first: netkit.Expired, second: netkit.Expired, other: netkit.Pending} {
		got := must[netkit.Attention](t)(f.As(tablesOf(f.state).Parties.At(tablesOf(f.state).Requests.M[id].From).Slug).Attention(t.Context(), id))
		if got.State != want || (got.Reason == "suspended") != (want == netkit.Expired) {
			t.Errorf("request %d: got %+v, want %s", id, got, want)
		}
	}
	f.has(netkit.Wallet("ada"), 90*netkit.Credit)
	f.has(netkit.Wallet("cora"), 45*netkit.Credit)
	if bea := f.row("bea"); len(bea.Agent.Evidence) != 0 || f.extra("bea").PendingIn != 0 || f.row("ada").Backing != 40*netkit.Credit {
		t.Errorf("got %+v, want no penalty and all backing returned", bea.Agent)
	}
}

// A random sequence of sending, answering, declining, waiting, reading and
// starting again: no credit and no backing is made or lost, what is pending
// lies in escrow, and the journal gives the same state again.
func TestAttentionConserves(t *testing.T) {
	slugs := []string{"ada", "bea", "cora"}
	rapid.Check(t, func(rt *rapid.T) {
		f := memory(t)
		f.agents(slugs...)
		for i, slug := range slugs {
			f.takes(slug, netkit.Credits(rapid.IntRange(0, 2500).Draw(rt, "floor")))
			if i > 0 {
				f.backs(slug, netkit.Credits(rapid.IntRange(1, 6000).Draw(rt, "backing")))
			}
		}
		var all []uint64
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			who := as(rapid.SampledFrom(slugs).Draw(rt, "who"))
			id := uint64(0)
			if len(all) > 0 {
				id = rapid.SampledFrom(all).Draw(rt, "id")
			}
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0, 1:
				r, err := f.For(who).SendAttention(t.Context(), netkit.SendAttention{To: rapid.SampledFrom(slugs).Draw(rt, "to"), Subject: "s", Body: "b",
					ExpiresIn: 3600 * int64(rapid.IntRange(1, 200).Draw(rt, "hours"))})
				if err == nil {
					all = append(all, r.ID)
				}
			case 2:
				_, _ = f.For(who).AnswerAttention(t.Context(), netkit.AnswerAttention{ID: id, Body: "a"})
			case 3:
				_, _ = f.For(who).DeclineAttention(t.Context(), netkit.DeclineAttention{ID: id, Reason: "r"})
			case 4:
				f.now = f.now.Add(time.Duration(rapid.IntRange(1, 400).Draw(rt, "later")) * time.Hour)
				_ = f.Tick(t.Context())
			case 5:
				f.publishes(netkit.P1, netkit.NicheLegal, "x")
				_, _ = f.For(who).Manifest(t.Context(), netkit.ReadManifest{Priorities: allPriorities})
			case 6:
				if err := f.Close(t.Context()); err != nil {
					rt.Fatal(err)
				}
				f.open()
			}
			conserved(rt, f)
		}
		f.replays(t, string(f.state.Canonical()))
	})
}

// conserved checks what holds after every entry.
func conserved(t *rapid.T, f *fixture) {
	s := f.state
	var escrow netkit.Credits
	pending := map[uint32]uint32{}
	for _, r := range tablesOf(s).Requests.M {
		if r.State != netkit.Pending {
			continue
		}
		pending[r.To]++
		escrow += r.Price
		if held := s.Held(netkit.Escrow(r.Id)); held != r.Price || r.Backing > r.Price {
			t.Fatalf("request %d: got %s in escrow with a backing of %s, want %s", r.Id, held, r.Backing, r.Price)
		}
	}
	for _, b := range tablesOf(s).Escrows.M {
		escrow -= b.Held
	}
	if s.Books().Sum != 0 || escrow != 0 {
		t.Fatalf("got a sum of %s and %s in escrow without a request, want 0", s.Books().Sum, -escrow)
	}
	for i, p := range tablesOf(s).Parties.All() {
		if p.Backing < 0 || tablesOf(s).Wallets.At(i).Held < 0 || extraIn(s, p).PendingIn != pending[i] {
			t.Fatalf("%s: got a backing of %s, a wallet of %s and %d pending, want %d", p.Slug, p.Backing, tablesOf(s).Wallets.At(i).Held, extraIn(s, p).PendingIn, pending[i])
		}
	}
}

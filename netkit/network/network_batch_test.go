package network

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
)

// counter is a source of bytes that are the same in every run.
type counter byte

func (c *counter) Read(b []byte) (int, error) {
	for i := range b {
		*c++
		b[i] = byte(*c)
	}
	return len(b), nil
}

// steady starts a network whose journal is the same bytes in every run.
func steady(t *testing.T) *fixture {
	f := &fixture{t: t, store: journal.NewMemory(), now: dawn, rand: new(counter)}
	f.open()
	t.Cleanup(f.audits)
	return f
}

// busyDay makes commands of several agents while time goes on.
func busyDay(ctx context.Context, t *testing.T, f *fixture) {
	for _, slug := range []string{"ada", "bo", "cyd"} {
		token := netkit.Hash(netkit.Token{slug[0]}.SHA256())
		must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: slug + "-1", TokenSHA256: &token}))
		f.now = f.now.Add(time.Hour)
	}
	must[netkit.ClaimsReceipt](t)(f.As("ada-1").SetClaims(ctx, netkit.Claims{AcceptsAttentionRequests: true, CapabilityStatement: "reads"}))
	r := must[netkit.AttentionReceipt](t)(f.As("bo-1").SendAttention(ctx, netkit.SendAttention{To: "ada-1", Subject: "s", Body: "b"}))
	if _, err := f.As("bo-1").SendAttention(ctx, netkit.SendAttention{To: "cyd-1", Subject: "s", Body: "b"}); !errors.Is(err, netkit.ErrForbidden) {
		t.Errorf("got %v, want a refusal: cyd takes no requests", err)
	}
	f.now = f.now.Add(time.Hour)
	must[netkit.AttentionReceipt](t)(f.As("ada-1").AnswerAttention(ctx, netkit.AnswerAttention{ID: r.ID, Body: "yes"}))
	must[netkit.AttentionReceipt](t)(f.As("cyd-1").SendAttention(ctx, netkit.SendAttention{To: "ada-1", Subject: "s", Body: "b"}))
	f.now = f.now.Add(73 * time.Hour)
	must[netkit.ChannelsReceipt](t)(f.As("bo-1").SetChannels(ctx, netkit.SetChannels{})) // after the expiry that fell due
}

func TestBatchWritesWhatSingleCommandsWrite(t *testing.T) {
	single, batched := steady(t), steady(t)
	busyDay(t.Context(), t, single)
	if err := batched.Batch(t.Context(), func(ctx context.Context) { busyDay(ctx, t, batched) }); err != nil {
		t.Fatal(err)
	}
	want := journaltest.ReadAll(t, single.store, 0, 1<<40)
	got := journaltest.ReadAll(t, batched.store, 0, 1<<40)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the batch wrote something else (-single +batch):\n%s", diff)
	}
}

func TestBatchSeesItsOwnCommands(t *testing.T) {
	f := steady(t)
	err := f.Batch(t.Context(), func(ctx context.Context) {
		before := f.Size()
		must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
		must[netkit.ClaimsReceipt](t)(f.As("ada").SetClaims(ctx, netkit.Claims{CapabilityStatement: "reads"}))
		if p := must[netkit.Profile](t)(f.As("").Profile(ctx, "ada")); p.BioClaims.CapabilityStatement != "reads" {
			t.Errorf("got statement %q, want what the batch set", p.BioClaims.CapabilityStatement)
		}
		if f.Size() != before {
			t.Error("the batch was written before it ended")
		}
	})
	if err != nil || f.Size() != 3 {
		t.Errorf("got %d entries and %v, want 3 durable ones", f.Size(), err)
	}
}

func TestBatchThatCannotBeWrittenLeavesNothing(t *testing.T) {
	full := errors.New("disk full")
	f := &fixture{t: t, now: dawn}
	f.store = &journaltest.Faulty{Store: journal.NewMemory(), Hook: journaltest.Once(1, journaltest.Fault{Err: full})}
	f.open()
	err := f.Batch(t.Context(), func(ctx context.Context) {
		must[netkit.Spawned](t)(f.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}))
	})
	if !errors.Is(err, netkit.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, netkit.ErrUnavailable)
	}
	if _, err := f.As("").Profile(t.Context(), "ada"); !errors.Is(err, netkit.ErrNotFound) {
		t.Errorf("got %v, want no trace of the batch", err)
	}
}

func TestPanickingBatchFreesTheNetwork(t *testing.T) {
	f := steady(t)
	func() {
		defer func() { recover() }()
		f.Batch(t.Context(), func(context.Context) { panic("a mistake of the caller") })
	}()
	must[netkit.Spawned](t)(f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}))
}

func BenchmarkBatch(b *testing.B) {
	f := start(b, journal.NewMemory())
	must[netkit.Spawned](b)(f.As("").Spawn(b.Context(), netkit.Spawn{Slug: "ada"}))
	f.admit("acme", netkit.MaxAmount)
	id := f.offers(func(c *netkit.OpenContract) { c.Budget, c.ExecutionsPerAgent = netkit.MaxAmount, 1_000_000 })
	f.bent = true // nothing is audited
	for b.Loop() {
		err := f.Batch(b.Context(), func(ctx context.Context) {
			for range 1000 {
				if _, err := f.As("ada").Execute(ctx, netkit.Execute{CampaignID: id, Signal: signal}); err != nil {
					b.Fatal(err)
				}
			}
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/command")
}

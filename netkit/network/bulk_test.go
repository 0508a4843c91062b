package network

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/journaltest"
	"github.com/agentnet/netctl/netkit/rules"
)

// bulkOf makes executions of a contract that differ in key and text.
func bulkOf(contract uint64, n int) []netkit.BulkExecute {
	items := make([]netkit.BulkExecute, n)
	for i := range items {
		items[i] = netkit.BulkExecute{Key: fmt.Sprint("line ", i), Execute: netkit.Execute{CampaignID: contract,
			Signal: netkit.Signal{Headline: fmt.Sprint("Reading ", i), Body: "It fell.", Sources: []string{"https://example.org/" + fmt.Sprint(i)}}}}
	}
	return items
}

// bulkFixture is a network with a contract that pays for so many executions of ada.
func bulkFixture(t *testing.T, store journal.Store, budget netkit.Credits, each uint32) (*fixture, uint64) {
	t.Helper()
	f := start(t, store, func(c *netkit.Constitution) { c.Market.UnclearedUnverified = 0 })
	f.admit("acme", 1000*netkit.Credit)
	must[netkit.Spawned](t)(f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "ada"}))
	ct := must[netkit.ContractReceipt](t)(f.op().OpenContract(t.Context(), netkit.OpenContract{Sponsor: "acme", Title: "t", Brief: "b", Channel: netkit.NicheSilicon,
		Budget: budget, ExecutionsPerAgent: each}))
	return f, ct.CampaignID
}

// Each item gets its own receipt or refusal, in order, and none undoes another; the
// same items again get the same receipts.
func TestBulkAnswersEachItem(t *testing.T) {
	f, contract := bulkFixture(t, journal.NewMemory(), 1000*netkit.Credit, 240)
	items := bulkOf(contract, 250)
	items[3].Signal.Headline = ""
	items[5].CampaignID = 99_999
	items[7] = items[6] // the same key and the same text
	first := f.As("ada").ExecuteBulk(t.Context(), items)
	if len(first) != len(items) {
		t.Fatalf("got %d outcomes, want %d", len(first), len(items))
	}
	executed := 0
	for i, o := range first {
		var want string
		switch {
		case i == 3:
			want = code.TextMissing
		case i == 5:
			want = code.ContractUnknown
		case i == 7:
			if o != first[6] {
				t.Errorf("a repeated item: got %+v, want %+v", o, first[6])
			}
			continue
		case executed == 240:
			want = code.AlreadyExecuted
		}
		var r *netkit.Refusal
		switch {
		case want == "" && o.Err != nil:
			t.Fatalf("item %d: got %v", i, o.Err)
		case want != "" && (!errors.As(o.Err, &r) || r.Code != want):
			t.Fatalf("item %d: got %+v, want %s", i, o, want)
		}
		if o.Err == nil {
			if executed++; o.Receipt.Seq == 0 || i > 0 && first[i-1].Err == nil && i != 8 && o.Receipt.Seq <= first[i-1].Receipt.Seq {
				t.Errorf("item %d: got entry %d, want one after that of the item before", i, o.Receipt.Seq)
			}
		}
	}
	if executed != 240 {
		t.Errorf("executed %d items, want 240", executed)
	}
	head := f.Health().Entries
	for i, o := range f.As("ada").ExecuteBulk(t.Context(), items) {
		if diff := cmp.Diff(first[i].Receipt, o.Receipt); diff != "" || (o.Err == nil) != (first[i].Err == nil) {
			t.Fatalf("item %d again: %v\n%s", i, o.Err, diff)
		}
	}
	if got := f.Health().Entries; got != head {
		t.Errorf("the same items again wrote %d entries", got-head)
	}
	items[0].Signal.Body = "It rose."
	if o := f.As("ada").ExecuteBulk(t.Context(), items[:1])[0]; !errors.Is(o.Err, netkit.ErrInvalid) {
		t.Errorf("a key with another text: got %+v, want a refusal", o)
	}
}

// An item means the same as a command of its own with that key.
func TestBulkSharesKeysWithSingleCommands(t *testing.T) {
	f, contract := bulkFixture(t, journal.NewMemory(), 100*netkit.Credit, 9)
	items := bulkOf(contract, 2)
	want := must[netkit.Execution](t)(f.As("ada").Execute(netkit.WithKey(t.Context(), items[1].Key), items[1].Execute))
	if got := f.As("ada").ExecuteBulk(t.Context(), items); got[1].Err != nil || got[1].Receipt != want || got[0].Err != nil {
		t.Errorf("got %+v, want the receipt %+v second", got, want)
	}
}

// A bulk leaves room in each batch: a command that comes while its first part is
// written is decided before its second.
func TestBulkLetsOthersBetween(t *testing.T) {
	var sizes []int
	var clerk func(*job) (func() bool, error)
	other := &job{by: netkit.Caller{Slug: "bob"}, done: make(chan error, 1)}
	hook := func(_ int, _ journal.Head, b journal.Batch) journaltest.Fault {
		if sizes = append(sizes, len(b.Records)); len(b.Records) == BulkPart {
			if _, err := clerk(other); err != nil {
				t.Error(err)
			}
			clerk = func(*job) (func() bool, error) { return nil, nil }
		}
		return journaltest.Fault{}
	}
	f, contract := bulkFixture(t, &journaltest.Faulty{Store: journal.NewMemory(), Hook: hook}, 1000*netkit.Credit, 1000)
	must[netkit.Spawned](t)(f.As("").Spawn(t.Context(), netkit.Spawn{Slug: "bob"}))
	alone := bulkOf(contract, 1)[0].Execute
	other.cmd = &rules.Execute{Execute: alone}
	var err error
	if other.stored, other.private, err = f.seal("", other.by, other.cmd, (*signalText)(&alone.Signal)); err != nil {
		t.Fatal(err)
	}
	other.hash = sha256.Sum256(other.stored)
	clerk, sizes = f.clerk.Submit, nil
	outcomes := f.As("ada").ExecuteBulk(t.Context(), bulkOf(contract, 2*BulkPart+50))
	if err := <-other.done; err != nil {
		t.Fatal(err)
	}
	entry := other.first.Seq
	if first, second := outcomes[BulkPart-1].Receipt.Seq, outcomes[BulkPart].Receipt.Seq; entry <= first || entry >= second {
		t.Errorf("the other command is entry %d, want one between %d and %d", entry, first, second)
	}
	for _, n := range sizes {
		if n > BulkPart+1 {
			t.Errorf("got batches of %v records, want at most a part and the other command", sizes)
		}
	}
}

// A part that cannot be written is refused whole, and its items can be sent again.
func TestBulkPartThatIsNotWritten(t *testing.T) {
	var fail atomic.Bool // read by the clerk, which probes the journal
	hook := func(int, journal.Head, journal.Batch) journaltest.Fault {
		if fail.Load() {
			return journaltest.Fault{Err: errors.New("no disk")}
		}
		return journaltest.Fault{}
	}
	f, contract := bulkFixture(t, &journaltest.Faulty{Store: journal.NewMemory(), Hook: hook}, 100*netkit.Credit, 9)
	items := bulkOf(contract, 3)
	items[1].CampaignID = 99_999
	fail.Store(true)
	for i, o := range f.As("ada").ExecuteBulk(t.Context(), items) {
		if !errors.Is(o.Err, netkit.ErrUnavailable) || o.Receipt != (netkit.Execution{}) {
			t.Errorf("item %d: got %+v, want the journal's failure and no receipt", i, o)
		}
	}
	fail.Store(false)
	time.Sleep(10 * time.Millisecond) // the clerk rests for a millisecond
	if got := f.As("ada").ExecuteBulk(t.Context(), items); got[0].Err != nil || !errors.Is(got[1].Err, netkit.ErrNotFound) || got[2].Err != nil {
		t.Errorf("got %+v, want two receipts around the unknown contract", got)
	}
}

// Answers go the same way; within a batch of its caller a bulk is part of it.
func TestBulkAnswers(t *testing.T) {
	f := start(t, journal.NewMemory())
	f.agents("ada", "bea")
	f.takes("ada", netkit.Credit)
	ada, bea := f.As("ada"), f.As("bea")
	one := must[netkit.AttentionReceipt](t)(bea.SendAttention(t.Context(), netkit.SendAttention{To: "ada", Subject: "s", Body: "b"}))
	two := must[netkit.AttentionReceipt](t)(bea.SendAttention(t.Context(), netkit.SendAttention{To: "ada", Subject: "s", Body: "c"}))
	items := []netkit.BulkAnswer{
		{Key: "1", AnswerAttention: netkit.AnswerAttention{ID: one.ID, Body: "yes"}},
		{Key: "2", AnswerAttention: netkit.AnswerAttention{ID: one.ID, Body: "again"}},
		{Key: "3", AnswerAttention: netkit.AnswerAttention{ID: two.ID}},
		{Key: "4", AnswerAttention: netkit.AnswerAttention{ID: two.ID, Body: "no"}},
	}
	var first []netkit.Outcome[netkit.AttentionReceipt]
	if err := f.Batch(t.Context(), func(ctx context.Context) { first = ada.AnswerAttentionBulk(ctx, items) }); err != nil {
		t.Fatal(err)
	}
	if first[0].Err != nil || !errors.Is(first[1].Err, netkit.ErrConflict) || !errors.Is(first[2].Err, netkit.ErrInvalid) || first[3].Err != nil {
		t.Fatalf("got %+v, want the first and the last answered", first)
	}
	again := ada.AnswerAttentionBulk(t.Context(), items)
	for i := range first {
		if diff := cmp.Diff(first[i].Receipt, again[i].Receipt); diff != "" {
			t.Errorf("item %d again:\n%s", i, diff)
		}
	}
}

package network

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/agentnet/netctl/netkit"
)

// What was erased is in no event, although readers had it before, and memory does
// not keep it.
func TestSharedEntriesForgetErasedTexts(t *testing.T) {
	f := pair(t)
	ctx := t.Context()
	crisis := f.publishes(netkit.P0, netkit.NicheHealth, "words to forget")
	told := func() string {
		b, err := json.Marshal(f.listen("", 0, netkit.EventFilter{Types: []string{netkit.EventDispatch}}))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got := told(); !strings.Contains(got, "words to forget") {
		t.Fatalf("got %s, want the dispatch", got)
	}
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: crisis, Reason: "over"}))
	must[netkit.ErasureReceipt](t)(f.op().ErasePrivate(ctx, netkit.ErasePrivate{Entry: crisis, Reason: "asked for"}))
	if len(f.events.blocks) != 0 {
		t.Errorf("got %d blocks in memory, want that of the erased entry dropped", len(f.events.blocks))
	}
	if got := told(); strings.Contains(got, "words to forget") || !strings.Contains(got, `"`+netkit.EventDispatch+`"`) {
		t.Errorf("got %s, want the dispatch without its words", got)
	}
}

// A block that was read before an erasure does not show the text after it.
func TestSharedEntryIsReadBeforeErasure(t *testing.T) {
	f := pair(t)
	ctx := t.Context()
	crisis := f.publishes(netkit.P0, netkit.NicheHealth, "words to forget")
	entries := must[[]*sharedEntry](t)(f.events.block(crisis).read(ctx, f.Network, crisis, crisis+1))
	must[netkit.CrisisReceipt](t)(f.op().ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: crisis, Reason: "over"}))
	must[netkit.ErasureReceipt](t)(f.op().ErasePrivate(ctx, netkit.ErasePrivate{Entry: crisis, Reason: "asked for"}))
	if _, p, err := entries[0].decode(f.Network); err != nil || p != nil {
		t.Errorf("got the text %v (%v), want it gone", p, err)
	}
}

// A range that reaches beyond the durable entries ends with an error, not early.
func TestSharedEntriesBeyondTheEnd(t *testing.T) {
	f := pair(t)
	end := f.Size()
	read := 0
	for _, err := range f.sharedEntries(t.Context(), 1, end+3) {
		if err != nil {
			if read != int(end)-1 || !strings.Contains(err.Error(), fmt.Sprintf("entry %d ", end)) {
				t.Errorf("after %d of %d entries: got %v", read, end-1, err)
			}
			return
		}
		read++
	}
	t.Errorf("got %d entries and no error, want one at %d", read, end)
}

// The blocks in memory are bounded, and readers at the same time get the same.
func TestEventBlocksAreBounded(t *testing.T) {
	var x eventBlocks
	for k := range uint64(3 * maxBlocks) {
		x.block(k * blockEntries)
	}
	if got := len(x.blocks); got != maxBlocks {
		t.Errorf("got %d blocks, want %d", got, maxBlocks)
	}
	f := busy(t)
	want := len(f.listen("ada", 0, netkit.EventFilter{}))
	f.events.blocks = nil
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := len(f.listen("ada", 0, netkit.EventFilter{})); got != want {
				t.Errorf("got %d events, want %d", got, want)
			}
		})
	}
	all.Wait()
}

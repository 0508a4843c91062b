package journal_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit/journal"
)

func Example() {
	ctx := context.Background()
	store := journal.NewMemory()
	defer store.Close()

	// The first record goes to the head of an empty journal.
	empty := journal.Head{}
	batch := journal.Batch{Records: []journal.Record{{Seq: 0, Public: []byte(`{"kind":"genesis"}`)}}}
	head, err := store.Append(ctx, empty, batch)
	fmt.Println(head.Size, err)

	// A second one there comes too late.
	_, err = store.Append(ctx, empty, batch)
	fmt.Println(errors.Is(err, journal.ErrHeadMoved))

	for r, err := range store.Read(ctx, 0, head.Size) {
		fmt.Println(r.Seq, string(r.Public), err)
	}
	// Output:
	// 1 <nil>
	// true
	// 0 {"kind":"genesis"} <nil>
}

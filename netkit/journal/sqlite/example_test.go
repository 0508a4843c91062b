package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit/journal/sqlite"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "network")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	store, err := sqlite.Open(ctx, sqlite.Config{Dir: filepath.Join(dir, "data")})
	if err != nil {
		fmt.Println(err)
		return
	}
	head, err := store.Head(ctx)
	fmt.Println(head.Size, err)
	fmt.Println(store.Close())
	// Output:
	// 0 <nil>
	// <nil>
}

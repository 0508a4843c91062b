package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server/host"
)

// A network in a folder, without a server: opened, used and closed.
func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "network")
	check(err)
	defer os.RemoveAll(dir)

	h, err := host.Open(ctx, filepath.Join(dir, "net"))
	check(err)
	born, err := h.Network.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"})
	check(err)
	fmt.Println(born.Slug, "has", born.Grant)
	check(h.Close(ctx))
	// Output: ada has 50.00
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

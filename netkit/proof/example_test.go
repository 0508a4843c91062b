package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/proof"
)

// A network proves an entry to somebody who has its public key and nothing
// else.
func Example() {
	ctx := context.Background()
	private, public, err := proof.NewKey(bytes.NewReader(make([]byte, 64)), "agentnet/example") // crypto/rand.Reader, outside of examples
	if err != nil {
		log.Fatal(err)
	}
	store := journal.NewMemory()
	n, err := network.New(ctx, network.Config{Store: store, Genesis: &netkit.Genesis{Network: "example", OperatorToken: netkit.Token{1}, LogKey: public}})
	if err != nil {
		log.Fatal(err)
	}
	done, err := n.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"})
	if err != nil {
		log.Fatal(err)
	}
	l, err := proof.New(ctx, proof.Config{Store: store, Key: private})
	if err != nil {
		log.Fatal(err)
	}
	file, err := l.Prove(ctx, done.Seq)
	if err != nil {
		log.Fatal(err)
	}

	// Elsewhere:
	policy, err := proof.NewPolicy(public, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	got, err := proof.Verify(policy, file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(got.Seq, "of", got.Checkpoint.N, "in", got.Checkpoint.Origin)
	// Output: 1 of 2 in agentnet/example
}

package network_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/netkit/rules"
)

// A network in memory: an agent spawns, executes a contract that a sponsor
// funds, and is refused the second time.
func Example() {
	ctx := context.Background()
	token, err := netkit.NewToken(rand.Reader)
	check(err)
	store := journal.NewMemory()
	n, err := network.New(ctx, network.Config{Store: store, Genesis: &netkit.Genesis{Network: "mine", OperatorToken: token}})
	check(err)

	born, err := n.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"})
	check(err)
	fmt.Println("ada begins with", born.Balance)

	operator := n.As("operator")
	_, err = operator.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "acme", Name: "Acme"})
	check(err)
	_, err = operator.Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 100 * netkit.Credit, Reference: "wire 1"})
	check(err)
	contract, err := operator.OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "Fab watch",
		Brief: "What stopped today?", Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit})
	check(err)

	signal := netkit.Signal{Headline: "Line 3 is down", Body: "Since noon.", Sources: []string{"https://example.org/line-3"}}
	buy := netkit.Execute{CampaignID: contract.CampaignID, Signal: signal}
	done, err := n.As("ada").Execute(netkit.WithKey(ctx, "line-3"), buy)
	check(err)
	fmt.Println("paid", done.Payout, "of which", done.AgentShare, "to ada; wallet", done.Balance)

	again, err := n.As("ada").Execute(netkit.WithKey(ctx, "line-3"), buy)
	fmt.Println("the same key, the same receipt:", again == done, err)

	_, err = n.As("ada").Execute(netkit.WithKey(ctx, "another"), buy)
	var refusal *netkit.Refusal
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Code, errors.Is(err, netkit.ErrConflict))
	}
	check(n.Close(ctx))

	books, err := network.Audit(ctx, store)
	check(err)
	fmt.Println(books.Entries, "entries audited")
	// Output:
	// ada begins with 50.00
	// paid 2.00 of which 1.70 to ada; wallet 51.70
	// the same key, the same receipt: true <nil>
	// already_executed true
	// 6 entries audited
}

// Facts are structs: an analyst reads a journal with a type switch.
func ExampleFact() {
	ctx := context.Background()
	token, err := netkit.NewToken(rand.Reader)
	check(err)
	store := journal.NewMemory()
	n, err := network.New(ctx, network.Config{Store: store, Genesis: &netkit.Genesis{Network: "mine", OperatorToken: token}})
	check(err)
	_, err = n.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"})
	check(err)
	check(n.Close(ctx))

	for record, err := range store.Read(ctx, 0, 100) {
		check(err)
		entry, err := rules.ReadEntry(record)
		check(err)
		switch fact := entry.Fact.(type) {
		case *rules.Founded:
			fmt.Println("a network begins:", fact.Network)
		case *rules.AgentSpawned:
			fmt.Println("an agent spawns:", fact.Agent)
		}
	}
	// Output:
	// a network begins: mine
	// an agent spawns: ada
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

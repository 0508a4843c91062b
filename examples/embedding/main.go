// Embedding runs a whole network inside a program: no server, no HTTP, the
// journal in memory. Give sqlite.Open's store instead and it survives.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
)

func main() {
	ctx := context.Background()
	token, err := netkit.NewToken(rand.Reader)
	check(err)
	n, err := network.New(ctx, network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "mine", OperatorToken: token}})
	check(err)
	defer n.Close(ctx)

	op, ada := n.As("operator"), n.As("ada")
	_, err = n.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"})
	check(err)
	_, err = op.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "acme", Name: "Acme"})
	check(err)
	_, err = op.Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 100 * netkit.Credit, Reference: "wire 1"})
	check(err)
	deal, err := op.OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "Fab watch", Brief: "What stopped today?",
		Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit})
	check(err)
	done, err := ada.Execute(netkit.WithKey(ctx, "first"), netkit.Execute{CampaignID: deal.CampaignID, Signal: netkit.Signal{
		Headline: "Line 3 is down", Body: "Since noon.", Sources: []string{"https://example.org/line-3"}}})
	check(err)
	fmt.Printf("%s paid %s: agent %s, treasury %s, wallet %s\n", done.Tier, done.Payout, done.AgentShare, done.TreasuryShare, done.Balance)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Agent is an agent, written once against the interfaces of netkit/api. It runs
// far from its network, or in the same process as one:
//
//	go run ./examples/agent -url http://127.0.0.1:8787 -slug ada
//	go run ./examples/agent -embedded -slug ada
//
// It spawns, says what it does, and executes the first contract that matches it.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"log"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/api"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netclient"
)

func main() {
	url := flag.String("url", "http://127.0.0.1:8787", "address of the network")
	embedded := flag.Bool("embedded", false, "run a network in this process instead")
	slug := flag.String("slug", "ada", "slug of the new agent")
	flag.Parse()
	run := func(ctx context.Context) error { return far(ctx, *url, *slug) }
	if *embedded {
		run = func(ctx context.Context) error { return near(ctx, *slug) }
	}
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// far lives in a network that is reached over HTTP.
func far(ctx context.Context, url, slug string) error {
	stranger, err := netclient.New(netclient.Config{BaseURL: url})
	if err != nil {
		return err
	}
	token, err := spawn(ctx, stranger, stranger, slug)
	if err != nil {
		return err
	}
	me, err := netclient.New(netclient.Config{BaseURL: url, Token: token})
	if err != nil {
		return err
	}
	return work(ctx, me, me)
}

// near lives in a network of this process, whose operator opens a contract.
func near(ctx context.Context, slug string) error {
	token, err := netkit.NewToken(rand.Reader)
	if err != nil {
		return err
	}
	n, err := netkit.New(ctx, netkit.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "mine", OperatorToken: token}})
	if err != nil {
		return err
	}
	defer n.Close(ctx)
	if err := offer(ctx, n.As("operator")); err != nil {
		return err
	}
	if _, err := spawn(ctx, n.As(""), n.As(""), slug); err != nil {
		return err
	}
	me := n.As(slug)
	return work(ctx, me, me)
}

// offer opens a contract, as an operator does for a sponsor.
func offer(ctx context.Context, market api.Market) error {
	_, err := market.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "acme", Name: "Acme"})
	if err == nil {
		_, err = market.Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 100 * netkit.Credit, Reference: "wire 1"})
	}
	if err == nil {
		_, err = market.OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "Fab watch", Brief: "What stopped today?",
			Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit})
	}
	return err
}

// spawn makes an agent that accepts the constitution in force, and returns its
// token.
func spawn(ctx context.Context, access api.Access, agents api.Agents, slug string) (token string, err error) {
	law, err := access.Constitution(ctx)
	if err != nil {
		return "", err
	}
	born, err := agents.Spawn(ctx, netkit.Spawn{Slug: slug, AcceptConstitution: &law.SHA256})
	if err != nil {
		return "", err
	}
	fmt.Printf("%s spawned with %s under constitution %s\n", slug, born.Grant, law.Version)
	return born.Token, nil
}

// work executes the contracts that match, until one pays.
func work(ctx context.Context, agents api.Agents, market api.Market) error {
	if _, err := agents.SetClaims(ctx, netkit.Claims{Niche: netkit.NicheSilicon, CapabilityStatement: "Reads supply news."}); err != nil {
		return err
	}
	open, err := market.Market(ctx, netkit.MarketQuery{Matched: true})
	if err != nil {
		return err
	}
	for _, contract := range open.Items {
		// One key per purchase, used again on every retry.
		paid := netkit.WithKey(ctx, fmt.Sprint("contract-", contract.ID))
		done, err := market.Execute(paid, netkit.Execute{CampaignID: contract.ID, Signal: netkit.Signal{
			Headline: "Lead times fall", Body: "Nine weeks, down from fourteen.", Sources: []string{"https://example.org/lead-times"}}})
		if errors.Is(err, netkit.ErrConflict) {
			continue // somebody used it up meanwhile
		}
		if err != nil {
			return err
		}
		fmt.Printf("executed contract %d at %s: +%s, wallet %s\n", contract.ID, done.Tier, done.AgentShare, done.Balance)
		return nil
	}
	fmt.Println("no contract matches yet")
	return nil
}

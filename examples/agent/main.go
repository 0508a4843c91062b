// Agent is an agent of a running network: it spawns, reads the law, says what
// it does, and executes the first contract that matches it.
//
//	go run ./examples/agent -url http://127.0.0.1:8787 -slug ada
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

func main() {
	url := flag.String("url", "http://127.0.0.1:8787", "address of the network")
	slug := flag.String("slug", "ada", "slug of the new agent")
	flag.Parse()
	if err := live(context.Background(), *url, *slug); err != nil {
		log.Fatal(err)
	}
}

func live(ctx context.Context, url, slug string) error {
	stranger, err := netclient.New(netclient.Config{BaseURL: url})
	if err != nil {
		return err
	}
	law, err := stranger.Constitution(ctx)
	if err != nil {
		return err
	}
	born, err := stranger.Spawn(ctx, netkit.Spawn{Slug: slug, AcceptConstitution: &law.SHA256})
	if err != nil {
		return err
	}
	fmt.Printf("%s spawned with %s under constitution %s\n", slug, born.Grant, law.Version)
	me, err := netclient.New(netclient.Config{BaseURL: url, Token: born.Token})
	if err != nil {
		return err
	}
	if _, err := me.SetClaims(ctx, netkit.Claims{Niche: netkit.NicheSilicon, CapabilityStatement: "Reads supply news."}); err != nil {
		return err
	}
	return work(ctx, me)
}

// work executes the contracts that match, until one pays.
func work(ctx context.Context, me *netclient.Client) error {
	for contract, err := range me.AllMarket(ctx, netkit.MarketQuery{Matched: true}) {
		if err != nil {
			return err
		}
		done, err := me.Execute(ctx, netkit.Execute{CampaignID: contract.ID, Signal: netkit.Signal{
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

package netclient_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
)

// An agent spawns with a client that has no token yet, goes on with one that
// has, and reads a refusal as it would in process.
func Example() {
	ctx := context.Background()
	url, end := serveNetwork(ctx)
	defer end()

	stranger, err := netclient.New(netclient.Config{BaseURL: url})
	check(err)
	born, err := stranger.Spawn(ctx, netkit.Spawn{Slug: "ada"})
	check(err)

	ada, err := netclient.New(netclient.Config{BaseURL: url, Token: born.Token})
	check(err)
	me, err := ada.OwnProfile(ctx)
	check(err)
	fmt.Println(me.Slug, "has", me.Balance, "and misses", len(me.Next), "things for", me.NextTier)

	for agent, err := range stranger.AllDirectory(ctx, netkit.DirectoryQuery{}) {
		check(err)
		fmt.Println(agent.Slug, agent.BioVerified.Tier)
	}

	_, err = ada.SendAttention(netkit.WithKey(ctx, "question-1"), netkit.SendAttention{To: "bob", Subject: "Which fab?", Body: "The one that stopped."})
	var refusal *netkit.Refusal
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Field, refusal.Code, errors.Is(err, netkit.ErrNotFound))
	}
	// Output:
	// ada has 50.00 and misses 2 things for VERIFIED
	// ada UNVERIFIED
	// to agent_unknown true
}

// serveNetwork serves a new network in memory, in place of a real deployment.
func serveNetwork(ctx context.Context) (url string, end func()) {
	n, err := network.New(ctx, network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "mine", OperatorToken: netkit.Token{1}}})
	check(err)
	s, err := server.New(server.Config{Network: n, SigningKey: make([]byte, 32)})
	check(err)
	web := httptest.NewServer(s.Handler())
	return web.URL, func() {
		s.EndStreams()
		web.Close()
		check(n.Close(ctx))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

package server_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/audio"
)

// A network in memory, served on two free ports until the context ends.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	operator, err := netkit.NewToken(rand.Reader)
	check(err)
	n, err := network.New(ctx, network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "mine", OperatorToken: operator}})
	check(err)
	key := make([]byte, audio.KeySize)
	_, err = rand.Read(key)
	check(err)
	s, err := server.New(server.Config{Network: n, SigningKey: key, Addr: "127.0.0.1:0", IntentAddr: "127.0.0.1:0"})
	check(err)
	listeners, err := s.Listen(ctx)
	check(err)
	served := make(chan error)
	go func() { served <- s.Serve(ctx, listeners) }()

	url := "http://" + listeners.API.Addr().String()
	answer, err := http.Post(url+"/api/agent/spawn", "application/json", strings.NewReader(`{"slug":"Ada!"}`))
	check(err)
	defer answer.Body.Close()
	problem, err := io.ReadAll(answer.Body)
	check(err)
	fmt.Println(answer.StatusCode, answer.Header.Get("Content-Type"), strings.Contains(string(problem), `"code":"slug_malformed"`))

	stop()
	fmt.Println(<-served)
	check(n.Close(context.Background()))
	// Output:
	// 422 application/problem+json true
	// <nil>
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

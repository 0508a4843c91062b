//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/host"
)

// crowd begins a network of so many agents and as many contracts in a folder,
// the same each time but for the order, with 300 crises that are over and 300 paid dispatches.
func crowd(ctx context.Context, dir string, n int) error {
	h, err := host.New(ctx, host.Config{Dir: dir, Genesis: &netkit.Genesis{Network: "crowd", OperatorToken: netkit.Token{1}}, Server: server.Config{Limits: host.Unlimited}})
	if err != nil {
		return err
	}
	op := h.Network.As("operator")
	if _, err = op.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "acme", Name: "Acme"}); err == nil {
		_, err = op.Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: netkit.MaxAmount, Reference: "crowd"})
	}
	if err == nil {
		err = together(n, func(i int) error { return settle(ctx, h.Network, i) })
	}
	if err == nil {
		_, err = op.SetRole(ctx, netkit.SetRole{Agent: "agent-000000", Role: "correspondent", Grant: true, Reason: "crowd"})
	}
	for i := 0; err == nil && i < 600; i++ {
		err = crowdDispatch(ctx, h.Network, netkit.Priority(i%2), i/2)
	}
	if err != nil {
		return fmt.Errorf("crowd: %w", err)
	}
	return h.Close(ctx)
}

// together runs work from 64 callers, so that the journal writes in batches.
func together(n int, work func(int) error) error {
	var all sync.WaitGroup
	failed := make([]error, 64)
	for w := range failed {
		all.Go(func() {
			for i := w; i < n && failed[w] == nil; i += len(failed) {
				failed[w] = work(i)
			}
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// settle makes the agent and the contract of a number.
func settle(ctx context.Context, n *network.Network, i int) error {
	slug := fmt.Sprintf("agent-%06d", i)
	if _, err := n.As("").Spawn(ctx, netkit.Spawn{Slug: slug}); err != nil {
		return err
	}
	niche := netkit.Niches()[i%6]
	if _, err := n.As(slug).SetClaims(ctx, netkit.Claims{Niche: niche, AcceptsAttentionRequests: i%2 == 0, AttentionFloorPrice: netkit.Credits(i%900 + 100), CapabilityStatement: "Reads the news of its channel every day."}); err != nil {
		return err
	}
	_, err := n.As("operator").OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: fmt.Sprintf("Contract %06d", i), Brief: "What moved today?", Channel: niche, Payload: "A list to watch.", Budget: netkit.Credits(i%5000+2000) * netkit.Credit / 100})
	return err
}

func crowdDispatch(ctx context.Context, n *network.Network, p netkit.Priority, i int) error {
	op := n.As("operator")
	if p == netkit.P1 {
		_, err := n.As("agent-000000").Publish(ctx, netkit.Publish{Priority: p, Channel: netkit.NicheSilicon, Headline: fmt.Sprintf("Paid %06d", i), Summary: "Paid."})
		return err
	}
	d, err := op.Publish(ctx, netkit.Publish{Priority: p, Channel: netkit.NichePolicy, Headline: fmt.Sprintf("Crisis %06d", i), Summary: "It is over."})
	if err == nil {
		_, err = op.ResolveCrisis(ctx, netkit.ResolveCrisis{DispatchID: d.DispatchID, Reason: "over"})
	}
	return err
}

// BenchmarkFirstPaint measures, on a served network of NETCTL_CROWD agents and
// as many contracts (default: 100,000), the time from the start of the
// program to the first frame with rows of the network, and from a key to the
// first rows of another screen:
//
//	go test ./cmd/netctl -run '^$' -bench FirstPaint -benchtime 20x
func BenchmarkFirstPaint(b *testing.B) {
	n := 100_000
	if s := os.Getenv("NETCTL_CROWD"); s != "" {
		if _, err := fmt.Sscan(s, &n); err != nil {
			b.Fatal(err)
		}
	}
	dir := b.TempDir()
	program, folder := filepath.Join(dir, "netctl"), filepath.Join(dir, "net")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	if err := crowd(b.Context(), folder, n); err != nil {
		b.Fatal(err)
	}
	serve := exec.Command(program, "serve", "--data", folder, "--addr", "127.0.0.1:0", "--intent-addr", "127.0.0.1:0", "--rate", "1000000", "--log-file", os.DevNull)
	if err := serve.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = serve.Process.Signal(os.Interrupt); _ = serve.Wait() }()
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if _, ok := findRunning(b.Context(), folder); ok {
			break
		}
		if time.Since(start) > 2*time.Minute {
			b.Fatal("the server does not answer")
		}
	}
	var paint, market, directory time.Duration
	for b.Loop() {
		begin := time.Now()
		s := openScreens(b, program, "--data", folder, "--as", "agent-000001", "--theme", "dark")
		s.until("Crisis 000299")
		paint += time.Since(begin)
		begin = time.Now()
		s.key("2")
		s.until(fmt.Sprintf("Contract %04d", (n-1)/100))
		market += time.Since(begin)
		begin = time.Now()
		s.key("3")
		s.until("agent-000030")
		directory += time.Since(begin)
		s.end()
	}
	for name, d := range map[string]time.Duration{"start-ms": paint, "market-ms": market, "directory-ms": directory} {
		b.ReportMetric(float64(d.Microseconds())/1000/float64(b.N), name)
	}
	b.ReportMetric(0, "ns/op")
}

package examples

import (
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
)

// example runs one of the programs as a person would.
func example(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"run"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// serveNetwork serves a network with one open contract and returns its address and
// the operator's token.
func serveNetwork(t *testing.T) (url string, token netkit.Token) {
	t.Helper()
	token = netkit.Token{1, 2, 3}
	n, err := network.New(t.Context(), network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "examples", OperatorToken: token}})
	if err != nil {
		t.Fatal(err)
	}
	op := n.As("operator")
	_, err = op.ProposeSponsor(t.Context(), netkit.ProposeSponsor{Sponsor: "acme", Name: "Acme"})
	if err == nil {
		_, err = op.Deposit(t.Context(), netkit.Deposit{Sponsor: "acme", Amount: 100 * netkit.Credit, Reference: "wire 1"})
	}
	if err == nil {
		_, err = op.OpenContract(t.Context(), netkit.OpenContract{Sponsor: "acme", Title: "Fab watch", Brief: "What stopped?",
			Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit, Matching: netkit.Matching{Niches: []netkit.Niche{netkit.NicheSilicon}}})
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Config{Network: n, SigningKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	return web.URL, token
}

func TestEmbedding(t *testing.T) {
	want := "UNVERIFIED paid 2.00: agent 1.70, treasury 0.30, wallet 51.70\n"
	if got := example(t, "./embedding"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlants(t *testing.T) {
	url, token := serveNetwork(t)
	if got, want := example(t, "./plants", "-url", url, "-token", token.String()), "planted Monstera (climber)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := example(t, "./plants", "-url", url, "-token", token.String()); !strings.Contains(got, "refused with code") {
		t.Errorf("the same id again: got %q, want a refusal", got)
	}
}

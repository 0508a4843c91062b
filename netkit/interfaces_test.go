package netkit_test

import (
	"context"
	"crypto/rand"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/network"
	"github.com/agentnet/netctl/server"
	"github.com/agentnet/netctl/server/audio"
)

var (
	_ netkit.Network = (*network.Session)(nil)
	_ netkit.Network = (*netclient.Client)(nil)
)

// What a refusal advises a Go program to call is a method of it.
func TestAdviceNamesMethods(t *testing.T) {
	named := regexp.MustCompile(`"[^"\n]*\{([a-z]+[A-Z][A-Za-z]*)\}[^"\n]*"`)
	session, client := reflect.TypeFor[*network.Session](), reflect.TypeFor[*netclient.Client]()
	seen := 0
	for _, folder := range []string{".", "rules", "network", filepath.Join("..", "server")} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range named.FindAllSubmatch(text, -1) {
				o := catalog.Find(string(m[1]))
				if o == nil || strings.HasSuffix(file, "_test.go") {
					continue
				}
				seen++
				advice := strings.TrimPrefix((&netkit.Refusal{What: "x", Next: "{" + o.Name + "}"}).Error(), "netkit: x; ")
				_, local := session.MethodByName(advice)
				_, remote := client.MethodByName(advice)
				if !local && !remote && o != catalog.GetOpenAPI { // which a program does not call
					t.Errorf("%s: %q advises %s, which is no method", file, m[0], advice)
				}
			}
		}
	}
	if seen < 40 {
		t.Errorf("got %d pieces of advice, that cannot be all", seen)
	}
}

// earn is an agent that does not know where its network runs.
func earn(ctx context.Context, n netkit.Agent) (netkit.Credits, error) {
	open, err := n.Market(ctx, netkit.MarketQuery{})
	if err != nil {
		return 0, err
	}
	_, err = n.Execute(netkit.WithKey(ctx, "purchase 1"), netkit.Execute{CampaignID: open.Items[0].ID,
		Signal: netkit.Signal{Headline: "Line 3 is down", Body: "Since noon.", Sources: []string{"https://example.org/line-3"}}})
	if err != nil {
		return 0, err
	}
	me, err := n.OwnProfile(ctx)
	return me.Balance, err
}

// The same function earns in the process of the network and over HTTP, and its
// idempotency key holds in both.
func TestAnAgentIsWrittenOnce(t *testing.T) {
	ctx := t.Context()
	operator, err := netkit.NewToken(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	n, err := network.New(ctx, network.Config{Store: journal.NewMemory(), Genesis: &netkit.Genesis{Network: "test", OperatorToken: operator}})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close(context.Background())
	op := n.As("operator")
	if _, err := op.ProposeSponsor(ctx, netkit.ProposeSponsor{Sponsor: "acme", Name: "Acme"}); err != nil {
		t.Fatal(err)
	}
	if _, err := op.Deposit(ctx, netkit.Deposit{Sponsor: "acme", Amount: 100 * netkit.Credit, Reference: "wire 1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := op.OpenContract(ctx, netkit.OpenContract{Sponsor: "acme", Title: "Fab watch", Brief: "What stopped today?",
		Channel: netkit.NicheSilicon, Budget: 20 * netkit.Credit}); err != nil {
		t.Fatal(err)
	}
	for name, agent := range map[string]netkit.Network{"ada": n.As("ada"), "bob": remote(t, n, "bob")} {
		if name == "ada" {
			if _, err := n.As("").Spawn(ctx, netkit.Spawn{Slug: "ada"}); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // the second time is a retry
			got, err := earn(ctx, agent)
			if want := 51*netkit.Credit + 70*netkit.Credit/100; err != nil || got != want {
				t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
			}
		}
	}
}

// remote spawns an agent over HTTP and returns its client.
func remote(t *testing.T, n *network.Network, slug string) *netclient.Client {
	t.Helper()
	store, err := audio.New(audio.Config{Dir: t.TempDir(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Config{Network: n, Audio: store, SigningKey: make([]byte, audio.KeySize)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	stranger, err := netclient.New(netclient.Config{BaseURL: web.URL})
	if err != nil {
		t.Fatal(err)
	}
	born, err := stranger.Spawn(t.Context(), netkit.Spawn{Slug: slug})
	if err != nil {
		t.Fatal(err)
	}
	me, err := netclient.New(netclient.Config{BaseURL: web.URL, Token: born.Token})
	if err != nil {
		t.Fatal(err)
	}
	return me
}

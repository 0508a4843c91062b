// Agent is a correspondent that works: it listens to its network, picks the
// contracts that match it, has a language model write, checks that the sources
// can be reached, delivers, and answers its inbox.
//
//	netctl key set model
//	go run ./examples/agent -url http://127.0.0.1:8787 -slug ada -model NAME -model-url https://HOST/v1
//
// It is written once, against the interfaces of package netkit: with -data it runs its
// network in its own process. Where to look:
//
//	main.go           how it joins a network, far from it or inside of it
//	correspondent.go  what it does all day
//	model.go          how it asks a model, and checks the sources that it names
//	outbox.go         how it loses nothing, and does nothing twice, when it is killed
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/publicnet"
	"github.com/agentnet/netctl/netkit/vault"
	"github.com/agentnet/netctl/server/host"
)

func main() {
	log.SetFlags(0)
	var c correspondent
	url := flag.String("url", "http://127.0.0.1:8787", "address of the network")
	data := flag.String("data", "", "folder of a network to run in this process instead")
	flag.StringVar(&c.slug, "slug", "ada", "name of the agent, for ever")
	dir := flag.String("dir", "", "folder for its token and unfinished work; default: the slug")
	flag.TextVar(&c.niche, "niche", netkit.NicheSilicon, "what it knows about")
	flag.TextVar(&c.minPay, "min-pay", netkit.Credit, "least credits that it executes a contract for")
	flag.TextVar(&c.minPrice, "min-price", netkit.Credit, "least credits that it answers a request for")
	flag.DurationVar(&c.every, "every", 15*time.Minute, "look again, though nothing was heard")
	flag.BoolVar(&c.once, "once", false, "look once and stop")
	flag.StringVar(&c.model.name, "model", "", "name of the model")
	flag.StringVar(&c.model.url, "model-url", "http://127.0.0.1:11434/v1", "base address of an OpenAI-compatible endpoint")
	keyCmd := flag.String("key-cmd", "", "command that prints the model's key, before the environment; default: see netctl help environment")
	flag.Parse()
	c.box, c.web = outbox(cmp.Or(*dir, c.slug)), publicnet.Client(20*time.Second, mayDial)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	// The key comes from this machine, and no network is sent it (L7). A model
	// that runs here needs none.
	var err error
	c.model.key, _, err = (&vault.Vault{KeyCmd: *keyCmd, Stderr: os.Stderr}).Get(ctx, vault.Model)
	if err != nil && !errors.Is(err, vault.ErrMissing) {
		log.Fatal(err)
	}
	// The token is durable before anybody hears of it, so no lost answer loses
	// the agent.
	token, err := netclient.KeepToken(filepath.Join(string(c.box), "token"))
	switch {
	case err != nil:
	case *data != "":
		err = c.near(ctx, *data, token)
	default:
		err = c.far(ctx, *url, token)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// far lives in a network that is reached over HTTP.
func (c *correspondent) far(ctx context.Context, url string, token netkit.Token) error {
	stranger, err := netclient.New(netclient.Config{BaseURL: url})
	if err != nil {
		return err
	}
	me, err := netclient.New(netclient.Config{BaseURL: url, Token: token.String()})
	if err != nil {
		return err
	}
	return c.live(ctx, stranger, me, token)
}

// near lives in a network of this process, which knows it without a token.
func (c *correspondent) near(ctx context.Context, dir string, token netkit.Token) error {
	h, err := host.Open(ctx, dir)
	if err != nil {
		return err
	}
	err = c.live(ctx, h.Network.As(""), h.Network.As(c.slug), token)
	return errors.Join(err, h.Close(context.WithoutCancel(ctx)))
}

// live spawns the agent as a stranger, unless that was done before, says what it
// does, and works.
func (c *correspondent) live(ctx context.Context, stranger, me netkit.Network, token netkit.Token) error {
	c.net = me
	own, err := me.OwnProfile(ctx)
	if errors.Is(err, netkit.ErrUnauthenticated) {
		own, err = c.spawn(ctx, stranger, token.SHA256())
	}
	if err != nil {
		return err
	}
	c.slug = own.Slug // the token's, whatever was asked for
	if said := own.BioClaims; said.Niche != c.niche || said.AttentionFloorPrice != c.minPrice {
		_, err = me.SetClaims(ctx, netkit.Claims{Niche: c.niche, AcceptsAttentionRequests: true, AttentionFloorPrice: c.minPrice, CapabilityStatement: "Names its sources."})
	}
	if err != nil {
		return err
	}
	return c.work(ctx)
}

func (c *correspondent) spawn(ctx context.Context, stranger netkit.Network, token netkit.Hash) (netkit.OwnProfile, error) {
	law, err := stranger.Constitution(ctx)
	if err != nil {
		return netkit.OwnProfile{}, err
	}
	born, err := stranger.Spawn(ctx, netkit.Spawn{Slug: c.slug, TokenSHA256: &token, AcceptConstitution: &law.SHA256})
	if err != nil {
		return netkit.OwnProfile{}, err
	}
	fmt.Printf("%s spawned with %s under constitution %s\n", c.slug, born.Grant, law.Version)
	return c.net.OwnProfile(ctx)
}

package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/cmd/netctl/demo"
)

func demoCommand(a *app) *cobra.Command {
	var cfg demo.Config
	var stop bool
	return a.verb(verb{use: "demo", short: "Tell the life of a small network on a real one, and leave it running", offline: true,
		long: `Tell the life of a small network: agents spawn, sponsors fund contracts, a feed
is paid for, attention is asked for and refunded, a crisis suppresses commerce,
badges are earned and one is revoked, and the books balance. It happens over
HTTP on a real journal and takes a few seconds: 137 days pass in the story, of
which yesterday is the last. The server that stays goes by the real time, so
netctl ledger verify --from can check it.

Each demo is a network with a name of its own. It lives in a throw-away folder
unless --data names a new one.`,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&stop, "no-serve", false, "end after the story instead of leaving the server running")
			f.BoolVar(&cfg.Cluster, "cluster", false, "serve it as a cluster of three servers on this machine, and kill the one that writes on the way")
			f.BoolVar(&cfg.Keep, "keep", false, "do not remove the throw-away folder")
			f.StringVar(&cfg.Addr, "addr", "", "where the server listens; default: a free port of this machine")
		},
		run: func(c *call) error {
			cfg.Out, cfg.Serve, cfg.Program = a.out, !stop, programName(os.Args[0])
			cfg.Dir = a.set.v.GetString("data")
			return demo.Run(c.ctx, cfg)
		}})
}

// programName is how a reader calls this program again. What go run has built is
// gone with it.
func programName(arg string) string {
	if strings.Contains(arg, "go-build") {
		return "go run ./cmd/netctl"
	}
	return arg
}

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/server/host"
)

// begun is a network that was just made.
type begun struct {
	Network  string `json:"network"`
	Data     string `json:"data"`
	Operator string `json:"operator"`
	Token    string `json:"operator_token" doc:"shown this once; the network keeps only its hash"`
}

func initCommand(a *app) *cobra.Command {
	var operator string
	return a.verb(verb{use: "init", short: "Make a network in a folder, without serving it", offline: true,
		long: `Make a network in the folder of --data, or of the context local: its journal
with the first entry, and the token of its first operator, which is printed this
once.`,
		flags: func(f *pflag.FlagSet) {
			f.String("network", "", "id of the network, a slug; default: random")
			f.StringVar(&operator, "operator", "operator", "slug of the first operator")
		},
		run: func(c *call) error {
			dir, err := a.localDir()
			if err != nil {
				return err
			}
			entries, err := host.Inspect(c.ctx, dir)
			if err != nil {
				return err
			}
			if entries > 0 {
				return because(netkit.ErrConflict, "there is a network in %s already; netctl serve serves it", dir)
			}
			out, err := begin(c.ctx, dir, a.set.v.GetString("serve.network"), operator)
			if err == nil {
				c.talk("%s", a.keyLosses(dir))
			}
			return c.show(out, err)
		}})
}

// localDir is the folder that a command which runs a network works on.
func (a *app) localDir() (string, error) {
	t, err := a.target()
	if err != nil {
		return "", err
	}
	if t.data == "" {
		return "", usage(fmt.Errorf("this runs a network on this machine, and %s is elsewhere; give --data DIR or --context local", t.name))
	}
	return t.data, nil
}

// genesis prepares the first entry of a network.
func genesis(network, operator string) (*netkit.Genesis, error) {
	token, err := newToken()
	if err != nil {
		return nil, err
	}
	if network == "" {
		salt, err := newToken()
		if err != nil {
			return nil, err
		}
		network = "net-" + salt.SHA256().String()[:12]
	}
	return &netkit.Genesis{Network: network, Operator: operator, OperatorToken: token}, nil
}

// begin makes a network and closes it again.
func begin(ctx context.Context, dir, network, operator string) (begun, error) {
	g, err := genesis(network, operator)
	if err != nil {
		return begun{}, err
	}
	h, err := openLocal(ctx, host.Config{Dir: dir, Genesis: g})
	if err != nil {
		return begun{}, err
	}
	out := begun{Network: g.Network, Data: dir, Operator: operator, Token: g.OperatorToken.String()}
	return out, errors.Join(err, h.Close(ctx))
}

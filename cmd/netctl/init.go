package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

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
	Backup   string `json:"backup,omitempty" doc:"the first one, with all keys"`
}

func initCommand(a *app) *cobra.Command {
	var operator string
	return a.verb(verb{use: "init", short: "Make a network in a folder, without serving it", offline: true,
		long: `Make a network in the folder of --data, or of the context local: its journal
with the first entry, and the token of its first operator, which is printed this
once. On a terminal it asks for the name of the network and for a public key of
age. To that key it encrypts a first backup, which holds a copy of all keys;
backup.recipient keeps it for later backups.`,
		flags: func(f *pflag.FlagSet) {
			f.String("network", "", "id of the network, a slug; default: asked for on a terminal, else random")
			f.StringVar(&operator, "operator", "operator", "slug of the first operator")
			f.Var(new(words), "recipient", "public key of age (age1…) that can restore backups, or a file of them; may be given more than once")
			f.String("to", "", "folder, bucket or file of the first backup; default: a file next to the folder of the network")
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
			network, err := c.askNetwork()
			if err != nil {
				return err
			}
			c.talk("%s", keyLosses(dir))
			recipients, err := c.askRecipients()
			if err != nil {
				return err
			}
			out, err := begin(c.ctx, dir, network, operator)
			if err != nil {
				return err
			}
			if out.Backup, err = c.copyKeys(dir, recipients); len(recipients) == 0 {
				c.talk("%s", a.backupAdvice())
			}
			return errors.Join(c.show(out, nil), err) // the token is shown all the same
		}})
}

// askNetwork returns the id of a network that is begun, "" for a random one.
func (c *call) askNetwork() (string, error) {
	network := c.set.v.GetString("serve.network")
	if network != "" || !c.asks() {
		return network, nil
	}
	return c.ask("Name of the network, such as example-net: it can never change (--network NAME; empty: a random one): ")
}

// askRecipients returns the public keys of age that can restore backups.
func (c *call) askRecipients() ([]string, error) {
	if c.set.v.GetString("backup.recipient") == "" && c.asks() {
		answer, err := c.ask("Public key of age, age1…, for a copy of these keys, or a file of it (--recipient KEY; empty: no copy now): ")
		if err != nil {
			return nil, err
		}
		c.set.v.Set("backup.recipient", answer)
	}
	return c.set.recipients()
}

// copyKeys makes the first backup of a new network, and keeps who can restore it for
// later ones. Without a recipient it makes none.
func (c *call) copyKeys(dir string, recipients []string) (file string, err error) {
	if len(recipients) == 0 {
		return "", nil
	}
	if c.set.v.GetString("backup.to") == "" {
		c.set.v.Set("backup.to", filepath.Clean(dir)+".netctl.tar")
	}
	b, err := c.backUp(dir)
	if err != nil {
		return "", fmt.Errorf("the network is there, and no copy of its keys: %w; netctl backup makes one", err)
	}
	c.talk("%s holds a copy of all keys: keep it on another machine", b.File)
	return b.File, c.keep("backup.recipient", strings.Join(recipients, " "))
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

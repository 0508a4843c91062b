package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"filippo.io/torchwood"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/witness"
	"github.com/agentnet/netctl/server/host"
)

// words is a flag that may be given more than once; its values hold no spaces.
type words []string

// Set implements pflag.Value.
func (w *words) Set(s string) error { *w = append(*w, strings.Fields(s)...); return nil }

func (w *words) String() string { return strings.Join(*w, " ") }

// Type implements pflag.Value.
func (w *words) Type() string { return "text" }

// witnessList checks the setting that names the witnesses.
func witnessList(s string) error {
	_, err := parsePeers(s)
	return err
}

func parsePeers(s string) (peers []witness.Peer, err error) {
	for one := range strings.FieldsSeq(s) {
		p, err := witness.ParsePeer(one)
		if err != nil {
			return nil, fmt.Errorf("is wrong: %w", err)
		}
		peers = append(peers, p)
	}
	return peers, nil
}

// openServed opens the network of a folder with the witnesses of the settings,
// since what it may show of its log depends on them.
func (a *app) openServed(ctx context.Context, cfg host.Config) (*host.Host, error) {
	peers, err := parsePeers(a.set.v.GetString("serve.witness"))
	if err != nil {
		return nil, usage(fmt.Errorf("serve.witness %w", err))
	}
	for _, p := range peers {
		cfg.Witnesses = append(cfg.Witnesses, p.Key)
	}
	if cfg.Quorum = a.set.v.GetInt("serve.quorum"); cfg.Quorum > len(peers) {
		return nil, usage(fmt.Errorf("a quorum of %d cannot come from %d witnesses; name more with --witness, or lower --quorum", cfg.Quorum, len(peers)))
	}
	cfg.SpaceFloor, cfg.FreeSpace = uint64(a.set.v.GetInt64("serve.space-floor"))<<20, freeSpace
	return openLocal(ctx, cfg)
}

// askWitnesses shows the network's checkpoints to its witnesses until the
// context ends. What it returns waits for the end of that.
func (s *service) askWitnesses(ctx context.Context) (wait func(), err error) {
	peers, err := parsePeers(s.set.v.GetString("serve.witness"))
	if err != nil || len(peers) == 0 {
		return func() {}, err
	}
	f, err := witness.NewFeeder(witness.FeederConfig{Log: s.host.Log, Peers: peers, Logger: s.log})
	if err != nil {
		return func() {}, err
	}
	done := make(chan struct{})
	go func() { f.Run(ctx); close(done) }()
	return func() { <-done }, nil
}

func witnessCommand(a *app) *cobra.Command {
	return noun("witness", "Watch the logs of networks", witnessKey(a), witnessServe(a))
}

const nameHelp = "name that others know it by, such as witness.example.org; needed at the first start"

func witnessKey(a *app) *cobra.Command {
	var name string
	return a.verb(verb{use: "key", short: "Print a witness's public key", offline: true,
		long:  "Print the public key of the witness in the folder of --data, and make one if there is none.",
		flags: func(f *pflag.FlagSet) { f.StringVar(&name, "name", "", nameHelp) },
		run: func(c *call) (err error) {
			f, err := c.witnessFolder()
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Close()) }()
			signer, err := witnessSigner(f, name)
			if err == nil {
				fmt.Fprintln(c.out, signer.Verifier())
			}
			return err
		}})
}

// witnessFolder opens the folder of a witness, which is not a network's.
func (c *call) witnessFolder() (*witness.Folder, error) {
	dir := c.set.v.GetString("data")
	if dir == "" || host.Present(dir) {
		return nil, usage(errors.New("a witness keeps a folder of its own; give it with --data DIR"))
	}
	return witness.OpenFolder(dir)
}

func witnessSigner(f *witness.Folder, name string) (*torchwood.CosignatureSigner, error) {
	signer, err := f.Signer(name)
	if errors.Is(err, witness.ErrName) {
		err = usage(fmt.Errorf("%w; --name gives it", err))
	}
	return signer, err
}

func witnessServe(a *app) *cobra.Command {
	var listen, name string
	var logs words
	return a.verb(verb{use: "serve", short: "Cosign the checkpoints of logs that keep to one history", offline: true,
		long: `Run a witness (c2sp.org/tlog-witness) until it is interrupted: it cosigns a
checkpoint of a log only if the log proves that it extends the one that was
cosigned before. Two checkpoints of one size with different roots are kept in
the folder as evidence.

It prints its public key, as netctl witness key does, which a network names with netctl serve --witness
ADDRESS#KEY. The folder of --data holds its key and what it has cosigned; a
witness that loses either is another witness.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&listen, "listen", "127.0.0.1:8789", "where it listens")
			f.StringVar(&name, "name", "", nameHelp)
			f.Var(&logs, "log", "public key of a log, or a file with it such as log.pub; may be given more than once")
		},
		needs: []string{"log"},
		run:   func(c *call) error { return c.witness(listen, name, logs) }})
}

// witness runs a witness until the context ends.
func (c *call) witness(listen, name string, logs words) (err error) {
	for i := range logs {
		if logs[i], err = keyText(logs[i]); err != nil {
			return err
		}
	}
	f, err := c.witnessFolder()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	signer, err := witnessSigner(f, name)
	if err != nil {
		return err
	}
	w, err := proof.NewWitness(proof.WitnessConfig{Signer: signer, Memory: f, Logs: logs})
	if err != nil {
		return usage(err)
	}
	l, err := listenOn(c.ctx, "--listen", listen)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(c.err, nil))
	fmt.Fprintln(c.out, w.PublicKey())
	c.talk("witnessing %s at %s; interrupt to stop", plural.Count(len(logs), "log", "logs"), localURL(l.Addr()))
	return witness.Serve(c.ctx, l, witness.Handler(w, log))
}

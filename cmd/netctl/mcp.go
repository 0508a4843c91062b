package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/mcp"
	"github.com/agentnet/netctl/netkit/netclient"
)

// modelSession is how netctl mcp serves a model.
type modelSession struct {
	*call
	tokenFile string
	most      string
	maxSpend  netkit.Credits
	print     bool
	detect    detecting
}

func mcpCommand(a *app) *cobra.Command {
	s := &modelSession{}
	return a.verb(verb{use: "mcp", short: "Serve the network to a language model as tools", offline: true,
		long: `Serve the network to a language model as tools, over the Model Context Protocol
on standard input and output. --print-config prints what to put into the
configuration of a client, which then starts this command by itself.

The model never sees the agent's token. It is the token of the context, or that
of --token-file; where there is none yet, the tool spawn_agent makes an agent and
keeps its token in that file. On a folder of this machine --as AGENT works too.

A sponsor's model gets other tools: it lists what the sponsor's contracts bought,
accepts executions and returns them.

Before anything is bought the client asks you, if it can; otherwise the model
has to ask for a quote first. Either way a session spends at most --max-spend.`,
		flags: func(f *pflag.FlagSet) {
			s.detect.flags(f)
			f.StringVar(&s.tokenFile, "token-file", "", "file that keeps the agent's token; default: one beside the settings, for each context")
			f.StringVar(&s.most, "max-spend", "20", "most credits that the session may spend")
			f.BoolVar(&s.print, "print-config", false, "print the configuration for the usual clients and stop")
		},
		run: func(c *call) error {
			s.call = c
			return s.run()
		}})
}

func (s *modelSession) run() error {
	var err error
	if s.maxSpend, err = netkit.ParseCredits(s.most); err != nil || s.maxSpend < 0 {
		return usage(errors.New("--max-spend is credits, 0 or more, such as 20 or 2.50"))
	}
	t, err := s.target()
	if err == nil && s.tokenFile == "" {
		s.tokenFile, err = s.ownTokenFile(t)
	}
	if err != nil {
		return err
	}
	if s.print {
		return s.printConfig()
	}
	end, err := s.serveMeanwhile(t)
	if err != nil {
		return err
	}
	return errors.Join(s.detect.detected(s.call, s.serve), end())
}

// serve serves the model until it hangs up.
func (s *modelSession) serve() error {
	network, reach, err := s.reach()
	if err != nil {
		return err
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // which never fails
	me, err := network.OwnProfile(s.ctx)
	sponsor := err == nil && me.Kind == netkit.SponsorParty
	server := mcp.New(mcp.Config{Network: network, Sponsor: sponsor, Key: key, MaxSpend: &s.maxSpend, Local: true, Remote: s.remote(reach), Detectors: s.detect.detectors(),
		StorePlaybook: func(p btdt.Playbook, by *btdt.Scrubber) (string, error) {
			return s.storeByHash(p, decisions{Keep: by.Keep, Mark: by.Mark, Read: by.Read})
		},

		Spawn: func(ctx context.Context, in netkit.Spawn) (mcp.Network, netkit.Spawned, error) {
			return s.spawn(ctx, in, reach)
		}})
	err = server.Run(s.ctx, &mcp.LineTransport{Reader: s.in, Writer: s.out})
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// remote reports whether the network may be somebody else's: it is not a folder
// of this machine.
func (s *modelSession) remote(t target) bool { return t.data == "" && s.set.v.GetString("as") == "" }

// reach finds the network, as the agent whose token there is, and says how
// another agent would reach it.
func (s *modelSession) reach() (*netclient.Client, target, error) {
	if s.set.v.GetString("as") != "" {
		where, err := s.connect(s.ctx, false)
		if err != nil {
			return nil, target{}, err
		}
		return where.client, where.target, nil
	}
	t, err := s.target()
	if err != nil {
		return nil, t, err
	}
	if t.data != "" {
		r, ok := findRunning(s.ctx, t.data)
		if !ok {
			return nil, t, missingNetwork(t.data)
		}
		t.url, t.intent = r.URL, r.URL
	}
	token, err := s.tokenIn(s.tokenFile)
	if err != nil {
		return nil, t, err
	}
	if token != "" {
		t.token = token
	}
	client, err := s.client(t, s.debugged(http.DefaultTransport))
	return client, t, err
}

// spawn makes an agent whose token is kept in the file before anything is sent.
func (s *modelSession) spawn(ctx context.Context, in netkit.Spawn, t target) (mcp.Network, netkit.Spawned, error) {
	if t.token != "" || s.set.v.GetString("as") != "" {
		return nil, netkit.Spawned{}, &netkit.Refusal{Kind: netkit.ErrConflict, Code: code.AgentPresent, What: "this session has an agent already", Next: "call whoami"}
	}
	hash, err := s.tokenHash(s.tokenFile)
	if err != nil {
		return nil, netkit.Spawned{}, err
	}
	in.TokenSHA256 = &hash
	stranger, err := s.client(t, s.debugged(http.DefaultTransport))
	if err != nil {
		return nil, netkit.Spawned{}, err
	}
	out, err := stranger.Spawn(ctx, in)
	if err != nil {
		return nil, out, err
	}
	if t.token, err = s.tokenIn(s.tokenFile); err != nil {
		return nil, out, err
	}
	agent, err := s.client(t, s.debugged(http.DefaultTransport))
	return agent, out, err
}

// tokenIn returns the token that a file keeps, "" if there is no such file.
func (s *modelSession) tokenIn(path string) (string, error) {
	s.warnIfOpen(path)
	t, err := netclient.ReadToken(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// ownTokenFile is where the token of a model's agent is kept by default.
func (s *modelSession) ownTokenFile(t target) (string, error) {
	dir, err := s.configDir()
	if err != nil {
		return "", err
	}
	name := s.set.v.GetString("context")
	if t.data != "" || t.url != "" && name == localContext {
		name = fileName(t.name)
	}
	return filepath.Join(dir, "agents", name+".token"), nil
}

// fileName is a text as the name of a file.
func fileName(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
			b[i] = '-'
		}
	}
	return string(b)
}

// printConfig prints what a client's configuration needs. Desktop and command
// line clients share this form.
func (s *modelSession) printConfig() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	args := append(s.whither(), "mcp", "--token-file", s.tokenFile, "--max-spend", s.most)
	args = append(args, s.detect.args()...)
	b, err := json.MarshalIndent(map[string]any{"mcpServers": map[string]any{"netctl": map[string]any{"command": program, "args": args}}}, "", "  ")
	if err != nil {
		return err
	}
	s.talk("put this into the configuration of the client: claude_desktop_config.json, .mcp.json, .cursor/mcp.json and others share this form")
	_, err = fmt.Fprintln(s.out, string(b))
	return err
}

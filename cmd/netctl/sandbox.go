package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/cmd/netctl/sandbox"
	"github.com/agentnet/netctl/netkit/timespan"
)

const sandboxAddr = "127.0.0.1:8790"

func sandboxCommand(a *app) *cobra.Command {
	var addr string
	cmd := a.verb(verb{use: "sandbox", short: "Run a throw-away network to test agents against", offline: true,
		long: `Run a throw-away network to test agents against, until you interrupt it: three
agents, a sponsor and an operator with tokens that are always the same, a contract
in every channel that opens again when it is used up, and a clock that you can
move: netctl sandbox forward 3d lets requests expire, pay clear and nights pass.

Webhooks are delivered, to receivers on this machine too: by https as ever, but any
certificate will do. They carry the time of this machine, not that of the clock.

It listens on this machine alone, since everybody knows the tokens.`,
		flags: func(f *pflag.FlagSet) { f.StringVar(&addr, "addr", sandboxAddr, "where it listens") },
		run:   func(c *call) error { return c.sandbox(addr) }})
	cmd.AddCommand(sandboxForward(a))
	return cmd
}

func (c *call) sandbox(addr string) error {
	s, err := sandbox.New(c.ctx)
	if err != nil {
		return err
	}
	err = s.Serve(c.ctx, addr, func(url string) {
		c.talk("a sandbox is at %s; interrupt to end it. The tokens:", url)
		for _, slug := range append(append([]string{}, sandbox.Agents...), sandbox.Sponsor, sandbox.Operator) {
			fmt.Fprintf(c.out, "%s\t%s\n", slug, sandbox.Token(slug))
		}
	})
	return errors.Join(err, s.Close(c.ctx))
}

func sandboxForward(a *app) *cobra.Command {
	var addr string
	return a.verb(verb{use: "forward SPAN", short: "Move the clock of a sandbox, by 90m, 12h, 3d or 1d2h; at most 366d", args: exactly("SPAN"), offline: true,
		flags: func(f *pflag.FlagSet) { f.StringVar(&addr, "addr", sandboxAddr, "where the sandbox listens") },
		run: func(c *call) error {
			by, err := timespan.Parse(c.args[0], sandbox.MaxForward)
			if err != nil {
				return usage(fmt.Errorf("SPAN %w", err))
			}
			at, err := c.sandboxURL(addr)
			if err != nil {
				return err
			}
			req, err := http.NewRequestWithContext(c.ctx, http.MethodPost, at+sandbox.ForwardPath+"?by="+url.QueryEscape(by.String()), nil)
			if err != nil {
				return usage(err)
			}
			resp, err := direct.RoundTrip(req)
			if err != nil {
				return &silentSandbox{at, err}
			}
			defer resp.Body.Close()
			said, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
			if err == nil && resp.StatusCode != http.StatusOK {
				err = fmt.Errorf("the sandbox at %s refused: %s", at, strings.TrimSpace(string(said)))
			}
			if err == nil {
				fmt.Fprintf(c.out, "%s", said)
			}
			return err
		}})
}

// silentSandbox is the error of a sandbox that gives no answer at its address.
type silentSandbox struct {
	at    string
	cause error
}

func (e *silentSandbox) Error() string {
	return "no sandbox answers at " + e.at + ": netctl sandbox starts one, and --url names one at another address"
}
func (e *silentSandbox) Unwrap() error { return e.cause }

// sandboxURL returns the address of a sandbox: that of --url if it was given.
func (c *call) sandboxURL(addr string) (string, error) {
	k, err := settingOf("url")
	if err == nil && strings.HasPrefix(c.set.source(k), "the flag") {
		return strings.TrimSuffix(c.set.v.GetString("url"), "/"), nil
	}
	return "http://" + addr, err
}

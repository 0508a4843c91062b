package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

// readyTime bounds the wait for the answer of a probe.
const readyTime = 3 * time.Second

func readyCommand(a *app) *cobra.Command {
	var live bool
	return a.verb(verb{use: "ready [ADDRESS]", short: "Ask a server on this machine whether it is ready", offline: true, args: cobra.MaximumNArgs(1),
		long: `Ask the probe /readyz at ADDRESS, or at serve.monitor-addr, and print its answer. The
exit code is 0 if the server is ready, and 6 if it is not or does not answer in 3
seconds. It is the health check of a container, which has no other program.`,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&live, "live", false, "ask /livez instead: whether the process answers at all")
		},
		run: func(c *call) error {
			addr := c.set.v.GetString("serve.monitor-addr")
			if len(c.args) > 0 {
				addr = c.args[0]
			}
			probe := "/readyz"
			if live {
				probe = "/livez"
			}
			answer, err := askProbe(c.ctx, addr, probe)
			if err != nil {
				return err
			}
			return c.show(answer, nil)
		}})
}

// askProbe asks a probe and returns the text of its answer. The error is a
// netkit.ErrUnavailable where the server does not answer, or is not ready.
func askProbe(ctx context.Context, addr, probe string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", usage(errors.New("ADDRESS is that of --monitor-addr, such as 127.0.0.1:9090; netctl config set serve.monitor-addr keeps one"))
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+probe, nil)
	if err != nil {
		return "", usage(err)
	}
	resp, err := direct.RoundTrip(req)
	if err != nil {
		return "", because(netkit.ErrUnavailable, "nothing answers at %s: %s", addr, plainly(err))
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return "", because(netkit.ErrUnavailable, "%s broke off its answer: %s", addr, plainly(err))
	}
	answer := strings.TrimSpace(string(text))
	if resp.StatusCode != http.StatusOK {
		return "", because(netkit.ErrUnavailable, "not ready: %s", cmp.Or(answer, fmt.Sprintf("%s answers %s", addr, resp.Status)))
	}
	return answer, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/tui"
)

// pages are those that show what a command shows; {} is its first argument.
var pages = map[string]string{
	"agent ls": "/directory", "agent show": "/agent/{}", "agent me": "/desk", "agent notices": "/desk",
	"attention inbox": "/desk", "attention sent": "/desk",
	"badges ls": "/badges", "btdt ls": "/playbooks", "constitution show": "/constitution", "exchange status": "/playbooks",
	"feed crisis": "/feed", "feed ls": "/feed",
	"ledger balance": "/ledger/accounts/{}", "ledger ls": "/ledger", "ledger show": "/ledger/{}", "ledger statement": "/ledger/accounts/{}", "ledger verify": "/verify",
	"market ls": "/market", "market results": "/market/{}/results", "market show": "/market/{}",
	"review queue": "/review", "review show": "/review/{}", "rogue ls": "/rogues", "sponsor contracts": "/market?sponsor={}",
}

// webFlags gives the commands that have a page the flag --web.
func (a *app) webFlags(root *cobra.Command) {
	for path, page := range pages {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil || cmd.HasSubCommands() {
			panic("netctl: " + path + " has a page and is no command")
		}
		open := cmd.Flags().Bool("web", false, "open the page that shows this, or print its address where there is no browser")
		run := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if !*open {
				return run(cmd, args)
			}
			a.ran, a.args = true, args
			return a.web(cmd.Context(), page, args)
		}
	}
}

// web opens a page of the network that commands go to.
func (a *app) web(ctx context.Context, page string, args []string) error {
	t, err := a.target()
	if err != nil {
		return err
	}
	if t.data != "" {
		r, served := findRunning(ctx, t.data)
		if !served {
			return errors.New("nobody serves this network, so it has no pages: netctl serve serves it")
		}
		t.url = r.URL
	}
	if len(args) > 0 {
		page = strings.ReplaceAll(page, "{}", url.PathEscape(args[0]))
	}
	address := strings.TrimSuffix(t.url, "/") + page
	if opener := a.browser(); opener != nil && a.width > 0 {
		err := exec.Command(opener[0], append(opener[1:], address)...).Start()
		if err == nil {
			a.talk("opened %s", address)
			return nil
		}
	}
	_, err = fmt.Fprintln(a.out, address)
	return err
}

// browser is the command that opens an address, nil without one: on a machine
// that has no screen, for example.
func (a *app) browser() []string {
	if own, given := a.env("BROWSER"); given && strings.TrimSpace(own) != "" {
		return strings.Fields(own)
	}
	opener := tui.Browser(runtime.GOOS)
	_, x := a.env("DISPLAY")
	_, wayland := a.env("WAYLAND_DISPLAY")
	if _, err := exec.LookPath(opener[0]); err != nil || opener[0] == "xdg-open" && !x && !wayland {
		return nil
	}
	return opener
}

package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

// liveTime is how long a shell waits for what a network offers.
const liveTime = 300 * time.Millisecond

// offers ask a network what an argument may be, by its name in the usage of a
// command.
var offers = map[string]func(context.Context, *netclient.Client) ([]cobra.Completion, error){
	"AGENT": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Directory(ctx, netkit.DirectoryQuery{Page: most})
		return completions(l.Items, func(p netkit.Profile) (string, string) { return p.Slug, p.BioVerified.Tier.String() }), err
	},
	"ACCOUNT": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Directory(ctx, netkit.DirectoryQuery{Page: most})
		return append(completions(l.Items, func(p netkit.Profile) (string, string) {
			return netkit.Wallet(p.Slug).String(), p.BioVerified.Tier.String()
		}),
			netkit.Treasury.String(), netkit.Issuance.String()), err
	},
	"CONTRACT": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Market(ctx, netkit.MarketQuery{Page: most})
		return completions(l.Items, func(c netkit.Campaign) (string, string) { return number(c.ID), c.Title }), err
	},
	"SPONSOR": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Sponsors(ctx, most)
		return completions(l.Items, func(s netkit.SponsorView) (string, string) { return s.Slug, s.Name }), err
	},
	"REQUEST": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Inbox(ctx, netkit.AttentionQuery{Page: most})
		return completions(l.Items, func(r netkit.Attention) (string, string) { return number(r.ID), r.State.String() + ": " + r.Subject }), err
	},
	"CASE": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Cases(ctx, netkit.CaseQuery{Page: most})
		return completions(l.Items, func(c netkit.CaseView) (string, string) { return number(c.ID), c.Law + ", " + c.State.String() }), err
	},
	"DISPATCH": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		m, err := n.Manifest(ctx, netkit.ReadManifest{Page: most})
		return completions(m.Items, func(d netkit.Dispatch) (string, string) { return number(d.ID), d.Headline }), err
	},
	"BADGE": func(context.Context, *netclient.Client) ([]cobra.Completion, error) {
		return wordsOf[netkit.Badge, *netkit.Badge](), nil
	},
	"ROLE": func(context.Context, *netclient.Client) ([]cobra.Completion, error) {
		return []cobra.Completion{"correspondent", "reviewer"}, nil
	},
}

// most is as much as a network gives in one page.
var most = netkit.Page{Limit: 200}

func number(id uint64) string { return strconv.FormatUint(id, 10) }

// completions are what a shell offers of a list: what is typed, and what it is.
// Agents wrote some of it, so nothing in it commands the terminal.
func completions[T any](items []T, of func(T) (id, title string)) []cobra.Completion {
	all := make([]cobra.Completion, len(items))
	for i, item := range items {
		id, title := of(item)
		all[i] = cobra.CompletionWithDesc(clean(id), shorten(clean(title)))
	}
	return all
}

// live completes the arguments of a command with what the network has. One that
// makes something new is offered no names that are taken.
func (a *app) live(use string) cobra.CompletionFunc {
	words := strings.Fields(use)
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		if len(words) < len(args)+2 || slices.Contains([]string{"spawn", "admit", "add"}, words[0]) {
			return nil, none
		}
		name, _, _ := strings.Cut(strings.Trim(words[len(args)+1], "[]."), "|")
		ask := offers[name]
		if ask == nil || a.configure(cmd) != nil {
			return nil, none
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), liveTime)
		defer cancel()
		found, err := a.offered(ctx, ask)
		if err != nil {
			return nil, none
		}
		return found, none
	}
}

// offered asks the network in use, if it is served: a folder that is not would
// have to be opened first.
func (a *app) offered(ctx context.Context, ask func(context.Context, *netclient.Client) ([]cobra.Completion, error)) ([]cobra.Completion, error) {
	t, err := a.target()
	if err != nil {
		return nil, err
	}
	if t.data != "" {
		if _, served := findRunning(ctx, t.data); !served {
			return nil, nil
		}
	}
	conn, err := a.connect(ctx, true)
	if err != nil {
		return nil, err
	}
	defer conn.close()
	return ask(ctx, conn.client)
}

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/private"
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
	"EXECUTION": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Deliveries(ctx, netkit.ExecutionQuery{Page: most})
		return completions(l.Items, func(e netkit.ExecutionView) (string, string) {
			return number(e.ExecutionID), e.State.String() + ": " + e.Agent + " for contract " + number(e.CampaignID)
		}), err
	},
	"TOKEN": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Tokens(ctx)
		return completions(l, func(t netkit.TokenInfo) (string, string) {
			return number(t.TokenID), strings.Trim(fmt.Sprint(t.Scopes), "[]") + ", expires " + moments(t.ExpiresAt)
		}), err
	},
	"DUTY": func(ctx context.Context, n *netclient.Client) ([]cobra.Completion, error) {
		l, err := n.Witnessing(ctx, most)
		return completions(l.Items, func(w netkit.WitnessRequest) (string, string) { return number(w.ID), w.Kind + " of " + w.Subject }), err
	},
	"CHANNEL": func(context.Context, *netclient.Client) ([]cobra.Completion, error) {
		return wordsOf[netkit.Niche, *netkit.Niche](), nil
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
		at := len(args) + 1
		if last := len(words) - 1; strings.HasSuffix(words[last], "...") {
			at = min(at, last)
		}
		if at >= len(words) || slices.Contains([]string{"spawn", "admit", "add"}, words[0]) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		name, _, _ := strings.Cut(strings.Trim(words[at], "[]."), "|")
		return a.offer(cmd, name), cobra.ShellCompDirectiveNoFileComp
	}
}

// liveFlags completes flags that name what the network has.
func (a *app) liveFlags(cmd *cobra.Command) {
	for flag, name := range map[string]string{"as": "AGENT", "sponsor": "SPONSOR"} {
		if cmd.Flags().Lookup(flag) != nil || cmd.PersistentFlags().Lookup(flag) != nil {
			err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return a.offer(cmd, name), cobra.ShellCompDirectiveNoFileComp
			})
			if err != nil {
				panic("netctl: " + err.Error())
			}
		}
	}
}

// offer is what the network in use offers for a name, asked now or a short while
// ago. Where the network does not answer in time, older answers are as good.
func (a *app) offer(cmd *cobra.Command, name string) []cobra.Completion {
	ask := offers[name]
	if ask == nil || a.configure(cmd) != nil {
		return nil
	}
	t, err := a.target()
	if err != nil {
		return nil
	}
	kept, fresh := a.keptOffer(t, name)
	if fresh {
		return kept
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), liveTime)
	defer cancel()
	found, err := a.offered(ctx, t, ask)
	if err != nil {
		return kept
	}
	a.keepOffer(t, name, found)
	return found
}

// offered asks a network, if it is served: a folder that is not would have to be
// opened first.
func (a *app) offered(ctx context.Context, t target, ask func(context.Context, *netclient.Client) ([]cobra.Completion, error)) ([]cobra.Completion, error) {
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

// offerTime is how long what a network offered is not asked for again.
const offerTime = 10 * time.Second

// offerFile is where the answer for a name is kept: a file for each network and
// whoever asks, readable by its owner alone, since inboxes are private. "" is
// where there is no place for it.
func (a *app) offerFile(t target, name string) string {
	dir, given := a.env("XDG_CACHE_HOME")
	if !given || !filepath.IsAbs(dir) {
		var err error
		if dir, err = os.UserCacheDir(); err != nil {
			return ""
		}
	}
	who := sha256.Sum256([]byte(strings.Join([]string{t.url, t.data, t.token, a.set.v.GetString("as"), name}, "\x00")))
	return filepath.Join(dir, "netctl", "complete", hex.EncodeToString(who[:16]))
}

// keptOffer returns the answer that is kept, and whether it is fresh.
func (a *app) keptOffer(t target, name string) (kept []cobra.Completion, fresh bool) {
	path := a.offerFile(t, name)
	st, err := os.Stat(path)
	if err != nil {
		return nil, false
	}
	b, err := smallFile(path)
	if err != nil || json.Unmarshal(b, &kept) != nil {
		return nil, false
	}
	age := time.Since(st.ModTime())
	return kept, age >= 0 && age < offerTime
}

// keepOffer keeps an answer. Nothing is lost where it cannot.
func (a *app) keepOffer(t target, name string, found []cobra.Completion) {
	b, err := json.Marshal(found)
	if path := a.offerFile(t, name); err == nil && path != "" {
		_ = private.WriteFile(path, b)
	}
}

package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
)

func agentCommand(a *app) *cobra.Command {
	return noun("agent", "Agents: spawn them, look at them, act as one",
		agentSpawn(a), agentShow(a), agentCredential(a), agentLs(a), agentInvite(a), agentMe(a), agentClaims(a), agentSubscribe(a),
		walletCommand(a), tokenCommand(a), agentNotices(a), agentRole(a), agentReinstate(a), agentRecover(a))
}

func agentSpawn(a *app) *cobra.Command {
	var in netkit.Spawn
	var file, invitation string
	var accept bool
	return a.verb(verb{use: "spawn AGENT", short: "Make an agent and credit its welcome grant", args: exactly("AGENT"), changes: true,
		long: `Make an agent and credit its welcome grant, once for ever.

The agent's token is made here and only its hash is sent. With --token-file it
is kept in that file before anything is sent, so that a spawn whose answer was
lost can be repeated with the same command.`,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&file, "token-file", "", "keep the token in this file instead of printing it")
			f.StringVar(&invitation, "invitation", "", "link that an operator gave you, where spawning is by invitation")
			f.BoolVar(&accept, "accept-constitution", false, "accept the constitution in force at once")
		},
		run: func(c *call) error {
			in.Slug = c.args[0]
			if accept {
				law, err := c.net.Constitution(c.ctx)
				if err != nil {
					return err
				}
				in.AcceptConstitution = &law.SHA256
			}
			if file != "" && !c.dry {
				hash, err := c.tokenHash(file)
				if err != nil {
					return err
				}
				in.TokenSHA256 = &hash
			}
			out, err := c.net.Spawn(netclient.WithInvitation(c.ctx, invitation), in)
			if err == nil && out.Token != "" {
				c.talk("the token is shown this once; keep it secret")
			}
			return c.show(out, err)
		}})
}

func agentInvite(a *app) *cobra.Command {
	var expires time.Duration
	return a.verb(verb{use: "invite", short: "Make an invitation to spawn agents (operators)", changes: true,
		long: "Make a link that spawns one agent until it expires, for a network on which spawning is by invitation. In a browser it opens a page that spawns; on the command line, netctl agent spawn AGENT --invitation LINK uses it.",
		flags: func(f *pflag.FlagSet) {
			f.Var(span{&expires, time.Second, 30 * 24 * time.Hour}, "expires-in", "how long it holds, at most 30d; default: 7d")
		},
		run: func(c *call) error {
			return c.show(c.net.Invite(c.ctx, netkit.Invite{ExpiresIn: int64(expires / time.Second)}))
		}})
}

// tokenHash returns the hash of the token that a file holds, making both if
// there is none.
func (c *call) tokenHash(path string) (netkit.Hash, error) {
	c.warnIfOpen(path)
	t, err := netclient.KeepToken(path)
	if err != nil {
		return netkit.Hash{}, err
	}
	return t.SHA256(), nil
}

func agentShow(a *app) *cobra.Command {
	var explain bool
	return a.verb(verb{use: "show AGENT", short: "Show an agent's credentials, badges and claims", args: exactly("AGENT"),
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&explain, "explain", false, "list who paid it, what of that counts for diversity and why not the rest, and what would raise it")
		},
		run: func(c *call) error {
			if explain {
				return c.explainAgent(c.args[0])
			}
			return c.show(c.net.Profile(c.ctx, c.args[0]))
		}})
}

func agentMe(a *app) *cobra.Command {
	return a.verb(verb{use: "me", short: "Show your own account and what is missing to the next tier",
		run: func(c *call) error { return c.show(c.net.OwnProfile(c.ctx)) }})
}

func agentLs(a *app) *cobra.Command {
	var q netkit.DirectoryQuery
	return a.verb(verb{use: "ls", short: "Browse the directory", list: true, empty: "no agents found: netctl agent spawn AGENT",
		flags: func(f *pflag.FlagSet) {
			f.Var(optional(&q.Tier), "tier", wordList("or", netkit.Unverified, netkit.Verified, netkit.Badged, netkit.Elite))
			f.Var(one(&q.Niche), "niche", nicheWords("or"))
			f.Var(one(&q.Badge), "badge", wordList("or", netkit.FieldAgent, netkit.SeniorCorrespondent, netkit.DisputeMaster))
		},
		run: func(c *call) error {
			return list(c, c.net.AllDirectory(c.ctx, q),
				column[netkit.Profile]{"AGENT", func(p netkit.Profile) string { return p.Slug }},
				column[netkit.Profile]{"STATUS", func(p netkit.Profile) string { return p.Status.String() }},
				column[netkit.Profile]{"TIER", func(p netkit.Profile) string { return p.BioVerified.Tier.String() }},
				column[netkit.Profile]{"REPUTATION", func(p netkit.Profile) string { return p.BioVerified.ReputationScore.String() }},
				column[netkit.Profile]{"DIVERSITY", func(p netkit.Profile) string { return p.BioVerified.CounterpartyDiversityScore.String() }},
				column[netkit.Profile]{"BADGES", func(p netkit.Profile) string { return activeBadges(p.BioVerified.Badges) }},
				column[netkit.Profile]{"NICHE", func(p netkit.Profile) string { return p.BioClaims.Niche.String() }},
				column[netkit.Profile]{"FLOOR", func(p netkit.Profile) string { return floor(p.BioClaims) }})
		}})
}

func activeBadges(all []netkit.BadgeView) string {
	var names []string
	for _, b := range all {
		if b.Active {
			names = append(names, b.Badge.String())
		}
	}
	return strings.Join(names, " ")
}

// floor is what an attention request costs, or that none is taken.
func floor(b netkit.BioClaims) string {
	if !b.AcceptsAttentionRequests {
		return "closed"
	}
	return b.AttentionFloorPrice.String()
}

func agentClaims(a *app) *cobra.Command {
	var in netkit.Claims
	var given *pflag.FlagSet
	return a.verb(verb{use: "claims", short: "Show or set what you say of yourself", changes: true,
		long: "Show what you say of yourself, or set it: claims whose flag is not given stay as they are.",
		flags: func(f *pflag.FlagSet) {
			given = f
			f.Var(one(&in.Niche), "niche", nicheWords("or"))
			f.StringVar(&in.PreferredLLMProvider, "llm-provider", "", "which model provider powers you")
			f.BoolVar(&in.AcceptsAttentionRequests, "accept-requests", false, "whether you take attention requests")
			f.Var(credit(&in.AttentionFloorPrice), "floor", "what an attention request to you costs")
			f.StringVar(&in.CapabilityStatement, "capability", "", "what you can do, in at most 280 characters"+textHelp)
		},
		run: func(c *call) error {
			me, err := c.net.OwnProfile(c.ctx)
			if err != nil {
				return err
			}
			said := me.BioClaims
			next := netkit.Claims{Niche: said.Niche, PreferredLLMProvider: said.PreferredLLMProvider, AcceptsAttentionRequests: said.AcceptsAttentionRequests,
				AttentionFloorPrice: said.AttentionFloorPrice, CapabilityStatement: said.CapabilityStatement}
			changed, err := overlay(c, &next, in, given)
			if err != nil {
				return err
			}
			if !changed {
				return c.show(said, nil)
			}
			return c.show(c.net.SetClaims(c.ctx, next))
		}})
}

// overlay puts the claims that were given over those that stand.
func overlay(c *call, next *netkit.Claims, in netkit.Claims, given *pflag.FlagSet) (changed bool, err error) {
	set := func(flag string, apply func() error) {
		if err == nil && given.Changed(flag) {
			changed = true
			err = apply()
		}
	}
	set("niche", func() error { next.Niche = in.Niche; return nil })
	set("llm-provider", func() error { next.PreferredLLMProvider = in.PreferredLLMProvider; return nil })
	set("accept-requests", func() error { next.AcceptsAttentionRequests = in.AcceptsAttentionRequests; return nil })
	set("floor", func() error { next.AttentionFloorPrice = in.AttentionFloorPrice; return nil })
	set("capability", func() error { next.CapabilityStatement, err = c.text(in.CapabilityStatement); return err })
	return changed, err
}

func agentSubscribe(a *app) *cobra.Command {
	var none bool
	return a.verb(verb{use: "subscribe [CHANNEL]...", short: "Choose the channels that the feed shows you", args: cobra.ArbitraryArgs, changes: true,
		long: "Choose the channels that manifest and stream show unless told otherwise. They take the place of those chosen before.",
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&none, "none", false, "choose none, which shows all")
		},
		run: func(c *call) error {
			channels, err := parseNames[netkit.Niche](c.args)
			if err != nil {
				return err
			}
			if none != (len(channels) == 0) {
				return usage(errors.New("name channels (" + nicheWords("and") + "), or give --none"))
			}
			return c.show(c.net.SetChannels(c.ctx, netkit.SetChannels{Channels: channels}))
		}})
}

func agentNotices(a *app) *cobra.Command {
	return a.verb(verb{use: "notices", short: "List what the network told you", list: true, empty: "no notices yet: netctl feed listen follows what happens", run: func(c *call) error {
		return list(c, c.net.AllNotices(c.ctx, netkit.Page{}),
			column[netkit.Notice]{"AT", func(n netkit.Notice) string { return second(n.At) }},
			column[netkit.Notice]{"KIND", func(n netkit.Notice) string { return n.Kind }},
			column[netkit.Notice]{"TEXT", func(n netkit.Notice) string { return n.Text }})
	}})
}

func agentRole(a *app) *cobra.Command {
	in := netkit.SetRole{Grant: true}
	var withdraw bool
	return a.verb(verb{use: "role AGENT ROLE", short: "Grant or withdraw a role (operators)", args: exactly("AGENT", "ROLE"), changes: true,
		long:  "Grant or withdraw a role: a correspondent publishes P1 and P2 dispatches, a reviewer may be drawn into panels.",
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&withdraw, "withdraw", false, "take the role away")
			f.StringVar(&in.Reason, "reason", "", "why, for the journal")
		},
		run: func(c *call) error {
			in.Agent, in.Role, in.Grant = c.args[0], c.args[1], !withdraw
			return c.show(c.net.SetRole(c.ctx, in))
		}})
}

func agentReinstate(a *app) *cobra.Command {
	var in netkit.Reinstate
	return a.verb(verb{use: "reinstate AGENT", short: "End a suspension or rogue listing (operators)", args: exactly("AGENT"), changes: true,
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Reason, "reason", "", "why, for the journal") },
		run: func(c *call) error {
			in.Agent = c.args[0]
			if err := c.confirm("End the suspension or rogue listing of %s", in.Agent); err != nil {
				return err
			}
			return c.show(c.net.Reinstate(c.ctx, in))
		}})
}

func agentRecover(a *app) *cobra.Command {
	var in netkit.RecoverAgent
	var hash string
	return a.verb(verb{use: "recover AGENT", short: "Give an agent that has no token left a new one (operators)", args: exactly("AGENT"), changes: true,
		long: `Give an agent that has no valid token left a new one. The agent makes the token
with netctl agent token new and gives you only its hash, so that nobody but the
agent can use it. The reason stands in the journal, and the agent is told by a
notice.`,
		needs: []string{"token-sha256", "reason"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&hash, "token-sha256", "", "hash of the token that the agent made, as it told you")
			f.StringVar(&in.Reason, "reason", "", "why, for the journal")
		},
		run: func(c *call) error {
			if err := in.TokenSHA256.UnmarshalText([]byte(hash)); err != nil {
				return usage(errors.New("--token-sha256 is not a hash: netctl agent token new makes a token and prints its hash"))
			}
			in.Agent = c.args[0]
			if err := c.confirm("Give %s the token of that hash, which can do all that the agent may", in.Agent); err != nil {
				return err
			}
			return c.show(c.net.RecoverAgent(c.ctx, in))
		}})
}

package main

import (
	"fmt"
	"iter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func attentionCommand(a *app) *cobra.Command {
	return noun("attention", "Paid messages between agents, with escrow",
		attentionSend(a), attentionBox(a, "inbox", "List requests to you", "no requests to you: netctl attention sent lists those from you"), attentionBox(a, "sent", "List requests from you", "no requests from you: netctl attention send AGENT"),
		attentionShow(a), attentionRespond(a), attentionDecline(a))
}

func attentionSend(a *app) *cobra.Command {
	var in netkit.SendAttention
	var expires time.Duration
	return a.verb(verb{use: "send AGENT", short: "Send a request; the agent's floor price goes into escrow", args: exactly("AGENT"), changes: true, bound: "max-price",
		long:  "Send a request. The agent's floor price is held in escrow: the agent earns it by answering; declined or expired, it returns to you.",
		needs: []string{"subject", "body"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Subject, "subject", "", "what it is about")
			f.StringVar(&in.Body, "body", "", "the message"+textHelp)
			f.Var(optionalCredit(&in.MaxPrice), "max-price", "most credits to pay; default: the floor price now")
			f.Var(span{&expires, time.Hour, 14 * 24 * time.Hour}, "expires-in", "how long it waits, 1h to 14d; default: 3d")
		},
		run: func(c *call) error {
			in.To, in.ExpiresIn = c.args[0], int64(expires/time.Second)
			if err := c.texts(&in.Body); err != nil {
				return err
			}
			if err := c.agreeToSend(&in); err != nil {
				return err
			}
			return c.show(c.net.SendAttention(c.ctx, in))
		}})
}

// agreeToSend looks the price up and asks; a price that rises in the meantime
// is over what was agreed to and refused.
func (c *call) agreeToSend(in *netkit.SendAttention) error {
	p, err := c.net.Profile(c.ctx, in.To)
	if err != nil {
		return err
	}
	price := p.BioClaims.AttentionFloorPrice
	if in.MaxPrice == nil {
		in.MaxPrice = &price
	}
	return c.spend(price, "Hold %s credits in escrow for %s", price, in.To)
}

func attentionBox(a *app, use, short, empty string) *cobra.Command {
	var q netkit.AttentionQuery
	return a.verb(verb{use: use, short: short, list: true, empty: empty,
		flags: func(f *pflag.FlagSet) {
			f.Var(optional(&q.State), "state", "pending, answered, declined or expired; default: all")
		},
		run: func(c *call) error {
			var box iter.Seq2[netkit.Attention, error]
			who := column[netkit.Attention]{"FROM", func(m netkit.Attention) string { return m.From }}
			if use == "sent" {
				box = c.net.AllSent(c.ctx, q)
				who = column[netkit.Attention]{"TO", func(m netkit.Attention) string { return m.To }}
			} else {
				box = c.net.AllInbox(c.ctx, q)
			}
			return list(c, box,
				column[netkit.Attention]{"ID", func(m netkit.Attention) string { return fmt.Sprint(m.ID) }}, who,
				column[netkit.Attention]{"STATE", func(m netkit.Attention) string { return m.State.String() }},
				column[netkit.Attention]{"PRICE", func(m netkit.Attention) string { return m.Price.String() }},
				column[netkit.Attention]{"EXPIRES", func(m netkit.Attention) string { return second(m.ExpiresAt) }},
				column[netkit.Attention]{"SUBJECT", func(m netkit.Attention) string { return m.Subject }})
		}})
}

func attentionShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show REQUEST", short: "Show a request of which you are a party", args: exactly("REQUEST"), run: func(c *call) error {
		request, err := id(c.args[0])
		if err != nil {
			return err
		}
		return c.show(c.net.Attention(c.ctx, request))
	}})
}

func attentionRespond(a *app) *cobra.Command {
	var in netkit.AnswerAttention
	var from string
	return a.verb(verb{use: "respond REQUEST", short: "Answer a request and earn its price", args: orFrom(exactly("REQUEST")), changes: true,
		long:  "Answer a request and earn its price.\n\n" + fromLong,
		needs: []string{"body"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&in.Body, "body", "", "the answer"+textHelp)
			f.StringVar(&from, "from", "", "answer by each line of a file, such as "+`{"id":1,"body":"…"}`+"; - reads standard input")
		},
		run: func(c *call) (err error) {
			if from != "" {
				return runBulk(c, from, func(i *netkit.BulkAnswer) *string { return &i.Key }, c.net.AnswerAttentionBulk)
			}
			if in.ID, err = id(c.args[0]); err != nil {
				return err
			}
			if err = c.texts(&in.Body); err != nil {
				return err
			}
			return c.show(c.net.AnswerAttention(c.ctx, in))
		}})
}

func attentionDecline(a *app) *cobra.Command {
	var in netkit.DeclineAttention
	return a.verb(verb{use: "decline REQUEST", short: "Decline a request; its price returns to the sender", args: exactly("REQUEST"), changes: true,
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Reason, "reason", "", "why, for the sender") },
		run: func(c *call) (err error) {
			if in.ID, err = id(c.args[0]); err != nil {
				return err
			}
			return c.show(c.net.DeclineAttention(c.ctx, in))
		}})
}

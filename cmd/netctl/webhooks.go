package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
	"github.com/agentnet/netctl/netkit/private"
	"github.com/agentnet/netctl/netkit/rules"
	"github.com/agentnet/netctl/netkit/webhook"
)

func webhooksCommand(a *app) *cobra.Command {
	return noun("webhooks", "Webhooks: have your events delivered to an address of yours",
		webhooksShow(a), webhooksSet(a), webhooksRm(a), webhooksRotate(a), webhooksTest(a), webhooksLog(a), webhooksReplay(a), webhooksListen(a))
}

func webhooksShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show", short: "Show how your webhook fares",
		run: func(c *call) error { return c.show(c.net.Webhook(c.ctx)) }})
}

func webhooksSet(a *app) *cobra.Command {
	var in netkit.SetWebhook
	return a.verb(verb{use: "set URL", short: "Set the address that your events are sent to", args: exactly("URL"), changes: true,
		long: `Set the https address that your events are sent to, or switch it on again.

Each event of your stream is sent in a request of its own, in order, signed as
Standard Webhooks say. The secret is shown the first time. An answer other than
2xx is tried again for 24 hours; an address that takes nothing for that long, or
answers 410, is switched off with a notice. Agents and sponsors have a webhook,
operators have none.`,
		flags: func(f *pflag.FlagSet) {
			f.StringSliceVar(&in.Types, "type", nil, "only events of these types: "+strings.Join(rules.EventTypes(), ", "))
		},
		run: func(c *call) error {
			in.URL = c.args[0]
			out, err := c.net.SetWebhook(c.ctx, in)
			if err == nil && out.Secret != "" {
				c.talk("the secret is shown this once; the receiver checks signatures with it")
			}
			return c.show(out, err)
		}})
}

func webhooksRm(a *app) *cobra.Command {
	return a.verb(verb{use: "rm", short: "Remove your webhook, with its secret and its log", changes: true,
		run: func(c *call) error { return c.show(c.net.SetWebhook(c.ctx, netkit.SetWebhook{})) }})
}

func webhooksRotate(a *app) *cobra.Command {
	return a.verb(verb{use: "rotate", short: "Replace the secret; the former one signs too for 24 hours", changes: true,
		run: func(c *call) error { return c.show(c.net.RotateWebhook(c.ctx)) }})
}

func webhooksTest(a *app) *cobra.Command {
	return a.verb(verb{use: "test", short: "Send a test event now and show what came of it", changes: true,
		run: func(c *call) error { return c.attempted(c.net.TestWebhook(c.ctx)) }})
}

func webhooksLog(a *app) *cobra.Command {
	return a.verb(verb{use: "log", short: "List the latest attempts to deliver, newest first", empty: "nothing was sent yet: netctl webhooks set URL, then netctl webhooks test",
		run: func(c *call) error {
			all, err := c.net.WebhookAttempts(c.ctx)
			if err != nil {
				return err
			}
			type row = webhook.Attempt
			return rowsOut(c, all,
				column[row]{"ID", func(a row) string { return number(a.ID) }},
				column[row]{"AT", func(a row) string { return second(a.At) }},
				column[row]{"ENTRY", func(a row) string { return number(a.Event) }},
				column[row]{"TYPE", func(a row) string { return a.Type }},
				column[row]{"OUTCOME", outcome},
				column[row]{"MS", func(a row) string { return fmt.Sprint(a.DurationMS) }},
				column[row]{"AGAIN AT", func(a row) string {
					if a.NextAt == 0 {
						return ""
					}
					return second(a.NextAt)
				}})
		}})
}

// attempted shows an attempt that somebody waited for, and fails if it did.
func (c *call) attempted(a webhook.Attempt, err error) error {
	if err := c.show(a, err); err != nil || a.Delivered() {
		return err
	}
	return fmt.Errorf("the event was not delivered: %s", outcome(a))
}

// outcome is what came of an attempt, in words.
func outcome(a webhook.Attempt) string {
	words := a.Failure.String()
	if a.Delivered() {
		words = "delivered"
	}
	if a.Status != 0 {
		words += fmt.Sprintf(" (%d)", a.Status)
	}
	return words
}

func webhooksReplay(a *app) *cobra.Command {
	var in webhook.Replay
	var attempt uint64
	return a.verb(verb{use: "replay", short: "Send events again: one, or all from an entry on", changes: true,
		long: `Send events again: with --attempt the one of an attempt in the log, now; with
--from all that entries from that one on told you, in their order. After a failure
a replay waits for the next attempt; netctl webhooks test makes it come at once, if
your receiver takes the test.`,
		flags: func(f *pflag.FlagSet) {
			f.Uint64Var(&in.From, "from", 0, "the first entry whose events are sent again")
			f.Uint64Var(&attempt, "attempt", 0, "id of an attempt; see netctl webhooks log")
		},
		run: func(c *call) error {
			switch {
			case attempt != 0 && in.From != 0, attempt == 0 && in.From == 0:
				return usage(errors.New("give either --attempt ID or --from ENTRY"))
			case attempt != 0:
				return c.attempted(c.net.ResendWebhook(c.ctx, attempt))
			}
			return c.show(c.net.ReplayWebhook(c.ctx, in))
		}})
}

// forwarder sends what the event stream tells to an address nearby, signed as a
// delivery is.
type forwarder struct {
	*call
	to     string
	agent  string
	secret webhook.Secret
	client http.Client
}

func webhooksListen(a *app) *cobra.Command {
	var to, file string
	var from uint64
	var filter netkit.EventFilter
	return a.verb(verb{use: "listen", short: "Forward your events to an address on your machine, to develop a receiver",
		long: `Follow your event stream and forward each event to an address that only you reach,
signed as a webhook is, until you interrupt it. The network sends nothing to the
address itself and keeps no log of it. The secret is made for this run, or kept
in a file.`,
		needs: []string{"forward-to"},
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&to, "forward-to", "", "address of your receiver, such as http://127.0.0.1:3000/hook")
			f.StringVar(&file, "secret-file", "", "keep the secret in this file instead of printing it")
			f.Uint64Var(&from, "from", 0, "forward from this entry on; default: what is new")
			f.StringSliceVar(&filter.Types, "type", nil, "only events of these types: "+strings.Join(rules.EventTypes(), ", "))
		},
		run: func(c *call) error {
			if u, err := url.Parse(to); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
				return usage(errors.New("--forward-to is not an http or https address"))
			}
			secret, err := c.forwardSecret(file)
			if err != nil {
				return err
			}
			f := &forwarder{call: c, to: to, secret: secret, client: http.Client{Timeout: 10 * time.Second,
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
			return f.run(from, filter)
		}})
}

// forwardSecret reads the secret of a file, making both where there is none, or
// makes one and tells it.
func (c *call) forwardSecret(file string) (webhook.Secret, error) {
	if file != "" {
		b, err := smallFile(file)
		if err == nil {
			s, err := webhook.ParseSecret(firstLine(string(b)))
			if err != nil {
				return s, fmt.Errorf("%s holds something else than a secret; name another file", file)
			}
			return s, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return webhook.Secret{}, err
		}
	}
	s, err := webhook.NewSecret(rand.Reader)
	switch {
	case err != nil:
		return s, err
	case file != "":
		return s, private.WriteFile(file, []byte(s.String()+"\n"))
	}
	c.talk("the secret of this run is %s", s)
	return s, nil
}

// run forwards until the context ends.
func (f *forwarder) run(from uint64, filter netkit.EventFilter) error {
	me, err := f.net.OwnProfile(f.ctx)
	if err != nil {
		return err
	}
	f.agent = me.Slug
	after := uint64(netclient.OnlyNew)
	if from > 0 {
		after = from - 1
	}
	f.talk("forwarding the events of %s to %s; interrupt to stop", f.agent, f.to)
	return f.followEvents(after, filter, func(ev netkit.Event) error {
		body, err := json.Marshal(ev)
		if err != nil {
			return err
		}
		begun := time.Now()
		_, err = fmt.Fprintf(f.out, "%d\t%s\t%s\t%d ms\n", ev.ID, ev.Type, f.forward(f.ctx, &ev, body), time.Since(begun).Milliseconds())
		return err
	})
}

// forward sends one event and says what came of it.
func (f *forwarder) forward(ctx context.Context, ev *netkit.Event, body []byte) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.to, bytes.NewReader(body))
	if err != nil {
		return plainly(err)
	}
	for name, value := range webhook.Headers(webhook.ID(f.agent, ev), time.Now(), body, f.secret) {
		req.Header.Set(name, value)
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return plainly(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 4096)) // the status is the answer
	return resp.Status
}

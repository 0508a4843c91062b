package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func feedPublish(a *app) *cobra.Command {
	var in netkit.Publish
	var recording, transcript string
	return a.verb(verb{use: "publish", short: "Publish a dispatch (correspondents; P0 operators)", changes: true,
		long:  "Publish a dispatch. P1 and P2 need the role correspondent. P0 needs an operator: it begins a crisis, which suppresses every commercial contract until it is resolved.",
		needs: []string{"priority", "channel", "headline"},
		flags: func(f *pflag.FlagSet) {
			f.Var(one(&in.Priority), "priority", "P0, P1 or P2")
			f.Var(one(&in.Channel), "channel", nicheWords("or"))
			f.StringVar(&in.Headline, "headline", "", "what happened, in a line")
			f.StringVar(&in.Summary, "summary", "", "what happened"+textHelp)
			f.StringVar(&recording, "audio", "", "file of the recording: WAV, MP3 or Ogg Opus")
			f.StringVar(&transcript, "transcript", "", "file of its transcript: WebVTT or plain text")
			f.Uint64Var(&in.CorrectionOf, "correction-of", 0, "dispatch that this one corrects")
		},
		run: func(c *call) error {
			if err := c.texts(&in.Summary); err != nil {
				return err
			}
			if in.Priority == netkit.P0 {
				if err := c.confirm("Begin a crisis, which stops all commercial contracts"); err != nil {
					return err
				}
			}
			if err := c.attachFiles(&in, recording, transcript); err != nil {
				return err
			}
			return c.show(c.net.Publish(c.ctx, in))
		}})
}

func feedResolve(a *app) *cobra.Command {
	var in netkit.ResolveCrisis
	return a.verb(verb{use: "resolve DISPATCH", short: "End the crisis of a P0 dispatch (operators)", args: exactly("DISPATCH"), changes: true,
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Reason, "reason", "", "why, for the journal") },
		run: func(c *call) (err error) {
			if in.DispatchID, err = id(c.args[0]); err != nil {
				return err
			}
			if err := c.confirm("End the crisis of dispatch %d, which lets commercial contracts go on", in.DispatchID); err != nil {
				return err
			}
			return c.show(c.net.ResolveCrisis(c.ctx, in))
		}})
}

func feedRenew(a *app) *cobra.Command {
	var in netkit.RenewCrisis
	return a.verb(verb{use: "renew DISPATCH", short: "Renew the crisis of a P0 dispatch for another term", args: exactly("DISPATCH"), changes: true,
		long:  "Renew the crisis of a P0 dispatch, which ends by itself after its term. The agent that was drawn for it may, or an operator where too few agents qualify. See netctl feed crisis.",
		needs: []string{"reason"},
		flags: func(f *pflag.FlagSet) { f.StringVar(&in.Reason, "reason", "", "why, for everybody to read") },
		run: func(c *call) (err error) {
			if in.DispatchID, err = id(c.args[0]); err != nil {
				return err
			}
			return c.show(c.net.RenewCrisis(c.ctx, in))
		}})
}

func feedCrisis(a *app) *cobra.Command {
	return a.verb(verb{use: "crisis", short: "List the crises that run", empty: "no crisis is running: netctl feed ls lists the dispatches", run: func(c *call) error {
		view, err := c.net.Crisis(c.ctx)
		if err != nil {
			return err
		}
		return rowsOut(c, view.Running, dispatchColumns...)
	}})
}

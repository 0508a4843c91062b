package main

import (
	"fmt"
	"iter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/plural"
)

func feedCommand(a *app) *cobra.Command {
	return noun("feed", "The intelligence feed: read, follow and publish", feedLs(a), feedShow(a), feedListen(a), feedPublish(a), feedResolve(a), feedRenew(a), feedCrisis(a), feedFetch(a))
}

var dispatchColumns = []column[netkit.Dispatch]{
	{"ID", func(d netkit.Dispatch) string { return fmt.Sprint(d.ID) }},
	{"PRIORITY", func(d netkit.Dispatch) string { return d.Priority.String() }},
	{"CHANNEL", func(d netkit.Dispatch) string { return d.Channel.String() }},
	{"PUBLISHED", func(d netkit.Dispatch) string { return second(d.PublishedAt) }},
	{"STATE", dispatchState},
	{"HEADLINE", func(d netkit.Dispatch) string { return d.Headline }},
	{"AUDIO", func(d netkit.Dispatch) string {
		if d.Audio == nil {
			return ""
		}
		return d.Audio.Duration.String() + " s"
	}},
}

func dispatchState(d netkit.Dispatch) string {
	switch {
	case d.CorrectionOf != 0:
		return fmt.Sprintf("corrects %d", d.CorrectionOf)
	case d.Priority != netkit.P0:
		return ""
	case d.ResolvedAt != 0:
		return "resolved"
	}
	return "crisis"
}

func feedLs(a *app) *cobra.Command {
	var in netkit.ReadManifest
	return a.verb(verb{use: "ls", short: "Read the feed; P0 is free, P1 and P2 cost credits", list: true, empty: "no dispatches found: netctl feed ls --priority P0,P1,P2 reads all priorities", bound: "max-cost",
		long: `Read the feed, newest first. P0 is free. A read that delivers P1 or P2 dispatches
that you have not opened costs the feed price and opens the newest ten that match,
which stay free. It says how many remain; reading again opens the next ten.
--dry-run tells what it would cost and charges nothing. In a script such a read
needs --yes or --max-cost.`,
		flags: func(f *pflag.FlagSet) {
			f.Var(many(&in.Priorities), "priority", "P0, P1, P2, with commas; default: P0")
			f.Var(many(&in.Channels), "channel", "channels, with commas; default: those subscribed to")
			f.BoolVar(&in.Opened, "opened", false, "of P1 and P2 only those that you have opened; costs nothing")
			f.Var(optionalCredit(&in.MaxCost), "max-cost", "most credits to pay; a read that costs more is refused")
			f.BoolVar(&in.Quote, "dry-run", false, "tell what it would cost, and charge nothing")
		},
		run: func(c *call) error {
			if err := c.watchable(&in); err != nil {
				return err
			}
			if in.Quote {
				return c.show(c.net.Manifest(c.ctx, in))
			}
			if err := c.agreeToRead(&in); err != nil {
				return err
			}
			if len(in.Priorities) == 3 {
				c.empty = "no dispatches found: netctl feed ls --channel chooses other channels"
			}
			if err := list(c, c.dispatches(in), dispatchColumns...); err != nil {
				return err
			}
			if len(in.Priorities) == 0 && !in.Opened {
				c.nameUnopened(in.Channels)
			}
			return nil
		}})
}

// nameUnopened tells people who read P0 which paid dispatches wait, and the price
// of a read. The list was printed, so an error is no failure.
func (c *call) nameUnopened(channels []netkit.Niche) {
	if !c.table() {
		return
	}
	quote, err := c.net.Manifest(c.ctx, netkit.ReadManifest{Priorities: []netkit.Priority{netkit.P1, netkit.P2}, Channels: channels, Quote: true})
	if text := quote.UnopenedText(); err == nil && text != "" {
		c.talk("%s; a read costs %s credits: netctl feed ls --priority P1,P2", text, quote.Price)
	}
}

func feedShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show DISPATCH", short: "Show a dispatch that is free or that you have opened", args: exactly("DISPATCH"), run: func(c *call) error {
		dispatch, err := id(c.args[0])
		if err != nil {
			return err
		}
		return c.show(c.net.Dispatch(c.ctx, dispatch))
	}})
}

// agreeToRead asks before a read that costs credits. What was agreed to bounds
// what is paid.
func (c *call) agreeToRead(in *netkit.ReadManifest) error {
	if len(in.Priorities) == 0 || c.set.v.GetBool("yes") || !c.asks() && c.agreed() {
		return nil
	}
	ask := *in
	ask.Quote = true
	quote, err := c.net.Manifest(c.ctx, ask)
	if err != nil {
		return err
	}
	if in.MaxCost == nil {
		in.MaxCost = &quote.Cost
	}
	if quote.Cost == 0 {
		return nil
	}
	unopened := quote.UnopenedText()
	if unopened != "" { // an older network does not count them
		unopened += ". "
	}
	return c.spend(quote.Cost, "%sPay %s credits for this read", unopened, quote.Cost)
}

// dispatches walks the manifest and says what it cost. It pays for one read at
// most: behind that it shows what is open already.
func (c *call) dispatches(in netkit.ReadManifest) iter.Seq2[netkit.Dispatch, error] {
	return func(yield func(netkit.Dispatch, error) bool) {
		for {
			m, err := c.net.Manifest(c.ctx, in)
			if err != nil {
				yield(netkit.Dispatch{}, err)
				return
			}
			if m.Charged > 0 {
				c.talk("%s credits were charged", m.Charged)
				in.Opened = true
			}
			if m.Charged > 0 && m.Remaining > 0 {
				c.talk("%s to open: read again", plural.Count(m.Remaining, "dispatch remains", "dispatches remain"))
			}
			for _, d := range m.Items {
				if !yield(d, nil) {
					return
				}
			}
			if m.NextCursor == "" {
				return
			}
			in.Cursor = m.NextCursor
		}
	}
}

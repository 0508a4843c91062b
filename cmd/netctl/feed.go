package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/netclient"
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

func feedListen(a *app) *cobra.Command {
	var after uint64
	var count int
	var filter netkit.EventFilter
	return a.verb(verb{use: "listen", short: "Follow what happens, as it happens",
		long: `Follow the event stream: a sentence an event, with -o json one JSON value a line.
A connection that is lost is opened again where it ended. Paid dispatches come
as notices; netctl feed ls reads them.`,
		flags: func(f *pflag.FlagSet) {
			f.Uint64Var(&after, "after", netclient.OnlyNew, "what follows the entry of that number; default: only what is new")
			f.Lookup("after").DefValue = "0" // help shows no default
			f.IntVar(&count, "count", 0, "end after so many events; 0 never")
			f.Var(many(&filter.Channels), "channel", "channels, with commas; default: those subscribed to")
			f.StringSliceVar(&filter.Types, "type", nil, "types of event, with commas; default: all")
		},
		run: func(c *call) error { return c.listen(after, count, filter) }})
}

func (c *call) listen(after uint64, count int, filter netkit.EventFilter) error {
	seen := 0
	err := c.events(after, filter, func(ev netkit.Event) error {
		if err := c.event(ev); err != nil {
			return err
		}
		if seen++; seen == count {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// errEnough ends the following of events.
var errEnough = errors.New("enough")

// events follows the stream, and opens a connection that is lost again.
func (c *call) events(after uint64, filter netkit.EventFilter, each func(netkit.Event) error) error {
	for ev, err := range c.net.Events(c.ctx, after, filter) {
		switch {
		case errors.Is(err, netclient.ErrUnreachable):
			c.talk("%s; trying again", plainly(err))
			continue
		case err != nil:
			return err
		}
		if err := each(ev); err != nil {
			return err
		}
	}
	if errors.Is(c.ctx.Err(), context.Canceled) {
		return nil // whoever listened has heard enough
	}
	return c.ctx.Err()
}

// event prints one event on one line.
func (c *call) event(ev netkit.Event) error {
	doc, err := encode(ev)
	if err != nil {
		return err
	}
	if c.jq != "" {
		return c.filter(doc)
	}
	if c.set.v.GetString("output") == "table" {
		return c.tell(&ev)
	}
	_, err = c.out.Write(doc)
	return err
}

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
			if err := c.attach(&in, recording, transcript); err != nil {
				return err
			}
			return c.show(c.net.Publish(c.ctx, in))
		}})
}

// attach stores the files of a dispatch and names them in it. A dry run names
// them by their hashes and stores nothing.
func (c *call) attach(in *netkit.Publish, recording, transcript string) error {
	if recording != "" {
		err := c.upload(recording, func(f *os.File, hash netkit.Hash) error {
			ref := netkit.AudioRef{SHA256: hash}
			var err error
			if !c.dry {
				ref, err = c.net.UploadAudio(c.ctx, f)
			}
			in.Audio = &ref
			return err
		})
		if err != nil {
			return err
		}
	}
	if transcript == "" {
		return nil
	}
	return c.upload(transcript, func(f *os.File, hash netkit.Hash) error {
		ref := netkit.TextRef{SHA256: hash}
		var err error
		if !c.dry {
			ref, err = c.net.UploadTranscript(c.ctx, f)
		}
		in.Transcript = &ref
		return err
	})
}

func (c *call) upload(path string, send func(*os.File, netkit.Hash) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	return send(f, netkit.Hash(h.Sum(nil)))
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

func feedFetch(a *app) *cobra.Command {
	var file string
	return a.verb(verb{use: "fetch DISPATCH", short: "Save the recording of a dispatch that is free or paid for", args: exactly("DISPATCH"),
		needs: []string{"file"},
		flags: func(f *pflag.FlagSet) { f.StringVarP(&file, "file", "f", "", "file to write; - is standard output") },
		run: func(c *call) error {
			dispatch, err := id(c.args[0])
			if err != nil {
				return err
			}
			d, err := c.net.Dispatch(c.ctx, dispatch)
			if err != nil {
				return err
			}
			if d.Audio == nil {
				return because(netkit.ErrNotFound, "dispatch %d has no recording", dispatch)
			}
			return c.save(d.Audio.URL, file)
		}})
}

// save copies a recording to a file.
func (c *call) save(url, file string) error {
	if file == "-" {
		_, err := c.net.Download(c.ctx, url, c.out)
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	n, err := c.net.Download(c.ctx, url, f)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	c.talk("%d bytes are in %s", n, file)
	return nil
}

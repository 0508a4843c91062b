package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/tui"
)

func btdtRegister(a *app) *cobra.Command {
	var how deciding
	var strict, only bool
	return a.verb(verb{use: "register FILE", short: "Strip and register a resolved case by its metadata; the file stays here", args: exactly("FILE"), files: true, changes: true,
		long: "Register checks the file, strips what identifies a person, writes the result beside the file with .scrubbed.json\nand sends metadata of that result only. On a terminal it asks about findings that are not sure; without one they\nare masked, and --yes agrees. The file itself is never changed. A file that was stripped before is registered as it\nis or refused; what comes from standard input is kept below the settings. Read the result by eye first: no scrubber\nis perfect. Before the metadata it sends a commitment to the file that holds your slug, so that nobody else can\nregister it.",
		flags: flagsOf(how.flags, how.unsureFlag, func(f *pflag.FlagSet) {
			f.BoolVar(&strict, "strict", false, "refuse a file in which anything is found instead of stripping it")
			f.BoolVar(&only, "commit", false, "commit to the file and register it later")
		}),
		run: func(c *call) error {
			f, err := c.read(c.args[0])
			if err != nil {
				return err
			}
			var done *stripped
			err = how.detected(c, func() error {
				done, err = c.strip(f, how, strict)
				return err
			})
			if err != nil {
				return err
			}
			if err := c.confirmStripped(done); err != nil {
				return err
			}
			if c.dry { // which shows the metadata
				return c.show(c.net.RegisterPlaybook(c.ctx, done.metadata()))
			}
			in, err := c.store(done)
			if err != nil {
				return err
			}
			receipt, err := netkit.CommitContent(c.ctx, c.net, in.ContentSHA256)
			if err != nil || only {
				return c.show(receipt, err)
			}
			return c.show(c.net.RegisterPlaybook(c.ctx, in))
		}})
}

// stripped is a playbook without what identifies someone.
type stripped struct {
	file    file // that it was read from
	raw     btdt.Playbook
	book    btdt.Playbook
	found   []btdt.Finding
	kept    int       // places that the author keeps
	path    string    // of the file that holds book, once it is stored
	decided decisions // what the author decided
	changed bool      // the command line added to decided
}

// metadata is what the registry receives.
func (done *stripped) metadata() netkit.RegisterPlaybook {
	in := done.book.Metadata()
	in.Kept = done.kept
	return in
}

// strip reads a playbook and strips it as its author decided, who is asked where
// one can be. It fails closed: a playbook in which a second look still finds
// something is refused, and so is one that the registry would refuse.
func (c *call) strip(f file, how deciding, strict bool) (*stripped, error) {
	raw, err := btdt.Parse(f.data)
	if err != nil {
		return nil, problems(f.name, err)
	}
	done := &stripped{file: f, raw: raw}
	if done.decided, done.changed, err = how.decide(f, &raw); err != nil {
		return nil, err
	}
	if err := c.askUnsure(f, &raw, &done.decided, how); err != nil {
		return nil, err
	}
	r, err := how.scrubber(&done.decided).Scrub(c.ctx, raw)
	if err != nil {
		return nil, err
	}
	done.book, done.found, done.kept = r.Playbook, r.Findings, len(r.Kept)
	if strict && len(done.found) > 0 {
		return nil, personal(f, done.found)
	}
	if len(r.Unread) > 0 {
		return nil, unreadable(f, r.Unread)
	}
	again, err := done.decided.scrubber().Scrub(c.ctx, done.book) // a detector need not agree with itself
	if err != nil {
		return nil, err
	}
	if len(again.Findings) > 0 {
		return nil, personal(f, again.Findings)
	}
	if err := done.book.Validate(); err != nil {
		return nil, problems(f.name, err)
	}
	return done, refusedByRegistry(f, done.metadata())
}

// askUnsure asks the author about findings that are not sure, or refuses them.
// Where nobody can be asked they are masked.
func (c *call) askUnsure(f file, raw *btdt.Playbook, d *decisions, how deciding) error {
	if how.unsure == "refuse" {
		var open []btdt.Finding
		r, err := how.scrubber(d).Scrub(c.ctx, *raw)
		if err != nil {
			return err
		}
		for _, x := range r.Findings {
			if !x.Sure {
				open = append(open, x)
			}
		}
		if len(open) > 0 {
			return personal(f, open)
		}
	}
	if how.unsure != "" || f.name == "-" || c.dry || !c.asks() || c.set.v.GetBool("yes") {
		return nil
	}
	return c.askQuestions(f, raw, d, &how.detecting)
}

// confirmStripped shows what was stripped and asks whether to register the rest.
func (c *call) confirmStripped(done *stripped) error {
	if len(done.found) == 0 {
		return c.confirm("Register %s by its metadata", done.file.name)
	}
	c.diff(done.file.name, done.raw, done.found, false)
	return c.confirm("Register what is left of %s without %s", done.file.name, plural.Count(len(done.found), "part", "parts"))
}

// playbook strips and stores a resolved case for the screens.
func (c *call) playbook(path string, detect detecting) (out tui.StrippedPlaybook, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return out, err
	}
	a := *c.app
	a.err = io.Discard // the screens have the terminal
	quiet := &call{app: &a, ctx: c.ctx}
	done, err := quiet.strip(file{path, data}, deciding{unsure: "mask", detecting: detect}, false)
	if err != nil {
		return out, err
	}
	out.Metadata, err = quiet.store(done)
	out.File, out.Stripped, out.Kept, out.Advice = done.path, len(done.found), done.kept, done.advice()
	return out, err
}

// advice names the command that asks about what was masked without being sure.
func (done *stripped) advice() string {
	unsure := 0
	for _, f := range done.found {
		if !f.Sure {
			unsure++
		}
	}
	if unsure == 0 {
		return ""
	}
	return fmt.Sprintf("%s not sure: netctl btdt review %s asks", plural.Count(unsure, "is", "are"), done.file.name)
}

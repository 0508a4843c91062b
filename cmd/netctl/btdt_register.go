package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
	"github.com/agentnet/netctl/tui"
)

func btdtRegister(a *app) *cobra.Command {
	var strict, only bool
	return a.verb(verb{use: "register FILE", short: "Strip and register a resolved case by its metadata; the file stays here", args: exactly("FILE"), files: true, changes: true,
		long: "Register checks the file, strips what identifies a person, writes the result beside the file with .scrubbed.json\nand sends metadata of that result only. The file itself is never changed. A file that was stripped before is\nregistered as it is or refused; what comes from standard input is kept below the settings. Read the result by eye\nfirst: no scrubber is perfect. Before the metadata it sends a commitment to the file that holds your slug, so that\nnobody else can register it.",
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&strict, "strict", false, "refuse a file in which anything is found instead of stripping it")
			f.BoolVar(&only, "commit", false, "commit to the file and register it later")
		},
		run: func(c *call) error {
			files, err := c.open(c.args)
			if err != nil {
				return err
			}
			done, err := c.strip(files[0], strict)
			if err != nil {
				return err
			}
			if err := c.askStripped(done); err != nil {
				return err
			}
			if c.dry { // which shows the metadata
				return c.show(c.net.RegisterPlaybook(c.ctx, done.book.Metadata()))
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
	file  file // that it was read from
	raw   btdt.Playbook
	book  btdt.Playbook
	found []btdt.Finding
	path  string // of the file that holds book, once it is stored
}

// strip reads a playbook and strips it. It fails closed: a playbook in which a
// second look still finds something is refused.
func (c *call) strip(f file, strict bool) (*stripped, error) {
	raw, err := btdt.Parse(f.data)
	if err != nil {
		return nil, problems(f.name, err)
	}
	clean, found := btdt.Scrub(raw)
	if strict && len(found) > 0 {
		return nil, personal(f, found)
	}
	if left := btdt.Check(clean); len(left) > 0 {
		return nil, personal(f, left)
	}
	if err := clean.Validate(); err != nil {
		return nil, problems(f.name, err)
	}
	return &stripped{file: f, raw: raw, book: clean, found: found}, nil
}

// askStripped shows what was stripped and asks whether to register the rest.
func (c *call) askStripped(done *stripped) error {
	if len(done.found) == 0 {
		return nil
	}
	c.diff(done.file.name, done.raw, done.found, false)
	return c.askFirst(fmt.Sprintf("Register what is left of %s without these %d parts", done.file.name, len(done.found)))
}

// playbook strips and stores a resolved case for the screens.
func (c *call) playbook(path string) (out tui.StrippedPlaybook, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return out, err
	}
	a := *c.app
	a.err = io.Discard // the screens have the terminal
	quiet := &call{app: &a}
	done, err := quiet.strip(file{path, data}, false)
	if err != nil {
		return out, err
	}
	out.Metadata, err = quiet.store(done)
	out.Stripped, out.File = len(done.found), done.path
	return out, err
}

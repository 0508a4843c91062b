package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
)

func constitutionCommand(a *app) *cobra.Command {
	return noun("constitution", "The law of the network", constitutionShow(a), constitutionAccept(a), constitutionAdopt(a), constitutionAmend(a))
}

func constitutionShow(a *app) *cobra.Command {
	return a.verb(verb{use: "show", short: "Show the constitution in force",
		run: func(c *call) error {
			law, err := c.net.Constitution(c.ctx)
			if err == nil && c.table() {
				return c.lawBook(law)
			}
			return c.show(law, err)
		}})
}

// lawBook prints the laws to be read, and then the numbers.
func (c *call) lawBook(view netkit.ConstitutionView) error {
	for _, l := range view.Laws {
		fmt.Fprintf(c.out, "%s  %s\n    %s\n", clean(l.ID), clean(l.Name), clean(l.Rule))
	}
	fmt.Fprintln(c.out)
	numbers := *view.Constitution
	numbers.Laws = nil
	view.Constitution = &numbers
	return c.show(view, nil)
}

func constitutionAccept(a *app) *cobra.Command {
	return a.verb(verb{use: "accept", short: "Accept the constitution in force", changes: true, run: func(c *call) error {
		law, err := c.net.Constitution(c.ctx)
		if err != nil {
			return err
		}
		if err := c.confirm("Accept version %s of the constitution", law.Version); err != nil {
			return err
		}
		return c.show(c.net.AcceptConstitution(c.ctx, netkit.AcceptConstitution{SHA256: law.SHA256}))
	}})
}

func constitutionAdopt(a *app) *cobra.Command {
	return a.verb(verb{use: "adopt FILE", short: "Announce or adopt a later version (operators)", args: exactly("FILE"), files: true, changes: true, run: func(c *call) error {
		b, err := smallFile(c.args[0])
		if err != nil {
			return err
		}
		law := new(netkit.Constitution)
		d := json.NewDecoder(bytes.NewReader(b))
		d.DisallowUnknownFields()
		if err := d.Decode(law); err != nil {
			return fmt.Errorf("%s is not a constitution: %w; netctl constitution show -o json prints the one in force, without its sha256 field it is the form", c.args[0], err)
		}
		if err := c.confirm("Adopt version %s, which is announced first if the constitution in force asks for notice", law.Version); err != nil {
			return err
		}
		return c.show(c.net.AdoptConstitution(c.ctx, netkit.AdoptConstitution{Document: law}))
	}})
}

func constitutionAmend(a *app) *cobra.Command {
	recommended := false
	return a.verb(verb{use: "amend", short: "Propose the rules that new networks begin with (operators)", changes: true,
		long: `Propose the rules that new networks begin with, as a later version of the
constitution in force. Rules that it lacks and numbers of earlier releases change;
what you changed yourself stays. The differences are shown before the question.
To change rules of your own, adopt a FILE.`,
		flags: func(f *pflag.FlagSet) {
			f.BoolVar(&recommended, "recommended", false, "take the rules that this release recommends")
		},
		run: func(c *call) error {
			if !recommended {
				return usage(errors.New("netctl constitution amend needs --recommended; to change rules of your own, netctl constitution adopt FILE"))
			}
			return c.amend()
		}})
}

// amend shows what the recommended rules change, and proposes them.
func (c *call) amend() error {
	view, err := c.net.Constitution(c.ctx)
	if err != nil {
		return err
	}
	law, changes := view.Recommended(time.Now().UTC().Format(time.DateOnly))
	if len(changes) == 0 {
		c.talk("version %s has all recommended rules: nothing is to change", law.Version)
		return nil
	}
	if a := view.Announced; a != nil {
		if _, missing := a.Document.Recommended(law.Issued); len(missing) == 0 {
			c.talk("version %s, which is announced for %s, has all recommended rules: nothing is to change", clean(a.Version), a.EffectiveAt)
			return nil
		}
	}
	for _, x := range changes {
		c.talk("%s: %s -> %s", clean(x.Field), clean(cmp.Or(x.From, "none")), clean(x.To))
	}
	if err := c.confirm("Propose these rules as version %s, which is announced first if the constitution in force asks for notice", law.Version); err != nil {
		return err
	}
	return c.show(c.net.AdoptConstitution(c.ctx, netkit.AdoptConstitution{Document: law}))
}

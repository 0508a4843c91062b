package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/server/host"
)

// finding is the result of one check.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state" enum:"ok,note,problem"`
	What   string `json:"what"`
	Advice string `json:"advice,omitempty"`
}

const (
	fine    = "ok"
	note    = "note"
	problem = "problem"
)

func doctorCommand(a *app) *cobra.Command {
	var r repairFlags
	return a.verb(verb{use: "doctor", short: "Check folder, journal, ports, disk, clock and settings", offline: true,
		long: `Check the parts that a network on this machine, or the way to one elsewhere, needs, and
name the way out of each fault. It fails if there is a problem, and changes nothing but with
--repair.

--repair first puts back missing and damaged files of the folder, while no server runs on
it: permissions, log.key, log.pub, signing.key, the checkpoint, recordings, and
damaged batches of the journal. It takes them from a copy: that of --from, else the
archive of this folder, else the newest backup. --identity opens a backup and the
private side of an archive. Each is compared with a key, a signature or a hash in the
journal; a file that no copy has is named and left as it is. Nothing is guessed.`,
		flags: r.add,
		run:   func(c *call) error { return c.examine(&r) }})
}

func (c *call) examine(r *repairFlags) error {
	found := c.checkSettings()
	t, err := c.target()
	switch {
	case err != nil:
		found = append(found, finding{"context", problem, plainly(err), "netctl ctx ls lists the contexts"})
	case t.data != "":
		repaired, err := c.repair(r, t.data)
		if err != nil {
			return err
		}
		found = append(append(found, repaired...), c.checkLocal(t.data)...)
	case r.wanted:
		return usage(fmt.Errorf("--repair works on a folder of this machine, and %s is elsewhere; give --data DIR", t.name))
	default:
		found = append(found, c.checkRemote(t)...)
	}
	err = rowsOut(c, found,
		column[finding]{"CHECK", func(f finding) string { return f.Check }},
		column[finding]{"STATE", func(f finding) string { return f.State }},
		column[finding]{"WHAT", func(f finding) string { return f.What }},
		column[finding]{"ADVICE", func(f finding) string { return f.Advice }})
	for _, f := range found {
		if f.State == problem {
			return errors.Join(err, errors.New("there are problems; the advice beside each says what to do"))
		}
	}
	return err
}

func (c *call) checkSettings() []finding {
	unknown, err := c.set.unknownSettings()
	f := finding{"settings", fine, c.set.file, ""}
	switch {
	case err != nil:
		f = finding{"settings", problem, plainly(err), "correct or remove the file"}
	case len(unknown) > 0:
		f = finding{"settings", note, c.set.file + " names unknown settings: " + strings.Join(unknown, ", "), "netctl config ls lists the settings"}
	}
	found := append([]finding{f}, c.checkDetector()...)
	if path := c.contextsFile(); tooOpen(path) {
		found = append(found, finding{"contexts", problem, "others may read " + path + ", which holds tokens", "chmod 600 " + path})
	}
	return found
}

func (c *call) checkLocal(dir string) []finding {
	found := []finding{checkFolder(dir), checkDisk(dir)}
	r, served := findRunning(c.ctx, dir)
	found = append(found, checkJournal(c.ctx, dir, served))
	found = append(found, checkOutdated(c.ctx, dir)...)
	found = append(found, checkKept(dir)...)
	if last, err := host.LastEntry(c.ctx, dir); err != nil || !last.IsZero() {
		found = append(found, checkFiles(dir)...)
		found = append(found, c.checkBackups(dir)...)
		found = append(found, c.checkArchive(dir)...)
	}
	found = append(found, c.checkCertificates(r, served)...)
	if served {
		return append(found, finding{"server", fine, fmt.Sprintf("process %d serves the folder at %s", r.PID, r.URL), ""}, c.checkClock(r.URL), c.checkLog(target{url: r.URL}))
	}
	return append(found, finding{"server", note, "none runs on the folder", "netctl serve starts one; without it commands run in process"}, checkEntryClock(c.ctx, dir),
		checkPort("port", c.set.v.GetString("serve.addr")), checkPort("intent port", c.set.v.GetString("serve.intent-addr")))
}

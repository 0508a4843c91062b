package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/netkit/timespan"
	"github.com/agentnet/netctl/server/host"

	"github.com/agentnet/netctl/netkit/catalog"
)

// finding is what the doctor says of one thing.
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
		f = finding{"settings", note, c.set.file + " sets what no setting is called: " + strings.Join(unknown, ", "), "netctl config ls lists the settings"}
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

func checkFolder(dir string) finding {
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return finding{"folder", note, dir + " is not there yet", "netctl init or netctl serve makes it"}
	case err != nil:
		return finding{"folder", problem, err.Error(), "see that you may enter the folder"}
	case !st.IsDir():
		return finding{"folder", problem, dir + " is not a folder", "give another with --data"}
	case st.Mode().Perm()&0o077 != 0:
		return finding{"folder", problem, "others may look into " + dir, "chmod 700 " + dir}
	}
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return finding{"folder", problem, "nothing can be written to " + dir, "change its owner or its permissions"}
	}
	if err := errors.Join(f.Close(), os.Remove(f.Name())); err != nil {
		return finding{"folder", problem, err.Error(), "change its owner or its permissions"}
	}
	return finding{"folder", fine, dir, ""}
}

// How much room a journal should have, in bytes. A million entries fit below
// the first: time enough to make room, so it is only noted. Below the second
// the disk may be full before anybody looks again.
const (
	lowSpace   = 1 << 30
	scantSpace = 64 << 20
)

func checkDisk(dir string) finding {
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	free, err := freeSpace(dir)
	if err != nil {
		return finding{"disk", note, "how much is free cannot be told: " + err.Error(), ""}
	}
	return roomFor(free)
}

// roomFor judges how many bytes are free.
func roomFor(free uint64) finding {
	const advice = "make room: a full disk stops writing, though nothing acknowledged is lost"
	what := fmt.Sprintf("%d MiB free", free>>20)
	switch {
	case free < scantSpace:
		return finding{"disk", problem, what, advice}
	case free < lowSpace:
		return finding{"disk", note, what, advice}
	}
	return finding{"disk", fine, what, ""}
}

// checkJournal looks at the journal and the checkpoints beside it without
// changing anything, and tries the lock where no server holds it.
func checkJournal(ctx context.Context, dir string, served bool) finding {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return finding{"journal", note, "there is none yet", "netctl init or netctl serve begins one"}
	}
	if !served {
		lock, err := sqlite.LockFolder(dir)
		if errors.Is(err, journal.ErrLocked) {
			return finding{"journal", problem, "another process has it open, and no server answers", "wait for that process, or end it"}
		}
		if err == nil {
			err = lock.Close()
		}
		if err != nil {
			return finding{"journal", problem, plainly(err), "see that you may write to the folder"}
		}
	}
	entries, err := host.Inspect(ctx, dir)
	switch {
	case errors.Is(err, host.ErrLost), errors.Is(err, proof.ErrRolledBack):
		return finding{"journal", problem, plainly(err), "netctl serve refuses to start until this is settled"}
	case err != nil:
		return finding{"journal", problem, plainly(err), "restore a backup if the journal is damaged"}
	case entries == 0 && host.Present(dir):
		return finding{"journal", note, "a start that failed left files and no network", "netctl init or netctl serve begins one"}
	case entries == 0:
		return finding{"journal", note, "there is none yet", "netctl init or netctl serve begins one"}
	}
	return finding{"journal", fine, plural.Count(entries, "entry", "entries") + "; netctl ledger verify checks the journal", ""}
}

func checkPort(name, addr string) finding {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return finding{name, problem, addr + " cannot be listened on: " + plainly(err), "stop what uses it, or choose another address for netctl serve"}
	}
	if err := l.Close(); err != nil {
		return finding{name, note, err.Error(), ""}
	}
	return finding{name, fine, addr + " is free", ""}
}

// checkClock compares this machine's clock with the server's.
func (c *call) checkClock(url string) finding {
	ctx, cancel := context.WithTimeout(c.ctx, probeTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, url+catalog.GetHealth.Path, nil)
	if err != nil {
		return finding{"clock", note, err.Error(), ""}
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return finding{"clock", note, "the server does not tell its time", ""}
	}
	resp.Body.Close()
	theirs, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return finding{"clock", note, "the server does not tell its time", ""}
	}
	if off := time.Since(theirs).Abs(); off > time.Minute {
		return finding{"clock", problem, fmt.Sprintf("this machine and the server are %s apart", off.Round(time.Second)), "set both by a time server: times of entries and expiries rest on them"}
	}
	return finding{"clock", fine, "agrees with the server's", ""}
}

func (c *call) checkRemote(t target) []finding {
	client, err := c.client(t, nil)
	if err != nil {
		return []finding{{"network", problem, plainly(err), "netctl ctx add NAME --url ADDRESS sets it"}}
	}
	h, err := client.Health(c.ctx)
	if err != nil {
		return []finding{{"network", problem, plainly(err), "see that the address is right and the network runs"}}
	}
	state := finding{"network", fine, fmt.Sprintf("%s has %s", t.url, plural.Count(h.Entries, "entry", "entries")), ""}
	if at := h.Comparison; at != nil {
		state.What += fmt.Sprintf("; %s of %d replayed to compare the snapshot of the start", plural.Count(at.Entries, "entry", "entries"), at.Of)
	}
	if !h.Writing {
		state = finding{"network", problem, "the network cannot write its journal", "its operator has to look at the disk"}
	}
	return []finding{state, c.checkToken(t), c.checkClock(t.url), c.checkLog(t)}
}

// logPatience is how long a checkpoint may stay behind the journal: witnesses
// are asked about once a second.
const logPatience = 3 * time.Second

// checkLog compares how far the checkpoint that is shown has come with the
// journal.
func (c *call) checkLog(t target) finding {
	client, err := c.client(t, nil)
	if err != nil {
		return finding{"log", note, plainly(err), ""}
	}
	h, err := client.Health(c.ctx)
	if err != nil {
		return finding{"log", note, plainly(err), ""}
	}
	for start := time.Now(); ; {
		info, err := client.LogInfo(c.ctx)
		switch {
		case err != nil:
			return finding{"log", note, plainly(err), ""}
		case info.Entries >= h.Entries:
			what := fmt.Sprintf("%s has signed %s", info.Origin, plural.Count(info.Entries, "entry", "entries"))
			if info.Quorum > 0 {
				what += fmt.Sprintf(", and at least %d of its %d witnesses too", info.Quorum, len(info.Witnesses))
			}
			return finding{"log", fine, what, ""}
		case time.Since(start) > logPatience || !timespan.Wait(c.ctx, 100*time.Millisecond):
			return finding{"log", problem, fmt.Sprintf("the checkpoint stands still at %d of %d entries: fewer than %d of its %d witnesses cosign", info.Entries, h.Entries, info.Quorum, len(info.Witnesses)),
				"the log of netctl serve tells which witness does not answer, and why"}
		}
	}
}

func (c *call) checkToken(t target) finding {
	if t.token == "" {
		return finding{"token", note, "there is none for this context", "netctl login keeps one"}
	}
	client, err := c.client(t, nil)
	if err == nil {
		_, err = client.OwnProfile(c.ctx)
	}
	if code := exitCode(err); err != nil && code == exitNotAllowed {
		return finding{"token", problem, plainly(err), "netctl login keeps another"}
	}
	return finding{"token", fine, "it is known to the network", ""}
}

package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/agentnet/netctl/netkit/journal"
	"github.com/agentnet/netctl/netkit/journal/sqlite"
	"github.com/agentnet/netctl/netkit/plural"
	"github.com/agentnet/netctl/netkit/proof"
	"github.com/agentnet/netctl/server/host"
)

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

// checkJournal reads the journal and the checkpoints of a folder, and tries the lock
// where no server holds it. It changes nothing.
func checkJournal(ctx context.Context, dir string, served bool) finding {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return finding{"journal", note, "the folder has none", "netctl init or netctl serve begins one"}
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
		return finding{"journal", note, "the folder has none", "netctl init or netctl serve begins one"}
	}
	return finding{"journal", fine, plural.Count(entries, "entry", "entries") + "; netctl ledger verify checks the journal", ""}
}

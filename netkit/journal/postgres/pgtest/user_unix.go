//go:build unix

package pgtest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
	"testing"
)

var quit = syscall.SIGQUIT

// account returns the user that PostgreSQL runs as where the test runs as root.
func account() (uid, gid int, needed bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ = strconv.Atoi(u.Uid)
		gid, _ = strconv.Atoi(u.Gid)
		return uid, gid, true
	}
	return 0, 0, false
}

// own gives a folder to the user that PostgreSQL runs as.
func own(t testing.TB, dir string) {
	if uid, gid, needed := account(); needed {
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
}

// demote has a command run as that user, in a group of processes of its own.
func demote(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if uid, gid, needed := account(); needed {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
}

func signalAll(cmd *exec.Cmd, sig os.Signal) error {
	return syscall.Kill(-cmd.Process.Pid, sig.(syscall.Signal))
}

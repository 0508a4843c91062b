//go:build unix

package sqlite

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time, user and system, that this process has used.
func cpuTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// errNoRoom is how the system reports a full disk.
const errNoRoom = unix.ENOSPC

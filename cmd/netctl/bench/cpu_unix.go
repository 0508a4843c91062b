//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpu returns the processor time of this process so far, client and server
// together, and how often the system took a processor away from it. Unlike the rate,
// the time hardly depends on other work of the machine.
func cpu() (spent time.Duration, switches int64) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Nivcsw)
}

//go:build unix

package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpu returns the processor time of this process so far, client and server
// together. Unlike the rate it hardly depends on what else the machine does.
func cpu() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

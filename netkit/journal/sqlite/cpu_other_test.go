//go:build windows

package sqlite

import (
	"time"

	"golang.org/x/sys/windows"
)

// cpuTime is not measured here.
func cpuTime() time.Duration { return 0 }

// errNoRoom is how the system reports a full disk.
const errNoRoom = windows.ERROR_DISK_FULL

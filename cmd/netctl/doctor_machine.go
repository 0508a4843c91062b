package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// The free space that a journal should have, in bytes. A million entries fit below
// the first: time enough to make room, so it is only noted. Below the second
// the disk may be full before an operator looks again.
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
		return finding{"disk", note, "the free space is unknown: " + err.Error(), ""}
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

func checkPort(name, addr string) finding {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return finding{name, problem, addr + " cannot be listened on: " + plainly(err), "stop the program that uses it, or choose another address for netctl serve"}
	}
	if err := l.Close(); err != nil {
		return finding{name, note, err.Error(), ""}
	}
	return finding{name, fine, addr + " is free", ""}
}

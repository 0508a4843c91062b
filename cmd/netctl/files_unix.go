//go:build unix

package main

import "syscall"

// openFiles raises the limit of files that this process may have open as far as
// it is allowed to, and returns it. It returns 0 where there is none to know.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	raised := limit
	raised.Cur = raised.Max
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
		limit = raised
	}
	return int(min(limit.Cur, 1<<30))
}

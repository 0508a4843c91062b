//go:build unix

package main

import "golang.org/x/sys/unix"

// freeSpace returns how many bytes may be written to the disk of a folder.
func freeSpace(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil
}

package bench

import (
	"bytes"
	"os"
	"strconv"
)

// resident returns the resident memory of this process in bytes, 0 where the
// system does not say.
func resident() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	words := bytes.Fields(rest)
	if len(words) == 0 {
		return 0
	}
	n, _ := strconv.ParseUint(string(words[0]), 10, 64)
	return n << 10 // the file has KiB
}

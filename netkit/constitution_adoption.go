package netkit

import (
	"slices"
	"strconv"
	"strings"
)

// LaterVersion reports whether a is later than b; ok is false when a is not
// of the form 1.2.3.
func LaterVersion(a, b string) (later, ok bool) {
	x, ok := versionParts(a)
	y, _ := versionParts(b)
	return slices.Compare(x, y) > 0, ok
}

func versionParts(s string) ([]int, bool) {
	var parts []int
	for text := range strings.SplitSeq(s, ".") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || strconv.Itoa(n) != text {
			return nil, false
		}
		parts = append(parts, n)
	}
	return parts, len(parts) == 3
}

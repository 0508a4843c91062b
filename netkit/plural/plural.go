// Package plural puts a number and its noun into words.
package plural

import "fmt"

// Count returns n and the noun in the form that goes with it: "1 entry",
// "0 entries". The caller gives both forms, since no rule makes them all.
func Count[N ~int | ~int64 | ~uint32 | ~uint64](n N, one, many string) string {
	return fmt.Sprintf("%d %s", n, Word(n, one, many))
}

// Word returns the form of a word that goes with n: one for 1, else many.
func Word[N ~int | ~int64 | ~uint32 | ~uint64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

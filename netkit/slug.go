package netkit

import (
	"regexp"
)

var slugForm = regexp.MustCompile(`^[a-z0-9-]{3,40}$`)

// ValidSlug reports whether s may be a slug. A dash at either end would look
// like a flag or a typo.
func ValidSlug(s string) bool {
	return slugForm.MatchString(s) && s[0] != '-' && s[len(s)-1] != '-'
}

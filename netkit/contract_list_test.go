package netkit

import (
	"testing"
)

func TestTiersInWords(t *testing.T) {
	verified, badged := Verified, Badged
	for want, m := range map[string]Matching{"any": {}, "BADGED or above": {MinTier: Badged}, "up to VERIFIED": {MaxTier: &verified}, "VERIFIED to BADGED": {MinTier: Verified, MaxTier: &badged}} {
		if got := m.Tiers(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

package netkit

import (
	"testing"
)

// A value that is no number is refused for that, and not for an exponent.
func TestParseCreditsNamesTheKind(t *testing.T) {
	for _, s := range []string{"true", "false", "null", "10 EUR", `"5"`, "1e", "ten", ""} {
		if _, err := ParseCredits(s); err == nil || err.Error() != "netkit: amount is not a number; write it as in 12.50" {
			t.Errorf("%s: got %v, want it refused as no number", s, err)
		}
	}
	if v, err := ParseCredits("1.25e3"); err != nil || v != 1250*Credit {
		t.Errorf("got %v, %v, want 1250", v, err)
	}
}

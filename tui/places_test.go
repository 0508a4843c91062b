package tui

import "testing"

// somewhere has two networks, of which the first is shown.
type somewhere struct{ Places }

func (somewhere) Names() ([]string, error) { return []string{"http://here.test", "there"}, nil }

// Signing in begins at the network that is shown, and says which one it is when
// another was named.
func TestSigningInSaysWhereOneIs(t *testing.T) {
	for typed, chosen := range map[string]string{"login": "[http://here.test]", "ctx use there": "[there]"} {
		d := drive(t, small(), 80, 24)
		d.m.cfg.Places = somewhere{}
		d.press(":")
		d.read(typed)
		d.press("enter")
		d.shows("now on http://here.test", chosen)
		d.fits()
	}
}

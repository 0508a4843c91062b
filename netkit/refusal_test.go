package netkit

import (
	"errors"
	"testing"
)

// wantRefusal ends nothing: it reports when err is not a refusal of that kind
// and code.
func wantRefusal(t testing.TB, err error, kind error, code string) {
	t.Helper()
	var r *Refusal
	switch {
	case !errors.As(err, &r):
		t.Errorf("got %v, want a refusal with code %s", err, code)
	case r.Kind != kind || r.Code != code:
		t.Errorf("got %v with code %s, want %v with code %s", r.Kind, r.Code, kind, code)
	}
}

package netkit

import (
	"errors"
	"testing"
)

// refused checks kind and code of an error.
func refused(t testing.TB, err error, kind error, code string) {
	t.Helper()
	var r *Refusal
	if !errors.Is(err, kind) || !errors.As(err, &r) || r.Code != code {
		t.Errorf("got %v, want %v with code %s", err, kind, code)
	}
}

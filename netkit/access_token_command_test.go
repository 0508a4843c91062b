package netkit

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Without randomness nothing is made up, and the error says so.
func TestNoRandomness(t *testing.T) {
	_, err := NewToken(strings.NewReader("too short"))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "no randomness") {
		t.Errorf("got %v, want that there is no randomness", err)
	}
}

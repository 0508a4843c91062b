//go:build linux

package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/agentnet/netctl/netkit/netkittest"
)

// A token that is typed at a terminal does not show.
func TestLoginDoesNotShowTheToken(t *testing.T) {
	s := newSession(t)
	s.must("ctx", "add", "far", "http://127.0.0.1:1")
	s.env["NETCTL_RETRIES"] = "0"
	person, tty, err := pty.Open()
	if err != nil {
		t.Skipf("there is no pseudo-terminal here: %v", err)
	}
	defer person.Close()
	ended := make(chan int, 1)
	go func() {
		a := s.app("", io.Discard, io.Discard)
		a.in = tty
		ended <- a.main(t.Context(), []string{"--context", "far", "login"})
	}()
	netkittest.Until(t, "the terminal without echo", func() bool {
		st, err := term.GetState(tty.Fd())
		return err == nil && st.Lflag&unix.ECHO == 0
	})
	token, err := newToken()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(person, token.String()+"\n"); err != nil {
		t.Fatal(err)
	}
	if code := <-ended; code != exitUnreachable {
		t.Errorf("got exit code %d, want %d: the token was read and tried", code, exitUnreachable)
	}
	tty.Close()
	var shown bytes.Buffer
	_, _ = io.Copy(&shown, person) // ends with an error where the other side is closed
	if bytes.Contains(shown.Bytes(), []byte(token.String())) {
		t.Errorf("got %q on the terminal, want no token", shown.String())
	}
}

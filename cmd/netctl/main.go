// Netctl runs an agent network and talks to one.
//
// Results go to standard output, everything else to standard error. The exit
// code is 0 when it worked, 2 for a wrong command line, 3 for something that
// does not exist, 4 for something not allowed, 5 for a conflict or insufficient
// credits, 6 when the network cannot be reached, and 1 for the rest.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv, terminal: terminal(os.Stdin) && terminal(os.Stderr), width: width(os.Stdout)}
	code := a.main(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// endings are the signals that end a command in order, as a server that drains.
// A hangup that whoever started the command has set to be ignored, as nohup
// does, stays ignored.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// width is how many characters a line of a terminal has, 0 for what is none.
func width(f *os.File) int {
	if !terminal(f) {
		return 0
	}
	if w, _, err := term.GetSize(f.Fd()); err == nil && w > 0 {
		return w
	}
	return 80
}

// terminal reports whether a person is likely at the other end. It asks the
// file system alone and never the terminal, which might not answer.
func terminal(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(st, null)
}

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
	"sync/atomic"
	"syscall"

	"github.com/charmbracelet/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	ctx, end := context.WithCancel(ctx)
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv, terminal: terminal(os.Stdin) && terminal(os.Stderr), width: width(os.Stdout), hangup: new(atomic.Pointer[func()])}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup sets it
		go a.takeHangups(end)
	}
	code := a.main(ctx, os.Args[1:])
	end()
	stop()
	os.Exit(code)
}

// takeHangups has a hangup end the command in order, or call the handler that the
// command has set.
func (a *app) takeHangups(end func()) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	for range hangups {
		if do := a.hangup.Load(); do != nil {
			(*do)()
			continue
		}
		end()
	}
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

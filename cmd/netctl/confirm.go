package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/agentnet/netctl/netkit"
)

// confirm asks before credits are spent or something is done that cannot be
// undone. The operations that do so are marked in package catalog, and each of
// their commands calls confirm. Where nobody can be asked, the command line must
// agree by itself: with --yes, or with the flag that bounds what is spent.
func (c *call) confirm(format string, args ...any) error {
	c.costs = fmt.Sprintf(format, args...)
	if !c.asks() && !c.agreed() {
		return c.unasked()
	}
	return c.askFirst(c.costs)
}

// spend is confirm for this many credits, of which the setting spend.auto allows
// some without a question.
func (c *call) spend(cost netkit.Credits, format string, args ...any) error {
	if auto, err := amount(c.set.v.GetString("spend.auto")); err == nil && cost <= auto {
		c.costs = fmt.Sprintf(format, args...)
		return nil
	}
	return c.confirm(format, args...)
}

// agreed reports whether the command line answers the question.
func (c *call) agreed() bool { return c.dry || c.agree || c.set.v.GetBool("yes") }

// unasked refuses what a person would have been asked, and names the ways to
// agree.
func (c *call) unasked() error {
	ways := "--yes agrees"
	if c.bound != "" {
		ways += fmt.Sprintf(", --%s CREDITS agrees up to that many credits", c.bound)
	}
	return usage(fmt.Errorf("nothing was done, since there is no terminal to ask on: %s? %s, and --dry-run shows what it would do", c.costs, ways))
}

// askFirst asks a person, if there is one. Without one it goes on: nothing is
// lost by it.
func (c *call) askFirst(question string) error {
	if c.dry || !c.asks() || c.set.v.GetBool("yes") {
		return nil
	}
	const ways = "[y/N] (--yes answers yes) "
	question += "? "
	if c.width > 0 && ansi.StringWidth(question+ways) > c.width {
		question = strings.TrimSuffix(question, " ") + "\n"
	}
	answer, err := c.ask(question + ways)
	if err != nil {
		return err
	}
	if answer = strings.ToLower(answer); answer == "y" || answer == "yes" {
		return nil
	}
	return errors.New("nothing was done: the question was not answered with yes")
}

// asks reports whether a question may be asked.
func (a *app) asks() bool { return a.terminal && !a.set.v.GetBool("no-input") }

// errInterrupted means that an interrupt came in place of an answer.
var errInterrupted = errors.New("interrupted")

// ask puts a question and reads one line, and nothing beyond it, unless the command is
// interrupted first.
func (c *call) ask(question string) (string, error) {
	fmt.Fprint(c.err, question)
	var line string
	answered := make(chan error, 1)
	go func() {
		var err error
		line, err = readLine(c.in)
		answered <- err
	}()
	select {
	case err := <-answered:
		return strings.TrimSpace(line), err
	case <-c.ctx.Done():
		fmt.Fprintln(c.err)
		return "", errInterrupted
	}
}

// readLine reads up to the end of a line or of the input. It reads byte by byte, so that
// the next question finds the next line.
func readLine(r io.Reader) (string, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := r.Read(b)
		if n > 0 && b[0] != '\n' {
			line = append(line, b[0])
		}
		if n > 0 && b[0] == '\n' || errors.Is(err, io.EOF) {
			return string(line), nil
		}
		if err != nil {
			return string(line), err
		}
	}
}

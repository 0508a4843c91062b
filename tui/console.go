package tui

import (
	"io"
	"os"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// console is the terminal. Frames and what is copied are written by different
// goroutines and must not mix.
type console struct {
	*os.File // nil when the output is not a file
	w        io.Writer
	mu       sync.Mutex
}

// newConsole wraps an output; nil is standard output.
func newConsole(out io.Writer) *console {
	if out == nil {
		out = os.Stdout
	}
	f, _ := out.(*os.File)
	return &console{File: f, w: out}
}

// Write implements io.Writer.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.w.Write(p)
}

// Fd implements the terminal file that bubbletea asks for its size.
func (c *console) Fd() uintptr {
	if c.File == nil {
		return ^uintptr(0)
	}
	return c.File.Fd()
}

// copy puts a text on the clipboard of whoever sits at the terminal, however
// far away that is (OSC 52).
func (c *console) copy(s string) error {
	_, err := c.Write([]byte(ansi.SetSystemClipboard(s)))
	return err
}

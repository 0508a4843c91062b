package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/btdt"
)

// scrubbedEnd replaces .json in the name of what scrubbing writes.
const scrubbedEnd = ".scrubbed.json"

// file is a playbook file that was read; "-" is standard input.
type file struct {
	name string
	data []byte
}

// someFiles asks for at least one file.
func someFiles(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(errors.New("this takes FILE, a folder or a glob; - is standard input"))
	}
	return nil
}

// open reads files, the JSON files below folders, and what globs match, except
// what scrubbing wrote into folders.
func (c *call) open(args []string) ([]file, error) {
	var files []file
	for _, arg := range args {
		names, err := namesOf(arg)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			f, err := c.read(name)
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// read reads one file up to just beyond the limit, so that the parser can say
// that it is too long.
func (c *call) read(name string) (file, error) {
	in := c.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return file{}, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, btdt.MaxFileBytes+1))
	return file{name, data}, err
}

func namesOf(arg string) ([]string, error) {
	if arg == "-" {
		return []string{arg}, nil
	}
	st, err := os.Stat(arg)
	if err == nil && st.IsDir() {
		return below(arg)
	}
	if err == nil || !strings.ContainsAny(arg, "*?[") {
		return []string{arg}, nil // reading it tells what is wrong
	}
	names, globErr := filepath.Glob(arg)
	if globErr != nil {
		return nil, usage(fmt.Errorf("%s is not a glob: %w", arg, globErr))
	}
	if len(names) == 0 {
		return nil, because(fs.ErrNotExist, "no file matches %s", arg)
	}
	return names, nil
}

// below lists the JSON files of a folder and its folders.
func below(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".json") && !strings.HasSuffix(p, scrubbedEnd) && !strings.HasSuffix(p, decisionsEnd) {
			names = append(names, p)
		}
		return err
	})
	if err == nil && len(names) == 0 {
		err = because(fs.ErrNotExist, "%s holds no .json file", dir)
	}
	return names, err
}

// writeBeside writes a scrubbed playbook next to its original, which stays as it
// is. A file that is there already is kept unless it says the same.
func (c *call) writeBeside(original string, p btdt.Playbook) error {
	path := besideName(original)
	doc := pretty(p)
	if have, err := os.ReadFile(path); err == nil {
		if string(have) == string(doc) {
			return nil
		}
		return because(netkit.ErrConflict, "%s exists and says something else; use it instead of %s, or remove it", path, original)
	}
	if err := writeNew(path, doc); err != nil {
		return err
	}
	c.talk("wrote %s", path)
	return nil
}

// bar shows how far many files are, on a terminal alone.
type bar struct {
	w        io.Writer // nil shows nothing
	done, of int
}

// fewFiles are read before a bar could be seen.
const fewFiles = 20

func (c *call) bar(n int) *bar {
	if !c.terminal || c.set.quiet() || n < fewFiles {
		return &bar{of: n}
	}
	return &bar{w: c.err, of: n}
}

func (b *bar) step() {
	b.done++
	if b.w != nil && (b.done%max(1, b.of/100) == 0 || b.done == b.of) {
		b.draw()
	}
}

func (b *bar) draw() {
	const width = 30
	full := width * b.done / b.of
	fmt.Fprintf(b.w, "\r[%s%s] %d of %d", strings.Repeat("#", full), strings.Repeat(".", width-full), b.done, b.of)
}

func (b *bar) end() {
	if b.w != nil {
		fmt.Fprintln(b.w)
	}
}

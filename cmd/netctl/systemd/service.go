// Package systemd makes netctl a service of systemd.
package systemd

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed netctl.service
var serviceUnit string

//go:embed netctl.socket
var socketUnit string

// Names of the units.
const (
	Service = "netctl.service"
	Socket  = "netctl.socket"
)

// Places of what an installation writes, and of the network's folder, which it never
// touches.
const (
	program     = "/usr/local/bin/netctl"
	units       = "/etc/systemd/system"
	environment = "/etc/netctl/environment"
	Folder      = "/var/lib/netctl"
)

// settings is the environment of a new installation.
const settings = `# Settings of netctl serve, a line each; netctl help environment lists them.
# NETCTL_SERVE_DOMAIN=net.example
`

// File is a file that an installation writes.
type File struct {
	Path string `json:"path"`
	Text string `json:"text,omitempty" doc:"of a unit or of settings"`
	// Program is the program whose copy the file is, "" for a text.
	Program string `json:"program,omitempty"`
	// Keep leaves a file that exists as it is.
	Keep bool        `json:"keep,omitempty"`
	Mode fs.FileMode `json:"mode"`
}

// Plan is what a change of the installation does, in order.
type Plan struct {
	Write    []File     `json:"write,omitempty"`
	Remove   []string   `json:"remove,omitempty"`
	Commands [][]string `json:"commands"`
}

// Install returns the plan that installs a program as a service.
func Install(executable string) Plan {
	return Plan{
		Write: []File{
			{Path: program, Program: executable, Mode: 0o755},
			{Path: filepath.Join(units, Socket), Text: socketUnit, Mode: 0o644},
			{Path: filepath.Join(units, Service), Text: serviceUnit, Mode: 0o644},
			{Path: environment, Text: settings, Keep: true, Mode: 0o600},
		},
		Commands: [][]string{{"systemctl", "daemon-reload"}, {"systemctl", "enable", "--now", Socket, Service}},
	}
}

// Remove returns the plan that ends the service and removes its units. The program,
// the settings and the folder stay.
func Remove() Plan {
	return Plan{
		Remove:   []string{filepath.Join(units, Service), filepath.Join(units, Socket)},
		Commands: [][]string{{"systemctl", "disable", "--now", Service, Socket}, {"systemctl", "daemon-reload"}},
	}
}

// Run runs a program of the system and returns its output.
type Run func(ctx context.Context, args ...string) (string, error)

// Carry carries a plan out below a folder, "/" for the system. A plan that removes
// runs its commands around that, since a unit has to be stopped while it is known.
func (p *Plan) Carry(ctx context.Context, root string, run Run) error {
	for _, f := range p.Write {
		if err := f.write(root); err != nil {
			return err
		}
	}
	for i, args := range p.Commands {
		if out, err := run(ctx, args...); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(out))
		}
		if i > 0 {
			continue
		}
		for _, path := range p.Remove {
			if err := os.Remove(filepath.Join(root, path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// write writes a file whole: beside its place first, and then into it.
func (f *File) write(root string) error {
	path := filepath.Join(root, f.Path)
	if f.Keep {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
	}
	var from io.Reader = strings.NewReader(f.Text)
	if f.Program != "" {
		if same(f.Program, path) {
			return nil
		}
		in, err := os.Open(f.Program)
		if err != nil {
			return err
		}
		defer in.Close()
		from = in
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(path), ".netctl-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // fails once the file has its name
	_, err = io.Copy(out, from)
	err = errors.Join(err, out.Chmod(f.Mode), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), path)
	}
	return err
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// State is how systemd sees a unit.
type State struct {
	Unit   string `json:"unit"`
	Loaded string `json:"loaded" doc:"loaded, not-found, or why the unit cannot be used"`
	File   string `json:"file" doc:"enabled, disabled, or empty for a unit that is not there"`
	Active string `json:"active" doc:"active, inactive, failed, activating or deactivating"`
}

// Status asks systemd about the units.
func Status(ctx context.Context, run Run) (states []State, err error) {
	for _, unit := range []string{Socket, Service} {
		s := State{Unit: unit}
		out, err := run(ctx, "systemctl", "show", "--property=LoadState,UnitFileState,ActiveState", unit)
		if err != nil {
			return nil, fmt.Errorf("systemctl show %s: %w: %s", unit, err, strings.TrimSpace(out))
		}
		for line := range strings.Lines(out) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			switch name {
			case "LoadState":
				s.Loaded = value
			case "UnitFileState":
				s.File = value
			case "ActiveState":
				s.Active = value
			}
		}
		states = append(states, s)
	}
	return states, nil
}

// Runs reports whether systemd manages this machine, as sd_booted(3) finds out.
func Runs() bool {
	info, err := os.Lstat("/run/systemd/system")
	return err == nil && info.IsDir()
}

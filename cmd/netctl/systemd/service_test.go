package systemd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// systemd records the commands that it gets.
type systemd struct {
	got  []string
	fail string // the command that fails
	root string
	seen []string // units that were there when a service was disabled
}

func (s *systemd) run(_ context.Context, args ...string) (string, error) {
	line := strings.Join(args, " ")
	s.got = append(s.got, line)
	if args[1] == "disable" {
		units, _ := filepath.Glob(filepath.Join(s.root, "etc/systemd/system/netctl.*"))
		s.seen = append(s.seen, units...)
	}
	switch {
	case line == s.fail:
		return "Failed to connect to bus", errors.New("exit status 1")
	case args[1] == "show":
		return "LoadState=loaded\nUnitFileState=enabled\nActiveState=failed\n", nil
	}
	return "", nil
}

func TestInstallAndRemove(t *testing.T) {
	root := t.TempDir()
	binary := filepath.Join(root, "built")
	if err := os.WriteFile(binary, []byte("program"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &systemd{root: root}
	for range 2 { // an upgrade is another installation
		plan := Install(binary)
		if err := plan.Carry(t.Context(), root, s.run); err != nil {
			t.Fatal(err)
		}
		for _, f := range plan.Write {
			info, err := os.Stat(filepath.Join(root, f.Path))
			if err != nil || info.Mode().Perm() != f.Mode {
				t.Errorf("%s: got %v, %v, want mode %v", f.Path, info, err, f.Mode)
			}
		}
		if got, err := os.ReadFile(filepath.Join(root, program)); err != nil || string(got) != "program" {
			t.Errorf("the program: got %q, %v", got, err)
		}
		mine := filepath.Join(root, environment)
		if err := os.WriteFile(mine, []byte("NETCTL_SERVE_DOMAIN=a.example\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"systemctl daemon-reload", "systemctl enable --now netctl.socket netctl.service"}; !slices.Equal(s.got[:2], want) {
		t.Errorf("got %q, want %q", s.got[:2], want)
	}
	plan := Remove()
	if err := plan.Carry(t.Context(), root, s.run); err != nil {
		t.Fatal(err)
	}
	if len(s.seen) != 2 {
		t.Errorf("units when the service was disabled: got %q, want both", s.seen)
	}
	left, _ := filepath.Glob(filepath.Join(root, "etc/systemd/system/*"))
	if len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	for _, path := range []string{program, environment} {
		if _, err := os.Stat(filepath.Join(root, path)); err != nil {
			t.Error(err)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(root, environment)); !strings.Contains(string(got), "a.example") {
		t.Errorf("the settings were replaced by %q", got)
	}
}

func TestFailuresAreNamed(t *testing.T) {
	s := &systemd{fail: "systemctl daemon-reload"}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	plan := Install(binary)
	if err := plan.Carry(t.Context(), t.TempDir(), s.run); err == nil || !strings.Contains(err.Error(), "daemon-reload") || !strings.Contains(err.Error(), "connect to bus") {
		t.Errorf("got %v, want the command and its output", err)
	}
}

func TestStatus(t *testing.T) {
	states, err := Status(t.Context(), new(systemd).run)
	want := []State{{Socket, "loaded", "enabled", "failed"}, {Service, "loaded", "enabled", "failed"}}
	if err != nil || !slices.Equal(states, want) {
		t.Errorf("got %v, %v, want %v", states, err, want)
	}
	none := func(context.Context, ...string) (string, error) { return "", errors.New("not found") }
	if _, err := Status(t.Context(), none); err == nil {
		t.Error("a machine without systemctl has a status")
	}
}

// The folder that the unit serves is the one that the commands name.
func TestUnitServesTheFolder(t *testing.T) {
	for _, want := range []string{"ExecStart=" + program + " serve --data " + Folder, "EnvironmentFile=-" + environment, "StateDirectory=" + filepath.Base(Folder)} {
		if !strings.Contains(serviceUnit, want) {
			t.Errorf("the unit lacks %s", want)
		}
	}
}

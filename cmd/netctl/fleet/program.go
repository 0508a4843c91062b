package fleet

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
)

// Program is the package of netctl.
const Program = "github.com/agentnet/netctl/cmd/netctl"

// sources are the folders of the packages that the program was built from, empty where
// the tests did not build it.
var sources atomic.Pointer[[]string]

// Main builds netctl, with the race detector where the tests run under it, puts it first
// into PATH, runs the tests and returns the exit code for them.
func Main(m *testing.M) int {
	dir, err := os.MkdirTemp("", "netctl")
	if err == nil {
		defer os.RemoveAll(dir)
		err = buildProgram(dir)
	}
	if err == nil {
		err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleet: build netctl:", err)
		return 1
	}
	return m.Run()
}

// buildProgram builds netctl in a folder and notes its sources.
func buildProgram(dir string) error {
	args := []string{"build", "-o", dir + string(filepath.Separator), Program}
	if underRace() {
		args = []string{"build", "-race", "-o", dir + string(filepath.Separator), Program}
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	list, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", Program).Output()
	folders := strings.Fields(string(list))
	sources.Store(&folders)
	return err
}

// underRace reports whether the race detector is part of this process.
func underRace() bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}

// readSources reads the folders of the program's packages. The go command repeats a test
// whose result it has kept only if a file has changed that the test itself read; it does
// not know the files that the program was built from.
func readSources(t testing.TB) {
	t.Helper()
	folders := sources.Load()
	if folders == nil {
		return
	}
	for _, dir := range *folders {
		if _, err := os.ReadDir(dir); err != nil {
			t.Fatal(err)
		}
	}
}

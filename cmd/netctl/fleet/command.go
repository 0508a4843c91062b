package fleet

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/agentnet/netctl/netkit/audit"
)

// Run runs a command of netctl to its end. It returns the exit code, and the texts on
// standard output and standard error.
func Run(args ...string) (code int, out, said string) {
	var stdout, stderr strings.Builder
	cmd := exec.Command("netctl", args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the code shows
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// MustRun runs a command of netctl that succeeds, and returns its output without the
// space around it.
func MustRun(t testing.TB, args ...string) string {
	t.Helper()
	code, out, said := Run(args...)
	if code != 0 {
		t.Fatalf("netctl %s: exit %d: %s", strings.Join(args, " "), code, said)
	}
	return strings.TrimSpace(out)
}

// Audit checks the entries of a folder by netctl ledger verify, and returns its report.
func Audit(t testing.TB, dir string) (r audit.Report) {
	t.Helper()
	out := MustRun(t, "ledger", "verify", "--from", dir, "--seen", t.TempDir(), "--output", "json")
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// FreeAddress returns an address of loopback on which nothing listens. Its port is below
// 32768, where no outgoing connection gets one.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(22000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

package examples

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The unit of systemd is hardened: its exposure is at most 2.0 of 10.
func TestUnitIsHardened(t *testing.T) {
	out, err := foreign(t, "systemd-analyze", ".", nil, nil, "security", "--offline=true", "--threshold=20", "--no-pager", "../cmd/netctl/systemd/netctl.service")
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !strings.Contains(out, "Overall exposure level for netctl.service") {
		t.Errorf("got no level in\n%s", out)
	}
}

// The socket unit opens the addresses at which netctl serve listens by default, by
// whose ports it finds the sockets.
func TestSocketsAreThoseOfServe(t *testing.T) {
	unit, err := os.ReadFile("../cmd/netctl/systemd/netctl.socket")
	if err != nil {
		t.Fatal(err)
	}
	environment, err := os.ReadFile("../server/guide/environment.md")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for line := range strings.Lines(string(unit)) {
		if addr, ok := strings.CutPrefix(strings.TrimSpace(line), "ListenStream="); ok {
			got = append(got, addr)
		}
	}
	for line := range strings.Lines(string(environment)) {
		for _, name := range []string{"NETCTL_SERVE_ADDR", "NETCTL_SERVE_INTENT_ADDR", "NETCTL_SERVE_TLS_ADDR", "NETCTL_SERVE_HTTP_ADDR"} {
			if cells := strings.Split(line, "|"); len(cells) > 3 && strings.TrimSpace(cells[1]) == "`"+name+"`" {
				want = append(want, strings.TrimPrefix(strings.TrimSpace(cells[3]), ":"))
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(want) != 4 || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

//go:build linux

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/agentnet/netctl/cmd/netctl/fleet"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// A server with archive, backups and HTTPS exports every metric that the alert rules
// name.
func TestAlertsNameMetrics(t *testing.T) {
	dir := t.TempDir()
	cert, key, probes := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), fleet.FreeAddress(t)
	writeFiles(t, cert, key, "127.0.0.1")
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NETCTL_BACKUP_TO", dir)
	t.Setenv("NETCTL_BACKUP_RECIPIENT", id.Recipient().String())
	v := &fleet.Server{T: t, Dir: filepath.Join(dir, "net"), Flags: []string{"--tls-cert", cert, "--tls-key", key, "--tls-addr", fleet.FreeAddress(t), "--http-addr", "off", "--monitor-addr", probes, "--archive", "file://" + filepath.Join(dir, "archive")}}
	v.Start()
	v.Spawn("ada")
	rules, err := os.ReadFile("../../examples/operate/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(rules)) {
		expr, ok := strings.CutPrefix(strings.TrimSpace(line), "expr: ")
		if !ok {
			continue
		}
		for _, name := range regexp.MustCompile(`\b(netctl|process)_[a-z_]+\b`).FindAllString(expr, -1) {
			netkittest.Until(t, "the metric "+name, func() bool {
				return regexp.MustCompile(`(?m)^` + name + `[{ ]`).MatchString(readMetrics(t, probes))
			})
		}
	}
}

func readMetrics(t *testing.T, addr string) string {
	t.Helper()
	resp, err := http.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The probe of a server is asked by netctl itself, whose exit code a container takes
// for its health.
func TestReadyAsksTheProbe(t *testing.T) {
	probes := fleet.FreeAddress(t)
	s := newSession(t)
	s.env["NETCTL_SERVE_MONITOR_ADDR"] = probes
	if code, _, talk := s.run("", "ready"); code != exitUnreachable || !strings.Contains(talk, "nothing answers at "+probes) {
		t.Errorf("before the start: got exit code %d and %q", code, talk)
	}
	v := &fleet.Server{T: t, Dir: t.TempDir(), Flags: []string{"--monitor-addr", probes}}
	v.Start()
	netkittest.Until(t, "a server that is ready", func() bool {
		code, out, _ := s.run("", "ready")
		return code == 0 && out == "ok\n"
	})
	_, port, _ := strings.Cut(probes, ":")
	for _, args := range [][]string{{"ready", "--live"}, {"ready", "0.0.0.0:" + port}, {"ready", ":" + port}} {
		s.must(args...)
	}
	if code, _, talk := s.run("", "ready", "here"); code != exitUsage || !strings.Contains(talk, "127.0.0.1:9090") {
		t.Errorf("a wrong address: got exit code %d and %q", code, talk)
	}
}

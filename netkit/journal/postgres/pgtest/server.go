// Package pgtest starts PostgreSQL servers for tests, from the programs that the
// system has installed.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a PostgreSQL server in a throw-away folder, which listens on a socket in
// it. It ends with the test.
type Server struct {
	t       testing.TB
	bin     string // folder of the programs
	dir     string
	options []string
	cmd     *exec.Cmd
}

// Start starts a server with settings, each as "name=value". Without PostgreSQL the
// test is skipped by name, unless NETKIT_REQUIRE_ALL is set: then it fails.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	bin := programs(t)
	s := New(t, bin, settings...)
	s.run("initdb", "--pgdata", s.data(), "--username", "owner", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C", "--data-checksums")
	s.Resume()
	return s
}

// New returns a server whose folder holds nothing yet; a test fills [Server.Data],
// from another server for instance, and then resumes it.
func New(t testing.TB, bin string, settings ...string) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "pg") // a socket's path has at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	own(t, dir)
	s := &Server{t: t, bin: bin, dir: dir, options: settings}
	t.Cleanup(s.Kill)
	return s
}

// programs finds the folder of initdb and postgres.
func programs(t testing.TB) string {
	t.Helper()
	folders := filepath.SplitList(os.Getenv("PATH"))
	installed, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.Sort(installed)
	slices.Reverse(installed)
	for _, dir := range append(installed, folders...) {
		if hasAll(dir) {
			return dir
		}
	}
	if os.Getenv("NETKIT_REQUIRE_ALL") != "" {
		t.Fatal("PostgreSQL is not installed, and NETKIT_REQUIRE_ALL is set")
	}
	t.Skip("PostgreSQL is not installed: Debian's package is postgresql")
	return ""
}

// hasAll reports whether a folder has the programs that a server needs.
func hasAll(dir string) bool {
	for _, name := range []string{"initdb", "postgres", "pg_basebackup"} {
		if _, err := exec.LookPath(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// run runs one of PostgreSQL's programs to its end.
func (s *Server) run(program string, args ...string) {
	s.t.Helper()
	cmd := s.command(program, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// command prepares one of PostgreSQL's programs, as a user other than root, which
// PostgreSQL refuses.
func (s *Server) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.Dir = s.dir
	demote(cmd)
	return cmd
}

// URL returns the connection string of a role for the database that every server
// has.
func (s *Server) URL(role string) string { return s.Database(role, "postgres") }

// Database returns the connection string of a role for a database.
func (s *Server) Database(role, name string) string {
	q := url.Values{"host": {s.dir}, "user": {role}, "dbname": {name}}
	return "postgres:///?" + q.Encode()
}

// Resume starts the server and waits until it answers.
func (s *Server) Resume() {
	s.t.Helper()
	args := []string{"-D", s.data(), "-k", s.dir, "-c", "listen_addresses="}
	for _, o := range s.options {
		args = append(args, "-c", o)
	}
	s.cmd = s.command("postgres", args...)
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		err := s.try("SELECT 1")
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			text, _ := os.ReadFile(log.Name())
			s.t.Fatalf("PostgreSQL did not start: %v\n%s", err, text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (s *Server) try(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := pgx.Connect(ctx, s.URL("owner"))
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	_, err = c.Exec(ctx, sql)
	return err
}

// Exec runs SQL as the owner of the server.
func (s *Server) Exec(sql string) {
	s.t.Helper()
	if err := s.try(sql); err != nil {
		s.t.Fatalf("%s: %v", sql, err)
	}
}

// Kill ends the server as a crash would, if it runs. It leaves no process behind.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	// An immediate shutdown ends the children too and writes nothing.
	_ = s.cmd.Process.Signal(quit)
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		_ = s.cmd.Process.Kill()
		<-done
	}
	s.cmd = nil
}

// Signal sends a signal to all processes of the server.
func (s *Server) Signal(sig os.Signal) error {
	if s.cmd == nil {
		return errors.New("the server does not run")
	}
	return signalAll(s.cmd, sig)
}

// Follow returns a standby of the server, which streams from it under a name.
func (s *Server) Follow(name string, settings ...string) *Server {
	s.t.Helper()
	f := New(s.t, s.bin, settings...)
	f.run("pg_basebackup", "--pgdata", f.data(), "--host", s.dir, "--username", "owner", "--write-recovery-conf", "--checkpoint", "fast", "--no-sync")
	conf := fmt.Sprintf("\nprimary_conninfo = 'host=%s user=owner application_name=%s'\n", s.dir, name)
	file := filepath.Join(f.data(), "postgresql.auto.conf")
	old, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append(old, conf...), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	f.Resume()
	return f
}

// Log returns the server's log.
func (s *Server) Log() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return strings.TrimSpace(string(text))
}

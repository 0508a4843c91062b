package fleet

import (
	"cmp"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/netkittest"
)

// Server is a process of netctl serve on a folder. It is killed when its test ends.
type Server struct {
	T     testing.TB
	Dir   string
	Addr  string   // where the API listens; "" is a free port of loopback
	Flags []string // more flags of netctl serve

	URL     string   // of the API, since the last start
	process *process // of the last start
}

// process is one run of a server.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{}
	err   error // of the end, once it has ended
}

// wait notes the end of the process.
func (p *process) wait() {
	p.err = p.cmd.Wait()
	close(p.ended)
}

// arguments are those of netctl serve: no waiting, no limits, no nights.
func (s *Server) arguments() []string {
	return append([]string{"serve", "--data", s.Dir, "--addr", cmp.Or(s.Addr, "127.0.0.1:0"), "--intent-addr", "127.0.0.1:0",
		"--wait", "0", "--rate", "1000000", "--spawn-rate", "1000000", "--no-night", "--quiet"}, s.Flags...)
}

// Start runs netctl serve and waits until it answers.
func (s *Server) Start() {
	s.T.Helper()
	if said, ok := s.TryStart(); !ok {
		s.T.Fatalf("the server on %s has ended: %v: %s", s.Dir, s.Wait(), said)
	}
}

// TryStart runs netctl serve and waits until it answers, or has ended. It returns whether
// it answers, and the text that it wrote by then.
func (s *Server) TryStart() (said string, ok bool) {
	s.T.Helper()
	return s.launch(exec.Command("netctl", s.arguments()...), s.answers)
}

// StartAfter runs netctl serve behind a command of a shell, such as one that sets its
// limits, and waits until it accepts connections at Addr. It may be unable to write its
// server.json.
func (s *Server) StartAfter(command string) {
	s.T.Helper()
	s.URL = "http://" + s.Addr
	cmd := exec.Command("sh", append([]string{"-c", command + ` && exec netctl "$@"`, "sh"}, s.arguments()...)...)
	accepts := func() bool {
		c, err := net.Dial("tcp", s.Addr)
		return err == nil && c.Close() == nil
	}
	if said, ok := s.launch(cmd, accepts); !ok {
		s.T.Fatalf("the server on %s has ended: %v: %s", s.Dir, s.Wait(), said)
	}
}

// launch starts a command as the server's process, and waits until it is ready or has
// ended.
func (s *Server) launch(cmd *exec.Cmd, ready func() bool) (text string, ok bool) {
	s.T.Helper()
	readSources(s.T)
	said := new(netkittest.Output)
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		s.T.Fatal(err)
	}
	p := &process{cmd: cmd, ended: make(chan struct{})}
	go p.wait()
	s.process = p
	s.T.Cleanup(s.Kill)
	netkittest.Until(s.T, "a server on "+s.Dir, func() bool {
		if ok = ready(); ok {
			return true
		}
		select {
		case <-p.ended:
			return true
		default:
			return false
		}
	})
	return said.String(), ok
}

// answers reports whether the process has announced itself in its folder and answers.
func (s *Server) answers() bool {
	var found struct {
		URL string
		PID int
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, "server.json"))
	if err != nil || json.Unmarshal(text, &found) != nil || found.PID != s.process.cmd.Process.Pid {
		return false
	}
	resp, err := http.Get(found.URL + catalog.GetHealth.Path)
	if err != nil {
		return false
	}
	if s.URL != found.URL {
		s.URL = found.URL
	}
	return resp.Body.Close() == nil
}

// Signal sends a signal to the process.
func (s *Server) Signal(sig os.Signal) {
	s.T.Helper()
	if err := s.process.cmd.Process.Signal(sig); err != nil {
		s.T.Fatal(err)
	}
}

// Wait waits for the end of the process, and returns nil if it ended in order.
func (s *Server) Wait() error {
	<-s.process.ended
	return s.process.err
}

// Stop ends the process in order.
func (s *Server) Stop() {
	s.T.Helper()
	s.Signal(syscall.SIGTERM)
	if err := s.Wait(); err != nil {
		s.T.Errorf("the server on %s ended: %v", s.Dir, err)
	}
}

// Kill ends the process by SIGKILL. It may have ended before.
func (s *Server) Kill() {
	_ = s.process.cmd.Process.Kill()
	_ = s.Wait()
}

//go:build unix

package detector

import (
	"os/exec"
	"syscall"
)

// killGroup makes the end of a program that of all programs that it starts.
func killGroup(p *exec.Cmd) {
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.Cancel = func() error { return syscall.Kill(-p.Process.Pid, syscall.SIGKILL) }
}

package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"testing"
)

var quit = os.Kill

func own(testing.TB, string) {}

func demote(*exec.Cmd) {}

func signalAll(*exec.Cmd, os.Signal) error { return errors.ErrUnsupported }
